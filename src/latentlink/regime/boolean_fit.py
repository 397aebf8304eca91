"""Coordinate descent on Boolean factors: errors on known cells, gains of changes, updates by component."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.regime.cells import Cells

__all__ = ["ROUNDING", "BooleanFit", "patterns"]

Array = NDArray[Any]

ROUNDING = 1e-12
"""A gain below this share of the weights of its row or column is rounding error."""


class BooleanFit:
    """Boolean factors and the number of components that cover each known cell, updated together.

    A component covers a cell if it contains both its row and its column. The model predicts 1 where at least
    one component covers the cell.

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
        self.lines = (cells.rows, cells.cols)
        # The background term of a gain is a sum over all cells: adding it here cancels it for listed ones.
        self._without_background = cells.signed + cells.background
        self._rounding = [self._rounding_errors(side) for side in (0, 1)]
        self.sides = [np.zeros(W.shape, np.uint8), np.ascontiguousarray(H.T, dtype=np.uint8)]
        self.count = np.zeros(len(cells.signed), np.int32)
        for c in range(self.rank):
            self.assign(0, c, W[:, c] > 0)

    def _rounding_errors(self, side: int) -> Array:
        """Return for each row (side 0) or column (side 1) the size below which a gain is rounding error."""
        lines = self.lines[side]
        of_line = np.repeat(np.arange(len(lines.indptr) - 1), np.diff(lines.indptr))
        weight = np.bincount(
            of_line, np.abs(self._without_background[lines.positions]), len(lines.indptr) - 1
        )
        return ROUNDING * (weight + self.cells.background * (len(self.lines[1 - side].indptr) - 1))

    @property
    def rank(self) -> int:
        """Number of components."""
        return self.sides[0].shape[1]

    def error(self) -> float:
        """Return the total weight of known cells that the model predicts wrongly."""
        covered, signed = self.count > 0, self.cells.signed
        error = float(np.abs(signed[covered != (signed > 0)]).sum())
        if not self.cells.background:
            return error
        row_patterns, _, row_counts = patterns(self.sides[0])
        col_patterns, _, col_counts = patterns(self.sides[1])
        n_uncovered = int(row_counts @ kernels.boolean_disjoint(row_patterns, col_patterns, col_counts))
        n_covered = len(self.sides[0]) * len(self.sides[1]) - n_uncovered
        return error + self.cells.background * (n_covered - int(np.count_nonzero(covered)))

    def gains(self, side: int, c: int) -> NDArray[np.float64]:
        """Return by how much the error decreases if component c contains a row (side 0) or column (side 1).

        The decrease is relative to the component without that row or column, with all others fixed.
        """
        U, V = self.sides[side], self.sides[1 - side]
        gain = kernels.boolean_gains(self.lines[1 - side], self._without_background, self.count, U, V, c)
        if self.cells.background:
            gain -= self.cells.background * _covered_by_one(U, V, c)
        gain[np.abs(gain) <= self._rounding[side]] = 0.0
        return gain

    def assign(self, side: int, c: int, contained: NDArray[np.bool_]) -> int:
        """Set the rows (side 0) or columns (side 1) of component c; return how many changed."""
        U, V = self.sides[side], self.sides[1 - side]
        return kernels.boolean_assign(self.lines[side], self.count, U, V, c, contained)

    def optimize(self, max_rounds: int) -> None:
        """Minimise the error by coordinate descent: each component gets the rows and columns with a gain.

        Ends when a round over all components changes nothing, or after ``max_rounds``.
        """
        if not self.cells.background:
            U, V = self.sides
            rounding = (self._rounding[0], self._rounding[1])
            kernels.boolean_optimize(
                self.lines, self._without_background, self.count, (U, V), rounding, max_rounds
            )
            return
        for _ in range(max_rounds):
            changes = 0
            for c in range(self.rank):
                for side in (0, 1):
                    changes += self.assign(side, c, self.gains(side, c) > 0)
            if not changes:
                break

    def factors(self, dtype: Any) -> tuple[Array, Array]:
        """Return W and H as arrays of 0 and 1."""
        return self.sides[0].astype(dtype), np.ascontiguousarray(self.sides[1].T, dtype=dtype)


def _covered_by_one(U: Array, V: Array, c: int) -> Array:
    """Return for each row of U how many rows of V in component c share no other component with it."""
    rest = np.arange(U.shape[1]) != c
    own, pattern_of, _ = patterns(U[:, rest])
    others, _, counts = patterns(V[V[:, c] > 0][:, rest])
    return kernels.boolean_disjoint(own, others, counts)[pattern_of]


def patterns(side: Array) -> tuple[Array, Array, Array]:
    """Return the distinct rows of a Boolean array, the index of the pattern of each row, and their counts.

    Patterns are packed into words of 64 components.
    """
    packed = np.packbits(side, axis=1)
    words = max(1, -(-packed.shape[1] // 8))
    keys = np.zeros((len(side), 8 * words), np.uint8)
    keys[:, : packed.shape[1]] = packed
    # Sorting single words as numbers is 10 times as fast as sorting rows.
    packed_words = keys.view(np.uint64)
    axis = None if words == 1 else 0
    distinct, pattern_of, counts = np.unique(packed_words, axis=axis, return_inverse=True, return_counts=True)
    return np.ascontiguousarray(distinct).reshape(-1, words), pattern_of.reshape(-1), counts.astype(np.int64)
