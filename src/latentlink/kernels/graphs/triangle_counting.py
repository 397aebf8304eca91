"""Numbers of triangles at the nodes of a graph."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import EDITION, kernel, mode

__all__ = ["triangle_counts"]

Array = NDArray[Any]


@cache
def compiled_triangle_counts() -> Any:
    """Return the kernel that counts the triangles of each node.

    Links go from the node of fewer links to that of more (``rank`` orders them), so that a hub has few
    outgoing links and the work is at most links to the power of 1.5. A triangle u -> v -> w, u -> w is found
    at u, whose targets are marked.
    """
    edition = EDITION

    @kernel
    def triangle_counts(indptr, indices, rank, marked, counts):
        _ = edition
        for u in range(len(indptr) - 1):
            for a in range(indptr[u], indptr[u + 1]):
                if rank[indices[a]] > rank[u]:
                    marked[indices[a]] = u
            for a in range(indptr[u], indptr[u + 1]):
                v = indices[a]
                if rank[v] > rank[u]:
                    for b in range(indptr[v], indptr[v + 1]):
                        w = indices[b]
                        if rank[w] > rank[v] and marked[w] == u:
                            counts[u] += 1
                            counts[v] += 1
                            counts[w] += 1

    return triangle_counts


def triangle_counts(indptr: Array, indices: Array) -> Array:
    """Return the number of triangles that each node is in.

    ``indptr`` and ``indices`` are as for `core_numbers`.
    """
    if mode() == "reference":
        return reference.triangle_counts(indptr, indices)
    degree = np.diff(indptr)
    rank = np.empty(len(degree), np.int64)
    rank[np.argsort(degree, kind="stable")] = np.arange(len(degree))
    counts = np.zeros(len(degree), np.int64)
    compiled_triangle_counts()(indptr, indices, rank, np.full(len(degree), -1), counts)
    return counts
