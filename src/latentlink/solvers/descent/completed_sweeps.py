"""Sweeps of coordinate descent or multiplicative updates on the completed matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates, Listed
from latentlink.solvers.descent.extrapolation import Moving
from latentlink.solvers.descent.sweeps import Sweeps

__all__ = ["Completed"]

Array = NDArray[Any]


@dataclass
class Completed(Sweeps):
    """Descent on the completed matrix, which is only needed in products with the factors.

    Parameters
    ----------
    block, rows, cols, row_coordinates, col_coordinates
        As for `Sweeps`. Weights must not exceed 1.
    bounds : (float, float) or None
        Bounds of the Boolean target of a known one; None for the plain squared error.
    multiplied : bool
        Whether updates are multiplicative instead of exact coordinate minimisation.
    """

    bounds: tuple[float, float] | None = None
    multiplied: bool = False

    def improve_rows(self) -> Array:
        """Update the rows, given the product of the completed matrix with the columns."""
        return self._half(self.block.rows, self.rows, self.cols, self.row_coordinates)

    def improve_cols(self) -> Array:
        """Update the columns, given the product of the completed matrix with the rows."""
        return self._half(self.block.cols, self.cols, self.rows, self.col_coordinates)

    def listed_loss(self) -> Array:
        """Return the loss of the listed entries."""
        return self._products(self.block.rows, self.rows, self.cols, kernels.gram(self.cols))[1]

    def moving_parts(self, whole: bool) -> list[Moving]:
        """Return the factors that are extrapolated; none for multiplicative updates."""
        return [] if self.multiplied else super().moving_parts(whole)

    def _products(self, listed: Listed, A: Array, B: Array, G: Array) -> tuple[Array, Array]:
        return kernels.completed_products(listed, A, B, G, self.block.background, self.bounds)

    def _half(self, listed: Listed, A: Array, B: Array, coordinates: Coordinates) -> Array:
        G = kernels.gram(B)
        P, loss = self._products(listed, A, B, G)
        if self.multiplied:
            kernels.multiplied_rows(P, kernels.times_gram(A, G), A, coordinates)
        else:
            kernels.gram_rows(P, G, A, coordinates)
        return loss
