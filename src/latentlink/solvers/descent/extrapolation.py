"""A step further the way of the last sweep, for as long as that pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Extrapolation", "Moving"]

Array = NDArray[Any]

_FIRST, _MOST = 0.5, 0.98  # reach of the first step, and of any
_GROW, _SHRINK, _RELAX = 1.1, 0.5, 1.03
_ROWS = 4096  # lines moved at once: room for them all is not needed


@dataclass(frozen=True, slots=True)
class Moving:
    """Coordinates of a factor that sweeps change.

    Attributes
    ----------
    factor : array, shape (nodes, coordinates, members)
        A view of those that move.
    lower : array, shape (coordinates, 1)
        The least value of each.
    """

    factor: Array
    lower: Array


class Extrapolation:
    """Move every member beyond where a sweep has brought it, and back if that was too far.

        y = max(lower, x + reach (x - x_before)),

    and the next sweep begins at y. If the loss at y is higher than the last one accepted, the member goes
    back to x and its reach is halved, else the reach grows, but slowly beyond where it once failed (Ang and
    Gillis 2019, "Accelerating nonnegative matrix factorization algorithms using extrapolation"). Members do
    not depend on each other.

    Parameters
    ----------
    parts : sequence of Moving
        All that sweeps change.
    """

    def __init__(self, parts: Sequence[Moving]) -> None:
        self._parts = parts
        self._accepted = [part.factor.copy() for part in parts]
        members = parts[0].factor.shape[-1]
        self._reach = np.full(members, _FIRST)
        self._limit = np.ones(members)

    def return_from(self, worse: NDArray[np.bool_]) -> None:
        """Take members back to where their last accepted sweep ended."""
        if not worse.any():
            return
        self._limit[worse] = self._reach[worse]
        self._reach[worse] *= _SHRINK
        for part, accepted in zip(self._parts, self._accepted, strict=True):
            part.factor[..., worse] = accepted[..., worse]

    def go_on(self, better: NDArray[np.bool_]) -> None:
        """Accept what the sweep found, and move members beyond it that were not taken back."""
        grown = np.minimum(self._reach * _GROW, np.minimum(self._limit, _MOST))
        self._reach = np.where(better, grown, self._reach)
        self._limit = np.where(better, np.minimum(self._limit * _RELAX, 1.0), self._limit)
        for part, accepted in zip(self._parts, self._accepted, strict=True):
            reach = self._reach.astype(part.factor.dtype)
            for begin in range(0, len(accepted), _ROWS):
                x, before = part.factor[begin : begin + _ROWS], accepted[begin : begin + _ROWS]
                step = reach * (x - before)
                before[...] = x
                np.maximum(x + step, part.lower, out=x)
