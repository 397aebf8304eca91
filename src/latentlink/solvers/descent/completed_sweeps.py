"""Sweeps of descent on the completed matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates, Listed
from latentlink.solvers.descent.extrapolation import Moving
from latentlink.solvers.descent.multiplicative_sweeps import multiply
from latentlink.solvers.descent.sweeps import Sweeps

__all__ = ["Completed"]

Array = NDArray[Any]


@dataclass
class Completed(Sweeps):
    """Descent on the completed matrix, known by its products with the factors alone.

    Weights must not exceed 1. With ``bounds`` the targets are Boolean. ``multiplied`` takes multiplicative
    steps instead of exact ones.
    """

    bounds: tuple[float, float] | None = None
    multiplied: bool = False

    def improve_rows(self) -> Array:
        """Improve the rows, given the completed matrix's product with the columns."""
        return self._half(self.block.rows, self.rows, self.cols, self.on_rows)

    def improve_cols(self) -> Array:
        """Improve the columns, given the completed matrix's product with the rows."""
        return self._half(self.block.cols, self.cols, self.rows, self.on_cols)

    def listed_loss(self) -> Array:
        """Return the listed entries' loss."""
        return self._products(self.block.rows, self.rows, self.cols, kernels.gram(self.cols))[1]

    def moving(self, whole: bool) -> list[Moving]:
        """Return what sweeps change; multiplicative steps go no further."""
        return [] if self.multiplied else super().moving(whole)

    def _products(self, listed: Listed, A: Array, B: Array, G: Array) -> tuple[Array, Array]:
        return kernels.completed_products(listed, A, B, G, self.block.background, self.bounds)

    def _half(self, listed: Listed, A: Array, B: Array, how: Coordinates) -> Array:
        G = kernels.gram(B)
        P, loss = self._products(listed, A, B, G)
        if self.multiplied:
            multiply(A, P, kernels.times_gram(A, G) + how.ridge * A)
        else:
            kernels.gram_rows(P, G, A, how)
        return loss
