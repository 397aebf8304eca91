"""Tasks of a rank search that other processes run: each stores its result before it returns it.

So what is computed is not lost if the process that waits for it is, and a task that is repeated, because its
worker was thought to be lost, finds the result of the first attempt.
"""

from __future__ import annotations

from latentlink.rank.checkpoint import Checkpoint
from latentlink.rank.engine import Plan, fit_members
from latentlink.rank.results import Member
from latentlink.rank.ridge import Trial, try_ridges

__all__ = ["fit_and_store", "try_and_store"]


def fit_and_store(plan: Plan, rank: int, block: range, checkpoint: Checkpoint | None) -> list[Member]:
    """Return the members of a block at a rank: stored ones, or fitted and then stored.

    Where the folder of the checkpoint is not visible they are fitted, and whoever waits for them stores them.
    """
    if checkpoint is None or not checkpoint.is_visible:
        return fit_members(plan, rank, block)
    members = checkpoint.members(rank, block)
    if members is None:
        members = fit_members(plan, rank, block)
        checkpoint.store_members(rank, block, members)
    return members


def try_and_store(plan: Plan, rank: int, checkpoint: Checkpoint | None) -> list[Trial]:
    """Return the trials of ridges at a rank: stored ones, or made and then stored."""
    if checkpoint is None or not checkpoint.is_visible:
        return try_ridges(plan, rank)
    trials = checkpoint.trials(rank)
    if trials is None:
        trials = try_ridges(plan, rank)
        checkpoint.store_trials(rank, trials)
    return trials
