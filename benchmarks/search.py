"""CPU time of a rank search compared with NumPy reference kernels and with its sweeps in dense NumPy.

With the reference kernels the whole search is run. The dense sweeps leave out alignment, thresholds, refits
and selection, so that their ratio is a lower bound for a dense search.
"""

from __future__ import annotations

import os
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from tools.data_folder import data_folder

from benchmarks.baselines import dense_boolean_half, dense_masked_half
from latentlink import BNMFk, WNMFk, datasets
from latentlink.network import Network
from latentlink.regime import KMeans, boolean
from latentlink.solvers import BNMF, WNMF
from latentlink.splitting import holdout

__all__ = ["measure"]

TARGETS = {"Dog": 15, "Gaussian": 10}


def measure() -> list[dict[str, Any]]:
    """Return the CPU seconds of a search of ranks 1 to 8 with 12 members, in one process."""
    dog = _dog()
    gaussian = datasets.gaussian(200, 4, 0).network
    return [
        _row("Dog", dog, lambda: BNMFk(range(1, 9), regime=boolean(KMeans()), n_perturbs=12, random_state=0)),
        _row("Gaussian", gaussian, lambda: WNMFk(range(1, 9), n_perturbs=12, random_state=0)),
    ]


def _dog() -> Network:
    """Return the Dog data of the data folder (400 x 15) if it exists, else those of the package."""
    if not (data_folder() / "dog.npz").exists():
        return datasets.dog().network
    return datasets.fetch("dog-original", folder=data_folder()).network


def _row(name: str, network: Network, estimator: Callable[[], Any]) -> dict[str, Any]:
    train = holdout(network, 0.1, 0).train
    sweeps: Counter[int] = Counter()
    with count_sweeps(sweeps):
        estimator().fit(train)  # also compiles the kernels
    ours, model = _timed(lambda: estimator().fit(train))
    os.environ["LATENTLINK_KERNELS"] = "reference"
    try:
        twins, twin_model = _timed(lambda: estimator().fit(train))
    finally:
        del os.environ["LATENTLINK_KERNELS"]
    dense = sum(_dense_sweep(train, rank, name == "Dog") * count for rank, count in sweeps.items())
    return {
        "data": f"{name}, {network.shape[0]} x {network.shape[1]}",
        "rank": model.rank_,
        "rank by twins": twin_model.rank_,
        "search, s": round(ours, 3),
        "NumPy twins, s": round(twins, 2),
        "member sweeps": sum(sweeps.values()),
        "those sweeps dense, s": round(dense, 2),
        "ratio to be reached": TARGETS[name],
        "ratio, whole search by twins": round(twins / ours, 1),
        "ratio, dense sweeps alone": round(dense / ours, 1),
    }


def _timed(job: Callable[[], Any]) -> tuple[float, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin = time.process_time()
        result = job()
        return time.process_time() - begin, result


@contextmanager
def count_sweeps(sweeps: Counter[int]) -> Iterator[None]:
    """Count the sweeps of all members, starts and ridge trials at each rank."""
    originals = {cls: cls.solve for cls in (BNMF, WNMF)}

    def counting(original: Callable[..., Any]) -> Callable[..., Any]:
        def solve(self: Any, data: Any, rank: int, *rest: Any, **named: Any) -> Any:
            solved = original(self, data, rank, *rest, **named)
            sweeps[rank] += sum(record.sweeps for record in solved.records)
            return solved

        return solve

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for cls, original in originals.items():
                cls.solve = counting(original)  # type: ignore[method-assign]
            yield
        finally:
            for cls, original in originals.items():
                cls.solve = original  # type: ignore[method-assign]


def _dense_sweep(network: Network, rank: int, boolean_data: bool, repeats: int = 30) -> float:
    """Return the CPU seconds of one sweep of one member in dense NumPy, with the cycles of the solver."""
    rng = np.random.default_rng(0)
    X, M = np.zeros(network.shape), np.zeros(network.shape)
    X[network.rows, network.cols] = network.values
    M[network.rows, network.cols] = network.weights
    W, H = rng.random((network.shape[0], rank)), rng.random((rank, network.shape[1]))
    begin = time.process_time()
    for _ in range(repeats):
        for x, m, A, B in ((X, M, W, H), (X.T, M.T, H.T, W.T)):
            if boolean_data:
                dense_boolean_half(x, m, A, B, 0.3, float(rank))
            else:
                dense_masked_half(x, m, A, B, 0.0, 3)
    return (time.process_time() - begin) / repeats
