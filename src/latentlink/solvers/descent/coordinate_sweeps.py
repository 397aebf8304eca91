"""Sweeps of exact coordinate descent on known entries."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates, Listed, Mirror
from latentlink.solvers.descent.extrapolation import Moving
from latentlink.solvers.descent.sweeps import Sweeps

__all__ = ["Descent", "MirroredDescent"]

Array = NDArray[Any]


@dataclass
class Descent(Sweeps):
    """Exact coordinate descent on known entries, with unlisted entries unknown or zeros of some weight.

    Parameters
    ----------
    block, rows, cols, row_coordinates, col_coordinates
        As for `Sweeps`.
    logistic : bool
        Whether the loss is the cross-entropy, of which each step minimises a quadratic upper bound; the
        penalty is then ``ridge / 2 * a^2``, with the gradient ``ridge * a``.
    cycles : int
        How often the coordinates of a row are updated before the next row.
    """

    logistic: bool = False
    cycles: int = 1

    def improve_rows(self) -> Array:
        """Update the coordinates of each row in turn."""
        return self._half(self.block.rows, self.rows, self.cols, self.row_coordinates)

    def improve_cols(self) -> Array:
        """Update the coordinates of each column in turn."""
        return self._half(self.block.cols, self.cols, self.rows, self.col_coordinates)

    def listed_loss(self) -> Array:
        """Return the loss of the listed entries, a squared one by a half sweep that updates no coordinate."""
        if self.logistic:
            return kernels.logistic_loss(self.block.rows, self.rows, self.cols)
        unchanged = replace(self.row_coordinates, last=self.row_coordinates.first)
        return self._half(self.block.rows, self.rows, self.cols, unchanged)

    def _half(self, listed: Listed, A: Array, B: Array, coordinates: Coordinates) -> Array:
        background, cycles = self.block.background, self.cycles
        if self.logistic or not background:
            return kernels.masked_rows(listed, A, B, coordinates, cycles, self.logistic)
        return kernels.background_rows(listed, A, B, kernels.gram(B), background, coordinates, cycles)

    @property
    def penalty_divisor(self) -> int:
        """2 under the logistic loss, whose penalty is half the ridge."""
        return 2 if self.logistic else 1


@dataclass
class MirroredDescent(Descent):
    """Logistic descent for a symmetric model: an updated node is used by later nodes immediately.

    Parameters
    ----------
    block, rows, cols, row_coordinates, col_coordinates, logistic, cycles
        As for `Descent`.
    mirror : Mirror
        How the column of a node is a copy of its row.
    """

    mirror: Mirror = field(kw_only=True)

    def improve_rows(self) -> Array:
        """Update the coordinates of each node in turn."""
        return self._update(self.row_coordinates)

    def improve_cols(self) -> Array:
        """Update the bias of each node, given the factors."""
        return self._update(replace(self.row_coordinates, first=0, last=1))

    def listed_loss(self) -> Array:
        """Return the loss of the listed entries."""
        return kernels.logistic_loss(self.block.rows, self.rows, self.cols, mirrored=True)

    def moving_parts(self, whole: bool) -> list[Moving]:
        """Return both sides, since each is a copy of the other."""
        del whole
        return super().moving_parts(True)

    def _update(self, coordinates: Coordinates) -> Array:
        listed, cycles = self.block.rows, self.cycles
        return kernels.masked_rows(listed, self.rows, self.cols, coordinates, cycles, True, self.mirror)

    def sweep(self) -> Array:
        """Update every node; return the loss before."""
        rest = self._rest()
        return self.block.share * (self.improve_rows() + rest)

    def fill_empty(self, whole: bool) -> None:
        """Fill empty nodes after a fit of all factors; given factors are not changed."""
        if whole:
            super().fill_empty(whole)
