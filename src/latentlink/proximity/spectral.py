"""Scores of pairs by a truncated singular value decomposition of the adjacency matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.extmath import randomized_svd

from latentlink.proximity.link_graph import LinkGraph
from latentlink.validation.numbers import checked_count

__all__ = ["svd_product"]

Array = NDArray[Any]


def svd_product(graph: LinkGraph, rows: Array, cols: Array, rank: int = 8) -> Array:
    """Return the entries of the best approximation of the adjacency matrix of a given rank.

        score_ij = sum over c of u_ic s_c v_jc

    with the largest singular values s and their vectors. A link that is not known counts as 0, and so does a
    pair that is not known.

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.
    rank : int
        Number of singular values; at most as many as there are rows or columns are used.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]))
    >>> svd_product(graph, np.array([0, 0]), np.array([1, 2]), rank=1).round(3) + 0.0
    array([1., 0.])
    """
    rank = min(checked_count(rank, "rank"), *graph.links.shape)
    U, s, Vt = randomized_svd(graph.links, rank, n_iter=7, random_state=0)
    return np.einsum("pc,pc->p", U[rows] * s, Vt.T[cols])
