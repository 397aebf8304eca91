"""LinkGraph: the adjacency of known links, for undirected, directed and bipartite networks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latentlink.errors import InputError
from latentlink.network import Network

__all__ = ["LinkGraph"]

Array = NDArray[Any]
Edges = tuple[Array, Array, Array]


@dataclass(frozen=True, eq=False)
class LinkGraph:
    """Adjacency matrix of known links, with degrees and compressed neighbours.

    Attributes
    ----------
    links : csr_array, shape (rows, columns)
        Weights of the links, above 0; both directions of undirected ones.
    square : bool
        Rows and columns are the same nodes. Otherwise the graph is bipartite.
    symmetric : bool
        The graph is undirected. A square graph that is not symmetric is directed, from row to column.
    """

    links: Any
    square: bool
    symmetric: bool

    @classmethod
    def of(cls, network: Network) -> LinkGraph:
        """Take the known entries of a network that are not 0; their values are the weights of the links.

        Self loops of a square network are left out.

        Examples
        --------
        >>> graph = LinkGraph.of(Network.from_edges([("a", "b"), ("b", "c")], symmetric=True))
        >>> graph.degrees[0]
        array([1., 2., 1.])
        """
        is_link = network.known & (network.values != 0)
        if np.any(network.values[is_link] < 0):
            raise InputError(
                f"The smallest value of a link is {network.values[is_link].min():g}; expected weights above "
                "0. Drop the signs, or make two networks, one of each sign."
            )
        return cls.from_pairs(network, is_link, network.values)

    @classmethod
    def from_pairs(cls, network: Network, which: Array, weights: Array | None = None) -> LinkGraph:
        """Take the listed entries ``which`` (a mask) as links, of weight 1 or of given weights (listed,).

        Without weights, an entry that is listed more than once is one link.
        """
        chosen = np.flatnonzero(which & ((network.rows != network.cols) | (not network.square)))
        rows, cols = network.rows[chosen], network.cols[chosen]
        data = np.ones(len(chosen)) if weights is None else weights[chosen]
        if network.symmetric:
            rows, cols = np.concatenate([rows, cols]), np.concatenate([cols, rows])
            data = np.concatenate([data, data])
        links = sparse.csr_array((data, (rows, cols)), shape=network.shape)
        links.sum_duplicates()
        if weights is None:
            links.data[:] = 1.0
        return cls(links, network.square, network.symmetric)

    @cached_property
    def edges(self) -> tuple[Edges, Edges]:
        """Columns of every row and rows of every column, each as (indptr, indices, weights)."""
        by_row = self.links.indptr, self.links.indices, self.links.data
        if self.symmetric:
            return by_row, by_row
        turned = self.links.T.tocsr()
        return by_row, (turned.indptr, turned.indices, turned.data)

    @cached_property
    def unweighted_edges(self) -> tuple[Edges, Edges]:
        """The same with a weight of 1 for every link."""
        by_row, by_col = self.edges
        ones = np.ones(len(by_row[2]))
        return (*by_row[:2], ones), (*by_col[:2], ones)

    @cached_property
    def degrees(self) -> tuple[Array, Array]:
        """Number of links of each row and of each column; in a directed graph out- and in-degrees."""
        row, col = (np.diff(indptr).astype(np.float64) for indptr, _, _ in self.edges)
        return row, col

    @cached_property
    def adjacency(self) -> Any:
        """Square adjacency matrix of all nodes; of a bipartite graph the rows come first."""
        if self.square:
            return self.links
        return sparse.block_array([[None, self.links], [self.links.T, None]], format="csr")

    @cached_property
    def neighbours(self) -> tuple[Array, Array]:
        """Neighbours of every node of `adjacency`, whatever the direction of a link: (indptr, indices)."""
        A = self.adjacency
        if self.square and not self.symmetric:
            A = (A + A.T).tocsr()
        return A.indptr, A.indices

    @property
    def undirected(self) -> LinkGraph:
        """The graph without the directions of its links; weights of both directions are added."""
        return LinkGraph((self.links + self.links.T).tocsr(), True, True)

    def node_pairs(self, rows: Array, cols: Array) -> tuple[Array, Array]:
        """Return the positions of the ends of pairs in `adjacency`."""
        return np.asarray(rows), np.asarray(cols) + (0 if self.square else self.links.shape[0])

    @cached_property
    def components(self) -> Array:
        """Number of the connected component of each node of `adjacency`; links have no direction here."""
        return sparse.csgraph.connected_components(self.adjacency, directed=False)[1]
