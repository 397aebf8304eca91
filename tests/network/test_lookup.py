"""Look-up of nodes and pairs by index and by name."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.lookup import positions_among
from tests.network.strategies import networks, networks_with_duplicates

NAMED = Network([2, 0, 0], [1, 1, 0], shape=(3, 2), row_names=["a", "b", "c"])


class TestNodes:
    def test_nodes_are_given_by_index_or_by_name(self):
        network = Network([0], [1], shape=(3, 2), row_names=["10", "b", "c"])
        assert network.row_index("10") == 0
        assert network.row_index(1) == 1
        assert network.row_index(np.int32(2)) == 2
        assert network.row_indices(["c", "10", "c"]).tolist() == [2, 0, 2]
        assert network.row_indices(np.array(["b"])).tolist() == [1]
        assert network.row_indices(["b", 0]).tolist() == [1, 0]
        assert network.col_indices(np.array([1, 0])).tolist() == [1, 0]
        assert network.col_indices([]).tolist() == []

    @settings(max_examples=30)
    @given(networks(named=True))
    def test_names_of_indices_and_indices_of_names_are_inverse(self, network):
        rows, cols = np.arange(network.shape[0])[::-1], np.arange(network.shape[1])
        row_names, col_names = network.node_names(rows, cols)
        assert row_names.tolist() == network.row_names.tolist()[::-1]
        assert col_names.tolist() == network.col_names.tolist()
        np.testing.assert_array_equal(network.row_indices(row_names), rows)
        np.testing.assert_array_equal(network.col_indices(col_names), cols)

    def test_nodes_without_names_are_called_by_their_indices(self):
        rows, cols = np.array([2, 0]), np.array([1, 1])
        names = NAMED.node_names(rows, cols)
        assert names[0].tolist() == ["c", "a"]
        assert names[1] is cols

    @pytest.mark.parametrize(
        ("look_up", "message"),
        [
            (lambda network: network.row_index("z"), "No row has the name 'z'"),
            (lambda network: network.row_index(3), "no row 3: the network has 3 rows"),
            (lambda network: network.row_index(True), "expected an index"),
            (lambda network: network.row_index(1.0), "expected an index"),
            (lambda network: network.col_index("x"), "the columns have no names"),
            (lambda network: network.row_indices(["a", "zz"]), "1 of 2 row names is unknown: 'zz'"),
            (lambda network: network.row_indices([0, -1]), "no row -1"),
            (lambda network: network.row_indices(np.array([0, 5])), "no row 5"),
            (lambda network: network.row_indices([["a"]]), "expected one dimension"),
            (lambda network: network.position("a", 5), "no column 5"),
            (lambda network: network.position("b", 1), r"\('b', 1\) is not listed"),
            (lambda network: network.positions(["a"], [5]), "no column 5"),
            (lambda network: network.pair_keys(["z"], [0]), "No row has the name 'z'"),
        ],
    )
    def test_unknown_nodes_and_unlisted_pairs_raise(self, look_up, message):
        with pytest.raises(InputError, match=message):
            look_up(NAMED)


def all_pairs(network):
    """Rows and columns of all pairs, in both directions."""
    n, m = network.shape
    return np.repeat(np.arange(n), m), np.tile(np.arange(m), n)


def plain_positions(network, rows, cols):
    """The positions of pairs by a dict, -1 for unlisted ones."""
    table = {}
    for position, pair in enumerate(zip(network.rows.tolist(), network.cols.tolist(), strict=True)):
        table.setdefault(pair, position)
        if network.symmetric:
            table.setdefault(pair[::-1], position)
    return [table.get(pair, -1) for pair in zip(rows.tolist(), cols.tolist(), strict=True)]


class TestPairs:
    @settings(max_examples=30)
    @given(networks(named=True) | networks() | networks_with_duplicates(), st.randoms(use_true_random=False))
    def test_positions_equal_those_of_a_dict(self, network, random):
        rows, cols = all_pairs(network)
        order = np.array(random.choices(range(len(rows)), k=len(rows)))
        rows, cols = rows[order], cols[order]
        expected = plain_positions(network, rows, cols)
        for nodes in ((rows, cols), (rows.tolist(), cols.tolist()), network.node_names(rows, cols)):
            positions = network.positions(*nodes)
            assert positions.tolist() == expected
            assert positions.dtype == np.int64

    @settings(max_examples=30)
    @given(networks(named=True) | networks_with_duplicates())
    @pytest.mark.slow
    def test_the_position_of_one_pair_equals_that_among_many(self, network):
        rows, cols = all_pairs(network)
        for row, col, expected in zip(
            *network.node_names(rows, cols), network.positions(rows, cols), strict=True
        ):
            row, col = row.item(), col.item()
            if expected >= 0:
                assert network.position(row, col) == expected
            else:
                with pytest.raises(InputError, match="is not listed"):
                    network.position(row, col)

    @settings(max_examples=30)
    @given(networks(named=True) | networks())
    def test_keys_identify_pairs_and_ascend_with_the_listed_entries(self, network):
        rows, cols = all_pairs(network)
        keys = network.pair_keys(rows, cols)
        np.testing.assert_array_equal(network.pair_keys(*network.node_names(rows, cols)), keys)
        assert len(set(keys.tolist())) == network.n_pairs
        by_pair = dict(zip(zip(rows.tolist(), cols.tolist(), strict=True), keys.tolist(), strict=True))
        if network.symmetric:
            assert all(by_pair[j, i] == key for (i, j), key in by_pair.items())
        assert (np.diff(network.pair_keys(network.rows, network.cols)) > 0).all()

    def test_no_pairs_have_no_positions(self):
        assert NAMED.positions([], []).tolist() == []
        assert Network([], [], shape=(2, 2)).positions([0, 1], [0, 1]).tolist() == [-1, -1]


@settings(max_examples=30)
@given(st.lists(st.integers(-9, 9)), st.lists(st.integers(-9, 9)))
def test_positions_among_are_those_of_the_first_equal_number(listed, numbers):
    ascending = sorted(listed)
    expected = [ascending.index(number) if number in ascending else -1 for number in numbers]
    positions = positions_among(np.array(ascending, np.int64), np.array(numbers, np.int64))
    assert positions.tolist() == expected


def test_more_pairs_than_64_bits_can_number_raise():
    network = Network([0, 1], [0, 1], shape=(2**40, 2**40))
    assert network.position(1, 1) == 1
    with pytest.raises(InputError, match="more pairs than 64-bit integers can number"):
        network.positions([1], [1])


def test_pairs_are_numbered_up_to_the_last_64_bit_integer():
    """2**63 - 1 = 153092023 x 60247241209 pairs are just few enough."""
    n, m = 153_092_023, 60_247_241_209
    assert n * m == 2**63 - 1
    network = Network([n - 1], [m - 1], shape=(n, m))
    assert network.pair_keys([n - 1], [m - 1]).tolist() == [2**63 - 2]
    assert network.positions([n - 1, 0], [m - 1, 0]).tolist() == [0, -1]
    with pytest.raises(InputError, match="more pairs than 64-bit integers can number"):
        Network([0], [0], shape=(n, m + 1)).pair_keys([0], [0])
