"""Known cells of a matrix as signed weights, the data of Boolean factors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Lines
from latentlink.network import Ensemble, Network
from latentlink.network.background import with_listed_diagonal

__all__ = ["Cells"]


@dataclass(frozen=True, eq=False)
class Cells:
    """Known cells of one member with signed weights, indexed by row and by column.

    A pair of a symmetric network is two cells, (i, j) and (j, i), each with half its weight, since its score
    is the mean of both; a self loop is one cell with the whole weight.

    Attributes
    ----------
    rows, cols : Lines
        Index of the cells by row and by column (compressed sparse rows and columns).
    signed : array, shape (cells,)
        The weight of a known one, minus the weight of a known zero, and 0 for hidden and held-out entries.
    background : float
        The weight of each unlisted cell, which is a zero.

    Examples
    --------
    >>> network = Network([0, 0, 1], [0, 1, 1], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], shape=(2, 2))
    >>> Cells.of(Ensemble.of(network)).signed
    array([ 1., -1.,  0.])
    """

    rows: Lines
    cols: Lines
    signed: NDArray[np.float64]
    background: float

    @classmethod
    def of(cls, ensemble: Ensemble, member: int = 0) -> Cells:
        """Return the cells of one member; an entry is a one if its value exceeds 1/2."""
        weights = ensemble.weights if ensemble.weights.ndim == 1 else ensemble.weights[:, [member]]
        return next(cls.each(Ensemble(ensemble.network, ensemble.values[:, [member]], weights)))

    @classmethod
    def each(cls, ensemble: Ensemble) -> Iterator[Cells]:
        """Yield the cells of each member; all share one index structure."""
        if ensemble.network.background:
            ensemble.network.require_clean("A background of Boolean cells")
            ensemble = with_listed_diagonal(ensemble)
        network = ensemble.network
        rows, cols, entry_of_cell = _lines(network)
        share = np.full(network.n_listed, 0.5 if network.symmetric else 1.0)
        if network.symmetric:
            share[network.rows == network.cols] = 1.0
        for member in range(ensemble.n_members):
            values = ensemble.values[:, member]
            weights = ensemble.weights if ensemble.weights.ndim == 1 else ensemble.weights[:, member]
            signed = np.where(np.isnan(values), 0.0, np.where(values > 0.5, weights, -weights) * share)
            signed = signed + 0.0  # no negative zeros
            background = network.background * (0.5 if network.symmetric else 1.0)
            yield cls(rows, cols, signed if entry_of_cell is None else signed[entry_of_cell], background)


def _lines(network: Network) -> tuple[Lines, Lines, NDArray[np.integer] | None]:
    """Return the cells by row and by column, and the listed entry of each cell; None if they are the same."""
    by_row, by_col = network.csr, network.csc
    if not network.symmetric:  # listed row by row
        rows, cols = (Lines(view.indptr, view.indices, view.position) for view in (by_row, by_col))
        return rows, cols, None
    # The matrix of both directions of all pairs is symmetric: the view by column is the view by row with
    # the cells (i, j) and (j, i) exchanged.
    width = by_row.position.dtype
    here = np.arange(len(by_row), dtype=width)
    there = np.argsort(by_row.indices, kind="stable").astype(width)
    for array in (here, there):
        array.setflags(write=False)  # as in other views: kernels are compiled for read-only arrays
    rows, cols = (Lines(by_row.indptr, by_row.indices, cells) for cells in (here, there))
    return rows, cols, by_row.position
