"""Measures of single nodes: clustering, core numbers, component sizes, and the degrees of neighbours.

Links have neither direction nor weight here. All results have one entry for each node of
`LinkGraph.adjacency`: in a bipartite graph the rows come first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import core_numbers as core_numbers_of
from latentlink.kernels import triangle_counts
from latentlink.proximity.link_graph import LinkGraph

__all__ = ["clustering", "component_sizes", "core_numbers", "neighbour_degrees"]

Array = NDArray[Any]


def clustering(graph: LinkGraph) -> Array:
    """Return the share of linked pairs among the pairs of neighbours of each node (Watts and Strogatz 1998).

    It is 0 for nodes with fewer than two neighbours, and for all nodes of a bipartite graph.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)], symmetric=True))
    >>> clustering(graph).round(2)
    array([1.  , 1.  , 0.33, 0.  ])
    """
    indptr, indices = graph.neighbours
    degree = np.diff(indptr).astype(np.float64)
    pairs = degree * (degree - 1) / 2
    return np.divide(triangle_counts(indptr, indices), pairs, out=np.zeros_like(pairs), where=pairs > 0)


def core_numbers(graph: LinkGraph) -> Array:
    """Return the largest k of each node for which it is in a subgraph whose nodes have k links or more.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)], symmetric=True))
    >>> core_numbers(graph)
    array([2, 2, 2, 1])
    """
    return core_numbers_of(*graph.neighbours)


def component_sizes(graph: LinkGraph) -> Array:
    """Return the number of nodes of the connected component of each node.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (3, 4)], symmetric=True))
    >>> component_sizes(graph)
    array([3, 3, 3, 2, 2])
    """
    return np.bincount(graph.components)[graph.components]


def neighbour_degrees(graph: LinkGraph) -> tuple[Array, Array]:
    """Return the mean and the standard deviation of log(1 + degree) over the neighbours of each node.

    Both are 0 for a node without neighbours.

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
    >>> np.expm1(neighbour_degrees(graph)[0]).round(2)
    array([2.  , 1.45, 1.45, 2.  ])
    """
    indptr, indices = graph.neighbours
    degree = np.diff(indptr)
    logs = np.log1p(degree)[indices]
    node = np.repeat(np.arange(len(degree)), degree)
    count = np.maximum(degree, 1)
    mean = np.bincount(node, logs, len(degree)) / count
    variance = np.bincount(node, (logs - mean[node]) ** 2, len(degree)) / count
    return mean, np.sqrt(variance)
