"""Kill workers of a Dask cluster at random moments, and compare the search with one in a single process.

``python -m tools.lost_workers [--count N] [--seed S]``: in every run one or two workers of a local cluster
are killed by SIGKILL while a rank is searched for; the search has to end with the same bits, with each task
stored. Runs are lines of ``tools/results/lost-workers.csv``; those that are there are not repeated.
"""

from __future__ import annotations

import argparse
import csv
import logging
import os
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from latentlink.network import Network
from latentlink.rank import HeldOut, RankPath, find_rank
from latentlink.rank.engine import Plan
from latentlink.regime import real
from latentlink.solvers import WNMF

__all__ = ["LostWorkers", "main", "runs"]

_RESULTS = Path(__file__).parent / "results" / "lost-workers.csv"
_RANKS = (2, 4, 6, 8)
_WORKERS = 3


@dataclass(frozen=True)
class LostWorkers:
    """What became of a search whose workers were killed.

    Attributes
    ----------
    seed, run : int
        Seed of the series, and number of the run.
    moments : str
        Seconds after the begin of the search at which a worker was killed.
    shared : bool
        Whether the search had a folder that workers read; else the data were sent to them.
    tasks_begun, tasks : int
        How many tasks were sent to the cluster, and how many there are.
    same : bool
        Whether path and choice equal those of a search in one process, bit for bit.
    lost : int
        Tasks that are not in the folder in the end; 0 without a folder.
    seconds : float
    """

    seed: int
    run: int
    moments: str
    shared: bool
    tasks_begun: int
    tasks: int
    same: bool
    lost: int
    seconds: float


def runs(count: int, seed: int, first: int = 0) -> Iterator[LostWorkers]:
    """Yield what becomes of searches, each on a cluster of its own."""
    from distributed import Client, LocalCluster

    plan = _plan()
    expected = find_rank(plan, _RANKS, HeldOut()).path
    for run in range(first, count):
        # A cluster each: on a busy machine a nanny may give up on a worker that takes long to start.
        with (
            LocalCluster(
                n_workers=_WORKERS,
                threads_per_worker=1,
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
            ) as cluster,
            Client(cluster) as client,
            tempfile.TemporaryDirectory() as folder,
        ):
            where = None if run % 4 == 3 else Path(folder) / "run"
            yield _one(client, plan, expected, (seed, run), np.random.default_rng([seed, run]), where)


def main() -> int:
    """Run what is missing, print and store it, and return 1 if a run differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.lost_workers", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    before = _stored(given.seed)
    with _RESULTS.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [each.name for each in fields(LostWorkers)], lineterminator="\n")
        if not file.tell():
            writer.writeheader()
        for each in runs(given.count, given.seed, len(before)):
            writer.writerow(asdict(each))
            file.flush()
            print(each)
    after = _stored(given.seed)
    faults = sum(line["same"] != "True" or line["lost"] != "0" for line in after)
    print(f"{len(after)} runs, {faults} faults (seed {given.seed})")
    return int(faults > 0)


def _one(
    client: Any,
    plan: Plan,
    expected: RankPath,
    numbers: tuple[int, int],
    rng: np.random.Generator,
    folder: Path | None,
) -> LostWorkers:
    """Search with a cluster whose workers are killed meanwhile."""
    begun: list[str] = []
    submit = type(client).submit.__get__(client)

    def counted(*args: Any, key: str, **options: Any) -> Any:
        begun.append(key)
        return submit(*args, key=key, **options)

    client.submit = counted
    kills = sorted(rng.uniform(0.0, 4.0, int(rng.integers(1, 3))).round(2).tolist())
    begin = time.monotonic()
    killer = Thread(target=_kill, args=(client, kills, rng))
    killer.start()
    result = find_rank(plan, _RANKS, HeldOut(), executor=client, folder=folder)
    seconds = time.monotonic() - begin
    killer.join()
    blocks = [(rank, block) for rank in _RANKS for block in plan.blocks]
    names = [f"rank-{rank:04d}-members-{block[0]:03d}-{block[-1]:03d}.npz" for rank, block in blocks]
    lost = 0 if folder is None else sum(not (folder / name).exists() for name in names)
    return LostWorkers(
        *numbers,
        moments=" ".join(f"{moment:g}" for moment in kills),
        shared=folder is not None,
        tasks_begun=len(begun),
        tasks=len(blocks) + len(_RANKS),
        same=_same(result.path, expected),
        lost=lost,
        seconds=round(seconds, 1),
    )


def _kill(client: Any, moments: list[float], rng: np.random.Generator) -> None:
    """Kill a worker at each of some moments, by the id of its process."""
    begin = time.monotonic()
    for moment in moments:
        time.sleep(max(0.0, begin + moment - time.monotonic()))
        workers = client.scheduler_info(n_workers=-1)["workers"]
        pids = sorted(client.run(os.getpid, workers=list(workers), on_error="ignore").values())
        if pids:
            os.kill(int(rng.choice(pids)), signal.SIGKILL)


def _plan() -> Plan:
    """Return a search of some seconds: 200 x 150, rank 4, half of the entries known."""
    rng = np.random.default_rng(0)
    X = rng.gamma(0.5, size=(200, 4)) @ rng.gamma(0.5, size=(4, 150)) + 0.05 * rng.random((200, 150))
    network = Network.from_dense(X).hide(rng.random(X.size) < 0.5)
    return Plan(network, WNMF(max_iter=100, tol=0.0, ridge=0.1), real(), n_members=16)


def _same(actual: RankPath, expected: RankPath) -> bool:
    """Return whether two paths are the same, bit for bit."""
    return actual.ranks == expected.ranks and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for record, twin in zip(actual, expected, strict=True)
        for one, other in zip((record.model, *record.members), (twin.model, *twin.members), strict=True)
        for name in ("W", "H")
    )


def _stored(seed: int) -> list[dict[str, str]]:
    if not _RESULTS.exists():
        return []
    with _RESULTS.open(newline="", encoding="utf-8") as file:
        return [line for line in csv.DictReader(file) if line["seed"] == str(seed)]


if __name__ == "__main__":
    sys.exit(main())
