"""Scores of pairs by walks: local ones of some steps, and Katz and personalized PageRank of any length.

They are entries of powers of the scaled adjacency matrix S, or of (I - decay S)^-1, the sum of all powers, of
which only those of the pairs are computed, for blocks of distinct nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import svds

from latentlink.proximity.link_graph import LinkGraph
from latentlink.proximity.resolvent import Resolvent, unit_columns
from latentlink.proximity.source_blocks import entries_at_pairs, fewer_sources
from latentlink.validation.numbers import checked_count, checked_share

__all__ = [
    "has_symmetric_adjacency",
    "katz",
    "katz_matrix",
    "local_walks",
    "ordered_ends",
    "pagerank_of_entries",
    "personalized_pagerank",
    "powers",
    "scaled_adjacency",
]

Array = NDArray[Any]


def katz(graph: LinkGraph, rows: Array, cols: Array, rate: float = 0.5) -> Array:
    """Return the Katz index, a sum over walks of all lengths that decays with their length (Katz 1953).

        score_ij = sum over lengths l of beta^l (A^l)_ij,    beta = rate / largest singular value of A

    For undirected and bipartite graphs the largest singular value is the largest eigenvalue, at whose inverse
    the sum diverges.

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.
    rate : float
        Share of the largest possible beta, above 0 and below 1.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> katz(graph, np.array([0, 0]), np.array([2, 3])).round(3)
    array([0.132, 0.041])
    """
    rate = checked_share(rate, "rate")
    resolvent = Resolvent(katz_matrix(graph), rate)
    one, other = ordered_ends(graph, rows, cols)
    (entries,) = entries_at_pairs(
        lambda nodes: [resolvent.columns(nodes)], 1, graph.adjacency.shape[0], one, other
    )
    return entries - (one == other)


def personalized_pagerank(graph: LinkGraph, rows: Array, cols: Array, damping: float = 0.85) -> Array:
    """Return the stationary probability of a random walk that restarts at one end to be at the other end.

        score_ij = pi_i(j) + pi_j(i),    pi_i = (1 - damping) sum over t of damping^t P^t e_i,

    and pi_i(j) alone in a directed graph, where a walk at a node without targets restarts too (Jeh and Widom
    2003). Probabilities of a step are proportional to the weights of links.

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.
    damping : float
        Probability of continuing the walk, above 0 and below 1.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> personalized_pagerank(graph, np.array([0, 0]), np.array([2, 3])).round(3)
    array([0.357, 0.203])
    """
    damping = checked_share(damping, "damping")
    resolvent = Resolvent(scaled_adjacency(graph), damping)
    one, other = ordered_ends(graph, rows, cols)
    symmetric = has_symmetric_adjacency(graph)

    def columns_of(nodes: Array) -> Iterator[Array]:
        columns = resolvent.columns(nodes)
        yield columns
        if not symmetric:
            yield np.broadcast_to(columns.sum(axis=0), columns.shape)

    count = 1 if symmetric else 2
    entries, *sums = entries_at_pairs(columns_of, count, graph.adjacency.shape[0], one, other)
    return pagerank_of_entries(graph, rows, cols, damping, entries, sums[0] if sums else None)


def local_walks(graph: LinkGraph, rows: Array, cols: Array, steps: int = 6) -> Array:
    """Return the weights of walks of each length from 1 to ``steps`` (Liu and Lu 2010), shape (steps, pairs).

        score_tij = (S^t)_ij,    S = D^(-1/2) A D^(-1/2),    D the sums of the rows of A,

    and S = D^-1 A in a directed graph. An entry of 0 means that no walk of that length joins the pair, so
    that the first one above 0 is at the shortest distance.

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.
    steps : int
        The greatest length.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> local_walks(graph, np.array([0]), np.array([3]), 3).round(3)
    array([[0.  ],
           [0.  ],
           [0.25]])
    """
    steps = checked_count(steps, "steps")
    turned = scaled_adjacency(graph).T.tocsr()
    size = turned.shape[0]
    one, other = ordered_ends(graph, rows, cols)
    return entries_at_pairs(
        lambda nodes: powers(turned, unit_columns(size, nodes), steps), steps, size, one, other
    )


def powers(S: Any, start: Array, steps: int) -> Iterator[Array]:
    """Yield S start, S S start, and so on."""
    for _ in range(steps):
        start = S @ start
        yield start


def scaled_adjacency(graph: LinkGraph) -> Any:
    """Return the adjacency matrix scaled by the sums of its rows: D^(-1/2) A D^(-1/2), directed D^-1 A."""
    strength = _strength(graph)
    inverse = np.divide(1.0, strength, out=np.zeros_like(strength), where=strength > 0)
    if not has_symmetric_adjacency(graph):
        return (sparse.diags_array(inverse) @ graph.adjacency).tocsr()
    root = sparse.diags_array(np.sqrt(inverse))
    return (root @ graph.adjacency @ root).tocsr()


def katz_matrix(graph: LinkGraph) -> Any:
    """Return the adjacency matrix divided by its largest singular value."""
    A = graph.adjacency
    return A / _largest_singular_value(A) if A.nnz else A


def has_symmetric_adjacency(graph: LinkGraph) -> bool:
    """Return whether the adjacency matrix of all nodes is symmetric: the graph is not directed."""
    return graph.symmetric or not graph.square


def ordered_ends(graph: LinkGraph, rows: Array, cols: Array) -> tuple[Array, Array]:
    """Return the ends of pairs as nodes of the adjacency matrix, with few distinct first ends."""
    one, other = graph.node_pairs(rows, cols)
    if has_symmetric_adjacency(graph):
        return fewer_sources(one, other, graph.adjacency.shape[0])
    return one, other


def pagerank_of_entries(
    graph: LinkGraph, rows: Array, cols: Array, damping: float, entries: Array, sums: Array | None = None
) -> Array:
    """Return the personalized PageRank of pairs from their entries of the resolvent.

    ``sums`` are those of the columns of the resolvent, which a directed graph needs.
    """
    if sums is not None:
        return entries / sums
    root = np.sqrt(_strength(graph))
    one, other = (root[each] for each in graph.node_pairs(rows, cols))
    both = (one > 0) & (other > 0)
    ratio = np.divide(one, other, out=np.ones_like(one), where=both)
    return np.where(both, (1 - damping) * entries * (ratio + 1 / ratio), 0.0)


def _strength(graph: LinkGraph) -> Array:
    return np.asarray(graph.adjacency.sum(axis=1), np.float64).ravel()


def _largest_singular_value(A: Any) -> float:
    if min(A.shape) < 3:
        return float(np.linalg.norm(A.toarray(), 2))
    return float(svds(A.astype(np.float64), 1, v0=np.ones(A.shape[0]), return_singular_vectors=False)[0])
