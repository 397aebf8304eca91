"""Time of one sweep compared with NMF of scikit-surprise and ALS of implicit, one thread each.

Entries and rank are the same for all. NMF of scikit-surprise has biases, as RNMF has. The targets are for
rank 10 in single precision; the other cases are shown for comparison.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.measuring.rounds import seconds_of
from benchmarks.simulated import simulated_network
from benchmarks.sweep import NODES, PAIRS, sweep_of
from latentlink.network import Network
from latentlink.solvers import RNMF, WNMF

__all__ = ["measure"]

EPOCHS = {"surprise NMF": (1, 3), "implicit ALS": (2, 12)}
PRECISIONS = {"float32": 16, "float64": 8}  # with the members of a full batch
TARGETS = {"surprise NMF": ("RNMF", 10.0), "implicit ALS": ("WNMF", 2.0)}


def measure() -> list[dict[str, object]]:
    """Return milliseconds per sweep for each peer, rank and precision, ours per member of a full batch."""
    warnings.simplefilter("ignore")
    network = simulated_network(NODES, PAIRS)
    rows: list[dict[str, object]] = []
    for rank in (10, 30):
        jobs = _jobs_of_peers(network, rank) | _our_jobs(network, rank)
        times = seconds_of(jobs, rounds=3)
        for peer, (ours, target) in TARGETS.items():
            short, long = EPOCHS[peer]
            # The difference of a long and a short fit leaves out what is done once.
            seconds = (times[peer, long] - times[peer, short]) / (long - short)
            for precision, members in PRECISIONS.items():
                ours_seconds = times[ours, precision] / members
                rows.append({
                    "peer": peer, "ours": ours, "precision": precision, "rank": rank,
                    "peer_ms": 1e3 * seconds, "ours_ms": 1e3 * ours_seconds,
                    "ratio": seconds / ours_seconds, "target": target,
                })  # fmt: skip
    return rows


def _jobs_of_peers(network: Network, rank: int) -> dict[Any, Callable[[], object]]:
    """Return a short and a long fit of each peer."""
    fits = {"surprise NMF": _surprise(network, rank), "implicit ALS": _implicit(network, rank)}
    return {
        (peer, sweeps): lambda fit=fits[peer], sweeps=sweeps: fit(sweeps)
        for peer, lengths in EPOCHS.items()
        for sweeps in lengths
    }


def _our_jobs(network: Network, rank: int) -> dict[Any, Callable[[], object]]:
    return {
        (cls.__name__, precision): sweep_of(
            network, rank, precision, members, cls(precision=precision, cycles=1, extrapolate=False)
        )
        for cls in (RNMF, WNMF)
        for precision, members in PRECISIONS.items()
    }


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
