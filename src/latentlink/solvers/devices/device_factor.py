"""A factor on a device, and what the loop of all solvers does with it: freezing and extrapolating members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import array_api_extra as xpx
import numpy as np
from array_api_compat import array_namespace
from numpy.typing import NDArray

from latentlink.solvers.devices.array_device import ArrayDevice
from latentlink.solvers.devices.row_descent import DeviceCoordinates

__all__ = ["DeviceFactor", "DeviceMoving"]


class _Member(NamedTuple):
    """The factor of one member, which `copy` returns."""

    value: Any

    def copy(self) -> Any:
        return array_namespace(self.value).asarray(self.value, copy=True)


@dataclass
class DeviceFactor:
    """A factor that sweeps replace, since arrays of some libraries cannot be changed.

    Seen from the loop it is an array of shape (nodes, coordinates, members), of which members are copied and
    set: ``factor[..., member].copy()``.

    Attributes
    ----------
    value : array, shape (members, nodes, coordinates)
    """

    value: Any

    @property
    def shape(self) -> tuple[int, int, int]:
        """Nodes, coordinates and members."""
        members, nodes, size = self.value.shape
        return nodes, size, members

    def __getitem__(self, key: tuple[Any, int]) -> _Member:
        return _Member(self.value[key[1], ...])

    def __setitem__(self, key: tuple[Any, int], value: Any) -> None:
        self.value = xpx.at(self.value)[key[1], ...].set(value)


@dataclass(frozen=True, slots=True, eq=False)
class DeviceMoving:
    """Coordinates of a factor that are extrapolated on a device, as `Moving` on the host.

    Attributes
    ----------
    device : ArrayDevice
    held : DeviceFactor
    coordinates : DeviceCoordinates
    """

    device: ArrayDevice
    held: DeviceFactor
    coordinates: DeviceCoordinates

    @property
    def members(self) -> int:
        """Number of members."""
        return self.held.shape[-1]

    def accepted(self) -> Any:
        """Return a copy of the factor, which later steps do not change."""
        return array_namespace(self.held.value).asarray(self.held.value, copy=True)

    def revert(self, accepted: Any, members: NDArray[np.bool_]) -> None:
        """Reset some members to an accepted factor."""
        xp = array_namespace(accepted)
        chosen = self.device.put(members)[:, None, None]
        self.held.value = xp.where(chosen, accepted, self.held.value)

    def extrapolate(self, accepted: Any, beta: NDArray[np.float64]) -> Any:
        """Move the factor on along its change from the accepted one, and return the factor before it."""
        xp = array_namespace(accepted)
        before = self.held.value
        length = xp.astype(self.device.put(beta), before.dtype)[:, None, None]
        moved = before + length * (before - accepted)
        bounds = self.coordinates.bounds
        # Constant coordinates do not change, so that they are not moved either.
        self.held.value = xp.where(moved < bounds, bounds, moved)
        return before
