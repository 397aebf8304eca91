"""Scheduling of the tasks of a rank search, with checkpoints and progress callbacks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from sklearn.base import clone

from latentlink.parallel import TaskPool
from latentlink.progress import Callback, Progress, cancels
from latentlink.progress.task_costs import fit_cost, summary_cost, trial_cost
from latentlink.rank.checkpoint import Checkpoint
from latentlink.rank.engine import Plan, fit_members, summarise
from latentlink.rank.results import Member, RankPath, RankRecord
from latentlink.rank.ridge import (
    RidgeChoice,
    Trial,
    choose_ridge,
    fallback_ridge,
    fits_of_trial,
    try_ridges,
)
from latentlink.rank.selection import Selection

__all__ = ["ProgressReporter", "Scheduler"]


@dataclass
class ProgressReporter:
    """Counts tasks and their cost, and calls the progress callback.

    The cost of a task gives the estimate of the remaining time, see `latentlink.progress.task_costs`.

    Attributes
    ----------
    callback : callable or None
        Receives a `Progress` after each task, and once at the end.
    done, total : int
        Number of tasks finished, and of all tasks announced.
    cost_left, cost_done, cost_computed : float
        Cost of the tasks not finished, of those finished, and of those of them that were computed rather than
        loaded from a checkpoint.
    share : float
        The largest share of the expected work that was reported as done.
    likely : sequence of float
        Costs of tasks that are likely to follow, but not announced yet.
    start_time, deadline : float
        When the search started, and when it ends at the latest, in seconds.
    """

    callback: Callback | None
    done: int = 0
    total: int = 0
    cost_left: float = 0.0
    cost_done: float = 0.0
    cost_computed: float = 0.0
    share: float = 0.0
    likely: Sequence[float] = ()
    start_time: float = field(default_factory=time.monotonic)
    deadline: float = float("inf")

    def expect(self, costs: Sequence[float]) -> None:
        """Announce tasks by their costs."""
        self.total += len(costs)
        self.cost_left += sum(costs)

    def report(self, cost: float, rank: Callable[[], int | None], loaded: bool = False) -> bool:
        """Count a finished task and call the callback; return False if it cancels the search.

        Parameters
        ----------
        cost : float
            The cost of the task.
        rank : callable
            Returns the choice so far; only called if there is a callback.
        loaded : bool, default=False
            Whether the task was loaded from a checkpoint; its time then does not enter the estimate.
        """
        self.done += 1
        self.cost_left -= cost
        self.cost_done += cost
        self.cost_computed += 0.0 if loaded else cost
        if self.callback is None:
            return True
        left = self.cost_left + sum(self.likely)
        self.share = max(self.share, self.cost_done / (self.cost_done + left) if left > 0 else 1.0)
        pace = (time.monotonic() - self.start_time) / self.cost_computed if self.cost_computed else None
        seconds_left = None if pace is None else min(pace * max(left, 0.0), self._until_deadline())
        total = self.total + len(self.likely)
        return not cancels(self.callback(Progress(self.done, total, rank(), seconds_left, self.share)))

    def _until_deadline(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def finish(self, rank: int, complete: bool) -> None:
        """Call the callback a last time, with the chosen rank; of an incomplete search the share stays."""
        if self.callback is not None:
            share = 1.0 if complete else self.share
            self.callback(Progress(self.done, self.done, rank, 0.0, share, finished=True))


@dataclass
class Scheduler:
    """Runs the tasks of a rank search: trials of ridges, blocks of members, summaries of ranks.

    Attributes
    ----------
    plan : Plan
        Data and settings; its solver gets the ridge once that is chosen.
    selection : Selection
        The rule that chooses the rank, for the progress callback.
    checkpoint : Checkpoint or None
        Where finished tasks are stored.
    pool : TaskPool
        Runs the tasks.
    progress : ProgressReporter
        Calls the progress callback.
    records : dict
        The record of each finished rank.
    parts : dict
        For each rank under way, the members of each finished block.
    announced : set of int
        Ranks whose tasks are counted in the progress.
    cancelled : bool
        Whether the callback has cancelled the search during the trials of ridges.
    """

    plan: Plan
    selection: Selection
    checkpoint: Checkpoint | None
    pool: TaskPool
    progress: ProgressReporter
    records: dict[int, RankRecord] = field(default_factory=dict)
    parts: dict[int, dict[range, list[Member]]] = field(default_factory=dict)
    announced: set[int] = field(default_factory=set)
    cancelled: bool = False

    @property
    def out_of_time(self) -> bool:
        """Whether the deadline has passed; a search then ends as soon as a rank is finished."""
        return time.monotonic() >= self.progress.deadline

    @property
    def path(self) -> RankPath:
        """The path of the finished ranks."""
        return RankPath(tuple(self.records[rank] for rank in sorted(self.records)))

    def ridge(self, probes: Sequence[int]) -> RidgeChoice | None:
        """Choose the ridge by trials at some ranks, or load the stored choice; None if cancelled.

        The solver of the plan gets the chosen ridge.
        """
        choice = self.checkpoint.ridge() if self.checkpoint else None
        if choice is None and not probes:
            choice = fallback_ridge(self.plan, "nothing is held out, so that ridges cannot be compared")
        if choice is None:
            tried = self._tried_ridges(probes)
            if tried is None:
                return None
            choice = choose_ridge(self.plan, [trial for rank in probes for trial in tried.get(rank, ())])
            if self.checkpoint:
                choice = self.checkpoint.store_ridge(choice)
        solver = self.plan.solver
        if choice.tried:
            chosen = solver.with_ridge(choice.ridge, solver.ridge_scale(self.plan.network))
        else:
            chosen = clone(solver).set_params(ridge=choice.ridge)
        self.plan = replace(self.plan, solver=chosen)
        return choice

    def _tried_ridges(self, probes: Sequence[int]) -> dict[int, list[Trial]] | None:
        """Return the trials of ridges at some ranks, loaded or computed; None if cancelled."""
        self.progress.expect([self._trial_cost(rank) for rank in probes])
        tried: dict[int, list[Trial]] = {}
        for rank in probes:
            stored = self.checkpoint.trials(rank) if self.checkpoint else None
            if stored is None:
                self.pool.add(try_ridges, self.plan, rank)
            elif not self._collect_trials(tried, rank, stored, loaded=True):
                return None
        for _, (_, rank), trials in self.pool.completed():
            if self.checkpoint:
                self.checkpoint.store_trials(rank, trials)
            if not self._collect_trials(tried, rank, trials):
                return None
            # In a folder the ridge is chosen for all searches to come, so all trials are made.
            if self.out_of_time and self.checkpoint is None:
                self.pool.clear()
        return tried

    def _collect_trials(
        self, tried: dict[int, list[Trial]], rank: int, trials: list[Trial], loaded: bool = False
    ) -> bool:
        """Collect the trials at a rank; return False if the callback cancels the search."""
        tried[rank] = trials
        self.cancelled = not self.progress.report(self._trial_cost(rank), lambda: None, loaded)
        return not self.cancelled

    def _trial_cost(self, rank: int) -> float:
        return trial_cost(rank, fits_of_trial(self.plan))

    def announce(self, ranks: Sequence[int], likely: Sequence[int] = ()) -> None:
        """Count the tasks of ranks that will be visited in the progress; each rank once.

        Ranks that are only ``likely`` to be visited afterwards enter the estimate of the time left.
        """
        new = [rank for rank in ranks if rank not in self.announced]
        self.announced.update(new)
        self.progress.expect(self._costs(new))
        self.progress.likely = self._costs(likely)

    def _costs(self, ranks: Sequence[int]) -> list[float]:
        """Return the costs of the tasks of some ranks: blocks of members, and a summary of each rank."""
        blocks = [fit_cost(rank, len(block)) for rank in ranks for block in self.plan.blocks]
        return blocks + [summary_cost(rank, self.plan.n_members) for rank in ranks]

    def visit(self, ranks: Sequence[int]) -> bool:
        """Fit all members at some ranks and summarise each rank; return False if cancelled or out of time."""
        tasks = [(rank, block) for rank in ranks for block in self.plan.blocks]
        self.parts = {rank: {} for rank in ranks}
        for rank, block in tasks:
            members = self.checkpoint.members(rank, block) if self.checkpoint else None
            if members is None:
                self.pool.add(fit_members, self.plan, rank, block)
            elif not self._collect(rank, block, members, loaded=True):
                return False
        for function, (_, rank, block), result in self.pool.completed():
            if function is summarise:
                self.records[rank] = result
                proceed = self.progress.report(summary_cost(rank, self.plan.n_members), self._choice)
            else:
                if self.checkpoint:
                    self.checkpoint.store_members(rank, block, result)
                proceed = self._collect(rank, block, result)
            if not proceed or (self.records and self.out_of_time):
                return proceed and not self.pool.has_tasks
        return True

    def _collect(self, rank: int, block: range, members: list[Member], loaded: bool = False) -> bool:
        """Collect the members of a block, and add the summary task once all are there; False if cancelled."""
        parts = self.parts[rank]
        parts[block] = members
        if len(parts) == len(self.plan.blocks):
            ensemble = [member for part in self.plan.blocks for member in parts.pop(part)]
            self.pool.add(summarise, self.plan, rank, ensemble, first=True)
        return self.progress.report(fit_cost(rank, len(block)), self._choice, loaded)

    def _choice(self) -> int | None:
        """Return the rank chosen among those finished; None if there are none."""
        return self.selection.choose(self.path).rank if self.records else None
