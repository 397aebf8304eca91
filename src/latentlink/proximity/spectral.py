"""Scores of pairs by truncated singular value decompositions of the adjacency matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.extmath import randomized_svd

from latentlink.proximity.link_graph import LinkGraph
from latentlink.validation.numbers import checked_count

__all__ = ["Spectrum", "regularized_adjacency", "svd_product"]

Array = NDArray[Any]

_CHUNK = 1 << 12  # pairs whose vectors stay in cache


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The largest singular values of a matrix of rows and columns, with their vectors.

    Attributes
    ----------
    left : array, shape (rows, rank)
    values : array, shape (rank,)
        In descending order.
    right : array, shape (columns, rank)
    """

    left: Array
    values: Array
    right: Array

    @classmethod
    def of(cls, matrix: Any, rank: int, n_iter: int = 7) -> Self:
        """Decompose a sparse matrix by random projections with a fixed seed (Halko and others 2011).

        Parameters
        ----------
        matrix : sparse array, shape (rows, columns)
        rank : int
            Number of singular values; at most as many as there are rows or columns are computed.
        n_iter : int
            Number of power iterations: more of them separate singular values that are close.
        """
        U, s, Vt = randomized_svd(matrix, min(rank, *matrix.shape), n_iter=n_iter, random_state=0)
        return cls(U, s, np.ascontiguousarray(Vt.T))

    def product(self, rows: Array, cols: Array) -> Array:
        """Return entries of the approximation by all singular values that there are."""
        return self.products(rows, cols, (len(self.values),))[0]

    def products(self, rows: Array, cols: Array, ranks: Sequence[int]) -> Array:
        """Return entries of the best approximations at several ascending ranks, shape (ranks, pairs)."""
        products = np.empty((len(ranks), len(rows)))
        for begin in range(0, len(rows), _CHUNK):
            part = slice(begin, begin + _CHUNK)
            left, right = self.left[rows[part]] * self.values, self.right[cols[part]]
            for index, (first, last) in enumerate(pairwise((0, *ranks))):
                products[index, part] = np.einsum("pc,pc->p", left[:, first:last], right[:, first:last])
        return np.cumsum(products, axis=0, out=products)

    def lengths(self, rank: int | None = None) -> tuple[Array, Array]:
        """Return the lengths of the vectors of rows and of columns whose products are those of `product`."""
        row, col = (
            np.sqrt((vectors[:, :rank] ** 2) @ self.values[:rank]) for vectors in (self.left, self.right)
        )
        return row, col


def regularized_adjacency(graph: LinkGraph) -> Any:
    """Return the matrix of links scaled by degrees to which their mean is added.

        R_ij = A_ij / sqrt((d_i + mean d) (d_j + mean d)),    d the sums of rows and of columns of A

    Without the mean every small component has a singular value of 1 of its own, and the largest ones would be
    those of pieces of a few nodes (Amini and others 2013).

    Examples
    --------
    >>> from latentlink import Network
    >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2)], symmetric=True))
    >>> regularized_adjacency(graph).toarray().round(3)
    array([[0.   , 0.359, 0.   ],
           [0.359, 0.   , 0.359],
           [0.   , 0.359, 0.   ]])
    """
    A = graph.links
    sums = (np.asarray(A.sum(axis=axis), np.float64).ravel() for axis in (1, 0))
    row, col = (1 / np.sqrt(np.maximum(each + each.mean(), np.finfo(float).tiny)) for each in sums)
    return (sparse.diags_array(row) @ A @ sparse.diags_array(col)).tocsr()


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
    return Spectrum.of(graph.links, checked_count(rank, "rank")).product(rows, cols)
