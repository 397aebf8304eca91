"""Known cells of a matrix, as Boolean factors see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Lines
from latentlink.network import Ensemble, Network
from latentlink.network.background import with_meant_diagonal

__all__ = ["Cells"]


@dataclass(frozen=True, eq=False)
class Cells:
    """Known cells of one member: by row and by column, with a sign and a weight.

    A pair of a symmetric network stands in both directions with half its weight, a self loop once with the
    whole: the score of a pair is the mean of both directions.

    Attributes
    ----------
    rows, cols : Lines
        The cells row by row and column by column.
    signed : array, shape (cells,)
        The weight of a known one, minus the weight of a known zero, 0 for what is hidden or unseen.
    background : float
        The weight of each cell that is not listed, a zero.

    Examples
    --------
    >>> network = Network([0, 0, 1], [0, 1, 1], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], shape=(2, 2))
    >>> Cells.of(Ensemble.of(network)).signed
    array([ 1., -1.,  0.])
    """

    rows: Lines
    cols: Lines
    signed: NDArray[np.float64]
    background: float = 0.0

    @classmethod
    def of(cls, ensemble: Ensemble, member: int = 0) -> Cells:
        """Take the cells of a member; an entry is a one if its value exceeds 1/2."""
        alone = ensemble.weights if ensemble.weights.ndim == 1 else ensemble.weights[:, [member]]
        return next(cls.each(Ensemble(ensemble.network, ensemble.values[:, [member]], alone)))

    @classmethod
    def each(cls, ensemble: Ensemble) -> Iterator[Cells]:
        """Take the cells of every member in turn; all share one index structure."""
        if ensemble.network.background:
            ensemble.network.require_clean("A background of Boolean cells")
            ensemble = with_meant_diagonal(ensemble)
        network = ensemble.network
        rows, cols, place = _lines(network)
        share = np.full(network.n_listed, 0.5 if network.symmetric else 1.0)
        if network.symmetric:
            share[network.rows == network.cols] = 1.0
        for member in range(ensemble.n_members):
            values = ensemble.values[:, member]
            weights = ensemble.weights if ensemble.weights.ndim == 1 else ensemble.weights[:, member]
            signed = np.where(np.isnan(values), 0.0, np.where(values > 0.5, weights, -weights) * share)
            signed = signed + 0.0  # no negative zeros
            background = network.background * (0.5 if network.symmetric else 1.0)
            yield cls(rows, cols, signed if place is None else signed[place], background)


def _lines(network: Network) -> tuple[Lines, Lines, NDArray[np.integer] | None]:
    """Return cells by row and by column, and where each stands in the listing; None if in that order."""
    by_row, by_col = network.csr, network.csc
    if not network.symmetric:  # listed row by row
        rows, cols = (Lines(view.indptr, view.indices, view.position) for view in (by_row, by_col))
        return rows, cols, None
    # Both directions of a pair are cells of their own; the column view is the row view, seen from there.
    width = by_row.position.dtype
    here = np.arange(len(by_row), dtype=width)
    there = np.argsort(by_row.indices, kind="stable").astype(width)
    for array in (here, there):
        array.setflags(write=False)  # as those of a view are: kernels are compiled for one kind
    rows, cols = (Lines(by_row.indptr, by_row.indices, where) for where in (here, there))
    return rows, cols, by_row.position
