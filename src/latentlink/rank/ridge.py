"""Which ridge to take: tried on few members and ranks, judged by what they were not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latentlink.rank.engine import Plan, fit_members
from latentlink.validation.wording import counted

__all__ = ["RidgeChoice", "Trial", "choose_ridge", "own_ridge", "probe_ranks", "try_ridges"]

Trial = tuple[float, int, float]

_MEMBERS = 4  # members that try each ridge


@dataclass(frozen=True)
class RidgeChoice:
    """The chosen ridge, and why.

    Attributes
    ----------
    ridge : float
    reason : str
        A sentence with the numbers.
    tried : tuple of (float, int, float)
        Ridge, rank and held-out error of every trial.
    """

    ridge: float
    reason: str
    tried: tuple[tuple[float, int, float], ...]


def probe_ranks(ranks: Sequence[int]) -> tuple[int, ...]:
    """Return the ranks at which ridges are tried: a quarter and half of the way up, and the largest.

    Beyond the true rank a ridge makes up for components that are too many; on data that are all but exact
    the least error shows that there is nothing to make up for only at a rank that is not far beyond.

    Examples
    --------
    >>> probe_ranks(range(1, 10)), probe_ranks([5])
    ((3, 5, 9), (5,))
    """
    ordered = sorted(set(ranks))
    places = (np.array([0.25, 0.5, 1.0]) * (len(ordered) - 1)).round().astype(int)
    return tuple(ordered[place] for place in sorted(set(places.tolist())))


def try_ridges(plan: Plan, rank: int) -> list[Trial]:
    """Return (ridge, rank, held-out error) of each of the solver's ridges.

    Members are not perturbed here: on data that are all but exact, the noise of perturbations would hide
    that any penalty is too much.
    """
    unit = plan.solver.ridge_scale(plan.network)
    ridges = [float(ridge * unit) for ridge in plan.solver.ridge_grid]
    members = list(range(_trial_members(plan)))
    # All ridges at once, each in lanes of its own: the same members, the same speckles, the same starts.
    solver = plan.solver.with_ridge(tuple(np.repeat(ridges, len(members)).tolist()), unit)
    fitted = fit_members(plan.trial(solver), rank, members * len(ridges))
    errors = np.array([member.held_out for member in fitted]).reshape(len(ridges), -1)
    return [
        (ridge, int(rank), error)
        for ridge, error in zip(ridges, np.sqrt(errors.mean(axis=1)).tolist(), strict=True)
    ]


def _trial_members(plan: Plan) -> int:
    """Return how many members try each ridge: few where there are few, or the trials would cost most."""
    return min(_MEMBERS, max(1, plan.n_members // 2))


def own_ridge(plan: Plan, why: str) -> RidgeChoice:
    """Return the solver's own ridge, where there is nothing to choose another by."""
    plain = float(plan.solver.plain_ridge or 0.0)
    return RidgeChoice(plain, f"ridge {plain:g}, the solver's own: {why}", ())


def choose_ridge(plan: Plan, tried: Sequence[Trial]) -> RidgeChoice:
    """Take the ridge that predicts best at its best rank, of all trials."""
    if np.isnan([error for _, _, error in tried]).all():
        return own_ridge(plan, "too little is known to hold some of it out")
    # A ridge under which some member has grown beyond bounds is the worst.
    tried = [(each, rank, np.inf if np.isnan(error) else error) for each, rank, error in tried]
    ridge, rank, error = min(tried, key=lambda trial: (trial[2], trial[0]))
    others = {each: min(trial[2] for trial in tried if trial[0] == each) for each, _, _ in tried}
    rest = ", ".join(f"{value:.3g} at {each:.3g}" for each, value in others.items() if each != ridge)
    ranks = sorted({rank for _, rank, _ in tried})
    reason = (
        f"ridge {ridge:.3g}: least held-out error, {error:.3g} at rank {rank}, of {len(others)} ridges tried "
        f"with {counted(_trial_members(plan), 'member')} at {'rank' if len(ranks) == 1 else 'ranks'} "
        f"{', '.join(map(str, ranks))}; others: {rest}"
    )
    return RidgeChoice(ridge, reason, tuple(tried))
