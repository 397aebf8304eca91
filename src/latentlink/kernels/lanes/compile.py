"""How kernels are compiled: one decorator, one cache key, one switch.

Kernels release the interpreter lock, are cached on disk, know nothing of threads (those live above them)
and keep to IEEE arithmetic in a fixed order, so that a result never depends on how it was scheduled.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding

from latentlink.errors import IncompatibleError

__all__ = ["EDITION", "PLAIN", "helper", "kernel", "lane_counts", "mode"]

PLAIN = 0
"""Number of lanes that stands for plain scalar code without vectors or fused operations."""

_MODES = ("lanes", "plain", "reference")


def _edition() -> str:
    """Return a hash of all kernel sources.

    numba's cache looks at the file of the function alone and misses edits of what it calls. A kernel that
    refers to its edition has this hash in its cache key, and is compiled anew after any edit.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


EDITION = _edition()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function on arrays when it is first called; every kernel goes through here.

    The function must refer to a closure variable named ``edition`` (see `_edition`).
    """
    if "edition" not in function.__code__.co_freevars:
        raise TypeError(f"The kernel {function.__qualname__} does not refer to its edition.")
    options = {"nogil": True, "error_model": "numpy", "fastmath": False}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # neither the installation nor the user's cache folder can be written
        return numba.njit(**options)(function)


def helper(function: Callable[..., Any]) -> Any:
    """Compile a small function that kernels call; it is cached as a part of them."""
    return numba.njit(nogil=True, error_model="numpy", fastmath=False)(function)


@cache
def _host_has_fma() -> bool:
    if platform.machine().lower() in {"aarch64", "arm64"}:
        return True
    return bool(binding.get_host_cpu_features().get("fma", False))


def mode() -> str:
    """Which form of the kernels runs: ``lanes``, ``plain`` or ``reference``.

    The environment variable ``LATENTLINK_KERNELS`` forces one; else it is lanes where the host has fused
    multiply-add, and plain where it has not.
    """
    forced = os.environ.get("LATENTLINK_KERNELS", "")
    if forced and forced not in _MODES:
        raise IncompatibleError(
            f"LATENTLINK_KERNELS is {forced!r}; expected one of {', '.join(_MODES)}, or nothing."
        )
    return forced or ("lanes" if _host_has_fma() else "plain")


def lane_counts(itemsize: int) -> tuple[int, int]:
    """How many members one kernel call works on: for a single member, and for a full batch."""
    if mode() == "plain":
        return PLAIN, PLAIN
    # Two vector registers of 256 bits; more lanes in double precision run out of registers.
    return 1, 64 // itemsize
