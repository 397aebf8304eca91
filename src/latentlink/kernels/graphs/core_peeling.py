"""Core numbers of the nodes of a graph."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import EDITION, kernel, mode

__all__ = ["core_numbers"]

Array = NDArray[Any]


@cache
def compiled_core_numbers() -> Any:
    """Return the kernel of Batagelj and Zaversnik (2003), which removes a node of least degree at a time.

    ``order`` has the nodes sorted by their present degree, ``place`` the place of each node in it, and
    ``begins`` the first place of each degree; a neighbour whose degree falls is exchanged with the first node
    of its degree.
    """
    edition = EDITION

    @kernel
    def core_numbers(indptr, indices, degree, order, place, begins):
        _ = edition
        for step in range(len(order)):
            v = order[step]
            for e in range(indptr[v], indptr[v + 1]):
                u = indices[e]
                if degree[u] > degree[v]:
                    first = begins[degree[u]]
                    w = order[first]
                    if u != w:
                        here = place[u]
                        order[first], order[here] = u, w
                        place[u], place[w] = first, here
                    begins[degree[u]] += 1
                    degree[u] -= 1

    return core_numbers


def core_numbers(indptr: Array, indices: Array) -> Array:
    """Return the largest k of each node for which it is in a subgraph whose nodes have k links or more.

    ``indptr`` and ``indices`` are the neighbours of every node, both directions of each link, without self
    loops.
    """
    if mode() == "reference":
        return reference.core_numbers(indptr, indices)
    degree = np.diff(indptr).astype(np.int64)
    order = np.argsort(degree, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    begins = np.searchsorted(degree[order], np.arange(degree.max(initial=0) + 2))
    compiled_core_numbers()(indptr, indices, degree, order, place, begins)
    return degree
