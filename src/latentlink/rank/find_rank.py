"""The rank search: fit an ensemble at each rank that the search visits, and choose one of the ranks."""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from latentlink.cluster import is_dask_client
from latentlink.errors import IncompatibleError, LatentLinkError, RankWarning, warn_user
from latentlink.network import Ensemble
from latentlink.parallel import TaskPool, Workers, worker_count
from latentlink.progress import Callback, checked_callback
from latentlink.progress.search_progress import ProgressReporter
from latentlink.progress.work_clock import work_clock
from latentlink.rank.chain_warnings import warn_of_chains
from latentlink.rank.checkpoint import Checkpoint
from latentlink.rank.criterion import OF_ENSEMBLE
from latentlink.rank.engine import Plan, with_redrawn_members
from latentlink.rank.results import Choice, RankPath
from latentlink.rank.ridge import RidgeChoice, probe_ranks
from latentlink.rank.scheduler import Scheduler
from latentlink.rank.searches.ranks_of_user import as_search, asked_ranks
from latentlink.rank.searches.search_ends import ends_clause
from latentlink.rank.searches.search_strategies import RankSearch
from latentlink.rank.selection import Selection
from latentlink.regime import AsIs, Regime
from latentlink.solvers import Solver
from latentlink.solvers.descent.empty_lines import warn_of_empty_lines
from latentlink.solvers.devices.device_choice import devices_of
from latentlink.solvers.needs import ridges_of_members
from latentlink.validation.arguments import checked_instance, checked_path
from latentlink.validation.numbers import checked_seconds
from latentlink.validation.wording import shown_repr

__all__ = ["RankSearchResult", "check_options", "check_ranks", "check_settings", "find_rank"]


@dataclass(frozen=True, eq=False)
class RankSearchResult:
    """The result of `find_rank`.

    Attributes
    ----------
    path : RankPath
        The records of all ranks visited.
    choice : Choice
        The chosen rank.
    solver : Solver
        The solver that was used; ``ridge="auto"`` is replaced by the chosen number.
    ridge : RidgeChoice or None
        The choice of the ridge; None if the solver's ridge was given.
    complete : bool
        False if the search was cancelled or out of time; the path then has the ranks finished until then.
    """

    path: RankPath
    choice: Choice
    solver: Solver
    ridge: RidgeChoice | None
    complete: bool


