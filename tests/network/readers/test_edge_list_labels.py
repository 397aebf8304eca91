"""Frames that list pairs by their labels, index and widths, on both sides of each condition."""

from __future__ import annotations

import warnings

import numpy as np
import pandas
import pytest

from latentlink.errors import DataWarning, InputError
from latentlink.network import Network
from latentlink.network.readers.tables.edge_list_frames import (
    raise_if_edge_list,
    raise_if_pairs_in_index,
    warn_if_array_of_pairs,
)

NUMBERS = {
    "no number repeats": (np.arange(10), np.arange(10) + 3),  # chance would repeat no pair
    "hardly any repeats": (np.minimum(np.arange(10), 8), np.minimum(np.arange(10)[::-1], 8)),  # 45 / 81
    "some repeat": (np.arange(10) // 2, (np.arange(10) + 1) // 2),  # 45 / 30
    "numbers repeat": (np.arange(10) // 3, np.arange(10) % 3),  # 45 / 12 pairs
}


def wide(order, numbers):
    """A frame of five columns, two of which have the labels of nodes."""
    user, item = NUMBERS[numbers]
    columns = {"user": user, "item": item, "x": 0.5, "y": 1.5, "z": 2.5}
    return pandas.DataFrame({label: columns[label] for label in order}, index=range(10))


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize(
    "order", ["user item x y z", "user x item y z", "x user item y z", "x y z item user"]
)
def test_wide_frames_with_labels_of_nodes_in_other_places_repeat_a_pair_by_chance(order, numbers):
    """In the first two places the labels are enough, if each pair is there once."""
    frame = wide(order.split(), numbers)
    if order.startswith("user item") or numbers in {"some repeat", "numbers repeat"}:
        with pytest.raises(InputError, match=r"looks like a list of pairs: .* are labels of nodes"):
            raise_if_edge_list(frame)
    else:
        assert raise_if_edge_list(frame) is None


def test_wide_frames_whose_pairs_repeat_are_matrices():
    frame = wide(["user", "item", "x", "y", "z"], "numbers repeat").assign(item=1)
    assert raise_if_edge_list(frame) is None


@pytest.mark.parametrize("place", [(0, 1), (2, 4)])
def test_a_wide_frame_with_names_under_labels_of_nodes_is_a_list(place):
    labels = ["a", "b", "c", "d", "e"]
    labels[place[0]], labels[place[1]] = "user", "item"
    frame = pandas.DataFrame([["ann", 1.5, "tea", 0.5, "x"]] * 2, columns=labels)
    with pytest.raises(InputError, match="'user' and 'item' are labels of nodes"):
        raise_if_edge_list(frame)


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("levels", [("user", "item"), ("country", "year"), ("user", "year")])
def test_pairs_in_an_index_have_one_column_beside_them_or_names_of_nodes(columns, levels):
    index = pandas.MultiIndex.from_tuples([("a", "x"), ("b", "x"), ("c", "y")], names=levels)
    frame = pandas.DataFrame(np.ones((3, columns)), index=index, columns=list("pqr")[:columns])
    told = columns == 1 or levels == ("user", "item")
    for ask in (lambda: raise_if_pairs_in_index(frame, None), lambda: raise_if_edge_list(frame)):
        if told:
            with pytest.raises(InputError, match=r"in its index|its index has two nodes"):
                ask()
        else:
            assert ask() is None


@pytest.mark.parametrize(
    ("given", "told"),
    [(("p", "q"), False), (("country", "p"), True), (("p", "year", None), True), (("p", "q", None), False)],
)
def test_given_columns_that_are_levels_of_the_index(given, told):
    index = pandas.MultiIndex.from_tuples([("a", "x"), ("b", "x")], names=("country", "year"))
    frame = pandas.DataFrame({"p": ["s", "t"], "q": ["u", "u"]}, index=index)
    if told:
        with pytest.raises(InputError, match="has 'country', 'year' in its index"):
            raise_if_pairs_in_index(frame, given)
    else:
        assert raise_if_pairs_in_index(frame, given) is None


def test_a_label_that_is_a_column_and_a_level_is_a_column():
    index = pandas.MultiIndex.from_tuples([("a", "x"), ("b", "x")], names=("p", "year"))
    frame = pandas.DataFrame({"p": ["s", "t"], "q": ["u", "u"]}, index=index)
    assert raise_if_pairs_in_index(frame, ("p", "q")) is None


def test_frames_without_levels_have_no_pairs_in_the_index():
    frame = pandas.DataFrame({"p": ["s", "t"], "q": ["u", "u"]})
    assert raise_if_pairs_in_index(frame, ("p", "q")) is None
    assert raise_if_pairs_in_index([("a", "b")], None) is None
    assert Network.from_edges(frame).n_listed == 2


def numbered(lines, rows, cols, columns):
    """Distinct pairs of so many numbers each, beside other columns."""
    pairs = np.array([(k % rows, (k + k // np.lcm(rows, cols)) % cols) for k in range(lines)])
    return np.column_stack([pairs, *[np.arange(lines) * 7] * (columns - 2)])


@pytest.mark.parametrize(
    ("array", "warns"),
    [
        (numbered(16, 4, 6, 2), True),  # chance would repeat 5 pairs
        (numbered(15, 4, 6, 2), False),  # 4.4
        (numbered(9, 6, 6, 3), True),  # 1
        (numbered(8, 6, 6, 3), False),  # 0.8
        (numbered(9, 6, 6, 4), True),
        (numbered(9, 6, 6, 5), False),
        (numbered(9, 6, 6, 3).astype(float), False),
        (numbered(9, 6, 6, 3).astype(np.uint8), True),
        (numbered(16, 4, 6, 2)[:, :1], False),
        (np.zeros((3, 3, 3), int), False),
        (numbered(9, 6, 6, 3) - 1, False),
    ],
)
def test_arrays_of_integers_that_chance_would_repeat(array, warns):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_if_array_of_pairs(array, "x.npy")
    assert [each.category for each in caught] == [DataWarning] * warns
    if warns:
        assert f"The array of {len(array)} rows of {array.shape[1]} integers may be" in str(caught[0].message)


@pytest.mark.parametrize(("largest", "told"), [(2**53 - 1, True), (2**53, False)])
def test_numbers_that_floats_cannot_count_are_no_nodes(largest, told):
    frame = pandas.DataFrame({"user": [1, largest], "item": [2, 3], "x": 0.5, "y": 0.5, "z": 0.5})
    if told:
        with pytest.raises(InputError, match="labels of nodes"):
            raise_if_edge_list(frame)
    else:
        assert raise_if_edge_list(frame) is None
