"""Processor time, time of the clock and memory of one call."""

from __future__ import annotations

import ctypes
import gc
import resource
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

__all__ = ["costs_of"]

_SHORT, _MOST_REPEATS = 0.5, 5


def costs_of(job: Callable[[], Any], short: float = _SHORT) -> tuple[dict[str, float], Any]:
    """Return what a call costs, and its result.

    ``cpu_s`` is the processor time of all threads, ``wall_s`` that of the clock, and ``added_mb`` the peak of
    the memory in use less what was in use before, so that the interpreter and the data do not count. A call
    is repeated until ``short`` seconds are over, five times at most; the times are medians.

    Examples
    --------
    >>> costs, result = costs_of(lambda: 3, short=0.0)
    >>> sorted(costs), result
    (['added_mb', 'cpu_s', 'wall_s'], 3)
    """
    before = _reset_peak()
    cpu: list[float] = []
    wall: list[float] = []
    while not wall or (sum(wall) < short and len(wall) < _MOST_REPEATS):
        begin = time.process_time(), time.perf_counter()
        result = job()
        cpu.append(time.process_time() - begin[0])
        wall.append(time.perf_counter() - begin[1])
    added = max(0.0, _memory("VmHWM") - before)
    return {"cpu_s": median(cpu), "wall_s": median(wall), "added_mb": added}, result


def _reset_peak() -> float:
    """Return memory that is not used to the system, make the peak what is in use now, and return it."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except (AttributeError, OSError):  # not Linux, or not permitted: the peak is that of the process so far
        return _memory("VmHWM")
    return _memory("VmRSS")


def _memory(field: str) -> float:
    """Return a field of the status of this process in megabytes; without one, its peak so far."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