def find_rank(  # noqa: PLR0913
    plan: Plan,
    ranks: Iterable[int] | RankSearch | int | None,
    selection: Selection,
    *,
    n_jobs: int | None = None,
    executor: Workers | None = None,
    callback: Callback | None = None,
    folder: str | Path | None = None,
    time_limit: float | None = None,
) -> RankSearchResult:
    """Fit an ensemble at every rank that the search visits, and choose one of the ranks.

    Each pair of a rank and a block of members is one task. Results do not depend on the number of workers.

    Parameters
    ----------
    plan : Plan
        Data, solver, regime, number of members and seed.
    ranks : iterable of int, RankSearch, int or None
        The ranks to visit; None means `Doubling`. A range ends at the smaller side of the data, and so does
        an array of consecutive numbers; a list names its ranks.
    selection : Selection
        The rule that chooses the rank.
    n_jobs : int or None, default=None
        Number of threads; None is 1, -1 is all cores.
    executor : Executor or dask.distributed.Client, optional
        Runs the tasks instead of threads.
    callback : callable, optional
        Receives a `Progress` after each task, and once at the end. If it returns False the search is
        cancelled, and the rank is chosen among those that are finished.
    folder : path, optional
        Checkpoint: finished tasks are stored here, and a second search with the same data and settings
        computes only what is missing.
    time_limit : float, optional
        Seconds after which the search ends with the best of the ranks that are finished; tasks that have
        begun and the first rank are finished in any case, and the choice says if the limit was passed.

    Returns
    -------
    RankSearchResult
    """
    check_options(folder, callback, executor, time_limit)
    worker_count(n_jobs)  # raises before a folder is created
    limit = float("inf") if time_limit is None else float(time_limit)
    max_rank = min(plan.network.shape)
    search = as_search(ranks, max_rank)
    check_plan(plan, selection)
    _check_comparable(plan, search)
    plan = replace(plan, ridge_by_ensemble=selection.criterion is OF_ENSEMBLE)
    if plan.solver.samples and search.is_single:
        plan = plan.holding_nothing_out()  # there are no ranks to compare
    check_ranks(ranks, plan.network.shape)
    likely = search.probes(max_rank)
    automatic = getattr(plan.solver, "ridge", None) == "auto"
    probes = probe_ranks(likely) if automatic and plan.regime.speckle else ()
    checkpoint = None if folder is None else Checkpoint(folder, plan)
    with work_clock(), TaskPool(n_jobs, executor, folder) as pool:
        warn_of_empty_lines(Ensemble.of(plan.network))
        fitted = replace(
            plan.without_hidden(),
            solver=plan.solver.fitted_to(plan.network),
            bounds=None if plan.solver.logistic else plan.regime.bounds(plan.network, plan.solver.biased),
        )
        scheduler = Scheduler(fitted, selection, search, checkpoint, pool, ProgressReporter(callback))
        scheduler.progress.deadline = scheduler.progress.start_time + limit
        scheduler.look_ahead()
        ridge = scheduler.ridge(probes) if automatic else None
        complete = not scheduler.cancelled
        while complete and scheduler.following:
            complete = scheduler.visit(scheduler.following)
            complete = complete and not (scheduler.following and scheduler.out_of_time)
    if not len(scheduler.path):
        raise LatentLinkError("The search was cancelled before any rank was finished.")
    choice = selection.choose(scheduler.path)
    if _is_all_zero(plan):
        reason = "no rank of zeros is better than another"
        choice = replace(choice, rank=scheduler.path.ranks[0], reason=reason, status="unconfirmed")
    elif _has_isolated_values_alone(plan):
        clause = "; the held-out error is that of zeros alone, since no other value can be predicted"
        choice = replace(choice, reason=choice.reason + clause, status="unconfirmed")
    elif complete:
        clause = ends_clause(asked_ranks(ranks), search, scheduler.path.ranks, choice.rank, max_rank)
        choice = replace(choice, reason=choice.reason + clause)
    choice = _said_to_be_cut_short(choice, scheduler, complete, limit)
    _warn(scheduler.plan, scheduler.path, choice, selection, not complete and scheduler.out_of_time)
    scheduler.records[choice.rank] = with_redrawn_members(scheduler.plan, scheduler.path[choice.rank])
    warn_of_chains(scheduler.plan.solver, scheduler.path[choice.rank])
    scheduler.progress.finish(choice.rank)
    return RankSearchResult(scheduler.path, choice, scheduler.plan.solver, ridge, complete)


def _said_to_be_cut_short(choice: Choice, scheduler: Scheduler, complete: bool, limit: float) -> Choice:
    """Return a choice whose reason says if the search ended before its end, or passed its time limit."""
    finished = scheduler.path.ranks
    reason, status = choice.reason, choice.status
    if not complete:
        visited = f"{'rank' if len(finished) == 1 else 'ranks'} {', '.join(map(str, finished))}"
        why = "at its time limit" if scheduler.out_of_time else "when it was cancelled"
        reason += f"; the search ended {why}, after {visited}"
        # One rank of a search that was to visit several agrees with nothing.
        status = "unconfirmed" if len(finished) == 1 else status
    if len(finished) == 1 and scheduler.progress.deadline < time.monotonic():
        reason += f"; it took longer than the {limit:g} s that it had, since one rank is always finished"
    return replace(choice, reason=reason, status=status)


def check_options(folder: Any, callback: Any, executor: Any, time_limit: Any) -> None:
    """Raise InputError for options of `find_rank` that are of a wrong type; each of them may be None."""
    if folder is not None:
        checked_path(folder, "folder")
    if callback is not None:
        checked_callback(callback)
    if executor is not None and not is_dask_client(executor):
        example = (
            "an Executor, that is an object such as concurrent.futures.ThreadPoolExecutor(2), or a "
            "dask.distributed.Client"
        )
        checked_instance(executor, "executor", Executor, example)
    if time_limit is not None:
        checked_seconds(time_limit, "time_limit")


