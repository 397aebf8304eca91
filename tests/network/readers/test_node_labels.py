"""Node labels: indices, names and their order."""

import warnings

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import DataWarning, InputError
from latentlink.network import Network
from latentlink.network.readers.node_labels import are_names, checked_labels, indexed_names
from tests.network.strategies import edge_lists, names


def test_integers_are_indices():
    network = Network.from_edges([(0, 3), (2, 1)])
    assert network.shape == (3, 4)
    assert network.row_names is None
    assert Network.from_edges([(0, 3), (2, 1)], square=True).shape == (4, 4)
    assert Network.from_edges([(0, 3)], shape=(9, 9)).shape == (9, 9)
    assert Network.from_edges(np.array([[0.0, 3.0, 0.5]])).values.tolist() == [0.5]
    assert Network.from_edges(pandas.DataFrame({"a": [0, 1], "b": [1, 2]})).row_names is None


def test_rows_may_be_names_and_columns_indices():
    network = Network.from_edges([("a", 3), ("b", 0)])
    assert network.row_names.tolist() == ["a", "b"]
    assert network.col_names is None
    assert network.shape == (2, 4)
    assert Network.from_edges([(3, "a"), (0, "b")]).transposed() == network


def test_names_are_sorted_as_numbers_only_if_all_are_numbers():
    assert Network.from_edges([("10", "x"), ("9", "x")]).row_names.tolist() == ["9", "10"]
    network = Network.from_edges([("10", "x"), ("9", "x"), ("007", "x")])
    assert network.row_names.tolist() == ["007", "10", "9"]


def test_leading_zeros_distinguish_names():
    assert Network.from_edges([("007", "x"), ("7", "x")]).shape == (2, 1)


@settings(max_examples=30)
@given(edge_lists(), st.randoms(use_true_random=False))
def test_the_order_of_the_list_does_not_change_the_network(edges, random):
    shuffled = random.sample(edges, len(edges))
    assert Network.from_edges(edges) == Network.from_edges(shuffled)
    reversed_pairs = [(other, one, value) for one, other, value in shuffled]
    one = Network.from_edges(edges, symmetric=True, duplicates="keep")
    other = Network.from_edges(reversed_pairs, symmetric=True, duplicates="keep")
    assert (one.rows.tolist(), one.cols.tolist()) == (other.rows.tolist(), other.cols.tolist())
    assert sorted(one.values) == sorted(other.values)


@settings(max_examples=30)
@given(edge_lists())
def test_every_value_is_looked_up_by_its_names(edges):
    network = Network.from_edges(edges)
    rows, cols, values = zip(*edges, strict=True)
    assert network.values[network.positions(rows, cols)].tolist() == list(values)


@settings(max_examples=30)
@given(st.lists(names, min_size=1), st.lists(names, min_size=1))
def test_indices_point_to_the_names_of_all_columns(one, other):
    assert are_names(checked_labels(one, "row"))
    sorted_names, indices = indexed_names(one, other)
    assert set(sorted_names) == {*one, *other}
    for column, column_indices in zip((one, other), indices, strict=True):
        assert [sorted_names[index] for index in column_indices] == column


def test_labels_that_are_integers_are_an_array():
    labels = checked_labels([3, np.int8(1)], "row")
    assert not are_names(labels)
    assert labels.tolist() == [3, 1]


@pytest.mark.parametrize(
    ("edges", "options", "parts"),
    [
        ([("a", 1), (2, 1)], {}, ["row of listed entry 1 is 2 (int)", "strings"]),
        ([(1, "a"), ("b", "c")], {}, ["row of listed entry 1 is 'b' (str)"]),
        ([(True, 1)], {}, ["row of listed entry 0 is True"]),
        ([(None, 1)], {}, ["row of listed entry 0 is None"]),
        ([(0.5, 1)], {}, ["row of listed entry 0 is 0.5"]),
        ([("", "a")], {}, ["row of listed entry 0", "empty name"]),
        ([(-1, 1)], {}, ["row of listed entry 0 is -1", "string"]),
        ([(0, 10**20)], {}, [str(10**20), "strings"]),
        (np.array([[0.0, 1.5, 1.0]]), {}, ["column of listed entry 0 is 1.5"]),
        (np.array([[0.0, np.nan, 1.0]]), {}, ["column of listed entry 0 is nan"]),
        ([(0, 5_000_000)], {}, ["largest column index is 5,000,000", "strings", "shape="]),
        ([(i, 30_000 * (i % 2)) for i in range(4000)], {}, ["column index is 30,000", "2 different"]),
        ([(0, 1)], {"shape": (1, 1)}, ["column index of listed entry 0 is 1"]),
        ([("a", "b")], {"shape": (1, 1)}, ["shape=(1, 1)", "names"]),
        ([("a", 1)], {"symmetric": True}, ["same nodes", "strings"]),
    ],
)
def test_invalid_labels_raise(edges, options, parts):
    with pytest.raises(InputError) as error:
        Network.from_edges(edges, **options)
    for part in parts:
        assert part in str(error.value)


