"""Processes that use one folder at the same moment."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

from latentlink.errors import IncompatibleError
from latentlink.rank import HeldOut, find_rank
from latentlink.rank.checkpoint import Checkpoint
from latentlink.solvers import WNMF
from tests.rank.paths import products, small_plan


def claim(folder, number, ranks):
    """Claim a folder for the data of this process; return whether it was accepted."""
    del ranks
    try:
        Checkpoint(folder, small_plan(network=products(seed=number)))
    except IncompatibleError as error:
        return "other data" not in str(error)
    return True


def search(folder, number, ranks):
    """Search with the same data in every process; return the ridge and the held-out errors."""
    result = find_rank(
        small_plan(network=products(), solver=WNMF(max_iter=20)), ranks[number], HeldOut(), folder=folder
    )
    return result.ridge.ridge, {record.rank: record.held_out.tolist() for record in result.path}


def rounds_of(task, folder, number, barrier, n_rounds, ranks, answers):
    """Run a task once a round, each in a folder of its own, together with the other processes."""
    results = []
    for index in range(n_rounds):
        barrier.wait(timeout=300)
        results.append(task(Path(folder) / str(index), number, ranks))
    answers.put((number, results))


def race(task, folder, n_rounds, n_processes=2, ranks=()):
    """Return for each round the results of all processes."""
    context = get_context("spawn")
    barrier, answers = context.Barrier(n_processes), context.Queue()
    processes = [
        context.Process(target=rounds_of, args=(task, folder, number, barrier, n_rounds, ranks, answers))
        for number in range(n_processes)
    ]
    for process in processes:
        process.start()
    results = dict(answers.get(timeout=300) for _ in processes)
    for process in processes:
        process.join()
    return list(zip(*(results[number] for number in range(n_processes)), strict=True))
