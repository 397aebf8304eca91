"""Pairs that are listed more than once."""

import pytest

from latentlink.errors import InputError
from latentlink.network import Network


def raised_message(edges, **options):
    with pytest.raises(InputError) as error:
        Network.from_edges(edges, **options)
    return str(error.value)


def test_a_duplicate_raises_with_both_positions():
    message = raised_message([("a", "b", 1), ("c", "b", 1), ("b", "a", 1)], symmetric=True)
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
