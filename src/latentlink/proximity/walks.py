"""Scores of pairs by walks of any length: Katz and personalized PageRank.

Both are entries of an inverse, (I - decay S)^-1 with S scaled to norm 1 at most, of which only those of the
pairs are computed: the series in powers of S is summed for blocks of distinct nodes, by sparse products.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import svds

from latentlink.proximity.link_graph import LinkGraph
from latentlink.validation.numbers import checked_share

__all__ = ["katz", "personalized_pagerank"]

Array = NDArray[Any]

_BLOCK = 1 << 21  # numbers that are held at once
_STEPS = 12, 100  # terms of the series, in graphs of many and of few links
_WORK = 2_000_000  # links times terms, between these bounds


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
    A = graph.adjacency
    if not A.nnz:
        return np.zeros(len(rows))
    S = A / _largest_singular_value(A)
    one, other = graph.node_pairs(rows, cols)
    return _inverse_entries(S, rate, (one, other), symmetric=_is_symmetric(graph)) - (one == other)


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
    one, other = graph.node_pairs(rows, cols)
    strength = np.asarray(graph.adjacency.sum(axis=1)).ravel()
    positive = strength > 0
    if not _is_symmetric(graph):
        inverse = np.divide(1.0, strength, out=np.zeros_like(strength), where=positive)
        steps = sparse.diags_array(inverse) @ graph.adjacency
        return _inverse_entries(steps, damping, (one, other), symmetric=False, normalized=True)
    root = np.sqrt(np.where(positive, strength, 1.0))
    S = sparse.diags_array(1 / root) @ graph.adjacency @ sparse.diags_array(1 / root)
    entries = _inverse_entries(S, damping, (one, other), symmetric=True)
    ratio = root[one] / root[other]
    both = positive[one] & positive[other]
    return np.where(both, (1 - damping) * entries * (ratio + 1 / ratio), 0.0)


def _is_symmetric(graph: LinkGraph) -> bool:
    return graph.symmetric or not graph.square


def _largest_singular_value(A: Any) -> float:
    if min(A.shape) < 3:
        return float(np.linalg.norm(A.toarray(), 2))
    return float(svds(A.astype(np.float64), 1, v0=np.ones(A.shape[0]), return_singular_vectors=False)[0])


def _inverse_entries(
    S: Any, decay: float, pairs: tuple[Array, Array], *, symmetric: bool, normalized: bool = False
) -> Array:
    """Return entries (i, j) of (I - decay S)^-1; if ``normalized``, each row is divided by its sum."""
    one, other = _fewer_sources(*pairs, S.shape[0]) if symmetric else pairs
    terms = int(np.clip(_WORK // max(1, S.nnz), *_STEPS))
    # Single precision where many links make time matter; far pairs of sparse graphs need double.
    turned = (decay * S).T.tocsr().astype(np.float32 if terms == _STEPS[0] else np.float64)
    result = np.empty(len(one))
    for which, nodes, of_pair in _blocks(one, S.shape[0]):
        start = np.zeros((S.shape[0], len(nodes)), turned.dtype)
        start[nodes, np.arange(len(nodes))] = 1
        columns = _series(turned, start, terms, decay)
        entries = columns[other[which], of_pair].astype(np.float64)
        result[which] = entries / columns.sum(axis=0)[of_pair] if normalized else entries
    return result


def _fewer_sources(one: Array, other: Array, size: int) -> tuple[Array, Array]:
    """Order the ends of each pair so that the first is the one that occurs in more pairs."""
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


def _series(S: Any, start: Array, terms: int, decay: float) -> Array:
    """Return the sum of start, S start, S S start, ... with an estimate of the terms that are left out.

    All terms are positive, so that small entries have as many digits as large ones. Late terms are multiples
    of the leading eigenvectors, of which bipartite graphs have two, with eigenvalues decay and -decay: beyond
    two such terms, every second one is decay^2 times that before it.
    """
    total, term = start.copy(), start
    for _ in range(terms):
        last, term = term, S @ term
        total += term
    return total + decay**2 / (1 - decay**2) * (last + term)
