"""Time of one sweep compared with NMF of scikit-surprise and ALS of implicit, one thread each.

Entries and rank are the same for all. NMF of scikit-surprise has biases, as RNMF has. The targets are for
rank 10 in single precision; the other cases are shown for comparison.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np

from benchmarks.simulated import simulated_network
from benchmarks.sweep import NODES, PAIRS, best_times, sweep_of
from latentlink.network import Network
from latentlink.solvers import RNMF, WNMF

__all__ = ["measure"]

TARGETS = {"surprise NMF": ("RNMF", 10.0), "implicit ALS": ("WNMF", 2.0)}


def measure() -> list[dict[str, object]]:
    """Return milliseconds per sweep for each peer, rank and precision, ours per member of a full batch."""
    warnings.simplefilter("ignore")
    network = simulated_network(NODES, PAIRS)
    rows: list[dict[str, object]] = []
    for rank in (10, 30):
        peers = {
            "surprise NMF": _sweep_seconds(_surprise(network, rank), 1, 3),
            "implicit ALS": _sweep_seconds(_implicit(network, rank), 2, 12),
        }
        for precision, members in (("float32", 16), ("float64", 8)):
            jobs = {
                name: sweep_of(network, rank, precision, members, solver)
                for name, solver in (
                    ("RNMF", RNMF(precision=precision, cycles=1, extrapolate=False)),
                    ("WNMF", WNMF(precision=precision, cycles=1, extrapolate=False)),
                )
            }
            times = best_times(jobs, repeats=3)
            for peer, seconds in peers.items():
                ours, target = TARGETS[peer]
                ours_seconds = times[ours] / members
                rows.append({
                    "peer": peer, "ours": ours, "precision": precision, "rank": rank,
                    "peer_ms": 1e3 * seconds, "ours_ms": 1e3 * ours_seconds,
                    "ratio": seconds / ours_seconds, "target": target,
                })  # fmt: skip
    return rows


def _sweep_seconds(fit: Callable[[int], object], short: int, long: int) -> float:
    """Return the seconds of one sweep, from the difference of a long and a short fit, without set-up."""
    best = np.inf
    for _ in range(2):
        seconds = []
        for sweeps in (short, long):
            begin = time.perf_counter()
            fit(sweeps)
            seconds.append(time.perf_counter() - begin)
        best = min(best, (seconds[1] - seconds[0]) / (long - short))
    return float(best)


def _surprise(network: Network, rank: int) -> Callable[[int], object]:
    import pandas as pd
    import surprise

    view = network.csr
    rows = np.repeat(np.arange(network.shape[0]), np.diff(view.indptr))
    frame = pd.DataFrame({"user": rows, "item": view.indices, "rating": 1 + network.values[view.position]})
    ratings = surprise.Dataset.load_from_df(frame, surprise.Reader(rating_scale=(1, 2))).build_full_trainset()

    def fit(sweeps: int) -> None:
        surprise.NMF(n_factors=rank, n_epochs=sweeps, biased=True, random_state=0).fit(ratings)

    return fit


def _implicit(network: Network, rank: int) -> Callable[[int], object]:
    from implicit.cpu.als import AlternatingLeastSquares

    matrix = (network.with_values(np.ones(network.n_listed))).to_sparse().astype(np.float32)

    def fit(sweeps: int) -> None:
        model = AlternatingLeastSquares(factors=rank, iterations=sweeps, num_threads=1, random_state=0)
        model.fit(matrix, show_progress=False)

    return fit
