"""Sweeps of multiplicative updates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates, Listed
from latentlink.solvers.descent.extrapolation import Moving
from latentlink.solvers.descent.known_weight import known_weight
from latentlink.solvers.descent.sweeps import Sweeps

__all__ = ["Multiplied", "multiply"]

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
    _weights: dict[int, Array] = field(default_factory=dict, init=False, repr=False)

    def improve_rows(self) -> Array:
        """Multiply W by the quotient of its two moments; take gradient steps of the row biases."""
        return self._half(self.block.rows, self.rows, self.cols, self.row_coordinates, 0)

    def improve_cols(self) -> Array:
        """Multiply H by the quotient of its two moments; take gradient steps of the column biases."""
        return self._half(self.block.cols, self.cols, self.rows, self.col_coordinates, -1)

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
        base = self.block.background
        G = kernels.gram(B) if base else np.zeros((B.shape[1], B.shape[1], B.shape[2]))
        return kernels.moments(listed, A, B, G, base)

    def _known(self, listed: Listed, others: int) -> Array:
        """Return the weight of known entries of each line, shape (lines, members), computed once."""
        if id(listed) not in self._weights:
            self._weights[id(listed)] = known_weight(listed, others, self.block.background)
        return self._weights[id(listed)]

    def _half(self, listed: Listed, A: Array, B: Array, coordinates: Coordinates, bias: int) -> Array:
        N, D, loss = self._moments(listed, A, B)
        inner = slice(0, A.shape[1])
        ridge = coordinates.ridge[None]
        if coordinates.growth is not None and coordinates.counts is not None:
            ridge = ridge + coordinates.growth * coordinates.counts[:, None]
        if self.rate is not None:
            inner = slice(1, -1)
            penalty = ridge[:, bias] * (A[:, bias] - coordinates.centre[bias])
            known = self._known(listed, len(B))
            # The partner of a bias is a column of ones, so its moments are sums over known entries.
            descent = N[:, bias] - D[:, bias] - penalty
            step = np.divide(descent, known, out=np.zeros_like(known), where=known > 0)
            A[:, bias] += (self.rate * step).astype(A.dtype)
        multiply(A[:, inner], N[:, inner], D[:, inner] + ridge[:, inner] * A[:, inner])
        return loss


def multiply(A: Array, N: Array, D: Array) -> None:
    """Set A <- A * N / D in place, where D > 0; other coordinates keep their values."""
    # The product first: a coordinate of 0 stays 0 however small D is, while 0 * (N / D) may be NaN.
    np.divide(A * np.maximum(N, 0), D, out=A, where=D > 0)
