"""Sweeps of multiplicative steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates, Listed
from latentlink.solvers.descent.extrapolation import Moving
from latentlink.solvers.descent.sweeps import Sweeps

__all__ = ["Multiplied", "multiply"]

Array = NDArray[Any]


@dataclass
class Multiplied(Sweeps):
    """Multiplicative steps on known entries, and gradient steps for biases.

    With ``rate`` the first coordinate of rows and the last of columns are biases, and move by that share of
    the mean error of their row or column, less the ridge's pull.
    """

    rate: float | None = None
    _weights: dict[int, Array] = field(default_factory=dict, init=False, repr=False)

    def improve_rows(self) -> Array:
        """Multiply W by the quotient of its two moments; move row biases down the gradient."""
        return self._half(self.block.rows, self.rows, self.cols, self.on_rows, 0)

    def improve_cols(self) -> Array:
        """Multiply H by the quotient of its two moments; move column biases down the gradient."""
        return self._half(self.block.cols, self.cols, self.rows, self.on_cols, -1)

    def balance(self) -> None:
        """Leave components as they are: the paper's steps know no balance."""

    def moving(self, whole: bool) -> list[Moving]:
        """Return nothing: multiplicative steps go no further."""
        del whole
        return []

    def listed_loss(self) -> Array:
        """Return the listed entries' loss."""
        return self._moments(self.block.rows, self.rows, self.cols)[2]

    def _moments(self, listed: Listed, A: Array, B: Array) -> tuple[Array, Array, Array]:
        base = self.block.background
        G = kernels.gram(B) if base else np.zeros((B.shape[1], B.shape[1], B.shape[2]))
        return kernels.moments(listed, A, B, G, base)

    def _known(self, listed: Listed, others: int) -> Array:
        """Return the weight of all that is known of each line, shape (lines, members); it never changes."""
        if id(listed) not in self._weights:
            degree = np.diff(listed.indptr)
            lines = np.repeat(np.arange(len(degree)), degree)
            weights = listed.weights if listed.per_member else listed.weights[:, None]
            seen = np.where(np.isnan(listed.values), 0, weights)
            sums = [np.bincount(lines, seen[:, lane], len(degree)) for lane in range(self.block.width)]
            rest = self.block.background * (others - degree)
            self._weights[id(listed)] = np.stack(sums, axis=1) + rest[:, None]
        return self._weights[id(listed)]

    def _half(self, listed: Listed, A: Array, B: Array, how: Coordinates, bias: int) -> Array:
        N, D, loss = self._moments(listed, A, B)
        inner = slice(0, A.shape[1])
        if self.rate is not None:
            inner = slice(1, -1)
            pull = how.ridge[bias] * (A[:, bias] - how.centre[bias])
            known = self._known(listed, len(B))
            # A bias meets ones in all partners, so its moments are sums over known entries.
            step = np.divide(N[:, bias] - D[:, bias] - pull, known, out=np.zeros_like(known), where=known > 0)
            A[:, bias] += (self.rate * step).astype(A.dtype)
        multiply(A[:, inner], N[:, inner], D[:, inner] + how.ridge[inner] * A[:, inner])
        return loss


def multiply(A: Array, N: Array, D: Array) -> None:
    """Set A <- A * N / D in place, where D > 0; a coordinate that nothing depends on stays."""
    # The product first: a coordinate of 0 stays 0 however small D is, while 0 * (N / D) would be NaN.
    np.divide(A * np.maximum(N, 0), D, out=A, where=D > 0)
