"""Half sweeps of the kernels beside what the bandwidth and the multiply-adds of this machine allow.

A half sweep updates all rows of W once, in ``cycles`` cycles over their k coordinates, for m members. With
E entries (an undirected pair is one in each direction), R rows, C columns and numbers of b bytes, the
operations that the algorithm needs are, for each member,

    by sums:     E ((k + 1)(k + 2) + 3 k + 2)  +  R cycles k (2 k + 6)
    by entries:  E (3 k + 3 + 6 k cycles)      +  R cycles 6 k

(by sums: products of all pairs of k factors and the residual, after scaling and the residual itself; by
entries: three fused multiply-adds for a coordinate of an entry). A fused multiply-add is two operations.
Padding of tiles is not counted. The least traffic reads every array once, and writes W:

    E (index + b + m b)  +  8 R  +  2 R k m b  +  C k m b,

where the weight of an entry is shared by the members. The factors of a partner are read anew for each entry,
E k m b bytes, from a cache or from memory: ``with_gathers`` counts all of them. The bound is

    min( peak, bandwidth * operations / least traffic ),

and ``share`` is the rate that was reached, as a share of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.measuring.rounds import seconds_of
from benchmarks.processor_limits import multiply_adds, triad
from benchmarks.simulated import simulated_network
from benchmarks.sweep import sweeps_of
from latentlink.kernels.products.summed_descent import saves_work
from latentlink.network import Network
from latentlink.parallel import TaskPool
from latentlink.solvers import WNMF

__all__ = ["HalfSweep", "measure"]

ITEMSIZE = {"float32": 4, "float64": 8}
MEMBERS = {"float32": 16, "float64": 8}
CASES = ((4, 3), (10, 3), (16, 3), (10, 1), (32, 1), (32, 3), (64, 1))  # rank and cycles


class HalfSweep(NamedTuple):
    """The sizes of a half sweep, from which operations and bytes follow."""

    entries: int
    rows: int
    cols: int
    rank: int
    cycles: int
    members: int
    itemsize: int
    index: int = 4

    @property
    def by_sums(self) -> bool:
        """Whether the kernel of sums of products runs."""
        return saves_work(self.rank, self.cycles, self.entries / self.rows)

    @property
    def operations(self) -> int:
        """Operations of all members, see the module."""
        k = self.rank
        if self.by_sums:
            of_entry, of_row = (k + 1) * (k + 2) + 3 * k + 2, self.cycles * k * (2 * k + 6)
        else:
            of_entry, of_row = 3 * k + 3 + 6 * k * self.cycles, self.cycles * 6 * k
        return self.members * (self.entries * of_entry + self.rows * of_row)

    @property
    def least_bytes(self) -> int:
        """Bytes where every array is read once."""
        factors = self.rank * self.members * self.itemsize
        of_entries = self.entries * (self.index + (1 + self.members) * self.itemsize)
        return of_entries + 8 * self.rows + (2 * self.rows + self.cols) * factors

    @property
    def bytes_with_gathers(self) -> int:
        """Bytes where each entry reads the factors of its partner."""
        factors = self.rank * self.members * self.itemsize
        return self.least_bytes + (self.entries - self.cols) * factors


def measure(quick: bool = False) -> list[dict[str, Any]]:
    """Return the limits of this machine, and the half sweeps beside them."""
    network = simulated_network(*((200, 2_000) if quick else (11_167, 448_330)))
    rows: list[dict[str, Any]] = []
    for threads in sorted({1, 1 if quick else os.cpu_count() or 1}):
        for precision in ("float32",) if quick else ("float32", "float64"):
            rows += _beside_limits(network, threads, precision, quick)
    return rows


def _beside_limits(network: Network, threads: int, precision: str, quick: bool) -> list[dict[str, Any]]:
    """Return the limits for a number of threads, and the half sweeps, measured in the same rounds."""
    triad_job, moved = triad(threads, 1 if quick else 128)
    chains = multiply_adds(precision, threads, 1_000 if quick else 2_000_000)
    with TaskPool(threads) as pool:
        jobs: dict[Any, Callable[[], object]] = {
            "triad": triad_job,
            **{size: job for size, (job, _) in chains.items()},
            **{case: _half(network, case, precision, pool) for case in CASES},
        }
        times = seconds_of(jobs, 5)
    memory = moved / times["triad"]
    peak = max(operations / times[size] for size, (_, operations) in chains.items())
    listed, members, itemsize = network.csr.indices, MEMBERS[precision], ITEMSIZE[precision]
    of_limits = {"threads": threads, "precision": precision}
    rows = [
        {"what": "triad", **of_limits, "gb_per_s": memory / 1e9},
        {"what": "fma", **of_limits, "gflop_per_s": peak / 1e9},
    ]
    for case in CASES:
        half = HalfSweep(len(listed), *network.shape, *case, members, itemsize, listed.itemsize)
        rows.append(_row(half, times[case], threads, (memory, peak)))
    return rows


def _half(network: Network, case: tuple[int, int], precision: str, pool: TaskPool) -> Callable[[], object]:
    """Return a function that runs a half sweep as a task of a pool, whose idle threads take parts of it."""
    rank, cycles = case
    solver = WNMF(ridge=0.1, precision=precision, cycles=cycles, extrapolate=False)
    sweeps = sweeps_of(network, rank, precision, MEMBERS[precision], solver)

    def run() -> None:
        pool.add(sweeps.improve_rows)
        for _ in pool.completed():
            pass

    return run


def _row(half: HalfSweep, seconds: float, threads: int, limits: tuple[float, float]) -> dict[str, Any]:
    memory, peak = limits
    by_memory = memory * half.operations / half.least_bytes
    bound, rate = min(peak, by_memory), half.operations / seconds
    return {
        "what": "half sweep by sums" if half.by_sums else "half sweep by entries",
        "threads": threads,
        "precision": "float32" if half.itemsize == 4 else "float64",
        "rank": half.rank,
        "cycles": half.cycles,
        "members": half.members,
        "ms": 1e3 * seconds,
        "gflop": half.operations / 1e9,
        "least_gb": half.least_bytes / 1e9,
        "with_gathers_gb_per_s": half.bytes_with_gathers / seconds / 1e9,
        "operations_per_byte": half.operations / half.least_bytes,
        "gflop_per_s": rate / 1e9,
        "bound": "memory" if by_memory < peak else "multiply-adds",
        "bound_gflop_per_s": bound / 1e9,
        "share": rate / bound,
    }
