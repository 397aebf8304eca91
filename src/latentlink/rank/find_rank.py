"""The whole search: ranks are visited, each (rank, block of members) a task of its own, and one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import IncompatibleError, LatentLinkError, RankWarning, warn_user
from latentlink.network import Ensemble
from latentlink.parallel import Crew
from latentlink.rank.checkpoint import Keeper
from latentlink.rank.engine import Plan, with_drawn_members
from latentlink.rank.results import Choice, RankPath
from latentlink.rank.ridge import RidgeChoice, probe_ranks
from latentlink.rank.scheduler import Progress, Teller, Work
from latentlink.rank.search_strategies import Every, RankSearch, Upward, as_search
from latentlink.rank.selection import Selection
from latentlink.solvers import Solver
from latentlink.solvers.descent.empty_lines import warn_of_empty

__all__ = ["Found", "find_rank"]


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
    if plan.n_members == 1 and not plan.regime.speckle and not _is_one(search):
        raise IncompatibleError(
            "One member shows no stability, and speckle=0 holds nothing out: nothing tells one rank from "
            "another. Name a single rank, or take more members (n_perturbs) or a speckle."
        )
    most = min(plan.network.shape)
    likely = search.probes(most)
    automatic = getattr(plan.solver, "ridge", None) == "auto"
    probes = probe_ranks(likely) if automatic and plan.regime.speckle else ()
    with Crew(n_jobs, executor) as crew:
        keeper = None if folder is None else Keeper(folder, plan)
        warn_of_empty(Ensemble.of(plan.network))
        work = Work(plan.without_hidden(), selection, keeper, crew, Teller(callback))
        work.announce(search.following(work.path, selection, most))
        ridge = work.ridge(probes) if automatic else None
        complete = not work.cancelled
        while complete and (following := search.following(work.path, selection, most)):
            complete = work.visit(following)
    if not len(work.path):
        raise LatentLinkError("The search was cancelled before any rank was finished.")
    choice = selection.choose(work.path)
    _warn(work.plan, work.path, choice)
    work.records[choice.rank] = with_drawn_members(work.plan, work.path[choice.rank])
    return Found(work.path, choice, work.plan.solver, ridge, complete)


def _what_was_missing(plan: Plan) -> str:
    if plan.n_members == 1:
        return "Two members or more (n_perturbs) would show how stable it is."
    if not plan.regime.speckle:
        return "A regime with a speckle would hold some known entries out."
    return "Too little is known of each row and column to hold some of it out."


def _is_one(search: RankSearch) -> bool:
    return isinstance(search, Every) and len(set(search.ranks)) == 1


def check_plan(plan: Plan, selection: Selection) -> None:
    """Refuse settings and data that do not fit together, before any work."""
    plan.regime.check()
    selection.check()
    plan.solver.check(plan.network)
    plan.regime.perturb.check(plan.network)
    if plan.solver.logistic and not plan.regime.perturb.keeps_binary:
        raise IncompatibleError(
            f"{type(plan.solver).__name__} has a logistic loss and {plan.regime.perturb} changes values: at "
            "1.01 the cross-entropy has no minimum. Perturb by AsIs(), Bootstrap() or BooleanFlip() instead."
        )
    if plan.solver.needs_unit_weights and not plan.regime.perturb.keeps_weights:
        raise IncompatibleError(
            f"{type(plan.solver).__name__} counts every known entry once, but {plan.regime.perturb} weighs "
            "them at random. Perturb by UniformScale() instead, or choose WNMF."
        )
    if plan.solver.needs_unit_weights and plan.regime.speckle and 0 < plan.network.background < 1:
        raise IncompatibleError(
            f"{type(plan.solver).__name__} counts every known entry once, but unlisted entries weigh "
            f"{plan.network.background:g} here, and some are held out of each member. Choose WNMF, a "
            "background of 0 or 1, or a regime with speckle=0."
        )
    if plan.solver.logistic and plan.regime.is_boolean:
        raise IncompatibleError(
            f"{type(plan.solver).__name__} has factors of both signs, which mean nothing once they are cut "
            "to 0 and 1. Choose BNMF, WNMF or NMF in the Boolean regime, or the real one: regime=None."
        )
    if isinstance(plan.solver.ridge_used, tuple):
        raise IncompatibleError(
            f"{type(plan.solver).__name__} has ridge={plan.solver.ridge_used!r}; a search takes one number "
            'for all members, or "auto" to choose it.'
        )


def _warn(plan: Plan, path: RankPath, choice: Choice) -> None:
    """Tell once what a user should know of the choice and of the members behind it."""
    record = path[choice.rank]
    if choice.status == "unstable" and len(path) == 1:
        warn_user(
            f"Rank {choice.rank} is not stable: {choice.reason}. Do not rely on its components.", RankWarning
        )
    elif choice.status == "unstable":
        warn_user(
            f"No rank is stable: {choice.reason}. Rank {choice.rank} is a best guess; look at the path "
            "before you rely on its components.",
            RankWarning,
        )
    elif choice.status == "unconfirmed" and len(path) > 1:
        warn_user(
            f"Rank {choice.rank} is not confirmed: {choice.reason}. {_what_was_missing(plan)}", RankWarning
        )
    unfinished = plan.n_members - record.converged
    if unfinished > plan.n_members / 2:
        warn_user(
            f"{type(plan.solver).__name__} stopped after max_iter={plan.solver.max_iter} sweeps, before the "
            f"loss stood still, in {unfinished} of {plan.n_members} members at rank {record.rank}. Raise "
            "max_iter, or tol if that is close enough.",
            ConvergenceWarning,
        )
