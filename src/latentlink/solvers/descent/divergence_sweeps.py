"""Sweeps of coordinate descent or multiplicative updates under the Kullback-Leibler divergence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates, Listed
from latentlink.solvers.descent.extrapolation import Moving
from latentlink.solvers.descent.sweeps import Sweeps

__all__ = ["DivergenceSweeps"]

Array = NDArray[Any]

_SMALLEST_FIT = 1e-10  # as a share of the mean of the data


@dataclass
class DivergenceSweeps(Sweeps):
    """Descent on the generalised Kullback-Leibler divergence, the unlisted zeros of a background included.

    Parameters
    ----------
    block, rows, cols, row_coordinates, col_coordinates
        As for `Sweeps`. Coordinates are non-negative and have no penalty.
    cycles : int
        How often the coordinates of a row are updated before the next row.
    multiplied : bool
        Whether updates are multiplicative instead of Newton's steps of one coordinate at a time.
    """

    cycles: int = 1
    multiplied: bool = False

    def improve_rows(self) -> Array:
        """Update the rows; return the loss before, unlisted entries included."""
        return self._half(self.block.rows, self.rows, self.cols, self.row_coordinates)

    def improve_cols(self) -> Array:
        """Update the columns; return the loss before, unlisted entries included."""
        return self._half(self.block.cols, self.cols, self.rows, self.col_coordinates)

    def listed_loss(self) -> Array:
        """Return the loss of all entries, by a half sweep that updates nothing."""
        return self._descended(self.block.rows, self.rows, self.cols, 0)

    def background_loss(self) -> Array:
        """Return 0: the kernels count unlisted entries with the listed ones, where no terms cancel."""
        return np.zeros(self.block.width)

    def moving_parts(self, whole: bool) -> list[Moving]:
        """Return the factors that are extrapolated; none for multiplicative updates."""
        return [] if self.multiplied else super().moving_parts(whole)

    def _half(self, listed: Listed, A: Array, B: Array, coordinates: Coordinates) -> Array:
        if not self.multiplied:
            return self._descended(listed, A, B, self.cycles)
        totals, background = kernels.totals(B), self.block.background
        N, D, loss = kernels.divergence_moments(listed, A, B, totals, background, self._floor)
        kernels.multiplied_rows(N, D, A, coordinates)
        return loss

    def _descended(self, listed: Listed, A: Array, B: Array, cycles: int) -> Array:
        totals, background = kernels.totals(B), self.block.background
        return kernels.divergence_rows(listed, A, B, totals, background, self._floor, cycles)

    @cached_property
    def _floor(self) -> Array:
        """The least fit of a positive value: the loss of a 0 is infinite, and so is its gradient."""
        means = [self.block.ensemble.member_mean(member) for member in self.block.members]
        # The mean may be 0; the largest value is 0 or above this root (`check_magnitude`).
        return _SMALLEST_FIT * np.maximum(means, np.sqrt(np.finfo(self.rows.dtype).tiny))
