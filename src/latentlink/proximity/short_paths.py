"""Scores of pairs by degrees and by paths of two or three links.

In an undirected graph the paths of two links are i - u - j; in a directed one i -> u -> j. In a bipartite
graph two nodes of different kinds have no common neighbour, and paths of three links, i - u - v - j, take
that place: both inner nodes are weighted, and the product of their weights counts. The weight of a path is
multiplied by the weights of its links. Degrees are numbers of links; in a directed graph the degree of an
inner node u is its in-degree plus its out-degree.

The work is proportional to the links around the pairs; nothing of the size nodes x nodes is made.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.kernels import path_sums
from latentlink.proximity.link_graph import LinkGraph

__all__ = [
    "adamic_adar",
    "common_neighbours",
    "degree_product",
    "jaccard",
    "paths_of_three",
    "resource_allocation",
    "shared_sources",
    "shared_targets",
]

Array = NDArray[Any]


def degree_product(graph: LinkGraph, rows: Array, cols: Array) -> Array:
    """Return the product of the degrees of both ends (preferential attachment; Barabasi and Albert 1999).

        score_ij = d_i d_j,

    in a directed graph out-degree of i times in-degree of j.

    Parameters
    ----------
    graph : LinkGraph
    rows, cols : arrays of int, shape (pairs,)

    Returns
    -------
    array, shape (pairs,)

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> degree_product(graph, np.array([0, 1]), np.array([2, 3]))
    array([2., 2.])
    """
    row_degrees, col_degrees = graph.degrees
    return row_degrees[rows] * col_degrees[cols]


def common_neighbours(graph: LinkGraph, rows: Array, cols: Array) -> Array:
    """Return the number of common neighbours: paths of two links, of three in a bipartite graph.

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> common_neighbours(graph, np.array([0, 0]), np.array([2, 3]))
    array([1., 0.])
    """
    return _paths(graph, graph.edges, _inner_degrees(graph, np.ones_like), rows, cols)


def jaccard(graph: LinkGraph, rows: Array, cols: Array) -> Array:
    """Return the share of common neighbours among all neighbours of both ends (Jaccard 1901).

        score_ij = |N_i and N_j| / |N_i or N_j|,

    with N_i the targets of i and N_j the sources of j in a directed graph. In a bipartite graph it is the
    share of links among the pairs of a neighbour of i and a neighbour of j. Weights of links do not count.

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> jaccard(graph, np.array([0, 1]), np.array([2, 3]))
    array([0.5, 0.5])
    """
    unit = _inner_degrees(graph, np.ones_like)
    shared = _paths(graph, graph.unweighted_edges, unit, rows, cols)
    row_degrees, col_degrees = graph.degrees[0][rows], graph.degrees[1][cols]
    every = row_degrees + col_degrees - shared if graph.square else row_degrees * col_degrees
    return np.divide(shared, every, out=np.zeros(len(shared)), where=every > 0)


def adamic_adar(graph: LinkGraph, rows: Array, cols: Array) -> Array:
    """Return the sum over common neighbours u of 1 / log(degree of u) (Adamic and Adar 2003).

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> adamic_adar(graph, np.array([0]), np.array([2])).round(3)
    array([1.443])
    """
    # A node of degree 1 is on no path between two others.
    weights = _inner_degrees(graph, lambda degrees: 1 / np.log(np.maximum(degrees, 2)))
    return _paths(graph, graph.edges, weights, rows, cols)


def resource_allocation(graph: LinkGraph, rows: Array, cols: Array) -> Array:
    """Return the sum over common neighbours u of 1 / degree of u (Zhou, Lu and Zhang 2009).

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> resource_allocation(graph, np.array([0]), np.array([2]))
    array([0.5])
    """
    weights = _inner_degrees(graph, lambda degrees: np.power(np.maximum(degrees, 1), -1.0))
    return _paths(graph, graph.edges, weights, rows, cols)


def paths_of_three(graph: LinkGraph, rows: Array, cols: Array) -> Array:
    """Return the degree-normalised number of paths of three links (L3; Kovacs and others 2019).

        score_ij = sum over paths i - u - v - j of (d_u d_v)^(-1/2)

    In a directed graph the paths are i -> u <- v -> j: v has a target in common with i, and j is another one
    of its targets.

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> paths_of_three(graph, np.array([0]), np.array([3]))
    array([0.5])
    """
    row_roots, col_roots = (np.power(np.maximum(degrees, 1), -0.5) for degrees in graph.degrees)
    return path_sums(graph.edges, (col_roots, row_roots), 2, np.asarray(rows), np.asarray(cols))


def shared_targets(graph: LinkGraph, rows: Array, cols: Array) -> Array:
    """Return the sum over nodes u to which both ends have links of 1 / degree of u; for square graphs.

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network([0, 1, 2], [2, 2, 3], shape=(4, 4), square=True))
    >>> shared_targets(graph, np.array([0, 0]), np.array([1, 2])).round(3)
    array([0.333, 0.   ])
    """
    return _paths_of_one_side(graph, 0, rows, cols)


def shared_sources(graph: LinkGraph, rows: Array, cols: Array) -> Array:
    """Return the sum over nodes u that have links to both ends of 1 / degree of u; for square graphs.

    Parameters
    ----------
    graph, rows, cols
        As for `degree_product`.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network([2, 2, 3], [0, 1, 2], shape=(4, 4), square=True))
    >>> shared_sources(graph, np.array([0, 0]), np.array([1, 2])).round(3)
    array([0.333, 0.   ])
    """
    return _paths_of_one_side(graph, 1, rows, cols)


def _paths_of_one_side(graph: LinkGraph, side: int, rows: Array, cols: Array) -> Array:
    """Sum over paths of two links, both followed from their ends along (0) or against (1) their direction."""
    if not graph.square:
        raise InputError(
            f"The graph has {graph.links.shape[0]:,} rows and {graph.links.shape[1]:,} columns of different "
            "nodes; expected one kind of nodes, which can have targets or sources in common. Use "
            "common_neighbours."
        )
    edges = graph.edges[side]
    weights = _inner_degrees(graph, lambda degrees: np.power(np.maximum(degrees, 1), -1.0))
    return path_sums((edges, edges), weights, 1, np.asarray(rows), np.asarray(cols))


def _inner_degrees(graph: LinkGraph, weight: Any) -> tuple[Array, Array]:
    """Return the weights of the columns and of the rows that a path passes through, by their degrees."""
    row, col = graph.degrees
    directed = graph.square and not graph.symmetric
    return (weight(row + col), weight(row + col)) if directed else (weight(col), weight(row))


def _paths(graph: LinkGraph, edges: Any, weights: tuple[Array, Array], rows: Array, cols: Array) -> Array:
    """Sum over paths of two links, of three in a bipartite graph."""
    return path_sums(edges, weights, 1 if graph.square else 2, np.asarray(rows), np.asarray(cols))
