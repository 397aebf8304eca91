"""How a run is calibrated, what it costs, and how its files are written."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from latentlink import Network
from latentlink.cli.results.link_file import csv_text, formula_names, write_csv
from latentlink.cli.running.calibration_plan import planned_calibration
from latentlink.cli.running.component_plan import planned_components
from latentlink.cli.running.cost import Cost, available_bytes, core_count, estimated_cost, raise_if_too_large
from latentlink.cli.running.drawn_negatives import with_negatives
from latentlink.cli.running.run_settings import FitSettings
from latentlink.errors import InputError
from latentlink.estimators import make_estimator
from latentlink.solvers.needs import n_unlisted


def pairs(count, values=(0, 1)):
    rows = np.arange(count)
    return Network.from_edges(rows, rows, np.resize(np.array(values, float), count), shape=(count, count))


@pytest.mark.parametrize(
    ("requested", "network", "method", "how", "words"),
    [
        ("auto", pairs(100), "wnmfk", "cross", "5 further fits"),
        ("auto", pairs(100), "stack", "cross", "fitted to all data"),
        ("auto", pairs(40_000), "stack", "split", "else --calibration cross"),
        ("cross", pairs(40_000), "stack", "cross", "fitted to all data"),
        ("auto", pairs(40_000), "wnmfk", "cross", "fitted to all data"),
        ("split", pairs(100), "wnmfk", "split", "a tenth of what is known"),
        ("none", pairs(100), "wnmfk", "none", "not calibrated"),
        ("auto", pairs(10), "wnmfk", "none", "only 10 entries"),
        ("auto", pairs(100, [1]), "stack", "split", "folds of links alone have no non-links"),
        ("auto", pairs(100, [1]).with_background(1.0), "bnmfk", "none", "no non-link is listed"),
        ("auto", pairs(100, [1, 2.5]).with_background(1.0), "nmfk", "none", "all other entries count as 0"),
        ("auto", pairs(100, [1, 2.5]), "stack", "cross", "fitted to all data"),
    ],
)
def test_calibration_is_planned_and_stated(requested, network, method, how, words):
    plan = planned_calibration(requested, network, method)
    assert plan.how == how
    assert words in plan.sentence


def test_folds_of_links_alone_raise():
    with pytest.raises(InputError, match="--calibration cross needs known non-links"):
        planned_calibration("cross", pairs(100, [1]), "stack")


# ---------------------------------------------------------------- cost


@pytest.mark.parametrize(
    ("name", "values"),
    [("wnmfk", (0, 1)), ("bnmfk", (0, 1)), ("lmf", (0, 1)), ("stack", (0, 1)), ("stack", (1, 5))],
)
def test_more_data_members_and_folds_cost_more(name, values):
    def cost(count=2000, members=4, folds=0):
        network = pairs(count, values)
        return estimated_cost(make_estimator(name, network, members=members), network, folds, 2)

    assert cost().seconds < cost(20_000).seconds
    assert cost().n_bytes < cost(20_000).n_bytes
    assert cost().seconds < cost(members=16).seconds
    assert cost().seconds < cost(folds=5).seconds


@pytest.mark.parametrize(
    ("nodes", "known", "measured"),
    [(60, 890, 0.38), (332, 2126, 0.56), (820, 11_760, 0.79), (1036, 10_254, 0.80), (11_167, 448_330, 1.09)],
)
def test_the_memory_of_a_stack_is_about_what_was_measured(nodes, known, measured):
    """Peak gigabytes of whole runs, on networks of these sizes; the estimate may be a half off."""
    rng = np.random.default_rng(0)
    codes = np.sort(rng.choice(nodes * (nodes - 1) // 2, known, replace=False))
    cols = np.floor((1 + np.sqrt(1 + 8 * codes)) / 2).astype(int)
    rows = codes - cols * (cols - 1) // 2
    values = (np.arange(known) % 2).astype(float)
    network = Network.from_edges(rows, cols, values, shape=(nodes, nodes), symmetric=True)
    estimate = estimated_cost(make_estimator("stack", network), network, 5, 2).n_bytes / 1e9
    assert 0.6 * measured < estimate < 1.7 * measured


@pytest.mark.parametrize(
    ("values", "folds", "measured"),
    [(100_000, 0, 0.72), (30_000, 5, 0.77)],  # ratings of 943 users and 1,682 items
)
def test_the_memory_of_a_stack_of_values_is_about_what_was_measured(values, folds, measured):
    rng = np.random.default_rng(0)
    places = rng.choice(943 * 1682, values, replace=False)
    network = Network.from_edges(
        *np.divmod(places, 1682), rng.integers(1, 6, values).astype(float), shape=(943, 1682)
    )
    estimate = estimated_cost(make_estimator("stack", network), network, folds, 2).n_bytes / 1e9
    assert 0.85 * measured < estimate < 1.3 * measured


def test_ranks_and_a_logistic_head_cost_more():
    def seconds(ranks, logistic=False):
        model = make_estimator("wnmfk", pairs(4), ranks=ranks, logistic=logistic)
        return estimated_cost(model, pairs(5000), 0, 1).seconds

    assert seconds((2,)) < seconds(range(2, 9)) < seconds(range(2, 9), True)


def test_a_run_that_does_not_fit_raises_with_advice():
    with pytest.raises(InputError, match=r"needs about 4\.0 GB of memory, and 1\.0 GB are free. Give fewer"):
        raise_if_too_large(Cost(1.0, 2**32), 2**30)
    raise_if_too_large(Cost(1.0, 2**32), None)
    assert available_bytes() is None or available_bytes() > 0


@pytest.mark.parametrize(
    ("seconds", "words"), [(3, "10 seconds"), (44, "40 seconds"), (600, "10 minutes"), (36_000, "10 hours")]
)
def test_a_cost_in_words(seconds, words):
    assert str(Cost(seconds, 2**29)) == f"about {words} and 0.5 GB of memory"


def test_cores():
    assert core_count(1) == 1
    assert core_count(None) >= 1


# ---------------------------------------------------------------- files

NAMES = np.array(["=1+1", "a, b", 'say "hi"', "two\nlines", " kept ", "-5", "@x", "#c", "é", "007"])


def test_names_are_read_back_exactly(tmp_path):
    columns = {
        "source": NAMES,
        "target": NAMES[::-1],
        "score": np.linspace(0, 1, 10),
        "rank": np.arange(1, 11),
    }
    write_csv(tmp_path / "links.csv", columns)
    network = Network.from_file(tmp_path / "links.csv", columns=("source", "target", "score"))
    assert set(network.row_names) == set(NAMES)
    read = list(csv.DictReader(io.StringIO("".join(csv_text(columns)))))
    assert [line["source"] for line in read] == NAMES.tolist()
    assert [float(line["score"]) for line in read] == pytest.approx(np.linspace(0, 1, 10))


def test_numbers_nothing_and_truth_in_cells():
    columns = {
        "x": np.array([np.nan, 1 / 3, 2.0]),
        "yes": np.array([True, False, True]),
        "n": np.array([1, 2, 3]),
    }
    assert "".join(csv_text(columns)) == "x,yes,n\n,true,1\n0.3333333,false,2\n2,true,3\n"


def test_long_tables_are_written_in_pieces():
    pieces = list(csv_text({"n": np.arange(25_000)}))
    assert len(pieces) == 4
    assert "".join(pieces).splitlines()[1:] == [str(number) for number in range(25_000)]


def test_names_that_spreadsheets_take_for_formulas():
    assert formula_names(NAMES) == 3


def test_components_are_planned_beside_a_stack_alone():
    assert planned_components("wnmfk", pairs(100), FitSettings(), 1, 1) is None
    assert planned_components("stack", pairs(100), FitSettings(components=False), 1, 1) is None
    of_links = planned_components("stack", pairs(100), FitSettings(seed=3, ranks="2:4"), 1, 1)
    assert type(of_links.model).__name__ == "WNMFk"
    assert of_links.model.ranks == range(2, 5)
    assert of_links.model.random_state == 3
    assert of_links.network.n_known == 100
    alone = planned_components("stack", pairs(100, [1]), FitSettings(), 1, 1)
    assert alone.network.n_known == 200
    assert "100 non-links drawn" in alone.sentence
    assert (
        type(planned_components("stack", pairs(100, [1, 2.5]), FitSettings(), 1, 1).model).__name__ == "RNMFk"
    )


def test_components_that_take_long_are_fitted_on_request():
    large = pairs(600_000)
    left_out = planned_components("stack", large, FitSettings(), 1, 1)
    assert left_out.model is None
    assert "minutes more (--components)" in left_out.sentence
    assert planned_components("stack", large, FitSettings(components=True), 1, 1).model is not None


def test_costs_add_up_in_time_and_not_in_memory():
    assert Cost(10, 500).before(Cost(5, 900)) == Cost(15, 900)


# ---------------------------------------------------------------- drawn non-links


def dense_links(free):
    """Return ten nodes of which all pairs but some are links."""
    every = [(a, b) for a in range(10) for b in range(a + 1, 10)]
    return Network.from_edges(every[: len(every) - free], symmetric=True, shape=(10, 10))


@pytest.mark.parametrize(("free", "drawn"), [(23, 22), (22, 11), (3, 1), (2, 1)])
def test_where_most_pairs_are_links_fewer_non_links_are_drawn(free, drawn):
    network, sentence = with_negatives(dense_links(free), "wnmfk", FitSettings())
    assert network.n_known == 45 - free + drawn
    assert n_unlisted(network) == free - drawn > 0
    few = "" if free == 23 else f"{free} "
    noun = "non-link" if drawn == 1 else "non-links"
    assert sentence == f", with {drawn} {noun} drawn among the {few}unlisted pairs (--negatives)"


@pytest.mark.parametrize("free", [0, 1])
def test_without_unlisted_pairs_no_non_links_are_drawn(free):
    with pytest.raises(
        InputError, match=f"All pairs but {free} are links, so that no non-links can be drawn"
    ):
        with_negatives(dense_links(free), "wnmfk", FitSettings())


def test_a_number_of_non_links_that_is_asked_for_is_drawn_or_refused():
    with pytest.raises(InputError, match="The requested number of non-links is 23"):
        with_negatives(dense_links(22), "wnmfk", FitSettings(negatives=1.0))
    assert with_negatives(dense_links(22), "wnmfk", FitSettings(negatives=0.5))[0].n_known == 23 + 12


@pytest.mark.parametrize(("free", "words"), [(23, "as many"), (22, "all 22")])
def test_what_a_stack_draws_is_told(free, words):
    network, sentence = with_negatives(dense_links(free), "stack", FitSettings())
    assert network.n_known == 45 - free
    assert sentence == f", and {words} unlisted pairs are drawn as non-links (some may be links)"
