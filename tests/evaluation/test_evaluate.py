"""evaluate: known answers, models of every form, verdicts, comparisons and tables."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone

from latentlink import LinkStack, Network, RankedFactorizer, RNMFk, evaluate
from latentlink.errors import DataWarning, InputError
from latentlink.evaluation import Protocol, compare_paired, evaluation_tasks
from latentlink.metrics import roc_auc
from latentlink.solvers import SymLMF
from latentlink.splitting import kfold
from tests.evaluation.cases import ByGroup, WithSpread, degree_only, groups, labelled, ratings

pytestmark = pytest.mark.slow
SMALL = Protocol(per_link=4, max_links=30, max_nodes=5, k=3, top=20)
NETWORK, GROUP = groups()


def small(models, network=NETWORK, **options):
    return evaluate(network, models, **({"repeats": 2, "protocol": SMALL} | options))


@pytest.fixture(scope="module")
def result():
    return small({"groups": ByGroup(GROUP)}, repeats=4)


def test_measurements_are_those_of_the_pairs(result):
    tasks = evaluation_tasks(NETWORK, repeats=4, protocol=SMALL)
    for task, value in zip(tasks, result.values("groups", negatives="uniform"), strict=True):
        positions = task.settings[0].positions
        scores = ByGroup(GROUP).predict_links(task.pairs[positions])
        assert value == pytest.approx(roc_auc(task.values[positions], scores))
    assert result.negatives == ("uniform", "degree", "hard", "all")
    assert set(result.measurements["pairs"]) >= {"all", "warm"}
    assert set(result.measurements["model"]) == {*result.models, *result.baselines}


def test_a_stack_of_links_alone_is_measured_as_it_is_fitted():
    """An evaluation handed it drawn pairs as known non-links: another model, of three factorizations."""
    stack = LinkStack((2,), n_perturbs=2, random_state=0)
    measured = small({"stack": stack, "groups": ByGroup(GROUP)}, repeats=1, negatives=("uniform",))
    (task,) = evaluation_tasks(NETWORK, repeats=1, protocol=SMALL, negatives=("uniform",))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        scores = clone(stack).fit(task.links).predict_links(task.pairs)
    positions = task.settings[0].positions
    assert measured.values("stack")[0] == pytest.approx(roc_auc(task.values[positions], scores[positions]))
    (note,) = measured.notes
    assert note.startswith("stack was fitted to the training links alone")
    for shown in (repr(measured), measured.to_markdown(), measured._repr_html_()):
        assert note in shown
    assert small({"groups": ByGroup(GROUP)}, repeats=1, negatives=("uniform",)).notes == ()


def test_an_order_of_scores_is_all_that_counts():
    def scores(train, pairs):
        return 3 * ByGroup(GROUP).predict_links(pairs) - 7

    same = small({"groups": scores}, repeats=4, negatives=("uniform",))
    assert same.to_markdown("uniform") == small(
        {"groups": ByGroup(GROUP)}, repeats=4, negatives=("uniform",)
    ).to_markdown("uniform")


def test_scores_from_elsewhere_equal_those_of_the_model(result):
    tasks = evaluation_tasks(NETWORK, repeats=4, protocol=SMALL)
    given = {task.number: ByGroup(GROUP).predict_links(task.pairs) for task in tasks}
    again = small({"dict": given, "list": [given[n] for n in range(4)]}, repeats=4)
    for name in ("dict", "list"):
        np.testing.assert_array_equal(
            again.values(name, "mrr", "hard"), result.values("groups", "mrr", "hard")
        )


def test_models_are_cloned_and_not_changed():
    model = ByGroup(GROUP)
    factorizer = RankedFactorizer((2,), solver=SymLMF(ridge=1.0), n_perturbs=2, random_state=0)
    small({"groups": model, "SymLMF": factorizer}, repeats=1, negatives=("uniform",))
    assert not hasattr(model, "fitted")
    assert not hasattr(factorizer, "factors_")


def test_the_spread_weights_metrics():
    models = {"flat": WithSpread(GROUP, 0.0), "graded": WithSpread(GROUP, 2.0), "none": ByGroup(GROUP)}
    result = small(models, negatives=("uniform",))
    flat, graded = (result.values(name, "uq_roc_auc") for name in ("flat", "graded"))
    np.testing.assert_allclose(flat, result.values("flat", "roc_auc"))
    assert (graded != result.values("graded", "roc_auc")).all()
    with pytest.raises(InputError, match="UQ metrics need a model with a spread"):
        result.values("none", "uq_roc_auc")
    head, rows = result.cells()
    assert rows[2][head.index("UQ-ROC AUC")] == ""


# ---------------------------------------------------------------- verdicts


def test_a_model_that_knows_the_groups_is_better_than_the_baselines():
    network, group = groups(200, 10, within=0.2, between=0.005)
    result = small({"groups": ByGroup(group)}, network, repeats=4, negatives=("uniform", "degree"))
    for kind in result.negatives:
        assert result.verdict("groups", negatives=kind).startswith("better than the best baseline (")
    assert result.compare("groups", result.best_baseline()).better


def test_links_by_degree_alone_leave_nothing_to_be_better_at():
    network = degree_only()
    model = RankedFactorizer((3,), solver=SymLMF(ridge=1.0), n_perturbs=2, random_state=0)
    result = small({"SymLMF": model}, network, repeats=4, negatives=("uniform", "degree"))
    for kind in result.negatives:
        assert result.verdict("SymLMF", negatives=kind).startswith("not better than the best baseline (")
    assert result.values("degree product", negatives="uniform").mean() > 0.7
    assert "not better than the best baseline" in repr(result)
    # Degrees say little about non-links that have the degrees of links.
    assert result.values("degree product", negatives="degree").mean() < 0.65


def test_one_repeat_shows_nothing():
    result = small({"groups": ByGroup(GROUP)}, repeats=1, negatives=("uniform",))
    own, best = (float(result.values(name).mean()) for name in ("groups", result.best_baseline()))
    said = f"one repeat cannot show a difference: ROC AUC {own:.3f} against {best:.3f} of the best baseline"
    assert result.verdict("groups").startswith(said)
    assert np.isnan(result.interval("groups").low)
    assert "±" not in result.cells()[1][0][1]


def test_the_best_baseline_has_the_best_mean(result):
    means = {name: result.values(name, "mrr", "hard").mean() for name in result.baselines}
    assert result.best_baseline("mrr", "hard") == max(means, key=means.get)
    of_values = small({}, ratings())
    errors = {name: of_values.values(name).mean() for name in of_values.baselines}
    assert of_values.best_baseline() == min(errors, key=errors.get)


# ---------------------------------------------------------------- comparisons


def test_comparisons_are_paired_and_corrected(result):
    ours, theirs = result.values("groups"), result.values("L3")
    gap = ours - theirs
    comparison = result.compare("groups", "L3")
    share = result.test_shares["pairs"]
    assert share == pytest.approx(0.2, abs=0.01)
    statistic = gap.mean() / np.sqrt((1 / 4 + share / (1 - share)) * gap.var(ddof=1))
    assert comparison.difference.p_value == pytest.approx(2 * stats.t.sf(abs(statistic), 3))
    assert comparison.wilcoxon == pytest.approx(stats.wilcoxon(gap).pvalue)
    assert "corrected t" in str(comparison)


def test_equal_models_have_no_difference():
    comparison = compare_paired(("a", "b"), ([0.5, 0.6], [0.5, 0.6]), "roc_auc", 0.2)
    assert comparison.wilcoxon == 1.0
    assert comparison.difference.p_value == 1.0
    assert not comparison.better
    lower = compare_paired(("a", "b"), ([0.5, 0.6, 0.5], [0.9, 1.1, 0.9]), "rmse", 0.2)
    assert lower.better


def test_shares_of_given_splits_are_those_of_the_splits():
    result = small({}, repeats=list(kfold(NETWORK, 3, rng=0)), negatives=("uniform",))
    assert result.test_shares["pairs"] == pytest.approx(1 / 3, abs=0.01)
    assert len(result.values("L3")) == 3


# ---------------------------------------------------------------- kinds of data


def test_labelled_pairs_are_tested_as_listed_first():
    result = small({}, labelled(), repeats=1)
    assert result.kind == "labelled"
    assert result.negatives == ("listed", "uniform", "degree", "hard", "all")
    # Links are 4 times as likely within a group, which paths of three find.
    assert result.values("L3").mean() > 0.6


def test_values_are_measured_by_errors_and_lists_of_rows():
    model = RNMFk((2,), n_perturbs=2, random_state=0)
    result = small({"RNMFk": model}, ratings(), repeats=6, protocol=Protocol(k=3, relevant=4.0))
    assert result.negatives == ("listed",)
    assert {"rmse", "mae", "precision@3", "recall@3", "mrr"} <= set(result.measurements["metric"])
    assert result.values("biases only").mean() < result.values("global mean").mean()
    assert result.verdict("RNMFk").startswith("better than the best baseline (")
    assert "Held-out values" in repr(result)


def test_new_nodes_are_measured_apart():
    protocol = Protocol(**(SMALL.get_params() | {"new_nodes": 0.2}))
    result = small({"groups": ByGroup(GROUP)}, protocol=protocol, negatives=("uniform", "all"))
    held_out = "held-out nodes"
    # Only a model that knows more than the links can tell the links of new nodes.
    assert result.values("groups", negatives="uniform", pairs=held_out).mean() > 0.7
    assert result.values("common neighbours", negatives="uniform", pairs=held_out) == pytest.approx(
        [0.5, 0.5]
    )
    assert result.verdict("groups", negatives="uniform", pairs=held_out)
    assert 0 < result.test_shares["nodes"] < 1
    assert result.to_markdown("uniform", held_out).startswith("Uniform non-links, held-out nodes:")
    with pytest.raises(InputError, match="There are no 'nowhere' pairs"):
        result.to_markdown(pairs="nowhere")


def test_kinds_without_a_subset_are_left_out_of_its_page():
    protocol = Protocol(**(SMALL.get_params() | {"new_nodes": 0.2}))
    result = small({}, protocol=protocol, repeats=1, negatives=("uniform", "hard"))
    page = result.to_markdown(pairs="held-out nodes")  # new nodes have no hard non-links
    assert "Uniform non-links" in page
    assert "Hard" not in page


# ---------------------------------------------------------------- pairs without a score


def test_pairs_without_a_score_are_ranked_last_and_counted():
    def partly(train, pairs):
        scores = ByGroup(GROUP).predict_links(pairs) + 2.0
        scores[pairs[:, 0] < 10] = np.nan
        return scores

    def last(train, pairs):
        return np.nan_to_num(partly(train, pairs), nan=-5.0)

    result = small({"partly": partly, "last": last}, negatives=("uniform",))
    np.testing.assert_array_equal(result.values("partly"), result.values("last"))
    assert result.values("partly", "unscored").min() > 0
    assert not result.values("last", "unscored").any()
    head, rows = result.cells()
    assert head[-1] == "unscored"
    assert rows[0][-1] != "0" == rows[1][-1]
    nothing = small({"nothing": lambda train, pairs: np.full(len(pairs), np.nan)}, negatives=("uniform",))
    np.testing.assert_array_equal(nothing.values("nothing"), 0.5)
    values = small({"nothing": lambda train, pairs: np.full(len(pairs), np.nan)}, ratings())
    np.testing.assert_array_equal(values.values("nothing"), values.values("global mean"))


# ---------------------------------------------------------------- what raises


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ([ByGroup(GROUP)], "The models are a list; expected a dict"),
        ({3: ByGroup(GROUP)}, "The name of a model is 3"),
        ({"L3": ByGroup(GROUP)}, "A model is named 'L3', the name of a baseline"),
        ({"model": ByGroup}, "Model 'model' is the class ByGroup"),
        ({"model": 3.0}, "Model 'model' is 3.0; expected an estimator"),
        ({"model": {}}, "Model 'model' has no scores for task 0"),
        ({"model": lambda train, pairs: [1.0]}, "returned scores of shape"),
        ({"model": lambda train, pairs: np.full(len(pairs), np.inf)}, "scored pair 0 of task 0 as inf"),
    ],
)
def test_models_that_cannot_be_evaluated_raise(models, message):
    with pytest.raises(InputError, match=message):
        small(models, negatives=("uniform",))


def test_an_error_of_a_model_names_it():
    def broken(train, pairs):
        raise RuntimeError("no memory")

    with pytest.raises(RuntimeError, match="no memory") as caught:
        small({"mine": broken})
    assert caught.value.__notes__ == ["This is model 'mine' of evaluate, in task 0."]


def test_names_that_do_not_exist_raise(result):
    with pytest.raises(InputError, match="There is no model 'nobody' here; expected one of groups, degree"):
        result.values("nobody")
    with pytest.raises(InputError, match="There is no metric 'speed'"):
        result.compare("groups", "L3", metric="speed")
    with pytest.raises(InputError, match="There are no 'held-out nodes' pairs"):
        result.cells(pairs="held-out nodes")


# ---------------------------------------------------------------- tables


def test_tables_have_every_method_and_escape_names():
    name = "<b>a_b|c & 50 %</b>"
    result = small({name: ByGroup(GROUP)}, negatives=("uniform",))
    assert name in repr(result)
    assert "<b>" not in result._repr_html_()
    assert "&lt;b&gt;a_b|c &amp; 50 %&lt;/b&gt;" in result._repr_html_()
    assert r"\<b\>a\_b\|c & 50 %\</b\>" in result.to_markdown()
    assert r"<b>a\_b|c \& 50 \%</b>" in result.to_latex()
    for baseline in result.baselines:
        assert all(baseline in text for text in (repr(result), result.to_markdown(), result.to_latex()))
    head, rows = result.cells()
    assert len(rows) == 11
    assert head[:2] == ["method", "ROC AUC"]


def test_frames_are_long(result):
    frame = result.to_frame("pandas")
    assert list(frame.columns) == ["model", "negatives", "pairs", "metric", "mean", "low", "high", "repeats"]
    row = frame[(frame.model == "groups") & (frame.metric == "mrr") & (frame.negatives == "hard")]
    assert row[row.pairs == "all"]["mean"].item() == pytest.approx(
        result.values("groups", "mrr", "hard").mean()
    )
    assert len(result.measurements.to_frame("pandas")) == len(result.measurements)


def test_a_plot_has_a_line_for_each_method(result):
    pytest.importorskip("matplotlib").use("Agg")
    axes = result.plot("average_precision")
    assert [label.get_text() for label in axes.get_yticklabels()] == [*result.models, *result.baselines]
    assert axes.get_xlabel() == "AP"
    from matplotlib import pyplot

    pyplot.close("all")


def test_directed_and_bipartite_links():
    for kind in ({"square": True}, {}):
        network = Network(NETWORK.rows, NETWORK.cols, shape=NETWORK.shape, **kind)
        result = small({}, network, repeats=1)
        assert result.negatives == ("uniform", "degree", "hard", "all")
        assert np.isfinite(result.values("resource allocation", "vertex_precision@3", "all")).all()
