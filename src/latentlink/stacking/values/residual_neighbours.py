"""Neighbours: columns (or rows) whose residuals go together with those of the pair's column (or row).

The residual of an entry is what a model leaves of it. Two columns j and l that are both known in n_jl rows
have the similarity

    s_jl = n_jl / (n_jl + 50) * sum_i r_ij r_il / sqrt( sum_i r_ij^2 sum_i r_il^2 ),

where all sums are over the rows that know both: few common rows say little. Of each column the 100 most
similar ones are kept, and the correction of a pair is

    sum_l s_jl r_il / (4 + sum_l |s_jl|)    over the kept columns l that are known in row i.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from latentlink.network import Network

__all__ = ["BLOCK", "CELLS", "KEPT", "MOST_PRODUCTS", "ResidualNeighbours"]

Array = NDArray[Any]

_COMMON = 50.0  # common rows at which a correlation counts half
KEPT = 100
_SHRINKAGE = 4.0  # similarities that are added as if their residuals were 0
BLOCK = 256  # columns whose similarities are computed at once
CELLS = 1 << 21  # of a block of pairs whose corrections are computed at once
MOST_PRODUCTS = 4e8  # of residuals in common rows: more take minutes


@dataclass(frozen=True, eq=False)
class ResidualNeighbours:
    """Similarities of the columns of a network, or of its rows.

    Attributes
    ----------
    residuals : csr_array, shape (rows, columns)
        Residuals of the known entries; transposed if rows are compared.
    similarity : csr_array, shape (columns, columns)
        Column j has the similarities of the neighbours of column j; of new rows, those of each among the
        fitted ones.
    of_rows : bool
        Whether rows are compared.
    """

    residuals: Any
    similarity: Any
    of_rows: bool

    @classmethod
    def of(cls, network: Network, residuals: Array, *, of_rows: bool) -> ResidualNeighbours:
        """Compare the columns, or the rows, by the residuals of the known entries.

        Parameters
        ----------
        network : Network
        residuals : array, shape (listed,)
            Those of entries that are not known are not used.
        of_rows : bool
        """
        matrix = _matrix(network, residuals, of_rows)
        size = matrix.shape[1]
        if _products(matrix) > MOST_PRODUCTS:
            return cls(matrix, csr_array((size, size)), of_rows)
        return cls(matrix, _similarities(matrix), of_rows)

    def for_rows(self, network: Network, residuals: Array) -> ResidualNeighbours:
        """Return the neighbours of new rows, or those of the columns with the residuals of new rows.

        Parameters
        ----------
        network : Network
            Known entries of the new rows; its columns are those that were compared.
        residuals : array, shape (listed,)
        """
        new = _matrix(network, residuals, self.of_rows)
        if not self.of_rows:
            return replace(self, residuals=new)
        if not self.similarity.nnz:  # nor do the fitted rows have any
            return replace(self, similarity=csr_array((self.residuals.shape[1], new.shape[1])))
        return replace(self, similarity=_similarities(self.residuals, new))

    def correction(self, rows: Array, cols: Array) -> Array:
        """Return what the neighbours' residuals suggest for pairs of indices."""
        i, j = (cols, rows) if self.of_rows else (rows, cols)
        result = np.zeros(len(i))
        if not self.similarity.nnz:
            return result
        known = self.residuals.copy()
        known.data = np.ones(known.nnz)
        size = abs(self.similarity)
        asked, position = np.unique(i, return_inverse=True)
        order = np.argsort(position, kind="stable")
        step = max(1, CELLS // max(self.similarity.shape))
        for begin in range(0, len(asked), step):
            some = asked[begin : begin + step]
            first, last = np.searchsorted(position[order], (begin, begin + step))
            which = order[first:last]
            at = position[which] - begin, j[which]
            above = (self.residuals[some] @ self.similarity).toarray()[at]
            result[which] = above / (_SHRINKAGE + (known[some] @ size).toarray()[at])
        return result


def _matrix(network: Network, residuals: Array, of_rows: bool) -> Any:
    """Return the residuals of the known entries as a sparse matrix, transposed if rows are compared."""
    known = network.known
    i, j, values = network.rows[known], network.cols[known], np.asarray(residuals, np.float64)[known]
    if network.symmetric:
        both = i != j
        i, j = np.concatenate([i, j[both]]), np.concatenate([j, i[both]])
        values = np.concatenate([values, values[both]])
    shape = network.shape
    if of_rows:
        i, j, shape = j, i, shape[::-1]
    # A residual of exactly 0 is known all the same, which a sparse product would not see.
    values = np.where(values == 0, np.finfo(np.float64).tiny, values)
    return csr_array((values, (i, j)), shape=shape)


def _products(residuals: Any) -> float:
    """Return how many products of two residuals in one row there are."""
    return float(np.sum(np.diff(residuals.indptr).astype(np.float64) ** 2))


def _similarities(residuals: Any, new: Any = None) -> Any:
    """Return the similarities of columns, of each those of its neighbours.

    Parameters
    ----------
    residuals : csr_array, shape (rows, columns)
    new : csr_array, shape (rows, new columns), optional
        Columns whose neighbours among the others are found; by default these themselves, none of which is
        its own neighbour.

    Returns
    -------
    csr_array, shape (columns, columns or new columns)
    """
    compared = residuals if new is None else new
    others, known, squares = _powers(residuals)
    own, own_known, own_squares = (each.tocsc() for each in _powers(compared))
    parts: list[list[Array]] = [[], [], []]
    kept = min(KEPT, residuals.shape[1])
    for begin in range(0, compared.shape[1], BLOCK):
        block = slice(begin, min(begin + BLOCK, compared.shape[1]))
        common = (own_known[:, block].T @ known).toarray()
        products = (own[:, block].T @ others).toarray()
        spread = np.sqrt(
            (own_squares[:, block].T @ known).toarray() * (own_known[:, block].T @ squares).toarray()
        )
        near = np.divide(products, spread, out=np.zeros_like(products), where=spread > 0)
        near *= common / (common + _COMMON)
        if new is None:
            near[np.arange(near.shape[0]), np.arange(block.start, block.stop)] = 0
        largest = np.argpartition(-np.abs(near), kept - 1, axis=1)[:, :kept]
        parts[0].append(np.take_along_axis(near, largest, axis=1).ravel())
        parts[1].append(largest.ravel())
        parts[2].append(np.repeat(np.arange(block.start, block.stop), kept))
    values, neighbours, columns = map(np.concatenate, parts)
    there = values != 0
    shape = residuals.shape[1], compared.shape[1]
    return csr_array((values[there], (neighbours[there], columns[there])), shape=shape)


def _powers(residuals: Any) -> tuple[Any, Any, Any]:
    """Return residuals, ones where they are known, and their squares."""
    known, squares = residuals.copy(), residuals.copy()
    known.data = np.ones(known.nnz)
    squares.data = squares.data**2
    return residuals, known, squares
