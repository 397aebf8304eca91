"""Entries of large matrices at given pairs, whose columns are computed for blocks of distinct sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["entries_at_pairs", "fewer_sources"]

Array = NDArray[Any]

_BLOCK = 1 << 21  # numbers that are held at once


def entries_at_pairs(
    columns_of: Callable[[Array], Iterable[Array]], count: int, size: int, sources: Array, targets: Array
) -> Array:
    """Return the entries of several matrices at given pairs, shape (count, pairs).

    Parameters
    ----------
    columns_of : callable
        Takes the numbers of some sources and yields, for each of the matrices, the columns of these sources,
        of shape (size, sources).
    count : int
        The number of matrices.
    size : int
        The number of nodes.
    sources, targets : arrays of int, shape (pairs,)
        The column and the row of each entry.
    """
    result = np.empty((count, len(sources)))
    for which, nodes, of_pair in _blocks(sources, size):
        for row, columns in enumerate(columns_of(nodes)):
            result[row, which] = columns[targets[which], of_pair]
    return result


def fewer_sources(one: Array, other: Array, size: int) -> tuple[Array, Array]:
    """Order the ends of each pair so that the first is the one that occurs in more pairs.

    Of a symmetric matrix fewer columns have to be computed then.
    """
    counts = np.bincount(one, minlength=size) + np.bincount(other, minlength=size)
    swap = counts[other] > counts[one]
    return np.where(swap, other, one), np.where(swap, one, other)


def _blocks(sources: Array, size: int) -> Iterator[tuple[Array, Array, Array]]:
    """Yield the pairs of each block of distinct sources: positions, the sources, and that of each pair."""
    nodes, of_pair = np.unique(sources, return_inverse=True)
    order = np.argsort(of_pair, kind="stable")
    width = max(1, _BLOCK // size)
    for begin in range(0, len(nodes), width):
        low, high = np.searchsorted(of_pair[order], [begin, begin + width])
        which = order[low:high]
        yield which, nodes[begin : begin + width], of_pair[which] - begin
