"""Sweeps of multiplicative updates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import BiasStep, Coordinates, Listed
from latentlink.solvers.descent.extrapolation import Moving
from latentlink.solvers.descent.sweeps import Sweeps

__all__ = ["Multiplied"]

Array = NDArray[Any]


@dataclass
class Multiplied(Sweeps):
    """Multiplicative updates of factors on known entries, and gradient steps of biases.

    Parameters
    ----------
    block, rows, cols, row_coordinates, col_coordinates
        As for `Sweeps`.
    rate : float or None
        Length of the gradient steps, as a fraction of the mean error of a row or column minus the gradient
        of the penalty. The first coordinate of rows and the last of columns are then biases; None means that
        there are none.
    """

    rate: float | None = None

    def improve_rows(self) -> Array:
        """Multiply W by the quotient of its two moments; take gradient steps of the row biases."""
        return self._half(self.block.rows, self.rows, self.cols, self.row_coordinates, self._bias_steps[0])

    def improve_cols(self) -> Array:
        """Multiply H by the quotient of its two moments; take gradient steps of the column biases."""
        return self._half(self.block.cols, self.cols, self.rows, self.col_coordinates, self._bias_steps[1])

    def balance(self) -> None:
        """Leave the scale of components as it is, as the paper does."""

    def moving_parts(self, whole: bool) -> list[Moving]:
        """Return nothing: multiplicative updates are not extrapolated."""
        del whole
        return []

    def listed_loss(self) -> Array:
        """Return the loss of the listed entries."""
        return self._moments(self.block.rows, self.rows, self.cols)[2]

    def _moments(self, listed: Listed, A: Array, B: Array) -> tuple[Array, Array, Array]:
        G = kernels.gram(B) if self.block.has_background else self._no_gram
        return kernels.moments(listed, A, B, G, self.block.background)

    @cached_property
    def _no_gram(self) -> Array:
        """The Gram matrices that stand for no background."""
        size, members = self.rows.shape[1:]
        return np.zeros((size, size, members), self.rows.dtype)

    @cached_property
    def _bias_steps(self) -> tuple[BiasStep | None, BiasStep | None]:
        """The gradient steps of the biases of the rows, and of those of the columns; None without biases."""
        if self.rate is None:
            return None, None
        row_weight, col_weight = (self.block.known_weight(side)[0] for side in (0, 1))
        last = self.cols.shape[1] - 1
        return BiasStep(0, self.rate, row_weight), BiasStep(last, self.rate, col_weight)

    def _half(
        self, listed: Listed, A: Array, B: Array, coordinates: Coordinates, bias: BiasStep | None
    ) -> Array:
        N, D, loss = self._moments(listed, A, B)
        kernels.multiplied_rows(N, D, A, coordinates, bias)
        return loss
