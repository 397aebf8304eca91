"""Entries of large matrices at given pairs, whose columns are computed for blocks of distinct sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["entries_at_pairs", "fewer_sources", "power_sums"]

Array = NDArray[Any]

_BLOCK = 1 << 21  # numbers that are held at once
_CACHED = 1 << 19  # numbers of a block that is multiplied many times: four times as fast as the above


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
    for which, nodes, of_pair in _blocks(sources, max(1, _BLOCK // size)):
        for row, columns in enumerate(columns_of(nodes)):
            result[row, which] = columns[targets[which], of_pair]
    return result


def power_sums(matrix: Any, weights: Array, sources: Array, targets: Array) -> tuple[Array, Array]:
    """Return sums of the entries of powers of a matrix at given pairs, and the first power above 0 there.

        sums_k = sum over t of weights_kt (M^t)_(target, source),    t = 0, 1, ..., terms

    Only entries of the pairs are summed, so that many sums cost as much as one.

    Parameters
    ----------
    matrix : csr_array, shape (nodes, nodes)
        M, with entries >= 0.
    weights : array, shape (sums, terms + 1)
    sources, targets : arrays of int, shape (pairs,)

    Returns
    -------
    sums : array, shape (sums, pairs)
    first : array of int, shape (pairs,)
        -1 where all powers have a 0.

    Examples
    --------
    >>> from scipy import sparse
    >>> path = sparse.csr_array(np.array([[0, 1.0, 0], [1, 0, 1], [0, 1, 0]]))
    >>> power_sums(path, np.array([[0, 0, 1.0], [1, 2, 3]]), np.array([0, 0]), np.array([2, 1]))
    (array([[1., 0.],
           [3., 2.]]), array([2, 1]))
    """
    size, terms = matrix.shape[0], weights.shape[1]
    sums, first = np.empty((len(weights), len(sources))), np.empty(len(sources), np.int64)
    for which, nodes, of_pair in _blocks(sources, max(1, _CACHED // size)):
        columns = np.zeros((size, len(nodes)), matrix.dtype)
        columns[nodes, np.arange(len(nodes))] = 1
        entries = np.empty((terms, len(which)))
        for power in range(terms):
            if power:
                columns = matrix @ columns
            entries[power] = columns[targets[which], of_pair]
        sums[:, which] = weights @ entries
        joined = entries > 0
        first[which] = np.where(joined.any(axis=0), joined.argmax(axis=0), -1)
    return sums, first


def fewer_sources(one: Array, other: Array, size: int) -> tuple[Array, Array]:
    """Order the ends of each pair so that the first is the one that occurs in more pairs.

    Of a symmetric matrix fewer columns have to be computed then. Of ends that occur equally often the first
    is the smaller, so that (i, j) and (j, i) are rounded alike.
    """
    counts = np.bincount(one, minlength=size) + np.bincount(other, minlength=size)
    more = counts[other] - counts[one]
    swap = (more > 0) | ((more == 0) & (other < one))
    return np.where(swap, other, one), np.where(swap, one, other)


def _blocks(sources: Array, width: int) -> Iterator[tuple[Array, Array, Array]]:
    """Yield the pairs of each ``width`` distinct sources: positions, the sources, and that of each pair."""
    nodes, of_pair = np.unique(sources, return_inverse=True)
    order = np.argsort(of_pair, kind="stable")
    for begin in range(0, len(nodes), width):
        low, high = np.searchsorted(of_pair[order], [begin, begin + width])
        which = order[low:high]
        yield which, nodes[begin : begin + width], of_pair[which] - begin
