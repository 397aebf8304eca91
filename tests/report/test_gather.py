"""What a report gathers from every kind of model, and what it says."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from latentlink import BayesianFactorizer, LinkPredictor, LinkStack, WNMFk, evaluate
from latentlink.errors import InputError
from latentlink.rank import Choice
from latentlink.report import ReportData, gather_report
from latentlink.report.page import page_html
from latentlink.report.sections.factorizers import factorizers_of
from latentlink.report.sections.rank_section import rank_section
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from latentlink.tables import Table
from tests.evaluation.cases import labelled, ratings
from tests.helpers.fitted import planted, with_unknown
from tests.helpers.joint_fits import groups, links_of, logistic_part


def test_the_story_is_complete(reported):
    data = reported.data
    assert set(data.tables) == {
        "ranks", "metrics", "risk_coverage", "risk_levels", "reliability", "links", "explanations", "members",
        "loadings",
    }  # fmt: skip
    assert {"data", "rank", "prediction", "risk", "links", "neighbourhoods", "components", "settings"} <= set(
        data.facts
    )
    assert "tables: ranks (4)" in repr(data)


def test_counts_are_those_of_the_data_with_what_is_kept_back_from_the_fit(reported):
    network = reported.model.network_
    counts = dict(reported.data.facts["data"]["counts"])
    kept_back = len(reported.calibrated)
    assert counts == {
        "nodes": 36,
        "known links": int(network.values.sum()),
        "known non-links": int((network.values == 0).sum()),
        "of them kept back from the fit": kept_back,
    }
    text = " ".join(reported.data.facts["data"]["sentences"])
    assert f"Known are {counts['known links']} links and" in text
    assert f"{kept_back} of the listed pairs were kept back from the fit" in text


def test_models_without_anything_beside_them_have_a_report(any_model):
    data = gather_report(any_model)
    assert data.facts["rank"]["models"][0]["status"] == "given"
    assert "prediction" not in data.facts
    assert "risk" not in data.facts
    assert len(data.tables["links"]) == min(1000, len(any_model.top_links(1000)))
    assert "No pairs were held out" in page_html(data)


def test_models_of_several_factorizations_have_a_report(joint_model):
    data = gather_report(joint_model)
    assert len(data.facts["rank"]["models"]) == len(factorizers_of(joint_model)) >= 2
    assert data.facts["components"]["count"] >= 1
    assert data.facts["links"]["adds_up"].startswith("What the score is made of, on the scale of log-odds")
    assert len(page_html(data).encode()) < 1_500_000


@pytest.mark.slow
def test_links_alone_say_what_was_drawn():
    split = holdout(links_of(groups(), 0.0), 0.2, rng=0)
    model = LinkStack(models=[logistic_part()], random_state=0).fit(split.train)
    data = gather_report(model, calibrated=model.calibrate(split.test))
    assert f"{model.drawn_} unlisted pairs drawn at random" in " ".join(data.facts["data"]["sentences"])
    assert "unlisted pairs drawn at random stand for non-links" in data.facts["prediction"]["source"]


@pytest.mark.slow
def test_posteriors_are_called_directions():
    model = BayesianFactorizer((2,), n_perturbs=2, random_state=0).fit(with_unknown(planted()))
    data = gather_report(model)
    assert data.facts["components"]["directions"]
    assert "Bayesian" in data.facts["method"]
    assert "directions, not groups" in page_html(data)


def test_a_predictor_is_reported_as_its_model():
    pairs = np.array([(i, j) for i in range(6) for j in range(5)])
    predictor = LinkPredictor(WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=2, random_state=0), shape=(6, 5))
    data = gather_report(predictor.fit(pairs[:-2], pairs.sum(axis=1)[:-2].astype(float)))
    assert data.facts["model"] == "WNMFk"
    assert len(data.tables["links"]) == 2


@pytest.mark.parametrize(
    ("choice", "headline", "words"),
    [
        (Choice(2, "held-out error 0.3", "agreed"), "2 components fit the data best", "can be relied on"),
        (
            Choice(2, "held-out error 0.3", "agreed", (3,)),
            "2 components fit the data best",
            "nearly the same number",
        ),
        (
            Choice(2, "x", "disputed", (4,)),
            "2 components, but the criteria disagree",
            "other criteria choose 4.",
        ),
        (
            Choice(2, "x; no clear number of components: no rank is y; z", "disputed", (9, 3, 5)),
            "No clear number of components",
            "No rank is y; other criteria choose 3, 5 or 9. Rank 2 is the choice of the rule",
        ),
        (Choice(1, "x", "unstable"), "No clear number of components", "do not read meaning"),
        (Choice(1, "x", "unconfirmed"), "1 component, not confirmed", "nothing confirms rank 1"),
    ],
)
def test_the_rank_is_stated_with_its_doubts(reported, choice, headline, words):
    class Other(WNMFk):
        pass

    other = Other()
    other.__dict__.update(reported.model.__dict__, choice_=choice)
    facts = rank_section(other)[0]["rank"]["models"][0]
    assert facts["headline"] == headline
    assert words in facts["meaning"]
    assert facts["reason"] == f"Rank {choice.rank}: {re.sub('; no clear.*; z', '; z', choice.reason)}."
    # The headline is not said again.
    assert "no clear number" not in (facts["reason"] + facts["meaning"]).lower()


def test_held_out_metrics_stand_beside_baselines(reported):
    metrics, facts = reported.data.tables["metrics"], reported.data.facts["prediction"]
    auc = dict(
        zip(
            *(metrics[name][metrics["metric"] == "roc_auc"].tolist() for name in ("model", "mean")),
            strict=True,
        )
    )
    assert set(auc) == {"WNMFk", "degree product", "biases only", "resource allocation"}
    best = max(value for name, value in auc.items() if name != "WNMFk")
    verdict = facts["verdicts"][0]
    assert verdict["better"] == (auc["WNMFk"] > best)
    assert f"{auc['WNMFk']:.3f}" in verdict["text"]
    assert f"{best:.3f}" in verdict["text"]


def test_a_model_that_is_no_better_is_called_that(reported):
    calibrated = reported.calibrated
    worse = replace(calibrated)
    object.__setattr__(worse, "score", -calibrated.score)
    verdict = gather_report(reported.model, calibrated=worse).facts["prediction"]["verdicts"][0]
    assert not verdict["better"]
    assert verdict["headline"].startswith("WNMFk is not better than ")


@pytest.mark.slow
def test_an_evaluation_has_intervals_and_verdicts(reported):
    network = labelled(symmetric=False)
    model = WNMFk((2,), solver=WNMF(ridge=0.3), n_perturbs=2, random_state=0)
    evaluation = evaluate(network, {"<b>ours</b>": model}, repeats=2, random_state=0)
    data = gather_report(reported.model, evaluation=evaluation)
    assert set(data.tables["metrics"]["model"].tolist()) == {"<b>ours</b>", *evaluation.baselines}
    assert np.isfinite(data.tables["metrics"]["low"]).any()
    page = page_html(data)
    assert "<b>ours" not in page
    assert "&lt;b&gt;ours" in page


@pytest.mark.slow
def test_calibration_by_folds_is_named_and_its_baselines_see_no_test_pair():
    network = labelled(shape=(20, 15))
    model = WNMFk((1,), solver=WNMF(ridge=0.3), n_perturbs=2, random_state=0).fit(network)
    data = gather_report(model, calibrated=model.cross_calibrate(2))
    assert "cross-fitting" in data.facts["prediction"]["source"]
    metrics = data.tables["metrics"]
    own = (metrics["model"] == "biases only") & (metrics["metric"] == "roc_auc")
    assert metrics["mean"][own][0] < 0.9


def test_values_have_errors_instead_of_probabilities():
    split = holdout(ratings(shape=(25, 20)), 0.2, rng=0)
    model = WNMFk((1,), solver=WNMF(ridge=0.3), n_perturbs=3, random_state=0).fit(split.train)
    data = gather_report(model, calibrated=model.calibrate(split.test))
    assert "reliability" not in data.tables
    assert data.facts["risk"]["unit"] == "mean absolute error"
    score = model.predict_links(np.column_stack([split.test.rows, split.test.cols]))
    assert data.tables["risk_coverage"]["risk"][-1] == pytest.approx(np.abs(score - split.test.values).mean())
    assert set(data.tables["metrics"]["metric"].tolist()) == {"rmse", "mae"}
    page = page_html(data).split("<script")[0]
    assert "The largest missing values" in page
    # A table of values has entries and intervals: no pairs, links, probabilities or decisions.
    assert not re.search(
        r"\b(pairs?|more likely|probabilit|decision)",
        re.sub(r"<(style|dl class=.lines).*?</(style|dl)>", "", page, flags=re.S),
    )


def test_what_the_run_states_is_on_the_page(reported):
    page = page_html(reported.data)
    words_of_the_run = (
        "latentlink fit links.csv --out run",
        "links and non-links are known",
        "At most 5 % are wrong.",
        "A quarter of the pairs was kept back.",
    )
    for words in (*words_of_the_run, "arXiv:2503.04680"):
        assert words in page


def test_a_run_may_state_its_method_and_limits_in_sentences(weighted):
    run = {"method": "wnmfk, as asked for", "calibration": "by 5 folds", "limits": ("nothing is guaranteed",)}
    facts = gather_report(weighted, run=run).facts
    assert (facts["method_reason"], facts["calibration"]) == ("wnmfk, as asked for", "by 5 folds")
    assert facts["limits"] == ["nothing is guaranteed"]


def test_columns_that_say_nothing_are_left_out(weighted):
    best = weighted.top_links(5)
    empty = Table(
        {"source": best["row"], "target": best["column"], "score": best["score"],
         "probability": np.full(5, np.nan), "decision": np.full(5, ""), "low": best["score"] - 1}
    )  # fmt: skip
    assert list(gather_report(weighted, links=empty).tables["links"]) == [
        "source",
        "target",
        "score",
        "low",
        "rank",
    ]


def test_a_single_member_has_no_stability_and_a_page_all_the_same():
    model = WNMFk((2,), n_perturbs=1, random_state=0).fit(with_unknown(planted()))
    data = gather_report(model)
    assert data.facts["components"]["stability"] == [None, None]
    assert '"stability":[null,null]' in page_html(data)


def test_components_of_another_factorization_can_be_shown(stack, undirected):
    data = gather_report(stack, components=undirected)
    assert data.facts["components"]["model"] == "SymLMF"
    (told,) = data.facts["rank"]["models"]
    assert told["model"] == "SymLMF"
    assert "for predictions" not in told["reason"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"calibrated": 3}, "calibrated is 3; expected a Calibrated or None"),
        ({"evaluation": "x"}, "evaluation is 'x'; expected a Evaluation or None"),
        (
            {"image_shape": (3, 7)},
            "image_shape is 3 x 7, 21 pixels; expected as many pixels as there are rows",
        ),
    ],
)
def test_wrong_arguments_raise(weighted, options, words):
    with pytest.raises(InputError, match=words):
        gather_report(weighted, **options)


def test_only_fitted_models_have_a_report():
    with pytest.raises(InputError, match="WNMFk is not fitted"):
        gather_report(WNMFk())
    with pytest.raises(InputError, match="model is 'x'; expected a LinkModel, fitted"):
        gather_report("x")


def test_the_record_shows_what_it_has(weighted):
    assert isinstance(gather_report(weighted), ReportData)
