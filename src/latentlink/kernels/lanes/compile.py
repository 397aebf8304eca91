"""Compilation of kernels: the decorator, the key of the cache, and the choice between their forms.

Kernels release the interpreter lock, are cached on disk, use no threads of their own and compute in IEEE
arithmetic in a fixed order, so that a result does not depend on how it was scheduled.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding

from latentlink.errors import IncompatibleError

__all__ = [
    "EDITION",
    "PLAIN",
    "fixed_mode",
    "helper",
    "host_has_fma",
    "kernel",
    "lane_counts",
    "mode",
    "source_hash",
]

PLAIN = 0
"""Number of lanes that means plain scalar code, without vectors or fused operations."""

_MODES = ("lanes", "plain", "reference")
_FIXED: ContextVar[str] = ContextVar("fixed mode of the kernels", default="")


def source_hash() -> str:
    """Return a hash of all kernel sources.

    The cache of numba only checks the file of the function and misses edits of functions that it calls. A
    kernel that refers to its edition has this hash in its cache key, and is recompiled after any edit.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


EDITION = source_hash()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function on arrays when it is first called; the decorator of every kernel.

    The function must refer to a closure variable named ``edition`` (see `source_hash`), and to no function:
    the key of numba's cache has the closure in it, and that of a compiled function differs in every process.
    """
    if "edition" not in function.__code__.co_freevars:
        raise TypeError(
            f"The kernel {function.__qualname__} does not refer to its edition; expected a closure variable "
            "named edition, such as edition = EDITION."
        )
    if any(callable(cell.cell_contents) for cell in function.__closure__ or ()):
        raise TypeError(
            f"The kernel {function.__qualname__} refers to a function of its closure, so that numba would "
            "never find it in its cache; expected a function of a module."
        )
    options = {"nogil": True, "error_model": "numpy", "fastmath": False}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # neither the installation nor the user's cache folder is writable
        return numba.njit(**options)(function)


def helper(function: Callable[..., Any]) -> Any:
    """Compile a function that kernels call; it is cached as a part of them."""
    return numba.njit(nogil=True, error_model="numpy", fastmath=False)(function)


@cache
def host_has_fma() -> bool:
    """Return whether the processor has fused multiply-add."""
    if platform.machine().lower() in {"aarch64", "arm64"}:
        return True
    return bool(binding.get_host_cpu_features().get("fma", False))


def mode() -> str:
    """Return which form of the kernels runs: ``lanes``, ``plain`` or ``reference``.

    The environment variable ``LATENTLINK_KERNELS`` forces one; otherwise it is ``lanes`` on hosts with fused
    multiply-add, and ``plain`` on others. Within `fixed_mode` it does not change.
    """
    return _FIXED.get() or _mode_of_environment()


@contextmanager
def fixed_mode() -> Iterator[None]:
    """Read the environment once for all kernel calls within: a fit of small data makes thousands of them."""
    token = _FIXED.set(mode())
    try:
        yield
    finally:
        _FIXED.reset(token)


def _mode_of_environment() -> str:
    forced = os.environ.get("LATENTLINK_KERNELS", "")
    if forced and forced not in _MODES:
        raise IncompatibleError(
            f"LATENTLINK_KERNELS is {forced!r}; expected one of {', '.join(_MODES)}, or an unset variable."
        )
    return forced or ("lanes" if host_has_fma() else "plain")


def lane_counts(itemsize: int) -> tuple[int, int, int]:
    """Return the numbers of lanes that a kernel call may have: one member, half a batch, and a full batch."""
    if mode() == "plain":
        return PLAIN, PLAIN, PLAIN
    # Two vector registers of 256 bits, and one for fewer members, which takes about two thirds of the time.
    # With more lanes in double precision the registers do not suffice.
    return 1, 32 // itemsize, 64 // itemsize
