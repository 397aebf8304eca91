"""Pairs as single numbers, so that a draw among all of them needs no list of all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.compressed import ascending_unique

__all__ = ["PairCodes", "distinct_numbers", "unlisted_codes"]

Integers = NDArray[np.int64]


class PairCodes:
    """Numbers 0, 1, 2, ... for the pairs of a network, row by row.

    A symmetric network has each unordered pair once; where rows and columns are the same nodes, the diagonal
    has no numbers.
    """

    def __init__(self, shape: tuple[int, int], symmetric: bool, square: bool) -> None:
        n, m = shape
        self.shape, self.symmetric, self.square = shape, symmetric, square
        self.total = n * (n - 1) // 2 if symmetric else n * (m - 1) if square else n * m
        if self.total > np.iinfo(np.int64).max:
            raise InputError(f"A network of {n:,} x {m:,} has more pairs than can be numbered.")
        row = np.arange(n, dtype=np.int64)
        self._starts = row * (n - 1) - row * (row - 1) // 2 if symmetric else row * (m - 1 if square else m)

    def of(self, rows: NDArray[Any], cols: NDArray[Any]) -> Integers:
        """Numbers of pairs off the diagonal; the smaller index first where symmetric."""
        if self.symmetric:
            return self._starts[rows] + (cols - rows - 1)
        if self.square:
            return self._starts[rows] + (cols - (cols > rows))
        return self._starts[rows] + cols

    def of_listed(self, rows: NDArray[Any], cols: NDArray[Any]) -> Integers:
        """Ascending numbers of listed pairs, those of the diagonal left out where it has none."""
        if self.square:
            off = rows != cols
            rows, cols = rows[off], cols[off]
        return self.of(rows, cols)

    def pairs(self, codes: Integers) -> tuple[Integers, Integers]:
        """Rows and columns of numbered pairs."""
        rows = np.searchsorted(self._starts, codes, side="right") - 1
        if self.symmetric and self.shape[0] > 1:
            # The last row begins where the one before it ends: it has no pairs of its own.
            rows = np.minimum(rows, self.shape[0] - 2)
        cols = codes - self._starts[rows]
        if self.symmetric:
            cols += rows + 1
        elif self.square:
            cols += cols >= rows
        return rows, cols


def unlisted_codes(ranks: Integers, listed: Integers) -> Integers:
    """Turn the r-th unlisted pair into its number, given the ascending numbers of the listed ones.

    Examples
    --------
    >>> import numpy as np
    >>> unlisted_codes(np.array([0, 1, 2]), np.array([0, 2, 3]))
    array([1, 4, 5])
    """
    # How many unlisted pairs come before each listed one; ranks ascend, so that the search stays in cache.
    before = listed - np.arange(len(listed))
    return ranks + np.searchsorted(before, ranks, side="right")


def distinct_numbers(below: int, count: int, rng: np.random.Generator) -> Integers:
    """Draw ``count`` different numbers from 0 to ``below - 1``, ascending, every set equally likely.

    Examples
    --------
    >>> import numpy as np
    >>> distinct_numbers(3, 3, np.random.default_rng(0))
    array([0, 1, 2])
    """
    if below <= 4 * count:
        return np.sort(rng.permutation(below)[:count])
    drawn = np.zeros(0, np.int64)
    while len(drawn) < count:
        more = rng.integers(below, size=count - len(drawn) + 16)
        drawn = ascending_unique(np.concatenate([drawn, more]))
    # Too many by at most 16: any of them may go.
    return np.delete(drawn, rng.choice(len(drawn), len(drawn) - count, replace=False))
