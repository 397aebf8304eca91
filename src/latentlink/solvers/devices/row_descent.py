"""Coordinate descent on the quadratic forms of many rows at once, on a device.

A row minimises -2 g d + d G d' + penalties over its change d, one coordinate after the other and each
exactly: the same steps as the compiled kernels take on residuals, from sums over entries that are made once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import array_api_extra as xpx
import numpy as np
from array_api_compat import array_namespace

from latentlink.kernels import Coordinates
from latentlink.solvers.devices.array_device import ArrayDevice

__all__ = ["Background", "DeviceCoordinates", "descended"]


@dataclass(frozen=True, slots=True, eq=False)
class DeviceCoordinates:
    """Penalties and bounds of coordinates on a device, see `latentlink.kernels.Coordinates`.

    Attributes
    ----------
    first, last : int
    lower : list of float
    bounds : array, shape (size,)
        The same on the device.
    pull : array, shape (members, rows, size), or (members, 1, size) if it is the same for all rows
        The penalty of a coordinate is ``pull * (a - centre)^2``.
    centre : array, shape (members, 1, size)
    penalised : bool
    """

    first: int
    last: int
    lower: list[float]
    bounds: Any
    pull: Any
    centre: Any
    penalised: bool

    @classmethod
    def of(cls, device: ArrayDevice, coordinates: Coordinates) -> DeviceCoordinates:
        """Copy coordinates to a device."""
        pull = coordinates.ridge[None]
        if coordinates.growth is not None and coordinates.counts is not None:
            pull = pull + coordinates.growth * coordinates.counts[:, None]
        return cls(
            coordinates.first,
            coordinates.last,
            coordinates.lower.tolist(),
            device.put(coordinates.lower),
            device.put(np.moveaxis(pull, 2, 0)),
            device.put(np.moveaxis(coordinates.centre[None], 2, 0)),
            coordinates.penalised,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """The curvature of unlisted zeros, and when the difference to that of listed entries is rounding error.

    Attributes
    ----------
    diagonal : array, shape (members, 1, size)
        The diagonal of the weighted Gram matrix of all partners.
    noise : array, shape (rows, 1)
        The share of it below which a difference is 0.
    """

    diagonal: Any
    noise: Any


def descended(
    a: Any,
    terms: tuple[Any, Any],
    coordinates: DeviceCoordinates,
    pull: Any,
    cycles: int,
    background: Background | None = None,
) -> Any:
    """Return rows after some cycles over their coordinates.

    Parameters
    ----------
    a : array, shape (members, rows, size)
    terms : two arrays, shapes (members, rows, size) and (members, rows or 1, size, size)
        Gradient and curvature at ``a``.
    coordinates : DeviceCoordinates
    pull : array, shape (members, rows or 1, size)
        The penalties of these rows.
    cycles : int
    background : Background, optional
    """
    xp = array_namespace(a)
    gradient, curvature = terms
    new, change = xp.asarray(a, copy=True), xp.zeros_like(a)
    for _ in range(cycles):
        for c in range(coordinates.first, coordinates.last):
            den = curvature[..., c, c]
            num = gradient[..., c] - xp.sum(curvature[..., c, :] * change, axis=-1)
            if background is not None:
                significant = den > background.noise[:, 0] * background.diagonal[..., c]
                num, den = xp.where(significant, num, 0.0), xp.where(significant, den, 0.0)
            old = new[..., c]
            whole = den + pull[..., c]
            curved = whole > 0
            best = old * den + num + pull[..., c] * coordinates.centre[..., c]
            best = best / xp.where(curved, whole, 1.0)
            if coordinates.lower[c] > -np.inf:
                best = xp.clip(best, min=coordinates.lower[c])
            best = xp.where(curved, best, old)
            new = xpx.at(new)[..., c].set(best)
            change = xpx.at(change)[..., c].set(best - a[..., c])
    return new
