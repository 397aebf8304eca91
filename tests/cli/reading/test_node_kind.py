"""One kind of nodes or two, with a direction or without."""

from __future__ import annotations

import pytest

from latentlink.cli.reading.node_kind import direction_of, nodes_of
from latentlink.network import Network


def network(*pairs, **options):
    return Network.from_edges([(*pair, 1.0)[:3] for pair in pairs], duplicates="keep", **options)


NUMBERS = (("1", "2"), ("2", "3"), ("3", "1"))


@pytest.mark.parametrize(
    ("pairs", "labels", "answer", "reason"),
    [
        ([("a", "b"), ("b", "c"), ("c", "a")], None, "one", "100 % of the names are on both sides"),
        ([("a", "x"), ("b", "y")], None, "two", "no name is on both sides"),
        ([("a", "x"), ("b", "y")], ("protein_a", "protein_b"), "one", "both columns have one name"),
        ([("a", "x"), ("b", "y")], ("Node 1", "Node 2"), "one", "both columns have one name"),
        ([("a", "b"), ("b", "a")], ("user_id:token", "item_id:token"), "two", "the columns are user_id"),
        (NUMBERS, ("customer", "page"), "two", "the columns are customer"),
        (NUMBERS, ("gene", "trait"), "two", "numbers in columns of different names"),
        (NUMBERS, ("source", "target"), "one", "100 %"),
        (NUMBERS, None, "one", "100 %"),
        ([("1", "2", 4.0), ("2", "3", 2.5)], None, "two", "nodes are numbers and the pairs have values"),
        ([(f"a{i}", f"b{i}") for i in range(99)] + [("a1", "a2")], None, "two", "only 1 %"),
    ],
)
def test_kinds_of_nodes(pairs, labels, answer, reason):
    assumption = nodes_of(network(*pairs), labels)
    assert assumption.answer == answer
    assert reason in assumption.sentence
    assert ("--bipartite" if answer == "one" else "--symmetric") in assumption.sentence


@pytest.mark.parametrize(
    ("pairs", "answer", "reason"),
    [
        ([("a", "b"), ("b", "c")], "symmetric", "no pair is listed in both directions"),
        ([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")], "symmetric", "every pair is listed in both"),
        ([("a", "b"), ("b", "a"), ("b", "c")], "directed", "67 % of the pairs"),
        ([("a", "b", 1), ("b", "a", 0), ("b", "c", 1)], "directed", "1 pair has another value"),
        ([("a", "a"), ("b", "b")], "symmetric", "no pair"),
        ([("a", "b"), ("a", "b")], "symmetric", "no pair"),
    ],
)
def test_directions(pairs, answer, reason):
    assumption = direction_of(network(*pairs, square=True))
    assert assumption.answer == answer
    assert reason in assumption.sentence


def test_a_few_pairs_in_both_directions_are_no_direction():
    pairs = [(f"n{i}", f"n{i + 1}") for i in range(400)]
    assumption = direction_of(network(*pairs, ("n1", "n0"), square=True))
    assert assumption.answer == "symmetric"
    assert "only 0.5 %" in assumption.sentence
