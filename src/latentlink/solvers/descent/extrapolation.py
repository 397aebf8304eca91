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
    def changing(self) -> Array:
        """A view of the coordinates that change."""
        return self.factor[:, self.first : self.last]


class Extrapolation:
    """Extrapolation of each member along its last step, with restart if the loss rises.

        y = max(lower, x + beta (x - x_before)),

    and the next sweep begins at y. If the loss at y is higher than the last accepted one, the member is
    reverted to x and its coefficient beta is halved; otherwise beta grows, slowly beyond the value at which
    it last failed (Ang and Gillis 2019, "Accelerating nonnegative matrix factorization algorithms using
    extrapolation"). Members are independent of each other.

    Parameters
    ----------
    parts : sequence of Moving
        All coordinates that sweeps change.
    """

    def __init__(self, parts: Sequence[Moving]) -> None:
        self._parts = parts
        self._accepted = [part.changing.copy() for part in parts]
        members = parts[0].factor.shape[-1]
        self._beta = np.full(members, _FIRST)
        self._limit = np.full(members, _MOST)

    def revert(self, worse: NDArray[np.bool_]) -> None:
        """Reset members whose loss rose to the end of their last accepted sweep, and halve their beta."""
        if not worse.any():
            return
        self._limit[worse] = self._beta[worse]
        self._beta[worse] *= _SHRINK
        for part, accepted in zip(self._parts, self._accepted, strict=True):
            part.changing[..., worse] = accepted[..., worse]

    def extrapolate(self, better: NDArray[np.bool_]) -> None:
        """Accept the current factors and extrapolate them; raise beta of members that were not reverted."""
        grown = np.minimum(self._beta * _GROW, self._limit)
        self._beta = np.where(better, grown, self._beta)
        self._limit = np.where(better, np.minimum(self._limit * _RELAX, _MOST), self._limit)
        for part, accepted in zip(self._parts, self._accepted, strict=True):
            beta = self._beta.astype(part.factor.dtype)
            kernels.extrapolate(part.factor, accepted, beta, part.lower, part.first)
