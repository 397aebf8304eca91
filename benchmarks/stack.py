"""LinkStack at scale: a fit and its best pairs, and the features of a million pairs, in new processes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import warnings

import numpy as np

__all__ = ["measure"]

# Targets: CPU seconds (seconds for the features) and MB.
JOBS = {"fit": (150.0, 3000.0), "best": (20.0, 3000.0), "features": (120.0, 3000.0)}


def measure() -> list[dict[str, object]]:
    """Return time and peak memory of each job; that of the best pairs is of a fit too."""
    rows: list[dict[str, object]] = []
    for job in ("fit", "features"):
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.stack", job], capture_output=True, text=True, check=True
        )
        for name, result in json.loads(done.stdout.splitlines()[-1]).items():
            seconds, megabytes = JOBS[name]
            rows.append({"job": name, "target_seconds": seconds, "target_mb": megabytes, **result})
    return rows


def _fit() -> dict[str, dict[str, float]]:
    """Fit 448,330 labelled pairs of 11,167 nodes, and find the best 1,000 of 62 million pairs."""
    from benchmarks.simulated import simulated_network
    from latentlink import LinkStack

    network = simulated_network(11_167, 448_330)
    small = network.subset(np.arange(network.n_listed) < 3000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        LinkStack(random_state=0).fit(small)  # compiles
        fit, model = _timed(lambda: LinkStack(random_state=0).fit(network))
        best, _ = _timed(lambda: model.top_links(1000))
    return {"fit": fit, "best": best}


def _features() -> dict[str, dict[str, float]]:
    """Compute the features of a million pairs of a network of 100,000 nodes and 2,000,000 links."""
    from latentlink import datasets
    from latentlink.stacking import FeatureKinds, GraphFeatures

    network = datasets.heavy_tailed(100_000, 2_000_000, 0).network
    pairs = np.random.default_rng(0).integers(0, 100_000, (2, 1_000_000))
    kinds = FeatureKinds.for_network(network, drawn=True)
    result, _ = _timed(lambda: GraphFeatures.of(network, kinds).features(*pairs))
    return {"features": result}


def _timed(job):
    """Return what a job took, and its result."""
    begin, cpu = time.perf_counter(), time.process_time()
    result = job()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    times = {"seconds": time.perf_counter() - begin, "cpu_seconds": time.process_time() - cpu}
    return {**times, "peak_mb": peak}, result


if __name__ == "__main__":
    print(json.dumps({"fit": _fit, "features": _features}[sys.argv[1]]()))
