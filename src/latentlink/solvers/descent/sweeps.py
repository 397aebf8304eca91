"""One sweep over rows and columns, whatever way it is taken."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.empty_lines import empty_lines, empty_to_each
from latentlink.solvers.descent.extrapolation import Moving

__all__ = ["Sweeps"]

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

    def moving(self, whole: bool) -> list[Moving]:
        """Return what sweeps change, if it makes sense to go further the same way; the columns at least."""
        sides = ((self.rows, self.on_rows), (self.cols, self.on_cols))
        return [
            Moving(factors[:, how.first : how.last], how.lower[how.first : how.last, None])
            for factors, how in (sides if whole else sides[1:])
        ]

    def sweep(self) -> Array:
        """Improve rows, then columns; return the loss before."""
        rest = self._rest()
        loss = self.improve_rows()
        self.improve_cols()
        self.balance()
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
        empties = [
            each if each.ndim == 2 else np.broadcast_to(each[:, None], (len(each), ensemble.n_members))
            for each in (empty_lines(ensemble, 0) if ensemble.is_uniform else empty_to_each(ensemble))
        ]
        for factors, empty_of, meant in ((self.rows, empties[0], whole), (self.cols, empties[1], True)):
            if not meant or not empty_of.any():
                continue
            for lane, member in enumerate(self.block.members):
                empty = empty_of[:, member]
                if empty.any() and not empty.all():
                    factors[empty, :, lane] = factors[~empty, :, lane].mean(axis=0)

    def _rest(self) -> Array:
        """Return what is not of listed entries: penalties, and the background of all pairs."""
        rest = self.penalty(self.rows, self.on_rows) + self.penalty(self.cols, self.on_cols)
        if np.any(self.block.background):
            grams = kernels.gram(self.rows) * kernels.gram(self.cols)
            rest += self.block.background * _sum_in_order(grams.reshape(-1, grams.shape[2]))
        return rest

    def penalty(self, factors: Array, how: Coordinates) -> Array:
        """Return sum ridge * (a - centre)^2 over the coordinates that move."""
        moving = slice(how.first, how.last)
        if not how.ridge[moving].any():
            return np.zeros(factors.shape[2])
        return _sum_in_order(_penalties(how, kernels.squares(factors, how.centre))[moving])

    def balance(self) -> None:
        """Scale each component's rows up and its columns down, or the reverse, to the least penalty.

        The product stays, and so does the data's loss; if the ridge is small, descent alone goes this way
        at a crawl.
        """
        if not (self.on_rows.ridge.any() and self.on_cols.ridge.any()):
            return
        inner = slice(max(self.on_rows.first, self.on_cols.first), min(self.on_rows.last, self.on_cols.last))
        weights = [
            _penalties(how, kernels.squares(factors, np.zeros_like(how.centre)))[inner]
            for factors, how in ((self.rows, self.on_rows), (self.cols, self.on_cols))
        ]
        both = (weights[0] > 0) & (weights[1] > 0)
        if both.any():
            ratio = np.divide(weights[1], weights[0], out=np.ones_like(weights[0]), where=both)
            # A root of a root is rounded alike everywhere; a power need not be.
            scale = np.sqrt(np.sqrt(ratio)).astype(self.rows.dtype)
            self.rows[:, inner] *= scale
            self.cols[:, inner] /= scale


def _penalties(how: Coordinates, squares: Array) -> Array:
    """Return ridge * squares; what is not penalised costs nothing, even where it has grown beyond bounds."""
    return np.multiply(how.ridge, squares, out=np.zeros_like(squares), where=how.ridge > 0)


def _sum_in_order(lines: Array) -> Array:
    """Sum lines one after the other; NumPy's own sum takes an order that depends on the number of members."""
    return np.add.accumulate(lines, axis=0)[-1]