def test_indices_look_like_labels_beyond_ten_times_their_number_and_a_thousand():
    """Of both sides together in a square network, of each side alone elsewhere."""
    for options, largest in (({}, 10 * 1 + 999), ({"square": True}, 10 * 2 + 999)):
        with pytest.warns(DataWarning, match="If the integers are ids, give them as text"):
            assert Network.from_edges([(largest, 0)], **options).shape[0] == largest + 1
        with pytest.raises(InputError, match=f"index is {largest + 1:,}, but at most [12] different ones"):
            Network.from_edges([(largest + 1, 0)], **options)
    with pytest.warns(DataWarning, match="1,018 nodes more"):
        assert Network.from_edges([(0, 1019), (0, 0)]).shape == (1, 1020)
    with pytest.raises(InputError, match="The largest column index is 1,020, but at most 2 different ones"):
        Network.from_edges([(0, 1020), (0, 0), (1, 0)])


def test_indices_that_repeat_count_once():
    """Up to ten times the number of indices and a thousand; beyond, that number is known to be too small."""
    for largest, at_most in ((1019, 1), (1020, 2)):
        with pytest.raises(InputError, match=f"index is {largest:,}, but at most {at_most} different ones"):
            Network.from_edges([(0, largest), (1, largest)])


@pytest.mark.parametrize(("largest", "count"), [(1060, 6), (1065, 6), (1059, 2)])
def test_far_indices_are_counted_as_listed_and_near_ones_once(largest, count):
    """Up to ten times the listed indices and a thousand, the different ones are counted."""
    with pytest.raises(InputError, match=f"is {largest:,}, but at most {count} different ones are listed"):
        Network.from_edges([(0, 0)] * 5 + [(largest, 0)])


class TestIntegersThatMayBeIds:
    """Indices of which most occur nowhere would be nodes without any pair."""

    LINKS = ((1000, 1001), (1001, 1002), (1002, 1039), (1000, 1020))

    @pytest.mark.parametrize(
        "edges",
        [list(LINKS), np.array(LINKS), pandas.DataFrame(LINKS, columns=["source", "target"])],
        ids=["tuples", "array", "frame"],
    )
    def test_they_warn_with_the_cause_and_the_way_out(self, edges):
        with pytest.warns(DataWarning) as told:
            network = Network.from_edges(edges, symmetric=True)
        assert network.shape == (1040, 1040)
        assert str(told[0].message) == (
            "The largest index is 1,039, but only 5 different ones are listed: integers are indices, counted "
            "from 0, so that the network has 1,035 nodes more, without any pair. If the integers are ids, "
            "give them as text, for example frame.astype({label: str}) or [(str(a), str(b)) for a, b in "
            "pairs]; if they are indices, say so: shape=(rows, columns)."
        )
        assert len(told) == 1

    def test_each_side_of_two_kinds_warns(self):
        with pytest.warns(DataWarning) as told:
            Network.from_edges(list(self.LINKS))
        assert [str(each.message)[:30] for each in told] == [
            "The largest row index is 1,002",
            "The largest column index is 1,",
        ]

    def test_text_and_a_shape_are_quiet(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            Network.from_edges([(str(a), str(b)) for a, b in self.LINKS], symmetric=True)
            Network.from_edges(list(self.LINKS), symmetric=True, shape=(1040, 1040))

    @pytest.mark.parametrize(("first", "last"), [(0, 40), (1, 41), (20, 40), (0, 2)])
    def test_indices_of_which_at_least_half_occur_are_quiet(self, first, last):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            Network.from_edges([(node, node + 1) for node in range(first, last)], symmetric=True)
