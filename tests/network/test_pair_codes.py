"""Numbering of pairs, and draws of distinct and of unlisted numbers."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes
from tests.network.strategies import networks


@settings(max_examples=30)
@given(networks())
def test_numbers_are_consecutive_row_by_row(network):
    n, m = network.shape
    expected = [
        (i, j)
        for i in range(n)
        for j in range(m)
        if (not network.square or i != j) and (not network.symmetric or i < j)
    ]
    codes = PairCodes(network.shape, network.symmetric, network.square)
    assert codes.total == len(expected)
    rows, cols = codes.pairs(np.arange(codes.total))
    assert list(zip(rows.tolist(), cols.tolist(), strict=True)) == expected
    np.testing.assert_array_equal(codes.of(rows, cols), np.arange(codes.total))
    listed = [
        pair for pair in zip(network.rows.tolist(), network.cols.tolist(), strict=True) if pair in expected
    ]
    assert codes.of_listed(network.rows, network.cols).tolist() == [expected.index(pair) for pair in listed]


def test_numbers_are_exact_in_a_network_of_a_million_nodes():
    n = 1_000_000
    codes = PairCodes((n, n), True, True)
    numbers = np.array([0, n - 2, n - 1, codes.total - 2, codes.total - 1])
    rows, cols = codes.pairs(numbers)
    assert rows.tolist() == [0, 0, 1, n - 3, n - 2]
    assert cols.tolist() == [1, n - 1, 2, n - 1, n - 1]
    np.testing.assert_array_equal(codes.of(rows, cols), numbers)


def test_more_pairs_than_an_int64_can_number_raise():
    with pytest.raises(InputError, match="more pairs than can be numbered"):
        PairCodes((2**40, 2**40), False, False)


@settings(max_examples=30)
@given(st.integers(1, 2000), st.data())
def test_distinct_numbers_are_distinct_and_ascending(below, data):
    count = data.draw(st.integers(0, below))
    drawn = distinct_numbers(below, count, np.random.default_rng(0))
    assert len(drawn) == count
    assert (np.diff(drawn) > 0).all()
    assert ((drawn >= 0) & (drawn < below)).all()


@settings(max_examples=30)
@given(st.sets(st.integers(0, 30)))
def test_unlisted_numbers_are_the_others(listed):
    ascending = np.array(sorted(listed), dtype=np.int64)
    others = sorted(set(range(31)) - listed)
    assume(others)
    np.testing.assert_array_equal(unlisted_codes(np.arange(len(others)), ascending), others)


def test_the_largest_number_of_pairs_that_can_be_numbered():
    n, m = 649_657, (2**63 - 1) // 649_657
    assert PairCodes((n, m), False, False).total == 2**63 - 1
    with pytest.raises(InputError, match="more pairs than can be numbered"):
        PairCodes((n, m + 1), False, False)


@pytest.mark.parametrize("below", [5, 19, 20])
def test_a_quarter_of_all_numbers_or_more_begins_a_permutation(below):
    """Fewer are drawn one by one: see the next test."""
    drawn = distinct_numbers(below, 5, np.random.default_rng(3))
    np.testing.assert_array_equal(drawn, np.sort(np.random.default_rng(3).permutation(below)[:5]))


def test_fewer_are_drawn_with_16_more_of_which_a_part_is_left_out():
    rng = np.random.default_rng(3)
    drawn = np.unique(rng.integers(21, size=5 + 16))
    expected = np.delete(drawn, rng.choice(len(drawn), len(drawn) - 5, replace=False))
    np.testing.assert_array_equal(distinct_numbers(21, 5, np.random.default_rng(3)), expected)
