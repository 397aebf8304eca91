"""Sums over all nodes on a device, in double precision: Gram matrices, penalties, and balance."""

from __future__ import annotations

from typing import Any

import array_api_extra as xpx
from array_api_compat import array_namespace

from latentlink.solvers.devices.row_descent import DeviceCoordinates

__all__ = ["balanced", "device_gram", "penalty_sums"]


def device_gram(B: Any) -> Any:
    """Return sum_j b_j b_j' of every member, shape (members, size, size)."""
    xp = array_namespace(B)
    wide = xp.astype(B, xp.float64)
    return xp.matmul(xp.matrix_transpose(wide), wide)


def penalty_sums(A: Any, coordinates: DeviceCoordinates, around_zero: bool = False) -> Any:
    """Return the penalties of all nodes, shape (members, size); without a penalty 0, even of infinity."""
    xp = array_namespace(A)
    centre = 0.0 if around_zero else xp.astype(coordinates.centre, xp.float64)
    distance = xp.astype(A, xp.float64) - centre
    each = xp.where(coordinates.pull > 0, coordinates.pull * distance * distance, 0.0)
    return xp.sum(each, axis=1)


def balanced(
    rows: Any, cols: Any, row_coordinates: DeviceCoordinates, col_coordinates: DeviceCoordinates
) -> tuple[Any, Any]:
    """Return rows and columns with each component rescaled so that the sum of their penalties is least."""
    xp = array_namespace(rows)
    first = max(row_coordinates.first, col_coordinates.first)
    last = min(row_coordinates.last, col_coordinates.last)
    ours = penalty_sums(rows, row_coordinates, around_zero=True)
    theirs = penalty_sums(cols, col_coordinates, around_zero=True)
    both = (ours > 0) & (theirs > 0)
    ratio = xp.where(both, theirs, 1.0) / xp.where(both, ours, 1.0)
    scale = xp.ones_like(ratio)
    scale = xpx.at(scale)[:, first:last].set(xp.sqrt(xp.sqrt(ratio))[:, first:last])
    scale = xp.astype(scale, rows.dtype)[:, None, :]
    return rows * scale, cols / scale
