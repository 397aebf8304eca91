"""Coordinate descent on Boolean factors: errors on known cells, gains of changes, updates by component."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.regime.cells import Cells
from latentlink.regime.patterns import column_of, distinct, flip, packed, unpacked, without

__all__ = ["ROUNDING", "BooleanFit"]

Array = NDArray[Any]

ROUNDING = 1e-12
"""A gain below this share of the weights of its row or column is rounding error."""


class BooleanFit:
    """Boolean factors as patterns of rows and columns, and what changes of them do to the error.

    A component covers a cell if it contains both its row and its column. The model predicts 1 where at least
    one component covers the cell: where the patterns of row and column, the sets of their components, have
    one in common.

    Parameters
    ----------
    cells : Cells
        The known cells.
    W : array of 0 and 1, shape (rows, rank)
    H : array of 0 and 1, shape (rank, columns)

    Examples
    --------
    >>> from latentlink.network import Ensemble, Network
    >>> cells = Cells.of(Ensemble.of(Network.from_dense([[1, 1, 0], [1, 1, 0], [0, 0, 1]])))
    >>> fit = BooleanFit(cells, np.array([[1], [1], [1]]), np.array([[1, 1, 0]]))
    >>> fit.error(), fit.gains(0, 0)  # the third row is 0 in both columns of the component
    (3.0, array([ 2.,  2., -2.]))
    """

    def __init__(self, cells: Cells, W: Array, H: Array) -> None:
        self.cells = cells
        self.rank = W.shape[1]
        self.patterns = (packed(W), packed(H.T))

    @property
    def sides(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """W and the transpose of H as new arrays of 0 and 1."""
        rows, cols = (unpacked(each, self.rank) for each in self.patterns)
        return rows, cols

    def lines(self, side: int, c: int) -> NDArray[np.bool_]:
        """Return which rows (side 0) or columns (side 1) component c contains."""
        return column_of(self.patterns[side], c)

    def error(self) -> float:
        """Return the total weight of known cells that the model predicts wrongly."""
        missed, wrong, covered = kernels.boolean_errors(self.cells.rows, *self.patterns)
        error = float(missed.sum() + wrong.sum())
        if not self.cells.background:
            return error
        (rows, _, row_counts), (cols, _, col_counts) = (distinct(each) for each in self.patterns)
        n_uncovered = int(row_counts @ kernels.boolean_disjoint(rows, cols, col_counts))
        n_covered = len(self.patterns[0]) * len(self.patterns[1]) - n_uncovered
        return error + self.cells.background * (n_covered - int(covered.sum()))

    def gains(self, side: int, c: int) -> NDArray[np.float64]:
        """Return by how much the error decreases if component c contains a row (side 0) or column (side 1).

        The decrease is relative to the component without that row or column, with all others fixed.
        """
        ours, theirs = self.patterns[side], self.patterns[1 - side]
        partners = self.cells.beyond_background[1 - side]
        gain = kernels.boolean_gains(partners, ours, theirs, c)
        if self.cells.background:
            gain -= self.cells.background * _covered_by_one(ours, theirs, c)
        gain[np.abs(gain) <= ROUNDING * self.cells.line_weights[side]] = 0.0
        return gain

    def assign(self, side: int, c: int, contained: NDArray[np.bool_]) -> int:
        """Set the rows (side 0) or columns (side 1) of component c; return how many changed."""
        changed = self.lines(side, c) != contained
        flip(self.patterns[side], c, changed)
        return int(np.count_nonzero(changed))

    def optimize(self, max_rounds: int) -> None:
        """Minimise the error by coordinate descent: each component gets the rows and columns with a gain.

        Ends when a round over all components changes nothing, or after ``max_rounds``.
        """
        if not self.cells.background:
            rows, cols = self.cells.line_weights
            noise = (ROUNDING * rows, ROUNDING * cols)
            kernels.boolean_optimize(
                self.cells.beyond_background, self.patterns, noise, self.rank, max_rounds
            )
            return
        for _ in range(max_rounds):
            changes = 0
            for c in range(self.rank):
                for side in (0, 1):
                    changes += self.assign(side, c, self.gains(side, c) > 0)
            if not changes:
                break

    def state(self) -> tuple[Array, Array]:
        """Return a copy of the patterns, for `restore`."""
        rows, cols = self.patterns
        return rows.copy(), cols.copy()

    def restore(self, state: tuple[Array, Array]) -> None:
        """Set the factors to those of an earlier state."""
        for patterns, earlier in zip(self.patterns, state, strict=True):
            patterns[:] = earlier

    def factors(self, dtype: Any) -> tuple[Array, Array]:
        """Return W and H as arrays of 0 and 1."""
        W, Ht = self.sides
        return W.astype(dtype), np.ascontiguousarray(Ht.T, dtype=dtype)


def _covered_by_one(ours: Array, theirs: Array, c: int) -> Array:
    """Return for each row of ours how many rows of theirs in component c share no other component with it."""
    own, pattern_of, _ = distinct(without(ours, c))
    others, _, counts = distinct(without(theirs[column_of(theirs, c)], c))
    return kernels.boolean_disjoint(own, others, counts)[pattern_of]