def _check_comparable(plan: Plan, search: RankSearch) -> None:
    """Raise IncompatibleError if the ranks of a search could not be compared."""
    if search.needs_held_out and not plan.regime.speckle:
        raise IncompatibleError(
            f"{search} compares ranks by held-out error, but speckle=0 holds nothing out. Name the "
            "ranks, such as range(1, 11), or set a speckle above 0 in the regime, such as 0.1."
        )
    if plan.n_members == 1 and not plan.regime.speckle and not search.is_single:
        raise IncompatibleError(
            "Ranks are compared by stability and by held-out error, but one member alone has no stability, "
            "and speckle=0 holds nothing out. Name a single rank, raise n_perturbs, or set a speckle above 0 "
            "in the regime."
        )


def check_ranks(ranks: Iterable[int] | RankSearch | int | None, shape: tuple[int, int]) -> None:
    """Raise IncompatibleError for a listed rank whose factors would have more entries than the data."""
    rows, cols = shape
    largest = max(as_search(ranks, min(shape)).probes(min(shape)))
    if largest > rows + cols:
        raise IncompatibleError(
            f"The ranks go up to {shown_repr(largest)}, but the data have {rows:,} rows and {cols:,} columns,"
            f" which factors of rank {min(rows, cols):,} can already fit exactly; expected ranks up to "
            f"{rows + cols:,}, the sum of both."
        )


def _is_all_zero(plan: Plan) -> bool:
    """Return whether no known value differs from 0: there is nothing to find then."""
    return not np.any(plan.network.values[plan.network.known])


def _has_isolated_values_alone(plan: Plan) -> bool:
    """Return whether each known value is 0 or the only other one of its row and of its column."""
    network = plan.network
    some = network.known & (network.values != 0)
    rows, cols = network.rows[some], network.cols[some]
    if not (network.background or len(rows) < network.n_known):
        return False  # no zero is known
    lines = [rows, cols]
    if network.symmetric:
        lines = [np.concatenate([rows, cols[rows != cols]])]
    return all(len(np.unique(line)) == len(line) for line in lines)


def _what_was_missing(plan: Plan, path: RankPath, choice: Choice) -> str:
    """Return a sentence for the user: why a choice is unconfirmed, and what to change."""
    record = path[choice.rank]
    if record.empty == record.rank or _is_all_zero(plan):
        return _why_empty(plan)
    if _has_isolated_values_alone(plan):
        return (
            "Each known value other than 0 is the only one of its row and of its column, so that nothing is "
            "known of where others may be. Where a 0 means that nothing is known, make it NaN; else look for "
            "more data."
        )
    if plan.n_members == 1:
        return "Raise n_perturbs to 2 or more to measure stability."
    if all(len(each.members) == 1 for each in path):
        return "All members but one ended in poor local minima, so there is no stability. Raise n_perturbs."
    if not plan.regime.speckle:
        return "Set a speckle above 0 in the regime to hold some known entries out."
    return "Too few entries are known in each row and column to hold some of them out."


def _why_empty(plan: Plan) -> str:
    """Return a sentence for the user: why all components are empty, and what to change."""
    if _is_all_zero(plan):
        return (
            "All known values are 0, so that there is nothing to factorize. Where a 0 means that nothing is "
            "known, make it NaN, or list the known entries alone."
        )
    ridge = max(plan.solver.penalties)
    if plan.solver.biased and ridge:
        return (
            f"Biases alone explain the known values, or the ridge, {ridge:g}, outweighs the data. Score by "
            "the biases, or choose a smaller ridge."
        )
    if plan.solver.biased:
        return "Biases alone explain the known values. Score by them."
    if ridge:
        return f"The ridge, {ridge:g}, outweighs the data. Choose a smaller one."
    return "No component fits the known values better than zeros do."


def check_plan(plan: Plan, selection: Selection) -> None:
    """Raise IncompatibleError for data and settings that do not fit together, before any work."""
    check_settings(plan.solver, plan.regime, selection)
    plan.solver.check(plan.network)
    devices_of(plan.solver)
    plan.regime.perturb.check(plan.network)
    if plan.solver.needs_unit_weights and plan.regime.speckle and 0 < plan.network.background < 1:
        raise IncompatibleError(
            f"{type(plan.solver).__name__} needs weights of 1, but unlisted entries have the weight "
            f"{plan.network.background:g} here, and some are held out of each member. Choose WNMF, a "
            "background of 0 or 1, or a regime with speckle=0."
        )


