"""Graph features of a pair: degrees, shared neighbours and paths of length three."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latentlink.kernels import path_sums
from latentlink.network import Network

__all__ = ["FEATURES", "Adjacency", "GraphFeatures"]

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
    graphs : (Adjacency, Adjacency)
        Links and non-links.
    undirected : bool
        Whether pairs are unordered, so that two nodes can share neighbours.
    """

    graphs: tuple[Adjacency, Adjacency]
    undirected: bool

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
        known = network.known & ((network.rows != network.cols) | (not network.square))
        rows, cols, values = network.rows[known], network.cols[known], network.values[known]
        links, nonlinks = (
            Adjacency.of(rows[which], cols[which], network.shape, network.symmetric)
            for which in (values != 0, values == 0)
        )
        return cls((links, nonlinks), network.symmetric)

    def features(self, rows: NDArray[Any], cols: NDArray[Any]) -> list[Array]:
        """Return the features of pairs in the order of `FEATURES`, each of shape (pairs,)."""
        return [each for graph in self.graphs for each in graph.features(rows, cols, self.undirected)]


@dataclass(frozen=True, eq=False)
class Adjacency:
    """Adjacency and degrees of a graph.

    Attributes
    ----------
    edges : ((indptr, indices), (indptr, indices))
        Columns of every row, and rows of every column; both directions of unordered pairs.
    degrees : (array, array)
        Numbers of neighbours of each row and of each column.
    """

    edges: tuple[tuple[Any, Any], tuple[Any, Any]]
    degrees: tuple[Array, Array]

    @classmethod
    def of(
        cls, rows: NDArray[Any], cols: NDArray[Any], shape: tuple[int, int], undirected: bool
    ) -> Adjacency:
        """Take pairs, each once or more."""
        if undirected:
            rows, cols = np.concatenate([rows, cols]), np.concatenate([cols, rows])
        by_row = sparse.csr_array((np.ones(len(rows)), (rows, cols)), shape=shape)
        by_row.sum_duplicates()
        by_col = by_row.T.tocsr()
        edges = (by_row.indptr, by_row.indices), (by_col.indptr, by_col.indices)
        row_degrees, col_degrees = (np.diff(indptr).astype(np.float64) for indptr, _ in edges)
        return cls(edges, (row_degrees, col_degrees))

    def features(self, rows: NDArray[Any], cols: NDArray[Any], undirected: bool) -> list[Array]:
        """Return the four features of each pair."""
        row_logs, col_logs = (np.log1p(each) for each in self.degrees)
        row_roots, col_roots = (_powers(each, -0.5) for each in self.degrees)
        paths = path_sums(self.edges, (col_roots, row_roots), 2, rows, cols)
        inverse = _powers(self.degrees[1], -1.0)
        if undirected:
            shared = path_sums(self.edges, (inverse, inverse), 1, rows, cols)
        else:
            shared = np.zeros(len(rows))
        row_log, col_log = row_logs[rows], col_logs[cols]
        return [row_log + col_log, np.abs(row_log - col_log), np.sqrt(paths), np.sqrt(shared)]


def _powers(degrees: Array, power: float) -> Array:
    return np.power(degrees, power, out=np.zeros_like(degrees), where=degrees > 0)
