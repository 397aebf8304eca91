"""Boolean factors on known cells, changed one component at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.regime.cells import Cells

__all__ = ["ROUNDING", "BooleanFit", "patterns"]

Array = NDArray[Any]

ROUNDING = 1e-12
"""Share of all weights of a line below which a gain is nothing but rounding."""


class BooleanFit:
    """Boolean factors on known cells, with what covers each cell kept up to date.

    Parameters
    ----------
    cells : Cells
        What is known.
    W : array of 0 and 1, shape (rows, rank)
    H : array of 0 and 1, shape (rank, columns)

    Examples
    --------
    >>> from latentlink.network import Ensemble, Network
    >>> cells = Cells.of(Ensemble.of(Network.from_dense([[1, 1, 0], [1, 1, 0], [0, 0, 1]])))
    >>> fit = BooleanFit(cells, np.array([[1], [1], [1]]), np.array([[1, 1, 0]]))
    >>> fit.error(), fit.gains(0, 0)  # the third row has two zeros there
    (3.0, array([ 2.,  2., -2.]))
    """

    def __init__(self, cells: Cells, W: Array, H: Array) -> None:
        self.cells = cells
        self.lines = (cells.rows, cells.cols)
        # What is listed is taken out of the background.
        self._lifted = cells.signed + cells.background
        self._rounding = [self._noise(side) for side in (0, 1)]
        self.sides = [np.zeros(W.shape, np.uint8), np.ascontiguousarray(H.T, dtype=np.uint8)]
        self.count = np.zeros(len(cells.signed), np.int32)
        for c in range(self.rank):
            self.hold(0, c, W[:, c] > 0)

    def _noise(self, side: int) -> Array:
        """Return below what a gain of each line is rounding."""
        lines = self.lines[side]
        of_line = np.repeat(np.arange(len(lines.indptr) - 1), np.diff(lines.indptr))
        weight = np.bincount(of_line, np.abs(self._lifted[lines.where]), len(lines.indptr) - 1)
        return ROUNDING * (weight + self.cells.background * (len(self.lines[1 - side].indptr) - 1))

    @property
    def rank(self) -> int:
        """Number of components."""
        return self.sides[0].shape[1]

    def error(self) -> float:
        """Return the weight of known cells that the model has wrong."""
        said, signed = self.count > 0, self.cells.signed
        wrong = float(np.abs(signed[said != (signed > 0)]).sum())
        if not self.cells.background:
            return wrong
        ours, _, sizes = patterns(self.sides[0])
        others, _, weights = patterns(self.sides[1])
        free = int(sizes @ kernels.boolean_disjoint(ours, others, weights))
        covered = len(self.sides[0]) * len(self.sides[1]) - free
        return wrong + self.cells.background * (covered - int(np.count_nonzero(said)))

    def gains(self, side: int, c: int) -> NDArray[np.float64]:
        """Return what each row (side 0) or column (side 1) gains by being held by component c."""
        U, V = self.sides[side], self.sides[1 - side]
        gain = kernels.boolean_gains(self.lines[1 - side], self._lifted, self.count, U, V, c)
        if self.cells.background:
            gain -= self.cells.background * _alone(U, V, c)
        gain[np.abs(gain) <= self._rounding[side]] = 0.0
        return gain

    def hold(self, side: int, c: int, held: NDArray[np.bool_]) -> int:
        """Let component c hold these rows or columns and no others; return how many changed."""
        U, V = self.sides[side], self.sides[1 - side]
        return kernels.boolean_change(self.lines[side], self.count, U, V, c, held)

    def settle(self, max_rounds: int) -> None:
        """Hold what gains and let go what does not, component by component, until nothing changes."""
        if not self.cells.background:
            U, V = self.sides
            noise = (self._rounding[0], self._rounding[1])
            kernels.boolean_settle(self.lines, self._lifted, self.count, (U, V), noise, max_rounds)
            return
        for _ in range(max_rounds):
            changes = 0
            for c in range(self.rank):
                for side in (0, 1):
                    changes += self.hold(side, c, self.gains(side, c) > 0)
            if not changes:
                break

    def factors(self, dtype: Any) -> tuple[Array, Array]:
        """Return W and H."""
        return self.sides[0].astype(dtype), np.ascontiguousarray(self.sides[1].T, dtype=dtype)


def _alone(U: Array, V: Array, c: int) -> Array:
    """Return for each line how many partners component c holds that no other component joins to it."""
    rest = np.arange(U.shape[1]) != c
    ours, which, _ = patterns(U[:, rest])
    others, _, sizes = patterns(V[V[:, c] > 0][:, rest])
    return kernels.boolean_disjoint(ours, others, sizes)[which]


def patterns(side: Array) -> tuple[Array, Array, Array]:
    """Return the distinct lines, 64 components to a word, which of them each line is, and their numbers."""
    packed = np.packbits(side, axis=1)
    words = max(1, -(-packed.shape[1] // 8))
    keys = np.zeros((len(side), 8 * words), np.uint8)
    keys[:, : packed.shape[1]] = packed
    # One word sorts as a number, 10 times as fast as a row.
    found = keys.view(np.uint64)
    axis = None if words == 1 else 0
    distinct, which, sizes = np.unique(found, axis=axis, return_inverse=True, return_counts=True)
    return np.ascontiguousarray(distinct).reshape(-1, words), which.reshape(-1), sizes.astype(np.int64)
