"""Patterns of Boolean factors: packing, single components, and distinct patterns."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.regime.patterns import column_of, distinct, flip, packed, unpacked, without


@pytest.mark.parametrize("rank", [1, 7, 8, 9, 63, 64, 65, 128, 130])
def test_packing_loses_nothing(rank):
    side = np.random.default_rng(rank).random((40, rank)) < 0.4
    patterns = packed(side)
    assert patterns.shape == (40, -(-rank // 64))
    assert patterns.dtype == np.uint64
    np.testing.assert_array_equal(unpacked(patterns, rank), side)
    for c in range(rank):
        np.testing.assert_array_equal(column_of(patterns, c), side[:, c])
        rest = side.copy()
        rest[:, c] = False
        np.testing.assert_array_equal(unpacked(without(patterns, c), rank), rest)
        where = np.arange(40) % 3 == 0
        flipped = patterns.copy()
        flip(flipped, c, where)
        rest[:, c] = side[:, c] ^ where
        np.testing.assert_array_equal(unpacked(flipped, rank), rest)
    np.testing.assert_array_equal(unpacked(patterns, rank), side)  # without() made a copy


@pytest.mark.parametrize("rank", [3, 70])
def test_distinct_patterns_are_counted(rank):
    rng = np.random.default_rng(rank)
    side = np.zeros((50, rank), bool)
    side[:, [0, rank - 1]] = rng.random((50, 2)) < 0.5
    found, pattern_of, counts = distinct(packed(side))
    assert len(found) == len(counts) == 4
    np.testing.assert_array_equal(unpacked(found, rank)[pattern_of], side)
    np.testing.assert_array_equal(counts, np.bincount(pattern_of))
