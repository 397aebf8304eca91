"""Growth of time and memory with the number of pairs, the rank, the members and the threads.

Each row is a fit of WNMF of a fixed number of sweeps on simulated networks, of which one quantity grows and
the others stay. The exponent is the slope of a line through the logarithms: 1 is linear. The time is CPU
time, the median of fits that alternate; the memory is the peak of what a fit allocates. Ranks up to 16
descend by sums of products, whose work grows with the square of the rank, others entry by entry.

With threads the time is that of the clock, for whole ensembles of 16 members at one rank and at several; the
exponent is -1 where twice the threads take half the time, and ``speed_up`` is that of the most threads.
"""

from __future__ import annotations

import os
import time
import tracemalloc
import warnings
from collections.abc import Sequence
from functools import partial

import numpy as np

from benchmarks.measuring.rounds import seconds_of
from benchmarks.simulated import simulated_network
from latentlink import WNMFk
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import WNMF

__all__ = ["exponent", "measure"]

SWEEPS, ROUNDS = 4, 5
NODES_OF_PAIRS = 0.025  # as many as 11,167 for 448,330
PAIRS = (50_000, 100_000, 200_000, 400_000)
TARGETS = {"pairs": "time .95 to 1.1, memory at most 1.1", "threads": "2 threads at least 1.8 times as fast"}


def measure(quick: bool = False) -> list[dict[str, object]]:
    """Return the exponents of time and memory, with what they were fitted to."""
    scale = 100 if quick else 1
    sizes = [pairs // scale for pairs in PAIRS]
    networks = [simulated_network(round(NODES_OF_PAIRS * scale * pairs), pairs) for pairs in sizes]
    middle = networks[1]
    rows = [
        _row("pairs", sizes, [(network, 10, 8) for network in networks]),
        _row("rank, by sums", (4, 8, 16), [(middle, rank, 8) for rank in (4, 8, 16)]),
        _row("rank, by entries", (20, 40, 80), [(middle, rank, 8) for rank in (20, 40, 80)]),
        _row("members", (8, 16, 32), [(middle, 10, members) for members in (8, 16, 32)]),
    ]
    cores = os.cpu_count() or 1
    threads = [2**k for k in range(cores.bit_length()) if 2**k <= cores]
    return rows + _rows_of_threads(networks[2], threads if len(threads) > 1 else [1, 2])


def exponent(sizes: Sequence[float], amounts: Sequence[float]) -> float:
    """Return the slope of the least-squares line through the logarithms.

    Examples
    --------
    >>> round(exponent([1, 2, 4], [3, 12, 48]), 6)
    2.0
    """
    return float(np.polyfit(np.log(sizes), np.log(amounts), 1)[0])


def _row(quantity: str, sizes: Sequence[int], cases: Sequence[tuple[Network, int, int]]) -> dict[str, object]:
    jobs = {index: partial(_fit, *case) for index, case in enumerate(cases)}
    seconds = list(seconds_of(jobs, ROUNDS, time.process_time).values())
    megabytes = [_peak(*case) for case in cases]
    return {
        "growing": quantity,
        "sizes": list(sizes),
        "seconds": seconds,
        "peak_mb": megabytes,
        "exponent of time": exponent(sizes, seconds),
        "exponent of memory": exponent(sizes, megabytes),
        "target": TARGETS.get(quantity, ""),
    }


def _rows_of_threads(network: Network, threads: Sequence[int]) -> list[dict[str, object]]:
    """Return how the time of ensembles at one rank and at several changes with the threads."""
    cases = {"threads, one rank": (10,), "threads, four ranks": (6, 8, 10, 12)}
    jobs = {
        (name, count): partial(_search, network, ranks, count)
        for name, ranks in cases.items()
        for count in threads
    }
    times = seconds_of(jobs, 3)
    rows = []
    for name in cases:
        seconds = [times[name, count] for count in threads]
        rows.append({
            "growing": name,
            "sizes": list(threads),
            "seconds": seconds,
            "exponent of time": exponent(threads, seconds),
            "speed_up": seconds[0] / seconds[-1],
            "target": TARGETS["threads"],
        })  # fmt: skip
    return rows


def _search(network: Network, ranks: Sequence[int], threads: int) -> None:
    solver = WNMF(ridge=1.0, tol=0.0, max_iter=5 * SWEEPS, precision="float32")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        WNMFk(ranks, solver=solver, n_perturbs=16, n_jobs=threads, random_state=0).fit(network)


def _fit(network: Network, rank: int, members: int) -> None:
    solver = WNMF(ridge=1.0, tol=0.0, max_iter=SWEEPS, precision="float32")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solver.solve(Ensemble.of(network, members), rank, member_rngs(0, rank, members))


def _peak(network: Network, rank: int, members: int) -> float:
    """Return the largest number of megabytes that a fit has allocated at once."""
    tracemalloc.start()
    try:
        _fit(network, rank, members)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
