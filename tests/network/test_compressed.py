"""Compressed views of the listed entries, and the order of entries."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.network import Network
from latentlink.network.compressed import ascending_unique, index_dtype
from tests.network.strategies import networks


@settings(max_examples=30)
@given(networks())
def test_views_hold_every_entry_in_its_line(network):
    for view, major, minor in (
        (network.csr, network.rows, network.cols),
        (network.csc, network.cols, network.rows),
    ):
        line = np.repeat(np.arange(len(view.indptr) - 1), np.diff(view.indptr))
        entries = {(i, j, p) for i, j, p in zip(line, view.indices, view.position, strict=True)}
        expected = {(i, j, p) for i, j, p in zip(major, minor, range(network.n_listed), strict=True)}
        if network.symmetric:
            expected |= {(j, i, p) for i, j, p in expected}
        assert entries == expected
        assert len(view) == len(entries)
        assert (np.diff(view.indices)[np.diff(line) == 0] >= 0).all()


def test_views_of_a_symmetric_network_are_one_object_and_cached():
    network = Network([0], [1], shape=(2, 2), symmetric=True)
    assert network.csr is network.csc
    assert network.with_values([5]).csr is network.csr


def test_indices_are_int32_if_they_fit():
    network = Network([2, 0], [1, 1], shape=(3, 2))
    assert network.csr.indices.dtype == np.int32
    assert network.rows.dtype == np.int32
    assert index_dtype(2**31 - 1) is np.int32
    assert index_dtype(5, 2**31) is np.int64
    # Only the row pointer would need memory for every row, so a wide shape costs nothing.
    wide = Network([0], [2**31], shape=(1, 2**31 + 1))
    assert wide.cols.dtype == np.int64
    assert wide.csr.indices.dtype == np.int64
    assert wide.cols.tolist() == [2**31]


def test_entries_are_sorted_where_a_pair_number_exceeds_int64():
    n = 2**40
    network = Network([n - 1, 0, n - 1], [0, n - 1, n - 1], [1, 2, 3], shape=(n, n))
    assert network.values.tolist() == [2, 1, 3]


@settings(max_examples=30)
@given(st.lists(st.integers(-5, 5)))
def test_ascending_unique_equals_numpy(numbers):
    array = np.array(numbers, dtype=np.int64)
    np.testing.assert_array_equal(ascending_unique(array), np.unique(array))


def test_indices_beyond_32_bits():
    """A network of few entries may have more rows, or columns, than 32 bits can count."""
    last = 2**31 + 4
    tall, wide = Network([last], [1], shape=(last + 1, 2)), Network([1], [last], shape=(2, last + 1))
    assert tall.csc.indices.tolist() == wide.csr.indices.tolist() == [last]


def test_entries_are_sorted_where_the_last_pair_number_just_exceeds_int64():
    """With three columns, the last row below 2**63 / 3 has a pair whose number is 2**63."""
    row = (2**63 - 1) // 3
    network = Network([row, 5, 0], [2, 0, 1], [1, 2, 3], shape=(row + 1, 3))
    assert network.values.tolist() == [3, 2, 1]
