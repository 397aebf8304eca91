"""Time of one sweep per member: lane kernels compared with plain numba and dense NumPy in one run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.baselines import dense_masked_sweep, plain_half_sweep
from benchmarks.measuring.rounds import seconds_of
from benchmarks.simulated import simulated_network
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import WNMF, Solver
from latentlink.solvers.descent.blocks import make_block
from latentlink.solvers.descent.packing import pack
from latentlink.solvers.descent.sweeps import Sweeps

__all__ = ["measure", "sweep_of", "sweeps_of"]

NODES, PAIRS, DENSE_NODES = 11_167, 448_330, 2_000
TARGETS = {("float32", 10): 5, ("float64", 10): 3.5, ("float32", 30): 3.5, ("float64", 30): 2}


def sweeps_of(
    network: Network, rank: int, precision: str, members: int, solver: Solver | None = None
) -> Sweeps:
    """Return the sweeps of a full batch; of WNMF by default."""
    solver = solver or WNMF(ridge=0.1, precision=precision, cycles=1, extrapolate=False)
    ensemble = Ensemble.of(network, members)
    rngs = member_rngs(0, rank, members)
    starts = (solver.start(ensemble, member, rank, rngs[member]) for member in range(members))
    block = make_block(ensemble, range(members), precision)
    rows, cols, offsets = pack(starts, members, solver.biased, precision)
    return solver.sweeps(block, rows, cols, offsets)


def sweep_of(
    network: Network, rank: int, precision: str, members: int, solver: Solver | None = None
) -> Callable[[], object]:
    """Return a function that runs one sweep of a full batch and computes the loss; WNMF by default."""
    return sweeps_of(network, rank, precision, members, solver).sweep


def _plain(network: Network, rank: int, precision: str) -> Callable[[], object]:
    rng, view = np.random.default_rng(0), network.csr
    values = network.values[view.position].astype(precision)
    W, Ht = (rng.random((network.shape[0], rank)).astype(precision) for _ in range(2))
    degree = int(np.diff(view.indptr).max())
    residual, gathered = np.empty(degree, precision), np.empty((rank, degree), precision)
    ridge = np.dtype(precision).type(0.1)

    def sweep() -> None:
        plain_half_sweep(view.indptr, view.indices, values, W, Ht, ridge, residual, gathered)
        plain_half_sweep(view.indptr, view.indices, values, Ht, W, ridge, residual, gathered)

    return sweep


def _dense(rank: int) -> Callable[[], object]:
    rng = np.random.default_rng(0)
    M = (rng.random((DENSE_NODES, DENSE_NODES)) < 0.01).astype(float)
    X, W, H = M * rng.random(M.shape), rng.random((DENSE_NODES, rank)), rng.random((rank, DENSE_NODES))
    return lambda: dense_masked_sweep(X, M, W, H, 0.1)


def measure() -> list[dict[str, object]]:
    """Return milliseconds per sweep and member for each precision and rank, and the ratios."""
    network = simulated_network(NODES, PAIRS)
    rows: list[dict[str, object]] = []
    for rank in (10, 30):
        dense = seconds_of({"dense": _dense(rank)}, 2)["dense"] * (NODES / DENSE_NODES) ** 2
        for precision, members in (("float32", 16), ("float64", 8)):
            jobs = {
                "lanes": sweep_of(network, rank, precision, members),
                "plain": _plain(network, rank, precision),
            }
            times = seconds_of(jobs)
            lanes = times["lanes"] / members
            rows.append({
                "precision": precision, "rank": rank, "members": members,
                "lanes_ms": 1e3 * lanes, "plain_ms": 1e3 * times["plain"], "dense_ms": 1e3 * dense,
                "plain_ratio": times["plain"] / lanes, "plain_target": TARGETS[precision, rank],
                "dense_ratio": dense / lanes, "dense_target": 1000,
            })  # fmt: skip
    return rows
