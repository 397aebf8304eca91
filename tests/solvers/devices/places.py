"""Devices that tests run on, none of which is a GPU, and small data for them."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from latentlink.network import Ensemble
from latentlink.random import member_rngs
from latentlink.solvers.devices.array_libraries import named_device

STRICT = "array_api_strict:device1"
"""A pretended device: its arrays raise when NumPy reads them, or when they meet those of another device."""

needs_torch = pytest.mark.skipif(
    find_spec("torch") is None,
    reason="PyTorch is not installed; it is no part of dev, since its default wheel brings gigabytes of CUDA",
)
DEVICES = [STRICT, pytest.param("torch:cpu", marks=needs_torch)]


def strict_device(number=1):
    return named_device("array_api_strict", f"device{number}", "A test")


def starts(solver, data, rank=2, seed=0):
    """Return the random start of each member."""
    ensemble = data if isinstance(data, Ensemble) else Ensemble.of(data)
    rngs = member_rngs(seed, rank, ensemble.n_members)
    return [solver.start(ensemble, member, rank, rng) for member, rng in enumerate(rngs)]
