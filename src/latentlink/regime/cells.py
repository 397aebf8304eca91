"""Known cells of a matrix as signed weights, the data of Boolean factors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

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
        The cells by row and by column (compressed sparse rows and columns). Their signed weights are the
        weight of a known one, minus the weight of a known zero, and 0 for hidden and held-out entries.
    background : float
        The weight of each unlisted cell, which is a zero.

    Examples
    --------
    >>> network = Network([0, 0, 1], [0, 1, 1], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], shape=(2, 2))
    >>> Cells.of(Ensemble.of(network)).rows.signed
    array([ 1., -1.,  0.])
    """

    rows: Lines
    cols: Lines
    background: float

    @cached_property
    def total(self) -> float:
        """The total weight of the known cells."""
        listed, size = len(self.rows.signed), (len(self.rows.indptr) - 1) * (len(self.cols.indptr) - 1)
        return float(np.abs(self.rows.signed).sum()) + self.background * (size - listed)

    @cached_property
    def beyond_background(self) -> tuple[Lines, Lines]:
        """The cells by row and by column, with what they weigh beyond an unlisted zero.

        A sum over all cells is one of these weights over listed cells, minus the background times the number
        of all.
        """
        if not self.background:
            return self.rows, self.cols
        rows, cols = (each._replace(signed=each.signed + self.background) for each in (self.rows, self.cols))
        return rows, cols

    @cached_property
    def line_weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The sums over each row and over each column of the absolute weights that enter a gain."""
        rows, cols = self.beyond_background
        by_row = _absolute_sums(rows) + self.background * (len(cols.indptr) - 1)
        return by_row, _absolute_sums(cols) + self.background * (len(rows.indptr) - 1)

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
        rows, cols, entry_of_cell, order = _index(network)
        share = np.full(network.n_listed, 0.5 if network.symmetric else 1.0)
        if network.symmetric:
            share[network.rows == network.cols] = 1.0
        background = network.background * (0.5 if network.symmetric else 1.0)
        for member in range(ensemble.n_members):
            values = ensemble.values[:, member]
            weights = ensemble.weights if ensemble.weights.ndim == 1 else ensemble.weights[:, member]
            signed = np.where(np.isnan(values), 0.0, np.where(values > 0.5, weights, -weights) * share)
            signed = signed + 0.0  # no negative zeros
            if entry_of_cell is not None:
                signed = signed[entry_of_cell]
            yield cls(Lines(*rows, signed), Lines(*cols, signed[order]), background)


Index = tuple[NDArray[np.integer], NDArray[np.integer]]


def _index(network: Network) -> tuple[Index, Index, NDArray[np.integer] | None, NDArray[np.integer]]:
    """Return the cells by row and by column, compressed, and the order that makes the one of the other.

    The third is the listed entry of each cell by row; None if they are the same.
    """
    by_row, by_col = network.csr, network.csc
    if not network.symmetric:  # listed row by row
        return (by_row.indptr, by_row.indices), (by_col.indptr, by_col.indices), None, by_col.position
    # The matrix of both directions of all pairs is symmetric: the view by column is the view by row with
    # the cells (i, j) and (j, i) exchanged.
    index = by_row.indptr, by_row.indices
    return index, index, by_row.position, np.argsort(by_row.indices, kind="stable")


def _absolute_sums(lines: Lines) -> NDArray[np.float64]:
    """Return the sum of absolute weights over each row or column."""
    size = len(lines.indptr) - 1
    of_line = np.repeat(np.arange(size), np.diff(lines.indptr))
    return np.bincount(of_line, np.abs(lines.signed), size).astype(np.float64)
