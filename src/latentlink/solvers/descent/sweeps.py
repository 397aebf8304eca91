"""The base class of sweeps, which update the factors of a block of members in place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
from latentlink.kernels import Coordinates
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.empty_lines import empty_lines, empty_lines_by_member
from latentlink.solvers.descent.extrapolation import Moving

__all__ = ["Sweeps"]

Array = NDArray[Any]


@dataclass
class Sweeps(ABC):
    """The packed factors of a block of members, and the updates that lower their loss.

    A subclass implements `improve_rows`, `improve_cols` and `listed_loss`. Penalties, the squared loss of the
    background, balancing and empty rows and columns are handled here. The loss counts all pairs as zeros with
    the weight c of the background, so the listed part is sum u (x - z)^2 - c z^2 over the listed entries. A
    solver with another loss overrides `background_loss`, or lists the background instead
    (`Solver.prepared`), which makes c = 0.

    Attributes
    ----------
    block : Block
        The data.
    rows, cols : arrays, shape (nodes, coordinates, members)
        The factors, updated in place by every sweep.
    row_coordinates, col_coordinates : Coordinates
        Penalties and bounds of their coordinates.
    """

    block: Block
    rows: Array
    cols: Array
    row_coordinates: Coordinates
    col_coordinates: Coordinates

    @abstractmethod
    def improve_rows(self) -> Array:
        """Update the rows; return the loss of the listed entries before, without penalties."""

    @abstractmethod
    def improve_cols(self) -> Array:
        """Update the columns; return the loss of the listed entries before, without penalties."""

    @abstractmethod
    def listed_loss(self) -> Array:
        """Return the loss of the listed entries, shape (members,), without penalties."""

    def moving_parts(self, whole: bool) -> list[Moving]:
        """Return the coordinates to extrapolate, of the columns alone unless the ``whole`` is fitted.

        An empty list turns extrapolation off.
        """
        sides = ((self.rows, self.row_coordinates), (self.cols, self.col_coordinates))
        return [
            Moving(factors, own.lower, own.first, own.last)
            for factors, own in (sides if whole else sides[1:])
        ]

    def sweep(self) -> Array:
        """Update rows, then columns; return the loss before."""
        rest = self._rest()
        loss = self.improve_rows()
        self.improve_cols()
        self.balance()
        return self.block.share * (loss + rest)

    def sweep_cols(self) -> Array:
        """Update the columns, given the rows; return the loss before."""
        rest = self._rest()
        return self.block.share * (self.improve_cols() + rest)

    def loss(self) -> Array:
        """Return the current objective."""
        return self.block.share * (self.listed_loss() + self._rest())

    def fill_empty(self, whole: bool) -> None:
        """Give rows and columns without known entries the average of the others, for each member.

        The loss does not depend on such a row, so it would stay at its random start. Unless the ``whole`` is
        fitted, the rows are given and not changed.
        """
        ensemble = self.block.ensemble
        empty_sides = empty_lines(ensemble, 0) if ensemble.is_uniform else empty_lines_by_member(ensemble)
        empties = [
            lines if lines.ndim == 2 else np.broadcast_to(lines[:, None], (len(lines), ensemble.n_members))
            for lines in empty_sides
        ]
        for factors, empty_lanes, fitted in ((self.rows, empties[0], whole), (self.cols, empties[1], True)):
            if not fitted or not empty_lanes.any():
                continue
            for lane, member in enumerate(self.block.members):
                empty = empty_lanes[:, member]
                if empty.any() and not empty.all():
                    factors[empty, :, lane] = factors[~empty, :, lane].mean(axis=0)

    def _rest(self) -> Array:
        """Return the penalties, and the loss of all pairs as background zeros."""
        rest = self.penalty(self.rows, self.row_coordinates) + self.penalty(self.cols, self.col_coordinates)
        return rest + self.background_loss() if self.block.has_background else rest

    def background_loss(self) -> Array:
        """Return the loss of all pairs as zeros with the weight of the background, shape (members,)."""
        grams = kernels.gram(self.rows) * kernels.gram(self.cols)
        return self.block.background * _sum_in_order(grams.reshape(-1, grams.shape[2]))

    def penalty(self, factors: Array, coordinates: Coordinates) -> Array:
        """Return the penalties of the updated coordinates over the divisor, shape (members,)."""
        if not coordinates.penalised:
            return np.zeros(factors.shape[2])
        return kernels.penalties(factors, coordinates, coordinates.centre)[1] / self.penalty_divisor

    @property
    def penalty_divisor(self) -> int:
        """The number by which ridge * a^2 is divided in the objective."""
        return 1

    def balance(self) -> None:
        """Rescale rows against columns of each component so that the penalty is least.

        The product and the loss of the data do not change. With a small ridge, descent alone approaches that
        scale very slowly.
        """
        if self.row_coordinates.penalised and self.col_coordinates.penalised:
            kernels.balance(self.rows, self.cols, self.row_coordinates, self.col_coordinates)


def _sum_in_order(lines: Array) -> Array:
    """Return the sum over lines in order; the order of NumPy's sum depends on the number of members."""
    return np.add.accumulate(lines, axis=0)[-1]
