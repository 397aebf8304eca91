"""Peak memory of a fit of sixteen members and of a sweep over a million nodes, each in a new process."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import warnings

import numpy as np

__all__ = ["measure"]

JOBS = {"fit": 600.0, "million": 6000.0}  # targets in MB


def measure() -> list[dict[str, object]]:
    """Return the peak memory and the time of each job."""
    rows = []
    for job, target in JOBS.items():
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.memory", job], capture_output=True, text=True, check=True
        )
        rows.append({"job": job, "target_mb": target, **json.loads(done.stdout.splitlines()[-1])})
    return rows


def _fit() -> dict[str, object]:
    """Fit sixteen members at rank 30 in double precision."""
    from benchmarks.simulated import simulated_network
    from latentlink.network import Ensemble
    from latentlink.random import member_rngs
    from latentlink.solvers import WNMF

    network = simulated_network(11_167, 448_330)
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        WNMF(ridge=1.0, max_iter=5, cycles=1, extrapolate=False).solve(
            Ensemble.of(network, 16), 30, member_rngs(0, 30, 16)
        )
    return {"seconds": time.perf_counter() - begin, "members": 16, "rank": 30, "precision": "float64"}


def _million() -> dict[str, object]:
    """Run one sweep of sixteen members in single precision on 1,000,000 nodes and 20,000,000 pairs."""
    from benchmarks.simulated import simulated_network
    from latentlink.network import Ensemble
    from latentlink.solvers import WNMF

    network = simulated_network(1_000_000, 20_000_000)
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solver = WNMF(ridge=0.1, max_iter=1, precision="float32", cycles=1, extrapolate=False)
        solved = solver.solve(Ensemble.of(network, 16), 10, 0)
    assert all(np.isfinite(record.loss).all() for record in solved.records)
    return {"seconds": time.perf_counter() - begin, "members": 16, "rank": 10, "precision": "float32"}


if __name__ == "__main__":
    result = {"fit": _fit, "million": _million}[sys.argv[1]]()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**result, "peak_mb": peak}))
