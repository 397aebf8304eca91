"""What this machine reaches at most: its bandwidth of memory, and its rate of fused multiply-adds."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numba
import numpy as np

from benchmarks.measuring.rounds import seconds_of
from latentlink.kernels import aligned
from latentlink.kernels.lanes.vector import fma, load, store

__all__ = ["bandwidth", "fma_peak"]

_CHAINS = 12


def bandwidth(threads: int, megabytes: int = 128) -> float:
    """Return bytes per second of a triad a = b + s c, in arrays of so many megabytes each.

    As in the STREAM benchmark 24 bytes are counted for an element in double precision, two reads and a write;
    that a written line is read before is not counted. Each thread has its own part of the arrays.
    """
    size = megabytes * 2**17 // threads
    parts = [[np.full(size, float(k)) for k in range(3)] for _ in range(threads)]
    seconds = _together([lambda part=part: _triad(*part, 3.0) for part in parts])
    return 24.0 * size * threads / seconds


def fma_peak(precision: str, threads: int, steps: int = 2_000_000) -> float:
    """Return floating point operations per second of independent chains of fused multiply-adds.

    There are twelve chains, more than the processor has under way at once, of vectors of 32 bytes and of 64
    bytes; the higher rate is the peak. A fused multiply-add counts as two operations.
    """
    itemsize = np.dtype(precision).itemsize
    return max(_rate(precision, lanes, threads, steps) for lanes in (32 // itemsize, 64 // itemsize))


def _rate(precision: str, lanes: int, threads: int, steps: int) -> float:
    run = compiled_chains(lanes)
    inputs = []
    for _ in range(threads):
        numbers = aligned(((_CHAINS + 2) * lanes,), precision)
        numbers[:] = np.linspace(
            0.1, 0.9, len(numbers)
        )  # products and sums stay finite, and none is subnormal
        inputs.append((numbers, aligned((lanes,), precision)))
    seconds = _together([lambda each=each: run(*each, steps) for each in inputs])
    return 2.0 * _CHAINS * lanes * steps * threads / seconds


def _together(jobs: list[Callable[[], Any]]) -> float:
    """Return the median seconds of all jobs at once, each on a thread of its own."""
    if len(jobs) == 1:
        return seconds_of({"alone": jobs[0]})["alone"]
    with ThreadPoolExecutor(len(jobs)) as pool:
        return seconds_of({"all": lambda: list(pool.map(lambda job: job(), jobs))})["all"]


@numba.njit(nogil=True, error_model="numpy")
def _triad(a, b, c, scale):
    for i in range(len(a)):
        a[i] = b[i] + scale * c[i]


@cache
def compiled_chains(lanes: int) -> Any:
    """Return the chains for vectors of this number of lanes."""

    @numba.njit(nogil=True, error_model="numpy")
    def chains(numbers, out, steps):
        x, y = load(numbers, 0, lanes), load(numbers, lanes, lanes)
        a, b, c = (
            load(numbers, 2 * lanes, lanes),
            load(numbers, 3 * lanes, lanes),
            load(numbers, 4 * lanes, lanes),
        )
        d, e, f = (
            load(numbers, 5 * lanes, lanes),
            load(numbers, 6 * lanes, lanes),
            load(numbers, 7 * lanes, lanes),
        )
        g, h, i = (
            load(numbers, 8 * lanes, lanes),
            load(numbers, 9 * lanes, lanes),
            load(numbers, 10 * lanes, lanes),
        )
        j, k, m = (
            load(numbers, 11 * lanes, lanes),
            load(numbers, 12 * lanes, lanes),
            load(numbers, 13 * lanes, lanes),
        )
        for _ in range(steps):
            a, b, c = fma(a, x, y), fma(b, x, y), fma(c, x, y)
            d, e, f = fma(d, x, y), fma(e, x, y), fma(f, x, y)
            g, h, i = fma(g, x, y), fma(h, x, y), fma(i, x, y)
            j, k, m = fma(j, x, y), fma(k, x, y), fma(m, x, y)
        a = fma(a, b, fma(c, d, fma(e, f, g)))
        h = fma(h, i, fma(j, k, m))
        store(out, 0, fma(a, x, h))

    return chains
