"""Sweeps of a factorization whose rows are in shards, and whose columns are here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.cluster import Call, Parts
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.shards.column_updates import column_update, terms_of_column
from latentlink.solvers.shards.held_factor import HeldFactor, Orders, Scale
from latentlink.solvers.shards.row_shard import RowSums
from latentlink.solvers.shards.sweep_checkpoint import SweepCheckpoint

__all__ = ["MOST_TERMS", "ShardedSweeps", "column_pieces"]

Array = NDArray[Any]

MOST_TERMS = 1 << 24
"""Largest number of terms of columns that a shard sends at once: 128 MB in double precision."""


def column_pieces(columns: int, terms: int) -> list[slice]:
    """Return the columns in pieces with at most `MOST_TERMS` terms, given those of one column.

    Examples
    --------
    >>> column_pieces(5, MOST_TERMS // 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, MOST_TERMS // terms)
    return [slice(begin, min(begin + step, columns)) for begin in range(0, columns, step)]


class ShardedSweeps:
    """The steps of `Sweeps`, each half where its factors are.

    A sweep updates all rows where they are, sums the terms of the columns over the shards, and updates each
    piece of the columns where its sum is. The columns come back here, and go to all shards with the next
    sweep.

    Parameters
    ----------
    shards : Parts
    sweeps : Sweeps
        Of all columns, and no rows.
    degrees : array of int, shape (columns,)
        Number of listed entries of each column.
    pieces : list of slice
        The columns that are updated at once.
    checkpoint : SweepCheckpoint, optional
        Stores rows and columns from time to time. Sweeps before the stored one are not made again: the loop
        gets their losses, by which it decides as it did.
    """

    def __init__(
        self,
        shards: Parts,
        sweeps: Sweeps,
        degrees: Array,
        pieces: list[slice],
        checkpoint: SweepCheckpoint | None = None,
    ) -> None:
        self._shards, self._own, self._degrees, self._pieces = shards, sweeps, degrees, pieces
        self._checkpoint = checkpoint
        self._losses: list[Array] = []
        self._orders = Orders(sweeps.cols.shape[2])
        self._held = HeldFactor(sweeps.moving_parts(True)[1], divided=True)

    @classmethod
    def pieces_of(cls, sweeps: Sweeps) -> list[slice]:
        """Return the pieces of the columns of some sweeps."""
        return column_pieces(len(sweeps.cols), terms_of_column(sweeps) * sweeps.cols.shape[2])

    @property
    def state(self) -> tuple[Orders]:
        """The factors, as the loop sees them."""
        return (self._orders,)

    def moving_parts(self, whole: bool) -> list[Orders]:
        """Return what is extrapolated: rows and columns by the same orders."""
        del whole
        return [self._orders]

    def sweep(self) -> Array:
        """Update rows, then columns; return the loss before."""
        loss = self._stored_loss()
        if loss is None:
            loss = self._improve()
        self._losses.append(loss)
        return loss

    def _stored_loss(self) -> Array | None:
        """Return the loss of a sweep before the stored one; for the others None. Restore the stored one."""
        checkpoint, sweep = self._checkpoint, len(self._losses)
        if checkpoint is None or sweep > checkpoint.sweep:
            return None
        self._orders.taken()  # what is stored, or will be restored, has carried them out
        if sweep < checkpoint.sweep:
            return checkpoint.losses[sweep]
        self._held.state = checkpoint.columns
        self._shards.each("restore", checkpoint.path(sweep))
        return None

    def _improve(self) -> Array:
        """Make a sweep, and store what it begins with if it is time to."""
        checkpoint, sweep = self._checkpoint, len(self._losses)
        due = checkpoint is not None and checkpoint.is_due(sweep)
        path = checkpoint.path(sweep) if checkpoint is not None and due else None
        sums, loss = self._of_rows("improve", *(() if path is None else (path,)))
        if checkpoint is not None and due:
            checkpoint.store(self._losses, self._held.state)
        own, calls = self._own, list[Call]()
        for number, piece in enumerate(self._pieces):
            update = column_update(own, piece, self._degrees, sums.gram)
            calls.append(Call("terms", (number, piece), update))
        for piece, cols in zip(self._pieces, self._shards.summed(calls), strict=True):
            own.cols[piece] = cols
        self._balance(sums.penalty)
        return loss

    sweep_cols = sweep  # rows are never given

    def loss(self) -> Array:
        """Return the current objective."""
        return self._of_rows("loss")[1]

    def _of_rows(self, method: str, *more: Any) -> tuple[RowSums, Array]:
        """Return the sums of the rows, which carry out a method, and the loss before."""
        own, orders = self._own, self._orders.taken()
        self._held.obey(orders)
        (sums,) = self._shards.summed([Call(method, (orders, own.cols, *more))])
        loss = sums.loss + own.penalty(own.cols, own.col_coordinates)
        if own.block.has_background:
            grams = (sums.gram_before * kernels.gram(own.cols)).reshape(-1, own.cols.shape[2])
            loss = loss + own.block.background * np.add.accumulate(grams, axis=0)[-1]
        return sums, loss

    def _balance(self, ours: Array) -> None:
        """Order to rescale rows against columns so that the sum of their penalties is least."""
        own = self._own
        if not (own.row_coordinates.penalised and own.col_coordinates.penalised):
            return
        first, last = own.row_coordinates.shared_span(own.col_coordinates)
        theirs = kernels.penalties(own.cols, own.col_coordinates, np.zeros_like(own.cols[0]))[0]
        both = (ours > 0) & (theirs > 0)
        ratio = np.divide(theirs, ours, out=np.ones_like(ours), where=both)
        factor = np.sqrt(np.sqrt(ratio)).astype(own.cols.dtype)[first:last]
        self._orders.add("scale", Scale(first, last, factor))
