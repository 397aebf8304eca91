"""What this machine reaches at most: its bandwidth of memory, and its rate of fused multiply-adds."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numba
import numpy as np

from latentlink.kernels import aligned
from latentlink.kernels.lanes.vector import fma, load, store

__all__ = ["multiply_adds", "triad"]

_CHAINS = 12


def triad(threads: int, megabytes: int = 128) -> tuple[Callable[[], object], float]:
    """Return a triad a = b + s c, in arrays of so many megabytes each, and the bytes that it moves.

    As in the STREAM benchmark 24 bytes are counted for an element in double precision, two reads and a write;
    that a written line is read before is not counted. Each thread has its own part of the arrays.
    """
    size = megabytes * 2**17 // threads
    parts = [[np.full(size, float(k)) for k in range(3)] for _ in range(threads)]
    return _together([lambda part=part: _triad(*part, 3.0) for part in parts]), 24.0 * size * threads


def multiply_adds(
    precision: str, threads: int, steps: int = 2_000_000
) -> dict[int, tuple[Callable[[], object], float]]:
    """Return chains of fused multiply-adds and their operations, by the bytes of their vectors.

    There are twelve independent chains, more than the processor has under way at once, of vectors of 32 bytes
    and of 64 bytes; the higher rate is the peak. A fused multiply-add counts as two operations.
    """
    itemsize = np.dtype(precision).itemsize
    return {size: _chains(precision, size // itemsize, threads, steps) for size in (32, 64)}


def _chains(precision: str, lanes: int, threads: int, steps: int) -> tuple[Callable[[], object], float]:
    run = compiled_chains(lanes)
    inputs = []
    for _ in range(threads):
        numbers = aligned(((_CHAINS + 2) * lanes,), np.dtype(precision))
        numbers[:] = np.linspace(0.1, 0.9, len(numbers))  # sums stay finite, and none is subnormal
        inputs.append((numbers, aligned((lanes,), np.dtype(precision))))
    jobs = [lambda each=each: run(*each, steps) for each in inputs]
    return _together(jobs), 2.0 * _CHAINS * lanes * steps * threads


def _together(jobs: list[Callable[[], Any]]) -> Callable[[], object]:
    """Return a function that runs all jobs at once, each on a thread of its own."""
    if len(jobs) == 1:
        return jobs[0]

    def run() -> None:
        with ThreadPoolExecutor(len(jobs)) as pool:
            list(pool.map(lambda job: job(), jobs))

    return run


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
