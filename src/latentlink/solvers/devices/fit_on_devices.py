"""Fits of all members of an ensemble on devices, with a share of the members on each."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.devices.array_device import ArrayDevice

__all__ = ["device_groups", "each_on_its_device", "on_device"]


def device_groups(
    members: int, devices: tuple[ArrayDevice, ...], rank: int
) -> list[tuple[range, ArrayDevice]]:
    """Return members in as many groups of equal size as there are devices, each with its device.

    The first device moves on with the rank, so that central models of several ranks, of one member each, are
    fitted by one device each.

    Examples
    --------
    >>> device_groups(5, ("first", "second"), 2)
    [(range(0, 2), 'first'), (range(2, 5), 'second')]
    >>> device_groups(1, ("first", "second"), 3)
    [(range(0, 1), 'second')]
    """
    ends = np.linspace(0, members, min(members, len(devices)) + 1).round().astype(int).tolist()
    groups = [range(begin, end) for begin, end in pairwise(ends)]
    return [(group, devices[(rank + number) % len(devices)]) for number, group in enumerate(groups)]


def each_on_its_device(
    fit: Callable[[range, ArrayDevice], list[Any]], groups: list[tuple[range, ArrayDevice]]
) -> list[Any]:
    """Return the results of ``fit`` for all groups in order, with a thread for each of several devices."""
    if len(groups) == 1:
        return fit(*groups[0])
    with ThreadPoolExecutor(len(groups)) as pool:
        parts = list(pool.map(lambda group: fit(*group), groups))
    return [each for part in parts for each in part]


def on_device(sweeps: Sweeps, device: ArrayDevice) -> Any:
    """Return the sweeps of a block on a device."""
    from latentlink.solvers.devices.device_sweeps import DeviceSweeps  # it imports the array API

    return DeviceSweeps(sweeps, device)
