"""Scheduling of the tasks of a rank search, with checkpoints and progress callbacks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from sklearn.base import clone

from latentlink.parallel import TaskPool
from latentlink.progress.search_progress import ProgressReporter
from latentlink.progress.task_costs import draw_cost, fit_cost, summary_cost, trial_cost
from latentlink.progress.task_pace import Task, costs_of
from latentlink.rank.checkpoint import Checkpoint
from latentlink.rank.engine import Plan, fit_members, summarise
from latentlink.rank.results import Member, RankPath, RankRecord
from latentlink.rank.ridge import (
    RidgeChoice,
    Trial,
    choose_ridge,
    fallback_ridge,
    fits_of_trial,
    least_errors,
    try_ridges,
)
from latentlink.rank.searches.search_strategies import RankSearch
from latentlink.rank.selection import Selection
from latentlink.rank.stored_tasks import fit_and_store, try_and_store

__all__ = ["Scheduler"]

T = TypeVar("T")

_LEAST_OF_NEXT = 0.7  # share of the time of a rank that is left when it is begun: estimates are rough
_MOST_OF_TRIALS = 0.25  # share of the time left that trials of ridges at a further rank may take


@dataclass
class Scheduler:
    """Runs the tasks of a rank search: trials of ridges, blocks of members, summaries of ranks.

    Attributes
    ----------
    plan : Plan
        Data and settings; its solver gets the ridge once that is chosen.
    selection : Selection
        The rule that chooses the rank, for the search and the progress callback.
    search : RankSearch
        Decides which ranks are visited.
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
    following : tuple of int
        The ranks to visit next; empty at the end.
    cancelled : bool
        Whether the callback has cancelled the search during the trials of ridges.
    """

    plan: Plan
    selection: Selection
    search: RankSearch
    checkpoint: Checkpoint | None
    pool: TaskPool
    progress: ProgressReporter
    records: dict[int, RankRecord] = field(default_factory=dict)
    parts: dict[int, dict[range, list[Member]]] = field(default_factory=dict)
    following: tuple[int, ...] = ()
    cancelled: bool = False
    _fitted: set[int] = field(default_factory=set)

    @property
    def out_of_time(self) -> bool:
        """Whether the deadline has passed, or will long before the next rank is finished.

        A search then ends as soon as a rank is finished.
        """
        left = self.progress.deadline - time.monotonic()
        if left <= 0 or not self.progress.pace.settled:
            return left <= 0
        return left < _LEAST_OF_NEXT * min(self._expected_seconds(), default=0.0)

    def _expected_seconds(self) -> Iterator[float]:
        """Yield what each of the ranks that follow is expected to take still."""
        for rank in self.following:
            if rank not in self.records:
                found = self.plan.blocks if rank in self._fitted else self.parts.get(rank, {})
                blocks = [self._fit(rank, block) for block in self.plan.blocks if block not in found]
                yield self.progress.pace.seconds(costs_of([*blocks, self._summary(rank)]))

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
            tried = self._all_trials(probes)
            if tried is None:
                return None
            choice = choose_ridge(self.plan, tried)
            if self.checkpoint:
                choice = self.checkpoint.store_ridge(choice)
        solver = self.plan.solver
        if choice.tried:
            chosen = solver.with_ridge(choice.ridge, solver.ridge_scale(self.plan.network))
        else:
            chosen = clone(solver).set_params(ridge=choice.ridge)
        self.plan = replace(self.plan, solver=chosen)
        return choice

    def _all_trials(self, probes: Sequence[int]) -> list[Trial] | None:
        """Return the trials of ridges at some ranks, and at further ones for prediction; None if cancelled.

        A ridge that is best for prediction at small ranks, or none, may let members fly off at larger ones.
        """
        trials: list[Trial] = []
        following: Sequence[int] = probes
        while following:
            tried = self._tried_ridges(following)
            if tried is None:
                return None
            trials += [trial for rank in following for trial in tried.get(rank, ())]
            further = None
            if self.plan.ridge_by_ensemble and set(following) <= tried.keys():
                further = self.search.further_probe(
                    least_errors(self.plan, trials), min(self.plan.network.shape)
                )
            following = () if further is None or not self._has_time_to_try(further) else (further,)
        return trials

    def _has_time_to_try(self, rank: int) -> bool:
        """Whether the trials at a further rank leave most of the time that is left to the search itself.

        In a folder the ridge is chosen for all searches to come, whatever time this one has.
        """
        left = self.progress.deadline - time.monotonic()
        expected = self.progress.pace.seconds(costs_of([self._trial(rank)]))
        return self.checkpoint is not None or expected <= _MOST_OF_TRIALS * left

    def _tried_ridges(self, probes: Sequence[int]) -> dict[int, list[Trial]] | None:
        """Return the trials of ridges at some ranks, loaded or computed; None if cancelled."""
        self.progress.expect([self._trial(rank) for rank in probes])
        tried: dict[int, list[Trial]] = {}
        for rank in self._ordered(probes):
            stored = self.checkpoint.trials(rank) if self.checkpoint else None
            if stored is None:
                self._add_trial(rank)
            elif not self._collect_trials(tried, rank, stored, loaded=True):
                return None
        for _, (_, rank, *_), trials in self._completed():
            if self.checkpoint and not (self.pool.is_remote and self.checkpoint.has_trials(rank)):
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
        self.cancelled = not self.progress.report(self._trial(rank), lambda: None, loaded)
        return not self.cancelled

    def _trial(self, rank: int) -> Task:
        return Task("trial", rank, trial_cost(rank, fits_of_trial(self.plan)))

    def look_ahead(self) -> None:
        """Ask the search which ranks follow, and announce them and what is expected after them."""
        path, selection, max_rank = self.path, self.selection, min(self.plan.network.shape)
        self.following = self.search.following(path, selection, max_rank)
        if self.progress.callback is None:
            return
        self.progress.expect(self._tasks(self.following))
        ahead = path, self.following, selection, max_rank
        self.progress.likely = self._tasks(self.search.likely(*ahead))
        self.progress.further = self._tasks(self.search.further(*ahead))
        if self.plan.draws_members:
            rank = self._choice() or self.following[len(self.following) // 2]
            self.progress.closing = (Task("draw", rank, draw_cost(rank, self.plan.n_members)),)

    def _tasks(self, ranks: Sequence[int]) -> list[Task]:
        """Return the tasks of some ranks: blocks of members, and a summary of each rank."""
        blocks = [self._fit(rank, block) for rank in ranks for block in self.plan.blocks]
        return blocks + [self._summary(rank) for rank in ranks]

    def _fit(self, rank: int, block: range) -> Task:
        return Task("fit", rank, fit_cost(rank, len(block)))

    def _summary(self, rank: int) -> Task:
        return Task("summary", rank, summary_cost(rank, self.plan.n_members))

    def visit(self, ranks: Sequence[int]) -> bool:
        """Fit all members at some ranks and summarise each rank; return False if cancelled or out of time."""
        tasks = [(rank, block) for rank in ranks for block in self.plan.blocks]
        self.parts = {rank: {} for rank in ranks}
        for rank, block in self._ordered(tasks):
            members = self.checkpoint.members(rank, block) if self.checkpoint else None
            if members is None:
                self._add_fit(rank, block)
            elif not self._collect(rank, block, members, loaded=True):
                return False
        complete = True
        for function, (_, rank, block, *_), result in self._completed():
            if function is summarise:
                proceed = self._collect_record(result, ranks)
            else:
                proceed = self._collect(rank, block, result)
            if not proceed:
                return False
            # Ranks whose members are fitted need their summary alone.
            if self.records and self.out_of_time and self.pool.clear(keep=summarise):
                complete = False
        return complete

    @property
    def _storing(self) -> tuple[Checkpoint | None, bool]:
        """Arguments of tasks that store their results: where, and whether other processes work there too."""
        return self.checkpoint, self.pool.share is not None

    def _completed(self) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...], Any]]:
        """Yield completed tasks; those that are under way in another process wait at the end of the queue."""
        for function, args, result in self.pool.completed():
            if result is None:
                self.pool.add(function, *args)
            else:
                yield function, args, result

    def _ordered(self, tasks: Sequence[T]) -> Sequence[T]:
        """Return tasks in the order in which this process takes them."""
        return tasks if self.pool.share is None else self.pool.share.ordered(tasks)

    def _add_trial(self, rank: int) -> None:
        """Add the task of trying ridges at a rank; another process stores what it finds."""
        function, args = (try_and_store, self._storing) if self.pool.is_remote else (try_ridges, ())
        cost = trial_cost(rank, fits_of_trial(self.plan))
        self.pool.add(function, self.plan, rank, *args, name=f"ridges at rank {rank}", cost=cost)

    def _add_fit(self, rank: int, block: range) -> None:
        """Add the task of fitting a block of members at a rank; another process stores them."""
        function, args = (fit_and_store, self._storing) if self.pool.is_remote else (fit_members, ())
        name = f"rank {rank}, members {block[0]} to {block[-1]}"
        self.pool.add(function, self.plan, rank, block, *args, name=name, cost=fit_cost(rank, len(block)))

    def _collect(self, rank: int, block: range, members: list[Member], loaded: bool = False) -> bool:
        """Collect the members of a block, and add the summary task once all are there; False if cancelled."""
        stored = loaded or (
            self.pool.is_remote and self.checkpoint and self.checkpoint.has_members(rank, block)
        )
        if self.checkpoint and not stored:
            self.checkpoint.store_members(rank, block, members)
        parts = self.parts[rank]
        parts[block] = members
        if len(parts) == len(self.plan.blocks):
            ensemble = [member for part in self.plan.blocks for member in parts.pop(part)]
            self._fitted.add(rank)
            cost = summary_cost(rank, self.plan.n_members)
            self.pool.add(
                summarise, self.plan, rank, ensemble, first=True, name=f"summary of rank {rank}", cost=cost
            )
        return self.progress.report(self._fit(rank, block), self._choice, loaded)

    def _collect_record(self, record: RankRecord, ranks: Sequence[int]) -> bool:
        """Collect the record of a rank, the last one of some ranks with a look ahead; False if cancelled."""
        self.records[record.rank] = record
        if self.records.keys() >= set(ranks):  # before the report, which says what is left
            self.look_ahead()
        return self.progress.report(self._summary(record.rank), self._choice)

    def _choice(self) -> int | None:
        """Return the rank chosen among those finished; None if there are none."""
        return self.selection.choose(self.path).rank if self.records else None
