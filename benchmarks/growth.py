"""Growth of time and memory with the number of pairs, the rank, and the number of members.

Each row is a fit of WNMF of a fixed number of sweeps on simulated networks, of which one quantity grows and
the others stay. The exponent is the slope of a line through the logarithms: 1 is linear. The time is CPU
time, the shortest of several fits; the memory is the peak of what a fit allocates. Ranks up to 16 descend by
sums of products, whose work grows with the square of the rank, others entry by entry.
"""

from __future__ import annotations

import time
import tracemalloc
import warnings
from collections.abc import Sequence

import numpy as np

from benchmarks.simulated import simulated_network
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import WNMF

__all__ = ["exponent", "measure"]

SWEEPS, REPEATS = 4, 3
NODES_OF_PAIRS = 0.025  # as many as 11,167 for 448,330
PAIRS = (50_000, 100_000, 200_000, 400_000)
TARGETS = {"pairs": "time .95 to 1.1, memory at most 1.1"}


def measure() -> list[dict[str, object]]:
    """Return the exponents of time and memory, with what they were fitted to."""
    networks = {pairs: simulated_network(round(NODES_OF_PAIRS * pairs), pairs) for pairs in PAIRS}
    middle = networks[100_000]
    return [
        _row("pairs", PAIRS, [(networks[pairs], 10, 8) for pairs in PAIRS]),
        _row("rank, by sums", (4, 8, 16), [(middle, rank, 8) for rank in (4, 8, 16)]),
        _row("rank, by entries", (20, 40, 80), [(middle, rank, 8) for rank in (20, 40, 80)]),
        _row("members", (8, 16, 32), [(middle, 10, members) for members in (8, 16, 32)]),
    ]


def exponent(sizes: Sequence[float], amounts: Sequence[float]) -> float:
    """Return the slope of the least-squares line through the logarithms.

    Examples
    --------
    >>> round(exponent([1, 2, 4], [3, 12, 48]), 6)
    2.0
    """
    return float(np.polyfit(np.log(sizes), np.log(amounts), 1)[0])


def _row(quantity: str, sizes: Sequence[int], cases: Sequence[tuple[Network, int, int]]) -> dict[str, object]:
    for case in cases:
        _fit(*case)  # compiles the kernels
    seconds = np.full(len(cases), np.inf)
    for _ in range(REPEATS):  # alternating, so that other load affects all cases alike
        for index, case in enumerate(cases):
            begin = time.process_time()
            _fit(*case)
            seconds[index] = min(seconds[index], time.process_time() - begin)
    megabytes = [_peak(*case) for case in cases]
    return {
        "growing": quantity,
        "sizes": ", ".join(f"{size:,}" for size in sizes),
        "cpu_s": ", ".join(f"{each:.3g}" for each in seconds),
        "peak_mb": ", ".join(f"{each:.3g}" for each in megabytes),
        "exponent of time": exponent(sizes, seconds.tolist()),
        "exponent of memory": exponent(sizes, megabytes),
        "target": TARGETS.get(quantity, ""),
    }


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
