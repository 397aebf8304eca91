"""Cost of an ensemble and of whole searches on 448,330 simulated pairs, in fits of implicit's ALS.

The ensemble has 16 members at rank 10, with its choice of the ridge; an ALS fit has 15 iterations at the same
rank, and is one model. Both get the same number of threads, first 1 and then all. Each fit runs in a fork of
one process, in rounds over all of them; the numbers are medians. ``als_fits`` is the time of the clock in
fits of ALS with as many threads. Whole searches are of ranks 2, 4, 8 and 16 with 8 members.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.fits.contender import Contender
from benchmarks.fits.one_fit import warm_up
from benchmarks.fits.ours import ensemble
from benchmarks.fits.rivals import implicit_als
from benchmarks.measuring.costs import costs_of
from benchmarks.measuring.forks import in_fork
from benchmarks.measuring.rounds import interleaved
from benchmarks.simulated import simulated_network
from latentlink.network import Network

__all__ = ["measure"]

RANK, MEMBERS, RANKS, SEARCH_MEMBERS, TARGET = 10, 16, (2, 4, 8, 16), 8, 6.0
ALS = "implicit ALS, 15 iterations"


def measure(quick: bool = False, solvers: Sequence[str] = ("WNMF", "SymLMF", "LMF")) -> list[dict[str, Any]]:
    """Return costs of ensembles, of ALS and of whole searches."""
    network = simulated_network(*((120, 1_000) if quick else (11_167, 448_330)))
    threads = sorted({1, os.cpu_count() or 1})
    jobs = {
        (each.name, count): _job(each, network) for count in threads for each in (_als(count), _ours(count))
    }
    searches = {(each.name, threads[-1]): _job(each, network) for each in map(_search, solvers)}
    found = interleaved(jobs, 1 if quick else 3, long=60.0) | interleaved(searches, 1)
    return [
        {"what": name, "threads": count, **record, **_compared(name, count, record, found)}
        for (name, count), record in found.items()
    ]


def _compared(
    name: str, threads: int, record: Mapping[str, Any], found: Mapping[tuple[str, int], Any]
) -> dict[str, Any]:
    """Return a time as a multiple of that of ALS with as many threads, and the speed-up over one thread."""
    als, alone = found[ALS, threads], found.get((name, 1))
    compared = {}
    if "wall_s" in record and "wall_s" in als:
        compared["als_fits"] = record["wall_s"] / als["wall_s"]
        if name.startswith("ensemble"):
            compared["als_fits_target"] = TARGET
    if threads > 1 and alone and "wall_s" in record and "wall_s" in alone:
        compared["speed_up"] = alone["wall_s"] / record["wall_s"]
    return compared


def _job(contender: Contender, network: Network) -> Any:
    warm_up(contender, network, RANK)

    def fit() -> dict[str, Any]:
        return costs_of(contender.run_for(network, RANK))[0]

    return lambda: {"note": contender.obstacle} if contender.obstacle else in_fork(fit)


def _als(threads: int) -> Contender:
    return Contender(ALS, implicit_als, {"iterations": 15, "num_threads": threads}, "implicit")


def _ours(threads: int) -> Contender:
    settings = {"estimator": "WNMFk", "n_perturbs": MEMBERS, "n_jobs": threads}
    return Contender(f"ensemble of {MEMBERS}, rank {RANK}, ridge searched", ensemble, settings)


def _search(solver: str) -> Contender:
    shown = ", ".join(map(str, RANKS))
    settings = {"solver": solver, "ranks": RANKS, "n_perturbs": SEARCH_MEMBERS, "n_jobs": os.cpu_count() or 1}
    return Contender(f"{solver} search, ranks {shown}, {SEARCH_MEMBERS} members", ensemble, settings)
