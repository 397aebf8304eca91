"""Time and peak memory of calibration and guarantees on a network of 100,000 nodes and 2,000,000 pairs."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

__all__ = ["measure"]

NODES, PAIRS = 100_000, 2_000_000


def measure() -> list[dict[str, Any]]:
    """Return the seconds of each step and the peak memory of the process so far."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.guarantees"], capture_output=True, text=True, check=True
    )
    rows: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return rows


def _steps() -> list[dict[str, Any]]:
    import numpy as np

    from benchmarks.simulated import simulated_network
    from latentlink import LinkStack, RankedFactorizer
    from latentlink.solvers import LMF
    from latentlink.splitting import holdout
    from latentlink.stacking.graph_features import FeatureKinds, GraphFeatures
    from latentlink.uncertainty import RowColumn

    rows: list[dict[str, Any]] = []

    def timed(name: str, job: Callable[[], Any]) -> Any:
        begin = time.perf_counter()
        result = job()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rows.append({"step": name, "seconds": round(time.perf_counter() - begin, 2), "peak_mb": round(peak)})
        return result

    network = timed("network", lambda: simulated_network(NODES, PAIRS))
    split = timed("holdout", lambda: holdout(network, 0.2, 0, calibration=0.1))
    solver = LMF(ridge=1.0, max_iter=20, tol=1e-3, precision="float32")
    model = timed(
        "fit, rank 5, 8 members",
        lambda: RankedFactorizer((5,), solver=solver, n_perturbs=8, random_state=0).fit(split.train),
    )
    other = simulated_network(NODES, 2 * PAIRS, seed=1)
    known = np.isin(*(part.rows.astype(np.int64) * NODES + part.cols for part in (other, network)))
    pairs = np.column_stack([other.rows, other.cols])[~known]
    pairs = np.random.default_rng(0).permutation(pairs)[:PAIRS]
    timed("assess 2,000,000 pairs", lambda: model.assess(pairs))
    calibrated = timed("calibrate on 200,000 pairs", lambda: model.calibrate(split.calibration))
    timed("answers to 2,000,000 pairs", lambda: calibrated.answers(pairs))
    timed("probabilities", lambda: calibrated.probabilities(pairs))
    timed("sets", lambda: calibrated.sets(pairs))
    timed("intervals, RowColumn", lambda: calibrated.intervals(pairs, propensity=RowColumn()))
    test = np.column_stack([split.test.rows, split.test.cols])
    timed("discover among 400,000", lambda: calibrated.discover(test))
    kinds = FeatureKinds.for_network(split.train, drawn=False)
    graph = timed("measures of the graph", lambda: GraphFeatures.of(split.train, kinds))
    timed("its features, 2,000,000 pairs", lambda: graph.features(*pairs.T))
    small = RankedFactorizer((5,), solver=solver, n_perturbs=4)
    stack = timed(
        "LinkStack of LMF, rank 5, 4 members",
        lambda: LinkStack(models=[small], random_state=0).fit(split.train),
    )
    timed("its answers to 2,000,000 pairs", lambda: stack.calibrate(split.calibration).answers(pairs))
    return rows


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print(json.dumps(_steps()))
