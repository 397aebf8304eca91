"""Graph features of a pair: degrees, shared neighbours and paths of length three."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.proximity import LinkGraph, paths_of_three, resource_allocation

__all__ = ["FEATURES", "GraphFeatures"]

Array = NDArray[np.float64]

FEATURES = tuple(
    f"{feature} of {graph}"
    for graph in ("links", "non-links")
    for feature in ("degrees", "difference in degrees", "paths of three", "shared neighbours")
)


@dataclass(frozen=True, eq=False)
class GraphFeatures:
    """Features of pairs in two graphs: that of the known links and that of the known non-links.

    In each graph, with d the degrees:

    - degrees: log(1 + d_i) + log(1 + d_j), and their difference |log(1 + d_i) - log(1 + d_j)|;
    - paths of three (L3; Kovacs et al. 2019): sqrt of the sum of (d_u d_v)^(-1/2) over paths i, u, v, j;
    - shared neighbours (resource allocation; Zhou et al. 2009): sqrt of the sum of 1 / d_u over paths i, u,
      j; 0 where rows and columns are different nodes.

    The work is proportional to the listed entries around the pairs.

    Attributes
    ----------
    graphs : (LinkGraph, LinkGraph)
        Links and non-links.
    """

    graphs: tuple[LinkGraph, LinkGraph]

    @classmethod
    def of(cls, network: Network) -> GraphFeatures:
        """Take the known entries of a network of zeros and ones.

        Examples
        --------
        >>> path = Network.from_edges([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)], symmetric=True)
        >>> paths, shared = GraphFeatures.of(path).features(np.array([0, 0]), np.array([3, 2]))[2:4]
        >>> paths.round(2), shared.round(2)
        (array([0.71, 0.  ]), array([0.  , 0.71]))
        """
        is_link = network.values != 0
        links, nonlinks = (
            LinkGraph.from_pairs(network, network.known & which) for which in (is_link, ~is_link)
        )
        return cls((links, nonlinks))

    def features(self, rows: NDArray[Any], cols: NDArray[Any]) -> list[Array]:
        """Return the features of pairs in the order of `FEATURES`, each of shape (pairs,)."""
        return [each for graph in self.graphs for each in _features(graph, rows, cols)]


def _features(graph: LinkGraph, rows: NDArray[Any], cols: NDArray[Any]) -> list[Array]:
    """Return the four features of each pair in one graph."""
    row_log, col_log = (
        np.log1p(degrees)[nodes] for degrees, nodes in zip(graph.degrees, (rows, cols), strict=True)
    )
    shared = resource_allocation(graph, rows, cols) if graph.symmetric else np.zeros(len(rows))
    paths = paths_of_three(graph, rows, cols)
    return [row_log + col_log, np.abs(row_log - col_log), np.sqrt(paths), np.sqrt(shared)]
