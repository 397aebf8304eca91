"""What the known links and non-links around a pair say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latentlink.kernels import path_sums
from latentlink.network import Network

__all__ = ["FEATURES", "Neighbourhood"]

Array = NDArray[np.float64]

FEATURES = tuple(
    f"{what} of {kind}"
    for kind in ("links", "non-links")
    for what in ("numbers", "difference in numbers", "paths of three", "shared nodes")
)


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """Two graphs, the known links and the known non-links, and what they say of pairs.

    Of each graph, with d the numbers of neighbours:

    - numbers: log(1 + d_i) + log(1 + d_j), and their difference |log(1 + d_i) - log(1 + d_j)|;
    - paths of three (L3; Kovacs et al. 2019): sqrt of the sum of (d_u d_v)^(-1/2) over paths i, u, v, j;
    - shared nodes (resource allocation; Zhou et al. 2009): sqrt of the sum of 1 / d_u over paths i, u, j; 0
      where rows and columns are different nodes.

    Work is that of the listed entries around the pairs.

    Attributes
    ----------
    graphs : (Graph, Graph)
        Links and non-links.
    shared : bool
        Whether pairs are unordered, so that nodes can be shared.
    """

    graphs: tuple[Graph, Graph]
    shared: bool

    @classmethod
    def of(cls, network: Network) -> Neighbourhood:
        """Take the known entries of a network of zeros and ones.

        Examples
        --------
        >>> path = Network.from_edges([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)], symmetric=True)
        >>> paths, shared = Neighbourhood.of(path).features(np.array([0, 0]), np.array([3, 2]))[2:4]
        >>> paths.round(2), shared.round(2)
        (array([0.71, 0.  ]), array([0.  , 0.71]))
        """
        known = network.known & ((network.rows != network.cols) | (not network.square))
        rows, cols, values = network.rows[known], network.cols[known], network.values[known]
        links, others = (
            Graph.of(rows[which], cols[which], network.shape, network.symmetric)
            for which in (values != 0, values == 0)
        )
        return cls((links, others), network.symmetric)

    def features(self, rows: NDArray[Any], cols: NDArray[Any]) -> list[Array]:
        """Return the features of pairs in the order of `FEATURES`, each of shape (pairs,)."""
        return [each for graph in self.graphs for each in graph.features(rows, cols, self.shared)]


@dataclass(frozen=True, eq=False)
class Graph:
    """Who is beside whom.

    Attributes
    ----------
    edges : ((indptr, indices), (indptr, indices))
        Columns of every row, and rows of every column; both directions of unordered pairs.
    numbers : (array, array)
        How many neighbours each row and each column has.
    """

    edges: tuple[tuple[Any, Any], tuple[Any, Any]]
    numbers: tuple[Array, Array]

    @classmethod
    def of(cls, rows: NDArray[Any], cols: NDArray[Any], shape: tuple[int, int], both: bool) -> Graph:
        """Take pairs, each once or more."""
        if both:
            rows, cols = np.concatenate([rows, cols]), np.concatenate([cols, rows])
        forth = sparse.csr_array((np.ones(len(rows)), (rows, cols)), shape=shape)
        forth.sum_duplicates()
        back = forth.T.tocsr()
        edges = (forth.indptr, forth.indices), (back.indptr, back.indices)
        row, col = (np.diff(indptr).astype(np.float64) for indptr, _ in edges)
        return cls(edges, (row, col))

    def features(self, rows: NDArray[Any], cols: NDArray[Any], shared: bool) -> list[Array]:
        """Return the four features of each pair."""
        row, col = (np.log1p(each) for each in self.numbers)
        by_row, by_col = (_powers(each, -0.5) for each in self.numbers)
        paths = path_sums(self.edges, (by_col, by_row), 2, rows, cols)
        once = _powers(self.numbers[1], -1.0)
        common = path_sums(self.edges, (once, once), 1, rows, cols) if shared else np.zeros(len(rows))
        return [row[rows] + col[cols], np.abs(row[rows] - col[cols]), np.sqrt(paths), np.sqrt(common)]


def _powers(numbers: Array, power: float) -> Array:
    return np.power(numbers, power, out=np.zeros_like(numbers), where=numbers > 0)
