"""The whole rank search: which ranks to visit, each (rank, block of members) a task of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from latentlink.rank.engine import Plan, fit_members, summarise
from latentlink.rank.results import Choice, RankPath
from latentlink.rank.selection import Selection
from latentlink.solvers import Solver

__all__ = ["Found", "Progress", "find_rank"]


@dataclass(frozen=True)
class Progress:
    """How far a search has come: what a callback is told.

    Attributes
    ----------
    done, total : int
        Tasks finished, and all that are known so far to be needed.
    rank : int or None
        The best rank so far by held-out error.
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
    complete : bool
        Whether the search came to its end; else it was cancelled, and the path is what was done until then.
    """

    path: RankPath
    choice: Choice
    solver: Solver
    complete: bool = True


def find_rank(
    plan: Plan,
    ranks: Iterable[int] | None,
    selection: Selection,
    *,
    n_jobs: int | None = None,
    executor: Executor | None = None,
    callback: Callable[[Progress], object] | None = None,
    folder: str | Path | None = None,
) -> Found:
    """Fit an ensemble at every rank and choose one."""
    records = tuple(
        summarise(plan, rank, fit_members(plan, rank, range(plan.n_members))) for rank in ranks or range(1, 9)
    )
    path = RankPath(records)
    return Found(path, selection.choose(path), plan.solver)
