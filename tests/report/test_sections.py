"""Curves, members and neighbourhoods of a report, against plain computations."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network, WNMFk
from latentlink.report import gather_report
from latentlink.report.explanation_tables import shown_count
from latentlink.report.page import page_html
from latentlink.report.sections.held_out import HeldOutPairs
from latentlink.report.sections.neighbourhood import neighbourhood
from latentlink.report.words.part_words import kind_of_part
from latentlink.scoring import explained_kinds
from tests.helpers.reports import HOSTILE


def test_the_risk_is_the_share_of_wrong_answers_among_the_most_confident(reported):
    table, calibrated = reported.data.tables["risk_coverage"], reported.calibrated
    margin = np.abs(calibrated.score - 0.5).round(12)
    wrong = (calibrated.score > 0.5) != (calibrated.values == 1)
    for row in (0, len(table) // 2, len(table) - 1):
        answered = margin >= table["threshold"][row]
        assert table["risk"][row] == pytest.approx(wrong[answered].mean())
        assert table["coverage"][row] == pytest.approx(answered.mean())


def test_links_that_remain_are_confident_and_predicted_to_be_links(reported):
    table, score = reported.data.tables["risk_coverage"], reported.links["score"]
    for row in (0, len(table) - 1):
        expected = (score > 0.5) & (np.abs(score - 0.5).round(12) >= table["threshold"][row])
        assert table["links"][row] == expected.sum()


def test_probabilities_of_the_reliability_curve_are_of_pairs_their_curve_was_not_fitted_to(reported):
    held_out = HeldOutPairs.of(reported.calibrated)
    own = np.asarray(
        reported.calibrated.probabilities(
            np.column_stack([reported.calibrated.rows, reported.calibrated.cols])
        )
    )
    out_of_fold = held_out.probabilities()
    assert not np.allclose(own, out_of_fold)
    assert np.corrcoef(own, out_of_fold)[0, 1] > 0.95
    assert reported.data.tables["reliability"]["count"].sum() == len(reported.calibrated)


def test_members_are_the_largest_entries_of_the_factors(reported):
    model, members = reported.model, reported.data.tables["members"]
    for component in range(model.rank_):
        own = members["component"] == component
        order = np.argsort(-model.W_[:, component], kind="stable")[:8]
        assert members["node"][own].tolist() == model.row_names_[order].tolist()
        assert members["loading"][own][0] == 1.0
    assert sum(reported.data.facts["components"]["shares"]) == pytest.approx(1, abs=1e-3)


def test_a_single_member_has_no_stability():
    X = np.random.default_rng(0).gamma(1, size=(8, 6))
    report = gather_report(WNMFk((2,), n_perturbs=1, random_state=0).fit(X))
    assert report.facts["components"]["stability"] == [None, None]
    assert '"stability":[null,null]' in page_html(report)


def test_images_are_of_rows_or_of_columns(weighted):
    images = gather_report(weighted, image_shape=(3, 4)).facts["components"]["images"]
    largest = weighted.W_[:, 0].max()
    assert images["of"] == "rows"
    assert images["pixels"][0] == np.rint(100 * weighted.W_[:, 0] / largest).astype(int).tolist()
    assert gather_report(weighted, image_shape=(3, 3)).facts["components"]["images"]["of"] == "columns"


def test_explanations_are_those_of_the_model(reported):
    table, links = reported.data.tables["explanations"], reported.data.tables["links"]
    expected = reported.model.explain((links["source"][0], links["target"][0]))
    own = table["link"] == 0
    assert table["part"][own].tolist() == expected["part"].tolist()
    np.testing.assert_array_equal(table["contribution"][own], expected["contribution"])
    assert table["link"].max() == 99
    assert len(reported.data.facts["neighbourhoods"]) == 100


def test_many_parts_are_summed_by_kind_and_listed_by_name(stack):
    data = gather_report(stack)
    links = data.tables["links"]
    expected = stack.explain((int(links["source"][0]), int(links["target"][0])))
    first = {}
    for name in ("explanations", "explanation_parts"):
        table = data.tables[name]
        own = table["link"] == 0
        first[name] = dict(zip(table["part"][own].tolist(), table["contribution"][own].tolist(), strict=True))
    assert first["explanation_parts"] == dict(
        zip(expected["part"].tolist(), expected["contribution"].tolist(), strict=True)
    )
    sums = {}
    for part, contribution in first["explanation_parts"].items():
        sums[kind_of_part(part)] = sums.get(kind_of_part(part), 0.0) + contribution
    assert first["explanations"] == pytest.approx(sums)
    # All bars are kinds in plain words, which the page explains.
    assert list(sums) != list(first["explanation_parts"])
    assert set(sums) == {label for label, _ in data.facts["links"]["kinds"]}


@pytest.mark.parametrize("count", [8, 9, 30, 100])
def test_what_is_left_out_is_not_the_largest_bar(count):
    for parts in (np.ones(count), np.arange(count, 0, -1.0), -(0.5 ** np.arange(count))):
        shown = shown_count(parts)
        assert shown == count if count == 8 else 7 <= shown <= 20
        assert shown == 20 or abs(parts[shown:].sum()) <= np.abs(parts).max()


def test_the_spread_of_a_kind_is_that_of_its_sum(stack):
    scorer = stack._scorer()
    ((_, (_, _, spread)),) = explained_kinds(
        scorer, np.array([0]), np.array([1]), None, (str, lambda part: "all")
    )
    each = [sum(member.contributions(0, 1).values()) for member in scorer.members]
    assert spread[0] == pytest.approx(np.std(each))


def test_typical_members_of_a_boolean_component_come_first(boolean_model):
    data = gather_report(boolean_model)
    facts, members = data.facts["components"], data.tables["members"]
    W, H = np.asarray(boolean_model.W_) != 0, np.asarray(boolean_model.H_) != 0
    known = boolean_model.network_.to_dense()
    for component in range(facts["shown"]):
        own = (members["component"] == component) & (members["side"] == "rows")
        assert facts["sizes"]["rows"][component] == W[:, component].sum()
        rows = [int(name) for name in members["node"][own].tolist()]
        assert W[rows, component].all()
        links = np.nanmean(np.where(np.isnan(known), np.nan, known != 0)[:, H[component]], axis=1)
        assert members["loading"][own] == pytest.approx(links[rows])
        best = np.sort(links[W[:, component]])[::-1][: len(rows)]
        assert members["loading"][own] == pytest.approx(best)
    page = page_html(data)
    for words in (
        "one is enough, and more do not add up",
        "A spread of 0 means",
        "Listed are the most typical",
    ):
        assert words in page
    assert "the sum over the components" not in page


def graph_of(edges, row, col, **options):
    network = Network.from_edges(edges, **options)
    graph = neighbourhood(network, network.row_index(row), network.col_index(col))
    names = [name for name, _ in graph["nodes"]]
    return dict(graph["nodes"]), {frozenset((names[a], names[b])) for a, b in graph["edges"]}


def test_common_neighbours_are_told_from_others():
    edges = [("a", "c"), ("b", "c"), ("a", "d"), ("b", "e"), ("d", "e"), ("f", "g"), ("a", "h", 0.0)]
    roles, links = graph_of([(*edge, 1.0)[:3] for edge in edges], "a", "b", symmetric=True)
    assert roles == {"a": "source", "b": "target", "c": "both", "d": "of source", "e": "of target"}
    assert links == {frozenset(pair) for pair in ("ac", "bc", "ad", "be", "de")}


def test_paths_of_a_table_go_through_a_column_and_a_row():
    edges = [("r1", "c2"), ("r2", "c2"), ("r2", "c1"), ("r3", "c3"), ("r1", "c4")]
    roles, links = graph_of(edges, "r1", "c1")
    assert roles == {"r1": "source", "c1": "target", "c2": "of source", "c4": "of source", "r2": "of target"}
    assert links == {frozenset(pair) for pair in (("r1", "c2"), ("r2", "c2"), ("r2", "c1"), ("r1", "c4"))}


def test_directed_neighbours_count_in_both_directions():
    roles, _ = graph_of([("a", "c"), ("c", "b"), ("d", "a")], "a", "b", square=True)
    assert roles["c"] == "both"
    assert roles["d"] == "of source"


def test_directed_links_have_their_direction():
    network = Network.from_edges([("a", "c"), ("c", "b"), ("b", "a"), ("b", "c"), ("b", "d")], square=True)
    graph = neighbourhood(network, network.row_index("a"), network.col_index("b"))
    names = [name for name, _ in graph["nodes"]]
    edges = {names[one] + names[other] for one, other in graph["edges"]}
    assert edges == {"ac", "cb", "ba", "bc", "bd"}  # the opposite of the predicted link among them


def test_a_node_without_links_is_alone():
    network = Network([0], [1], shape=(4, 4), symmetric=True)
    assert neighbourhood(network, 2, 3) == {"nodes": [["2", "source"], ["3", "target"]], "edges": []}


def test_hubs_are_bounded():
    network = Network(np.zeros(3000, int), np.arange(3000), shape=(2, 3001))
    graph = neighbourhood(network, 0, 3000)
    assert len(graph["nodes"]) <= 12


def test_names_reach_the_tables_whole(reported):
    links = reported.data.tables["links"]
    assert set(HOSTILE) <= {*links["source"].tolist(), *links["target"].tolist()}
