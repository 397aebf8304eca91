"""Tasks of a rank search that other processes run: each stores its result before it returns it.

So what is computed is not lost if the process that waits for it is, and a task that is repeated, because its
worker was thought to be lost, finds the result of the first attempt.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from latentlink.cluster import claimed, wait_a_moment
from latentlink.rank.checkpoint import Checkpoint
from latentlink.rank.engine import Plan, fit_members
from latentlink.rank.results import Member
from latentlink.rank.ridge import Trial, try_ridges

__all__ = ["fit_and_store", "try_and_store"]

T = TypeVar("T")


def fit_and_store(
    plan: Plan, rank: int, block: range, checkpoint: Checkpoint | None, is_shared: bool = False
) -> list[Member] | None:
    """Return the members of a block at a rank: stored ones, or fitted and then stored.

    Where the folder of the checkpoint is not visible they are fitted, and whoever waits for them stores them.
    If other processes work in the folder, the result is None while one of them has claimed the task.
    """
    if checkpoint is None or not checkpoint.is_visible:
        return fit_members(plan, rank, block)
    return _stored_or_made(
        lambda: checkpoint.members(rank, block),
        lambda: fit_members(plan, rank, block),
        lambda members: checkpoint.store_members(rank, block, members),
        claimed(checkpoint.claim(rank, block)) if is_shared else nullcontext(True),
    )


def try_and_store(
    plan: Plan, rank: int, checkpoint: Checkpoint | None, is_shared: bool = False
) -> list[Trial] | None:
    """Return the trials of ridges at a rank: stored ones, or made and stored."""
    if checkpoint is None or not checkpoint.is_visible:
        return try_ridges(plan, rank)
    return _stored_or_made(
        lambda: checkpoint.trials(rank),
        lambda: try_ridges(plan, rank),
        lambda trials: checkpoint.store_trials(rank, trials),
        claimed(checkpoint.claim(rank)) if is_shared else nullcontext(True),
    )


def _stored_or_made(
    load: Callable[[], T | None],
    make: Callable[[], T],
    store: Callable[[T], None],
    claim: AbstractContextManager[bool],
) -> T | None:
    result = load()
    if result is not None:
        return result
    with claim as is_ours:
        result = load()  # it may have been stored just before the claim
        if result is None and is_ours:
            result = make()
            store(result)
    if result is None:
        wait_a_moment()
    return result
