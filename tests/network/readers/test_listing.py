"""Pairs that are listed more than once."""

from dataclasses import replace

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.readers.listing import Listing, pairs_listed_once


def raised_message(edges, **options):
    with pytest.raises(InputError) as error:
        Network.from_edges(edges, **options)
    return str(error.value)


def test_a_duplicate_raises_with_both_positions():
    message = raised_message([("a", "b", 1), ("c", "b", 1), ("a", "b", 1)], symmetric=True)
    for part in ("('a', 'b')", "listed entry 0", "listed entry 2", "values agree", "drop_duplicates"):
        assert part in message


def test_a_conflict_is_reported_before_a_duplicate():
    message = raised_message([(0, 0, 1), (0, 0, 1), (1, 0, 1), (1, 0, 1), (1, 0, 0)])
    for part in ("(1, 0)", "entry 2 has the value 1", "entry 4 has 0", "values differ", "3 entries repeat"):
        assert part in message


@pytest.mark.parametrize(
    ("edges", "parts"),
    [
        ([(0, 0, 0, 1), (0, 0, 1, 0)], ["listed entry 1 is hidden", "no conflict"]),
        ([(0, 0, 0, 0), (0, 0, 1, 0)], ["both are hidden", "no conflict"]),
        (
            [(0, 0, 0, 1), (0, 0, 1, 0), (1, 0, 0, 1), (1, 0, 5, 0), (1, 0, 1, 1)],
            ["(1, 0)", "entry 2 has the value 0 and listed entry 4 has 1", "values differ", "3 entries"],
        ),
    ],
)
def test_a_hidden_entry_is_a_duplicate_but_no_conflict(edges, parts):
    message = raised_message(edges)
    for part in parts:
        assert part in message


def test_both_directions_of_a_directed_pair_are_different_pairs():
    network = Network.from_edges([("a", "b", 1), ("b", "a", 0)], square=True)
    assert network.is_clean
    assert network.n_listed == 2


def test_a_pair_that_is_listed_once_in_each_direction_is_one_pair():
    """So undirected networks are often written: each link with both of its nodes."""
    edges = [("a", "b", 2, 3), ("b", "a", 2, 3), ("b", "c", 1, 1), ("c", "c", 5, 1)]
    network = Network.from_edges(edges, symmetric=True)
    assert (network.rows.tolist(), network.cols.tolist()) == ([0, 1, 2], [1, 2, 2])
    assert (network.values.tolist(), network.weights.tolist()) == ([2, 1, 5], [3, 1, 1])
    assert network.history[0].touched == 4
    assert network.history[0].sentence == (
        "Read 4 entries. 1 pair, listed in both directions with the same value, was kept once."
    )
    assert Network.from_edges(edges, symmetric=True, duplicates="keep").n_listed == 4


@pytest.mark.parametrize(
    ("edges", "parts"),
    [
        # A value or a weight that differs cannot be told from an error.
        ([("a", "b", 1), ("b", "a", 2), ("c", "d", 1), ("d", "c", 1)], ["differ", "2 entries repeat"]),
        ([("a", "b", 1, 1), ("b", "a", 1, 2)], ["values agree", "1 entry repeats"]),
        ([("a", "b", 1, 0), ("b", "a", 1, 1)], ["is hidden", "1 entry repeats"]),
        # Twice in one direction is a duplicate, whatever is said of the other one.
        ([("a", "b"), ("b", "a"), ("a", "b")], ["values agree", "2 entries repeat"]),
        ([("b", "a"), ("b", "a"), ("a", "b")], ["values agree", "2 entries repeat"]),
        ([("a", "a"), ("a", "a"), ("a", "b"), ("b", "a")], ["('a', 'a')", "2 entries repeat"]),
    ],
)
def test_other_repeated_pairs_of_an_undirected_network_raise(edges, parts):
    message = raised_message(edges, symmetric=True)
    for part in parts:
        assert part in message


def test_both_directions_of_a_file_are_one_pair(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("a,b\nb,a\nb,c\nc,b\n")
    network = Network.from_file(path, symmetric=True)
    assert (network.n_listed, network.is_clean) == (2, True)
    assert (
        "2 pairs, listed in both directions with the same value, were kept once"
        in network.history[0].sentence
    )


def test_kept_duplicates_are_in_the_order_of_the_list():
    network = Network.from_edges([(1, 0, 5), (0, 1, 7)], symmetric=True, duplicates="keep")
    assert network.values.tolist() == [5, 7]


def test_an_unknown_treatment_of_duplicates_raises():
    with pytest.raises(InputError, match="duplicates is 'drop'"):
        Network.from_edges([("a", "b")], duplicates="drop")


def test_values_are_compared_with_those_of_the_same_pair():
    message = raised_message([(0, 0, 1), (1, 0, 2), (1, 0, 2)])
    assert (
        "listed entry 1 has the value 2 and listed entry 2 has 2 (a duplicate: the values agree)" in message
    )


def test_pairs_of_large_indices_are_told_apart():
    """Their numbers are exact: as fractions of the size, they would be the same."""
    size = 2**31
    listing = Listing(np.array([0, 1, size - 1]), np.array([size - 1] * 2 + [0]), shape=(size, size))
    once = pairs_listed_once(listing)
    assert (once.rows.tolist(), once.cols.tolist()) == ([0, 1], [size - 1, size - 1])
    other = replace(listing, cols=np.array([size - 1, size - 1, 2]))
    assert pairs_listed_once(other).rows.tolist() == [0, 1, size - 1]
    assert pairs_listed_once(replace(listing, rows=np.array([0, 0, size - 1]))) is None
