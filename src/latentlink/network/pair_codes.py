"""Pairs numbered by single integers, so that pairs are drawn at random without a list of all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.compressed import ascending_unique

__all__ = ["PairCodes", "distinct_numbers", "unlisted_codes"]

Integers = NDArray[np.int64]


class PairCodes:
    """Numbering 0, 1, 2, ... of the pairs of a network, row by row.

    An unordered pair of a symmetric network has one number; in a square network, pairs of a node with itself
    have none.

    Parameters
    ----------
    shape : (int, int)
        Numbers of rows and columns.
    symmetric : bool
        Number unordered pairs.
    square : bool
        Leave the diagonal out; a symmetric network is square.

    Attributes
    ----------
    total : int
        Number of pairs.

    Examples
    --------
    >>> codes = PairCodes((3, 3), symmetric=True, square=True)
    >>> codes.of(np.array([0, 1]), np.array([1, 2])), codes.total
    (array([0, 2]), 3)
    """

    def __init__(self, shape: tuple[int, int], symmetric: bool, square: bool) -> None:
        n, m = shape
        self.shape, self.symmetric, self.square = shape, symmetric, square
        self.total = n * (n - 1) // 2 if symmetric else n * (m - 1) if square else n * m
        if self.total > np.iinfo(np.int64).max:
            raise InputError(
                f"A network of {n:,} x {m:,} has more pairs than can be numbered with 64 bits; expected "
                f"at most {np.iinfo(np.int64).max:,}. Use a smaller network."
            )
        row = np.arange(n, dtype=np.int64)
        self._starts = row * (n - 1) - row * (row - 1) // 2 if symmetric else row * (m - 1 if square else m)

    def of(self, rows: NDArray[Any], cols: NDArray[Any]) -> Integers:
        """Return the numbers of pairs off the diagonal; the smaller index first if symmetric."""
        if self.symmetric:
            return self._starts[rows] + (cols - rows - 1)
        if self.square:
            return self._starts[rows] + (cols - (cols > rows))
        return self._starts[rows] + cols

    def of_listed(self, rows: NDArray[Any], cols: NDArray[Any]) -> Integers:
        """Return the ascending numbers of listed pairs; of a square network without its diagonal."""
        if self.square:
            off = rows != cols
            rows, cols = rows[off], cols[off]
        return self.of(rows, cols)

    def pairs(self, codes: Integers) -> tuple[Integers, Integers]:
        """Return rows and columns of pairs given by their numbers."""
        rows = np.searchsorted(self._starts, codes, side="right") - 1
        if self.symmetric:
            # The last row has no pairs of its own: its start equals the end of the row before.
            rows = np.minimum(rows, self.shape[0] - 2)
        cols = codes - self._starts[rows]
        if self.symmetric:
            cols += rows + 1
        elif self.square:
            cols += cols >= rows
        return rows, cols


def unlisted_codes(ranks: Integers, listed: Integers) -> Integers:
    """Return the numbers of unlisted pairs given by their ranks among the unlisted pairs.

    Parameters
    ----------
    ranks : array of int
        0 is the first unlisted pair.
    listed : array of int
        Ascending numbers of the listed pairs.

    Examples
    --------
    >>> import numpy as np
    >>> unlisted_codes(np.array([0, 1, 2]), np.array([0, 2, 3]))
    array([1, 4, 5])
    """
    # Number of unlisted pairs before each listed one; sorted ranks keep the search in cache.
    before = listed - np.arange(len(listed))
    return ranks + np.searchsorted(before, ranks, side="right")


def distinct_numbers(below: int, count: int, rng: np.random.Generator) -> Integers:
    """Draw ``count`` distinct integers from 0 to ``below - 1`` uniformly, and return them sorted.

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
    # A uniform subset of a uniform sample is uniform: at most 16 are too many.
    return np.delete(drawn, rng.choice(len(drawn), len(drawn) - count, replace=False))
