"""The whole search: ranks are visited, each (rank, block of members) a task of its own, and one is chosen."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import DataWarning, IncompatibleError, LatentLinkError
from latentlink.network import Ensemble
from latentlink.parallel import run, worker_count
from latentlink.rank.engine import Plan, fit_members, summarise, with_drawn_members
from latentlink.rank.keeping import Keeper
from latentlink.rank.results import Choice, Member, RankPath, RankRecord
from latentlink.rank.ridge import RidgeChoice, choose_ridge, probe_ranks
from latentlink.rank.searches import RankSearch, Upward, as_search
from latentlink.rank.selection import Selection
from latentlink.solvers import Solver
from latentlink.solvers.empty import warn_of_empty
from latentlink.solvers.needs import check_needs

__all__ = ["Found", "Progress", "find_rank"]


@dataclass(frozen=True)
class Progress:
    """How far a search has come: what a callback is told.

    Attributes
    ----------
    done, total : int
        Tasks finished, and all that are known so far to be needed.
    rank : int or None
        The choice among the ranks finished so far.
    seconds_left : float or None
        How long the rest will take at the pace so far.
    """

    done: int
    total: int
    rank: int | None
    seconds_left: float | None


@dataclass(frozen=True, eq=False)
class Found:
    """What a rank search found.

    Attributes
    ----------
    path : RankPath
        All ranks visited.
    choice : Choice
        The chosen one.
    solver : Solver
        The solver as it was used: its ridge is a number.
    ridge : RidgeChoice or None
        How the ridge was chosen, if it was.
    complete : bool
        Whether the search came to its end; else it was cancelled, and the path is what was done until then.
    """

    path: RankPath
    choice: Choice
    solver: Solver
    ridge: RidgeChoice | None = None
    complete: bool = True


def find_rank(
    plan: Plan,
    ranks: Iterable[int] | RankSearch | int | None,
    selection: Selection,
    *,
    n_jobs: int | None = None,
    executor: Executor | None = None,
    callback: Callable[[Progress], object] | None = None,
    folder: str | Path | None = None,
) -> Found:
    """Fit an ensemble at every rank that the search asks for, and choose one.

    Parameters
    ----------
    plan : Plan
        Data, solver, regime, members and seed.
    ranks : iterable of int, RankSearch or None
        Which ranks to visit; None searches upwards.
    selection : Selection
        The rule that chooses.
    n_jobs : int or None
        Threads.
    executor : Executor, optional
        Where tasks run instead.
    callback : callable, optional
        Told of the progress after each task. If it returns False the search is cancelled: the ranks that are
        finished make a path, of which one is chosen.
    folder : path, optional
        Where finished tasks are kept; a second search with the same data and settings does only the rest.
    """
    search = as_search(ranks)
    check_plan(plan, selection)
    if isinstance(search, Upward) and not plan.regime.speckle:
        raise IncompatibleError(
            "A search upwards ends when held-out errors have turned, but speckle=0 holds nothing out. Name "
            "the ranks, such as range(1, 11), or give the regime a speckle."
        )
    worker_count(n_jobs)
    most = min(plan.network.shape)
    automatic = getattr(plan.solver, "ridge", None) == "auto" and bool(plan.regime.speckle)
    probes = probe_ranks(search.probes(most)) if automatic else ()
    keeper = None if folder is None else Keeper(folder, plan, probes)
    warn_of_empty(Ensemble.of(plan.network))
    ridge = _ridge(plan.without_hidden(), probes, keeper) if automatic else None
    if ridge is not None:
        plan = replace(plan, solver=clone(plan.solver).set_params(ridge=ridge.ridge))
    work = _Work(plan.without_hidden(), selection, keeper, callback)
    complete = True
    while complete and (following := search.following(work.path, selection, most)):
        complete = work.visit(following, n_jobs, executor)
    if not len(work.path):
        raise LatentLinkError("The search was cancelled before any rank was finished.")
    choice = selection.choose(work.path)
    _warn(plan, work.path[choice.rank], choice)
    work.records[choice.rank] = with_drawn_members(work.plan, work.path[choice.rank])
    return Found(work.path, choice, plan.solver, ridge, complete)


def check_plan(plan: Plan, selection: Selection) -> None:
    """Refuse settings and data that do not fit together, before any work."""
    plan.regime.check()
    selection.check()
    plan.solver.check_settings()
    check_needs(plan.solver, plan.network)
    plan.regime.perturb.check(plan.network)
    if plan.solver.logistic and not plan.regime.perturb.keeps_binary:
        raise IncompatibleError(
            f"{type(plan.solver).__name__} has a logistic loss and {plan.regime.perturb} changes values: at "
            "1.01 the cross-entropy has no minimum. Perturb by Bootstrap() or BooleanFlip() instead."
        )
    if plan.solver.needs_unit_weights and not plan.regime.perturb.keeps_weights:
        raise IncompatibleError(
            f"{type(plan.solver).__name__} counts every known entry once, but {plan.regime.perturb} weighs "
            "them at random. Perturb by UniformScale() instead, or choose WNMF."
        )
    if isinstance(plan.solver.ridge_used, tuple):
        raise IncompatibleError(
            f"{type(plan.solver).__name__} has ridge={plan.solver.ridge_used!r}; a search takes one number "
            'for all members, or "auto" to choose it.'
        )


def _ridge(plan: Plan, probes: Sequence[int], keeper: Keeper | None) -> RidgeChoice:
    known = keeper.ridge() if keeper else None
    choice = choose_ridge(plan, probes) if known is None else known
    if keeper and known is None:
        keeper.keep_ridge(choice)
    return choice


@dataclass
class _Work:
    """Tasks done and to be done."""

    plan: Plan
    selection: Selection
    keeper: Keeper | None
    callback: Callable[[Progress], object] | None
    records: dict[int, RankRecord] = field(default_factory=dict)
    done: int = 0
    total: int = 0
    begun: float = field(default_factory=time.monotonic)

    @property
    def path(self) -> RankPath:
        return RankPath(tuple(self.records[rank] for rank in sorted(self.records)))

    def visit(self, ranks: Sequence[int], n_jobs: int | None, executor: Executor | None) -> bool:
        """Fit all members at some ranks; return whether to go on."""
        blocks = self.plan.blocks
        parts: dict[int, dict[range, list[Member]]] = {rank: {} for rank in ranks}
        tasks = [(self.plan, rank, block) for rank in ranks for block in blocks]
        self.total += len(tasks)
        if self.keeper:
            kept = {(rank, block): self.keeper.members(rank, block) for _, rank, block in tasks}
            tasks = [task for task in tasks if kept[task[1:]] is None]
            for (rank, block), members in kept.items():
                if members is not None and not self._finish(parts, rank, block, members):
                    return False
        for (_, rank, block), members in run(fit_members, tasks, n_jobs, executor):
            if self.keeper:
                self.keeper.keep_members(rank, block, members)
            if not self._finish(parts, rank, block, members):
                return False
        return True

    def _finish(
        self, parts: dict[int, dict[range, list[Member]]], rank: int, block: range, members: list[Member]
    ) -> bool:
        """Take in what a task has found; return whether to go on."""
        parts[rank][block] = members
        self.done += 1
        blocks = self.plan.blocks
        if len(parts[rank]) == len(blocks):
            whole = [member for each in blocks for member in parts[rank].pop(each)]
            self.records[rank] = summarise(self.plan, rank, whole)
        if self.callback is None:
            return True
        pace = (time.monotonic() - self.begun) / self.done
        best = self.selection.choose(self.path).rank if self.records else None
        return (
            self.callback(Progress(self.done, self.total, best, pace * (self.total - self.done))) is not False
        )


def _warn(plan: Plan, record: RankRecord, choice: Choice) -> None:
    """Tell once what a user should know of the choice and of the members behind it."""
    if choice.status == "unstable":
        warnings.warn(
            f"No rank is stable: {choice.reason}. Rank {choice.rank} is a best guess; look at the path "
            "before you rely on its components.",
            DataWarning,
            stacklevel=4,
        )
    unfinished = plan.n_members - record.converged
    if unfinished > plan.n_members / 2:
        warnings.warn(
            f"{type(plan.solver).__name__} stopped after max_iter={plan.solver.max_iter} sweeps, before the "
            f"loss stood still, in {unfinished} of {plan.n_members} members at rank {record.rank}. Raise "
            "max_iter, or tol if that is close enough.",
            ConvergenceWarning,
            stacklevel=4,
        )
