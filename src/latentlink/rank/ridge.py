"""Choice of the ridge penalty: a grid search by held-out error, with few members at few ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latentlink.rank.engine import Plan, fit_members
from latentlink.validation.wording import counted

__all__ = [
    "RidgeChoice",
    "Trial",
    "choose_ridge",
    "fallback_ridge",
    "fits_of_trial",
    "least_errors",
    "probe_ranks",
    "try_ridges",
]

Trial = tuple[float, int, float, float]

_TRIAL_MEMBERS = 4


@dataclass(frozen=True)
class RidgeChoice:
    """The chosen ridge and the reason.

    Attributes
    ----------
    ridge : float
    reason : str
        The reason with its numbers.
    tried : tuple of (float, int, float, float)
        Ridge, rank, held-out error of the members and of their mean, of every trial; empty if nothing could
        be held out.
    """

    ridge: float
    reason: str
    tried: tuple[tuple[float, int, float, float], ...]


def probe_ranks(ranks: Sequence[int]) -> tuple[int, ...]:
    """Return the ranks at which ridges are tried: those at a quarter and half of the list, and the largest.

    Above the true rank a ridge compensates for superfluous components. That noise-free data need no ridge
    shows only at a rank that is not far above the true one.

    Examples
    --------
    >>> probe_ranks(range(1, 10)), probe_ranks([5])
    ((3, 5, 9), (5,))
    """
    ordered = sorted(set(ranks))
    indices = (np.array([0.25, 0.5, 1.0]) * (len(ordered) - 1)).round().astype(int)
    return tuple(ordered[index] for index in sorted(set(indices.tolist())))


def try_ridges(plan: Plan, rank: int) -> list[Trial]:
    """Return ridge, rank and held-out errors, of members and of their mean, for the solver's grid.

    Members are not perturbed here: on noise-free data the perturbation would be noise that calls for a ridge.
    """
    unit = plan.solver.ridge_scale(plan.network)
    ridges = [float(ridge * unit) for ridge in plan.solver.ridge_grid]
    members = list(range(_trial_members(plan)))
    # All ridges in one batch: each has the same members, with the same held-out entries and starts.
    solver = plan.solver.with_ridge(tuple(np.repeat(ridges, len(members)).tolist()), unit)
    fitted = fit_members(plan.trial(solver), rank, members * len(ridges))
    held_out = plan.held_out(members)
    trials = []
    for ridge, begin in zip(ridges, range(0, len(fitted), len(members)), strict=True):
        with_ridge = fitted[begin : begin + len(members)]
        error = float(np.mean([member.held_out for member in with_ridge]))
        together = held_out.ensemble_errors([member.factors for member in with_ridge], plan.n_members)
        trials.append((ridge, int(rank), float(np.sqrt(error)), float(np.sqrt(np.mean(together)))))
    return trials


def fits_of_trial(plan: Plan) -> int:
    """Return the number of fits of a trial, each of one member: some members with every ridge of the grid."""
    return len(plan.solver.ridge_grid) * _trial_members(plan)


def _trial_members(plan: Plan) -> int:
    """Return the number of members of a trial: at most half of all, so that trials do not cost most."""
    return min(_TRIAL_MEMBERS, max(1, plan.n_members // 2))


def fallback_ridge(plan: Plan, why: str) -> RidgeChoice:
    """Return the solver's ``plain_ridge``, with the reason why ridges could not be compared."""
    ridge = float(plan.solver.plain_ridge or 0.0)
    return RidgeChoice(ridge, f"ridge {ridge:g}, the fallback of the solver: {why}", ())


def choose_ridge(plan: Plan, tried: Sequence[Trial]) -> RidgeChoice:
    """Return the ridge with the smallest held-out error of all trials; among equals the smallest ridge.

    The error is that of the members, or that of their mean (`Plan.ridge_by_ensemble`).
    """
    if np.isnan([trial[2:] for trial in tried]).all():
        return fallback_ridge(plan, "too few entries are known to hold some of them out")
    # NaN here means that some member diverged.
    tried = [(ridge, rank, _finite(error), _finite(together)) for ridge, rank, error, together in tried]
    used = [(*trial[:2], _error(plan, trial)) for trial in tried]
    ridge, rank, error = min(used, key=lambda trial: (trial[2], trial[0]))
    errors = {grid: min(trial[2] for trial in used if trial[0] == grid) for grid, _, _ in used}
    rest = ", ".join(f"{value:.3g} at {other:.3g}" for other, value in errors.items() if other != ridge)
    ranks = sorted({trial[1] for trial in tried})
    of_ensemble = " of the ensemble" if plan.ridge_by_ensemble else ""
    reason = (
        f"ridge {ridge:.3g}: least held-out error{of_ensemble}, {error:.3g} at rank {rank}, of {len(errors)} "
        f"ridges tried with {counted(_trial_members(plan), 'member')} at "
        f"{'rank' if len(ranks) == 1 else 'ranks'} "
        f"{', '.join(map(str, ranks))}; others: {rest}"
    )
    return RidgeChoice(ridge, reason, tuple(tried))


def least_errors(plan: Plan, tried: Sequence[Trial]) -> dict[int, float]:
    """Return the least held-out error of all ridges at each rank of some trials; infinity without any."""
    least: dict[int, float] = {}
    for trial in tried:
        least[trial[1]] = min(_error(plan, trial), least.get(trial[1], float("inf")))
    return least


def _error(plan: Plan, trial: Trial) -> float:
    """Return the held-out error by which ridges are compared: of the ensemble or of its members."""
    return _finite(trial[3] if plan.ridge_by_ensemble else trial[2])


def _finite(error: float) -> float:
    return float("inf") if np.isnan(error) else error
