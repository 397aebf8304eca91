"""What an elimination of the nodes of a sparse graph fills, estimated before it is made."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import reverse_cuthill_mckee

__all__ = ["fills_little", "left_by_elimination"]

_SMALL = 2000  # nodes: whatever an elimination fills of so many is little
_WIDEST = 200  # places of the envelope of the others, for each: a grid of 90,000 nodes has so many


def fills_little(S: Any) -> bool:
    """Return whether a triangular decomposition of a matrix with the pattern of ``I + S`` has few entries.

    Nodes of at most two links are eliminated first, and fill next to nothing. The others are few, or their
    envelope is small: in the order of Cuthill and McKee (1969), by distance from a node at the rim, node i
    fills at most the places between its first neighbour and itself,

        sum over i  (i - least neighbour of i).

    This is the least for long thin graphs, moderate for planar ones, such as road networks, and nearly the
    square of the nodes where a few steps reach everything.

    Parameters
    ----------
    S : csr_array, shape (nodes, nodes)

    Examples
    --------
    >>> from scipy import sparse
    >>> chain = sparse.diags_array([np.ones(4999)] * 2, offsets=[-1, 1], format="csr")
    >>> fills_little(chain)
    True
    """
    if S.shape[0] <= _SMALL:
        return True
    pattern = (S + S.T).tocsr()
    pattern.setdiag(0)
    pattern.eliminate_zeros()
    left = left_by_elimination(pattern)
    return len(left) <= _SMALL or _envelope(pattern[left][:, left].tocsr()) <= _WIDEST * len(left)


def left_by_elimination(pattern: Any) -> NDArray[np.int64]:
    """Return the nodes that are left when nodes of at most two links are eliminated as long as there are any.

    Eliminating a node links its neighbours to each other, so that its elimination may leave another with no
    fewer links than before: the nodes left are more than those of core number 3 and more.

    Parameters
    ----------
    pattern : csr_array, shape (nodes, nodes)
        Symmetric, without diagonal.

    Examples
    --------
    >>> from scipy import sparse
    >>> triangle_and_tail = sparse.csr_array(
    ...     ([1] * 8, ([0, 0, 1, 1, 2, 2, 2, 3], [1, 2, 0, 2, 0, 1, 3, 2])), (4, 4)
    ... )
    >>> left_by_elimination(triangle_and_tail).tolist()
    []
    """
    bounds, ends = pattern.indptr.tolist(), pattern.indices.tolist()
    links = [set(ends[begin:end]) for begin, end in pairwise(bounds)]
    waiting = [node for node, own in enumerate(links) if len(own) <= 2]
    gone = np.zeros(len(links), np.bool_)
    while waiting:
        node = waiting.pop()
        if gone[node] or len(links[node]) > 2:
            continue
        gone[node] = True
        for end in links[node]:
            links[end].discard(node)
            links[end] |= links[node] - {end}
            if len(links[end]) <= 2:
                waiting.append(end)
    return np.flatnonzero(~gone)


def _envelope(pattern: Any) -> int:
    """Return the places between the first neighbour and the diagonal, of all rows of the ordered pattern."""
    size = pattern.shape[0]
    place = np.empty(size, np.int64)
    place[reverse_cuthill_mckee(pattern, symmetric_mode=True)] = np.arange(size)
    first = np.arange(size)
    np.minimum.at(first, np.repeat(place, np.diff(pattern.indptr)), place[pattern.indices])
    return int((np.arange(size) - first).sum())
