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
    """Exact coordinate descent on known entries, unlisted ones unknown or zeros of some weight.

    With ``logistic`` the loss is the cross-entropy, of which each step lowers a bounding parabola; its
    penalty is half the ridge, so that the gradient is ``ridge * a`` in both losses' usual form.
    """

    logistic: bool = False
    cycles: int = 1

    def improve_rows(self) -> Array:
        """Improve each row's coordinates in turn."""
        return self._half(self.block.rows, self.rows, self.cols, self.on_rows)

    def improve_cols(self) -> Array:
        """Improve each column's coordinates in turn."""
        return self._half(self.block.cols, self.cols, self.rows, self.on_cols)

    def listed_loss(self) -> Array:
        """Return the loss by way of a half sweep that moves nothing."""
        return self._half(self.block.rows, self.rows, self.cols, replace(self.on_rows, first=0, last=0))

    def _half(self, listed: Listed, A: Array, B: Array, how: Coordinates) -> Array:
        if self.logistic or not self.block.background:
            return kernels.masked_rows(listed, A, B, how, self.cycles, self.logistic)
        return kernels.background_rows(listed, A, B, kernels.gram(B), self.block.background, how, self.cycles)

    def penalty(self, factors: Array, how: Coordinates) -> Array:
        """Return the penalty, halved under the logistic loss."""
        return super().penalty(factors, how) / (2 if self.logistic else 1)


@dataclass
class MirroredDescent(Descent):
    """Logistic descent where rows and columns are one: each node is improved once and seen at once."""

    mirror: Mirror = field(kw_only=True)

    def improve_rows(self) -> Array:
        """Improve each node's coordinates in turn."""
        return self._improve(self.on_rows)

    def improve_cols(self) -> Array:
        """Improve each node's bias alone, given the factors."""
        return self._improve(replace(self.on_rows, first=0, last=1))

    def moving(self, whole: bool) -> list[Moving]:
        """Return both sides, since each shows the other."""
        del whole
        return super().moving(True)

    def _improve(self, how: Coordinates) -> Array:
        return kernels.masked_rows(self.block.rows, self.rows, self.cols, how, self.cycles, True, self.mirror)

    def sweep(self) -> Array:
        """Improve every node; return the loss before, which nodes changed on the way do not tell."""
        loss = self.loss()
        self.improve_rows()
        return loss

    def sweep_cols(self) -> Array:
        """Improve every node's bias; return the loss before."""
        loss = self.loss()
        self.improve_cols()
        return loss

    def fill_empty(self, whole: bool) -> None:
        """Fill nodes; where their factors are given, so is all that can be said of them."""
        if whole:
            super().fill_empty(whole)
