"""Extrapolation of sweeps with restart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels

__all__ = ["Extrapolation", "Moving"]

Array = NDArray[Any]

_FIRST, _MOST = 0.5, 0.98  # first and largest extrapolation coefficient
_GROW, _SHRINK, _RELAX = 1.1, 0.5, 1.03


@dataclass(frozen=True, slots=True)
class Moving:
    """Coordinates of a factor that sweeps change.

    Attributes
    ----------
    factor : array, shape (nodes, coordinates, members)
        The factor.
    lower : array, shape (coordinates,)
        Lower bound of each coordinate, in the precision of the factor.
    first, last : int
        Coordinates ``first`` to ``last - 1`` change.
    """

    factor: Array
    lower: Array
    first: int
    last: int

    @property
    def members(self) -> int:
        """Number of members."""
        return int(self.factor.shape[-1])

    @property
    def changing(self) -> Array:
        """A view of the coordinates that change."""
        return self.factor[:, self.first : self.last]

    def accepted(self) -> Array:
        """Return a copy of the coordinates that change."""
        return self.changing.copy()

    def revert(self, accepted: Array, members: NDArray[np.bool_]) -> None:
        """Reset some members to accepted coordinates."""
        self.changing[..., members] = accepted[..., members]

    def extrapolate(self, accepted: Array, beta: NDArray[np.float64]) -> Array:
        """Move the factor on along its change from the accepted one, and return the factor before it."""
        kernels.extrapolate(self.factor, accepted, beta.astype(self.factor.dtype), self.lower, self.first)
        return accepted


class Extrapolation:
    """Extrapolation of each member along its last step, with restart if the loss rises.

        y = max(lower, x + beta (x - x_before)),

    and the next sweep begins at y. If the loss at y is higher than the last accepted one, the member is
    reverted to x and its coefficient beta is halved; otherwise beta grows, slowly beyond the value at which
    it last failed (Ang and Gillis 2019, "Accelerating nonnegative matrix factorization algorithms using
    extrapolation"). Members are independent of each other.

    Parameters
    ----------
    parts : sequence of Moving, or of DeviceMoving
        All coordinates that sweeps change.
    """

    def __init__(self, parts: Sequence[Any]) -> None:
        self._parts = parts
        self._accepted = [part.accepted() for part in parts]
        members = parts[0].members
        self._beta = np.full(members, _FIRST)
        self._limit = np.full(members, _MOST)

    def revert(self, worse: NDArray[np.bool_]) -> None:
        """Reset members whose loss rose to the end of their last accepted sweep, and halve their beta."""
        if not worse.any():
            return
        self._limit[worse] = self._beta[worse]
        self._beta[worse] *= _SHRINK
        for part, accepted in zip(self._parts, self._accepted, strict=True):
            part.revert(accepted, worse)

    def extrapolate(self, better: NDArray[np.bool_]) -> None:
        """Accept the current factors and extrapolate them; raise beta of members that were not reverted."""
        grown = np.minimum(self._beta * _GROW, self._limit)
        self._beta = np.where(better, grown, self._beta)
        self._limit = np.where(better, np.minimum(self._limit * _RELAX, _MOST), self._limit)
        moving = zip(self._parts, self._accepted, strict=True)
        self._accepted = [part.extrapolate(accepted, self._beta) for part, accepted in moving]
