"""What the known links and non-links around a pair say of it."""

from __future__ import annotations

from collections.abc import Iterator
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
    graphs : (csr_array, csr_array)
        Links and non-links, both directions of unordered pairs.
    shared : bool
        Whether pairs are unordered, so that nodes can be shared.
    """

    graphs: tuple[Any, Any]
    shared: bool

    @classmethod
    def of(cls, network: Network) -> Neighbourhood:
        """Take the known entries of a network of zeros and ones.

        Examples
        --------
        >>> path = Network.from_edges([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)], symmetric=True)
        >>> Neighbourhood.of(path).columns(np.array([0, 0]), np.array([3, 2])).round(2)[:, 2:4]
        array([[0.71, 0.  ],
               [0.  , 0.71]])
        """
        known = network.known & ((network.rows != network.cols) | (not network.square))
        rows, cols, values = network.rows[known], network.cols[known], network.values[known]
        graphs = [
            _graph(rows[which], cols[which], network.shape, network.symmetric)
            for which in (values != 0, values == 0)
        ]
        return cls((graphs[0], graphs[1]), network.symmetric)

    def columns(self, rows: NDArray[Any], cols: NDArray[Any]) -> Array:
        """Return the features of pairs, shape (pairs, features), in the order of `FEATURES`."""
        found = [each for graph in self.graphs for each in self._of_pairs(graph, rows, cols)]
        return np.column_stack(found)

    def block(self, begin: int, end: int, first: int) -> Iterator[Array]:
        """Yield each feature of rows ``begin`` to ``end`` with all columns from ``first`` on."""
        for graph in self.graphs:
            row, col = (np.log1p(each) for each in _numbers(graph))
            yield row[begin:end, None] + col[None, first:]
            yield np.abs(row[begin:end, None] - col[None, first:])
            onward = graph.T.tocsr()[first:]
            nodes = np.arange(begin, end)
            yield np.sqrt((onward @ _two_steps(graph, nodes).T).T)
            yield np.sqrt((onward @ self._one_step(graph, nodes).T).T)

    def _of_pairs(self, graph: Any, rows: NDArray[Any], cols: NDArray[Any]) -> list[Array]:
        row, col = (np.log1p(each) for each in _numbers(graph))
        turned = graph.T.tocsr()
        edges = (graph.indptr, graph.indices), (turned.indptr, turned.indices)
        of_rows, of_cols = (_powers(each, -0.5) for each in _numbers(graph))
        paths = path_sums(edges, (of_cols, of_rows), 2, rows, cols)
        shared = np.zeros(len(rows))
        if self.shared:
            once = _powers(_numbers(graph)[1], -1.0)
            shared = path_sums(edges, (once, once), 1, rows, cols)
        return [row[rows] + col[cols], np.abs(row[rows] - col[cols]), np.sqrt(paths), np.sqrt(shared)]

    def _one_step(self, graph: Any, nodes: NDArray[Any]) -> Array:
        """Return 1 / d_u for the neighbours u of some rows, shape (rows, nodes)."""
        if not self.shared:
            return np.zeros((len(nodes), graph.shape[0]))
        near = graph[nodes].multiply(_powers(_numbers(graph)[0], -1.0)[None, :])
        return np.asarray(near.toarray(), np.float64)


def _graph(rows: NDArray[Any], cols: NDArray[Any], shape: tuple[int, int], both: bool) -> Any:
    if both:
        rows, cols = np.concatenate([rows, cols]), np.concatenate([cols, rows])
    graph = sparse.csr_array((np.ones(len(rows)), (rows, cols)), shape=shape)
    graph.sum_duplicates()
    graph.data[:] = 1.0
    return graph


def _numbers(graph: Any) -> tuple[Array, Array]:
    """Return how many neighbours each row and each column has."""
    return np.diff(graph.indptr).astype(np.float64), np.bincount(
        graph.indices, minlength=graph.shape[1]
    ).astype(np.float64)


def _powers(numbers: Array, power: float) -> Array:
    return np.power(numbers, power, out=np.zeros_like(numbers), where=numbers > 0)


def _two_steps(graph: Any, nodes: NDArray[Any]) -> Array:
    """Return the sum of (d_u d_v)^(-1/2) over paths from some rows by u to each row v, shape (rows, rows)."""
    row, col = (_powers(each, -0.5) for each in _numbers(graph))
    near = graph[nodes].multiply(col[None, :]).tocsr()
    return np.asarray((near @ graph.T).toarray(), np.float64) * row
