"""One sweep over rows and columns, for each way of taking it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates, Listed, Mirror
from latentlink.solvers.blocks import Block

__all__ = ["Completed", "Descent", "MirroredDescent", "Multiplied", "Sweeps"]

Array = NDArray[Any]

_BLOCK = 4096  # nodes summed at once


@dataclass
class Sweeps(ABC):
    """Factors of a block of members, and how to improve them.

    Attributes
    ----------
    block : Block
        The data.
    rows, cols : arrays (nodes, coordinates, members)
        The factors, changed by every sweep.
    on_rows, on_cols : Coordinates
        How their coordinates may move.
    """

    block: Block
    rows: Array
    cols: Array
    on_rows: Coordinates
    on_cols: Coordinates

    @abstractmethod
    def improve_rows(self) -> Array:
        """Improve the rows; return the data's loss before, unlisted entries left aside."""

    @abstractmethod
    def improve_cols(self) -> Array:
        """Improve the columns; return the data's loss before, unlisted entries left aside."""

    @abstractmethod
    def listed_loss(self) -> Array:
        """Return the data's loss, unlisted entries left aside."""

    def sweep(self) -> Array:
        """Improve rows, then columns; return the loss before."""
        rest = self._rest()
        loss = self.improve_rows()
        self.improve_cols()
        return self.block.share * (loss + rest)

    def sweep_cols(self) -> Array:
        """Improve the columns alone, given the rows; return the loss before."""
        rest = self._rest()
        return self.block.share * (self.improve_cols() + rest)

    def loss(self) -> Array:
        """Return the objective as it is."""
        return self.block.share * (self.listed_loss() + self._rest())

    def _rest(self) -> Array:
        """Return what is not of listed entries: penalties, and the background of all pairs."""
        rest = self.penalty(self.rows, self.on_rows) + self.penalty(self.cols, self.on_cols)
        if self.block.background:
            grams = kernels.gram(self.rows) * kernels.gram(self.cols)
            rest = rest + self.block.background * grams.sum((0, 1))
        return rest

    def penalty(self, factors: Array, how: Coordinates) -> Array:
        """Return sum ridge * (a - centre)^2 over the coordinates that move."""
        moving = slice(how.first, how.last)
        ridge, centre = how.ridge[moving].astype(np.float64), how.centre[moving]
        total = np.zeros(factors.shape[2])
        if not ridge.any():
            return total
        # Short sums in the factors' own precision, their sum in double precision.
        for begin in range(0, len(factors), _BLOCK):
            away = factors[begin : begin + _BLOCK, moving]
            if centre.any():
                away = away - centre
            total += (ridge * np.einsum("icm,icm->cm", away, away)).sum(0)
        return total


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
        return kernels.masked_rows(
            self.block.rows, self.rows, self.cols, self.on_rows, self.cycles, True, self.mirror
        )

    def improve_cols(self) -> Array:
        """Do nothing: columns are mirrored rows."""
        return np.zeros(self.block.width)

    def sweep(self) -> Array:
        """Improve every node; return the loss before, which nodes changed on the way do not tell."""
        loss = self.loss()
        self.improve_rows()
        return loss

    sweep_cols = sweep


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

    def _products(self, listed: Listed, A: Array, B: Array, G: Array) -> tuple[Array, Array]:
        return kernels.completed_products(listed, A, B, G, self.block.background, self.bounds)

    def _half(self, listed: Listed, A: Array, B: Array, how: Coordinates) -> Array:
        G = kernels.gram(B)
        P, loss = self._products(listed, A, B, G)
        if self.multiplied:
            D = np.einsum("idm,dcm->icm", A, G.astype(A.dtype))
            _multiply(A, P, D + how.ridge * A)
        else:
            kernels.gram_rows(P, G, A, how)
        return loss


@dataclass
class Multiplied(Sweeps):
    """Multiplicative steps on known entries, and gradient steps of length ``rate`` for biases."""

    rate: float = 0.0
    degrees: tuple[Array, Array] | None = None

    def improve_rows(self) -> Array:
        """Multiply W by the quotient of its two moments; move row biases down the gradient."""
        return self._half(self.block.rows, self.rows, self.cols, self.on_rows, 0)

    def improve_cols(self) -> Array:
        """Multiply H by the quotient of its two moments; move column biases down the gradient."""
        return self._half(self.block.cols, self.cols, self.rows, self.on_cols, 1)

    def listed_loss(self) -> Array:
        """Return the listed entries' loss."""
        return self._moments(self.block.rows, self.rows, self.cols)[2]

    def _moments(self, listed: Listed, A: Array, B: Array) -> tuple[Array, Array, Array]:
        base = self.block.background
        G = kernels.gram(B) if base else np.zeros((B.shape[1], B.shape[1], B.shape[2]))
        return kernels.moments(listed, A, B, G, base)

    def _half(self, listed: Listed, A: Array, B: Array, how: Coordinates, side: int) -> Array:
        N, D, loss = self._moments(listed, A, B)
        inner = slice(0, A.shape[1]) if self.degrees is None else slice(1, -1)
        if self.degrees is not None:
            bias = 0 if side == 0 else -1
            away = A[:, bias] - how.centre[bias]
            slope = N[:, bias] - D[:, bias] - self.degrees[side][:, None] * how.ridge[bias] * away
            A[:, bias] += (self.rate * slope).astype(A.dtype)
        _multiply(A[:, inner], N[:, inner], D[:, inner] + how.ridge[inner] * A[:, inner])
        return loss


def _multiply(A: Array, N: Array, D: Array) -> None:
    """Set A <- A * N / D in place, where D > 0; a coordinate that nothing depends on stays."""
    quotient = np.divide(np.maximum(N, 0), D, out=np.ones_like(A), where=D > 0)
    A *= quotient


Sweeper = Callable[[Block, Array, Array], Sweeps]
