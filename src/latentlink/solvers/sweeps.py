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
from latentlink.solvers.empty import empty_lines

__all__ = ["Completed", "Descent", "MirroredDescent", "Multiplied", "Sweeps"]

Array = NDArray[Any]


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
        self._balance()
        return self.block.share * (loss + rest)

    def sweep_cols(self) -> Array:
        """Improve the columns alone, given the rows; return the loss before."""
        rest = self._rest()
        return self.block.share * (self.improve_cols() + rest)

    def loss(self) -> Array:
        """Return the objective as it is."""
        return self.block.share * (self.listed_loss() + self._rest())

    def fill_empty(self, whole: bool) -> None:
        """Give rows and columns of which a member knows nothing the average of its others.

        No loss tells where such a row belongs, so it would stay where it began, at random. The average says
        what is known of it: that it is a row. If not the ``whole`` was solved for, the rows are given.
        """
        ensemble = self.block.ensemble
        for lane, member in enumerate(self.block.members):
            if not lane or ensemble.weights.ndim == 2:
                empty_rows, empty_cols = empty_lines(ensemble, member)
            for factors, empty in ((self.rows, empty_rows & whole), (self.cols, empty_cols)):
                if empty.any() and not empty.all():
                    factors[empty, :, lane] = factors[~empty, :, lane].mean(axis=0)

    def _rest(self) -> Array:
        """Return what is not of listed entries: penalties, and the background of all pairs."""
        rest = self.penalty(self.rows, self.on_rows) + self.penalty(self.cols, self.on_cols)
        if self.block.background:
            grams = kernels.gram(self.rows) * kernels.gram(self.cols)
            rest += self.block.background * _sum_in_order(grams.reshape(-1, grams.shape[2]))
        return rest

    def penalty(self, factors: Array, how: Coordinates) -> Array:
        """Return sum ridge * (a - centre)^2 over the coordinates that move."""
        moving = slice(how.first, how.last)
        if not how.ridge[moving].any():
            return np.zeros(factors.shape[2])
        return _sum_in_order(how.ridge[moving] * kernels.squares(factors, how.centre)[moving])

    def _balance(self) -> None:
        """Scale each component's rows up and its columns down, or the reverse, to the least penalty.

        The product stays, and so does the data's loss; if the ridge is small, descent alone goes this way
        at a crawl.
        """
        inner = slice(max(self.on_rows.first, self.on_cols.first), min(self.on_rows.last, self.on_cols.last))
        weights = [
            (how.ridge * kernels.squares(factors, np.zeros_like(how.centre)))[inner]
            for factors, how in ((self.rows, self.on_rows), (self.cols, self.on_cols))
        ]
        both = (weights[0] > 0) & (weights[1] > 0)
        if both.any():
            ratio = np.divide(weights[1], weights[0], out=np.ones_like(weights[0]), where=both)
            # A root of a root is rounded alike everywhere; a power need not be.
            scale = np.sqrt(np.sqrt(ratio)).astype(self.rows.dtype)
            self.rows[:, inner] *= scale
            self.cols[:, inner] /= scale


def _sum_in_order(lines: Array) -> Array:
    """Sum lines one after the other; NumPy's own sum takes an order that depends on the number of members."""
    return np.add.accumulate(lines, axis=0)[-1]


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
            _multiply(A, P, kernels.times_gram(A, G) + how.ridge * A)
        else:
            kernels.gram_rows(P, G, A, how)
        return loss


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
        _multiply(A[:, inner], N[:, inner], D[:, inner] + how.ridge[inner] * A[:, inner])
        return loss


def _multiply(A: Array, N: Array, D: Array) -> None:
    """Set A <- A * N / D in place, where D > 0; a coordinate that nothing depends on stays."""
    quotient = np.divide(np.maximum(N, 0), D, out=np.ones_like(A), where=D > 0)
    A *= quotient


Sweeper = Callable[[Block, Array, Array], Sweeps]