def check_settings(solver: Solver, regime: Regime, selection: Selection) -> None:
    """Raise IncompatibleError for settings that are invalid or do not fit together, whatever the data are."""
    solver.check_settings()
    regime.check()
    selection.check()
    if solver.logistic and not regime.perturb.keeps_binary:
        raise IncompatibleError(
            f"{type(solver).__name__} has a logistic loss, which needs values 0 and 1, but {regime.perturb} "
            "changes values: at 1.01 the cross-entropy has no minimum. Perturb by AsIs(), Bootstrap() or "
            "BooleanFlip() instead."
        )
    if solver.needs_unit_weights and not regime.perturb.keeps_weights:
        raise IncompatibleError(
            f"{type(solver).__name__} needs weights of 1, but {regime.perturb} draws random weights. Perturb "
            "by UniformScale() instead, or choose WNMF."
        )
    if solver.logistic and regime.is_boolean:
        raise IncompatibleError(
            f"{type(solver).__name__} has factors of both signs, which lose their meaning when they are "
            "binarized. Choose BNMF, WNMF or NMF in the Boolean regime, or the real regime: regime=None."
        )
    _check_alignment(solver, regime)
    for name, ridges in ridges_of_members(solver).items():
        other = '"auto" to have it chosen' if name == "ridge" else "None for that of the factors"
        raise IncompatibleError(
            f"{type(solver).__name__} has {name}={ridges!r}; expected one number for all members of a "
            f"search, or {other}."
        )


def _check_alignment(solver: Solver, regime: Regime) -> None:
    """Raise IncompatibleError if chains would not be draws of a posterior, or if others would be rotated."""
    name = type(solver).__name__
    if solver.samples and (regime.is_boolean or not isinstance(regime.perturb, AsIs)):
        raise IncompatibleError(
            f"{name} draws from the posterior given the data as they are, but the regime has "
            f"perturb={regime.perturb} and threshold={regime.threshold}. Choose regime=posterior()."
        )
    if solver.rotates != regime.align.rotates:
        reason = (
            "whose components are rotated at random, so that they cannot be matched one by one. Choose "
            "regime=posterior()."
            if solver.rotates
            else "whose components are parts, which a rotation would mix. Choose "
            f"regime={'posterior(parts=True)' if solver.samples else 'real()'}."
        )
        raise IncompatibleError(f"The regime has align={regime.align} for {name}, {reason}")


def _warn(plan: Plan, path: RankPath, choice: Choice, selection: Selection, out_of_time: bool) -> None:
    """Warn once if the choice is unstable or unconfirmed, or if most members did not converge."""
    record = path[choice.rank]
    # A rule by stability alone, such as the paper's, needs no held-out errors and does not miss them.
    measured = not np.isnan(record.stability) and record.empty < record.rank and not _is_all_zero(plan)
    by_stability = selection.by_stability and measured
    unstable = choice.status == "unstable" or (by_stability and selection.stable_rank(path) is None)
    # A single rank was given and not chosen: whoever asks for scores alone need not know that it is unstable.
    if unstable and len(path) > 1:
        warn_user(
            f"No rank is stable: {choice.reason}. Rank {choice.rank} is a best guess; look at the path "
            "before you interpret its components.",
            RankWarning,
        )
    elif choice.status == "unconfirmed" and out_of_time and len(path) == 1:
        advice = "Give more time, or name a few ranks."
        warn_user(f"Rank {choice.rank} is not confirmed: {choice.reason}. {advice}", RankWarning)
    elif choice.status == "unconfirmed" and len(path) > 1 and not by_stability:
        warn_user(
            f"Rank {choice.rank} is not confirmed: {choice.reason}. {_what_was_missing(plan, path, choice)}",
            RankWarning,
        )
    unfinished = plan.n_members - record.converged
    if plan.solver.tol > 0 and unfinished > plan.n_members / 2:
        warn_user(
            f"{type(plan.solver).__name__} stopped after max_iter={plan.solver.max_iter} sweeps, before it "
            f"converged, in {unfinished} of {plan.n_members} members at rank {record.rank}. Raise max_iter, "
            "or tol if that is close enough.",
            ConvergenceWarning,
        )
