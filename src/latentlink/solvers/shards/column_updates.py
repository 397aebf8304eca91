"""Updates of columns whose entries are in several shards, from terms that add up over the shards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates, Listed, Unlisted, aligned
from latentlink.solvers.descent.completed_sweeps import Completed
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.sweeps import Sweeps

__all__ = ["ColumnUpdate", "column_terms", "column_update", "listed_pieces", "needs_gram", "terms_of_column"]

Array = NDArray[Any]


def terms_of_column(sweeps: Sweeps) -> int:
    """Return how many numbers of each member the terms of a column are."""
    own = sweeps.col_coordinates
    free = own.last - own.first
    return free if isinstance(sweeps, Completed) else free * (free + 3) // 2


def needs_gram(sweeps: Sweeps) -> bool:
    """Return whether the update of columns needs the Gram matrix of all rows."""
    return sweeps.block.has_background or isinstance(sweeps, Completed)


def listed_pieces(listed: Listed, pieces: list[slice]) -> list[Listed]:
    """Return the entries of consecutive columns, as views."""
    if len(pieces) == 1:
        return [listed]
    return [replace(listed, indptr=listed.indptr[piece.start : piece.stop + 1]) for piece in pieces]


def column_terms(sweeps: Sweeps, listed: Listed, columns: slice) -> Array:
    """Return the terms of some columns, with the entries ``listed``, over the rows of these sweeps.

    They are gradient and curvature of each column; of a matrix that is fully known all columns have the same
    curvature, the Gram matrix of the rows, and the terms are the product of the completed matrix with the
    rows.
    """
    rows, cols, background = sweeps.rows, sweeps.cols[columns], sweeps.block.background
    if isinstance(sweeps, Completed):
        return kernels.completed_products(listed, cols, rows, kernels.gram(rows), background)[0]
    assert isinstance(sweeps, Descent)
    own = sweeps.col_coordinates
    base = 0.0 if sweeps.logistic else background
    return kernels.line_sums(listed, cols, rows, (own.first, own.last), base, sweeps.logistic)


@dataclass(frozen=True, slots=True, eq=False)
class ColumnUpdate:
    """What updates some columns once their terms are summed, wherever that is.

    Attributes
    ----------
    cols : array, shape (columns, size, members)
    coordinates : Coordinates
    cycles : int or None
        None for the completed matrix.
    degrees : array of int, shape (columns,)
    unlisted : Unlisted
        Weight of the background, and the Gram matrix of all rows.
    """

    cols: Array
    coordinates: Coordinates
    cycles: int | None
    degrees: Array
    unlisted: Unlisted

    def __call__(self, terms: Array) -> Array:
        """Return the updated columns."""
        cols, terms = (_aligned(array) for array in (self.cols, terms))
        if self.cycles is None:
            kernels.gram_rows(terms, self.unlisted.gram, cols, self.coordinates)
        else:
            kernels.summed_lines(terms, cols, self.coordinates, self.cycles, self.degrees, self.unlisted)
        return cols


def column_update(sweeps: Sweeps, columns: slice, degrees: Array, gram: Array) -> ColumnUpdate:
    """Return the update of some columns, given the Gram matrix of all rows if it is needed."""
    own, size = sweeps.col_coordinates, sweeps.cols.shape[1]
    if own.counts is not None:
        own = replace(own, counts=own.counts[columns])
    cycles = sweeps.cycles if isinstance(sweeps, Descent) else None
    if not len(gram):
        gram = np.zeros((size, size, sweeps.cols.shape[2]))
    return ColumnUpdate(
        sweeps.cols[columns], own, cycles, degrees[columns], Unlisted(sweeps.block.background, gram)
    )


def _aligned(array: Array) -> Array:
    copy = aligned(array.shape, array.dtype)
    copy[...] = array
    return copy
