"""Shortest distances between given pairs of nodes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import EDITION, kernel, mode

__all__ = ["distances"]

Array = NDArray[Any]


@cache
def compiled_distances() -> Any:
    """Return the kernel that searches breadth first from each source until its targets are found.

    Pairs are sorted by source. ``steps`` is -1 for nodes that the present search has not reached; only those
    that it has reached, which are in ``queue``, are reset.
    """
    edition = EDITION

    @kernel
    def distances(indptr, indices, sources, targets, wanted, steps, queue, result):
        _ = edition
        begin = 0
        while begin < len(sources):
            end = begin
            missing = 0
            while end < len(sources) and sources[end] == sources[begin]:
                missing += wanted[targets[end]] == 0
                wanted[targets[end]] += 1
                end += 1
            queue[0] = sources[begin]
            steps[sources[begin]] = 0
            missing -= wanted[sources[begin]] > 0
            head, tail = 0, 1
            while head < tail and missing > 0:
                u = queue[head]
                head += 1
                for a in range(indptr[u], indptr[u + 1]):
                    v = indices[a]
                    if steps[v] < 0:
                        steps[v] = steps[u] + 1
                        queue[tail] = v
                        tail += 1
                        missing -= wanted[v] > 0
            for p in range(begin, end):
                result[p] = steps[targets[p]]
                wanted[targets[p]] = 0
            for q in range(tail):
                steps[queue[q]] = -1
            begin = end

    return distances


def distances(indptr: Array, indices: Array, sources: Array, targets: Array) -> Array:
    """Return the number of links on a shortest path from each source to its target; -1 without a path.

    Parameters
    ----------
    indptr, indices : arrays of int
        For each node the nodes that it has links to, as in a CSR matrix.
    sources, targets : arrays of int, shape (pairs,)
    """
    if mode() == "reference":
        return reference.distances(indptr, indices, sources, targets)
    size = len(indptr) - 1
    order = np.argsort(sources, kind="stable")
    found = np.empty(len(order), np.int64)
    wanted, steps, queue = np.zeros(size, np.int64), np.full(size, -1), np.empty(size, np.int64)
    compiled_distances()(indptr, indices, sources[order], targets[order], wanted, steps, queue, found)
    result = np.empty_like(found)
    result[order] = found
    return result
