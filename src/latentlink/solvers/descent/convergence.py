"""The loop of all solvers: sweeps until the loss converges, for each member separately."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import warn_user
from latentlink.solvers.descent.extrapolation import Extrapolation

__all__ = ["Convergence", "Stopping", "descend", "warn_if_stopped_early"]

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Convergence:
    """Record of the descent of one member.

    Attributes
    ----------
    sweeps : int
        Number of sweeps.
    loss : array, shape (sweeps + 1,)
        The objective at the start and after each sweep, before rows and columns without known entries are
        filled. Of a chain, at the start and after each of its draws.
    converged : bool
        Whether the loss converged within ``max_iter`` sweeps.
    """

    sweeps: int
    loss: NDArray[np.float64]
    converged: bool


@dataclass(frozen=True, slots=True)
class Stopping:
    """The stopping rule.

    Attributes
    ----------
    max_iter : int
        Largest number of sweeps.
    tol : float
        Relative tolerance: a member converges when a sweep changes its loss by no more than this fraction.
        The change is known after one more sweep, which is the last.
    floor : array, shape (members,)
        Below this loss ``tol`` is relative to the floor instead: an almost exact fit would otherwise lower
        its loss by a constant factor in every sweep and never converge.
    """

    max_iter: int
    tol: float
    floor: Array

    def converged(self, before: Array, after: Array) -> NDArray[np.bool_]:
        """Mark members whose loss has converged."""
        small: NDArray[np.bool_] = np.abs(before - after) <= self.tol * np.maximum(before, self.floor)
        return small


def descend(
    sweep: Callable[[], Array],
    loss: Callable[[], Array],
    state: Sequence[Array],
    stopping: Stopping,
    extrapolation: Extrapolation | None = None,
) -> list[Convergence]:
    """Sweep until every member has converged or ``max_iter`` is reached; return a record for each member.

    Parameters
    ----------
    sweep : callable
        Makes one sweep and returns the loss *before* it, which a sweep computes at no extra cost.
    loss : callable
        Returns the current loss.
    state : arrays, shape (..., members)
        The factors that sweeps change in place. A converged member is copied and restored at the end, so
        that its result does not depend on how many sweeps other members need.
    stopping : Stopping
        The stopping rule.
    extrapolation : Extrapolation, optional
        Extrapolates members between sweeps. A sweep from an extrapolated point with a higher loss is
        reverted and counts as one that changed nothing.
    """
    width = state[0].shape[-1]
    history: list[Array] = []
    stop = np.zeros(width, int)  # 0 until a member has converged, then its number of sweeps
    frozen: dict[int, list[Array]] = {}
    worse = np.zeros(width, bool)
    for _ in range(stopping.max_iter):
        if extrapolation and history:
            extrapolation.extrapolate(~worse)
        current = sweep()
        before = history[-1] if history else np.full(width, np.inf)
        if extrapolation:
            worse = ~(current <= before)
            extrapolation.revert(worse)
        history.append(np.where(worse, before, current))
        if len(history) < 2:
            continue
        converged = stopping.converged(before, current) & (stop == 0)
        if not converged.any():
            continue
        stop[converged] = len(history)
        if stop.all():
            break
        frozen.update(
            {int(lane): [array[..., lane].copy() for array in state] for lane in np.flatnonzero(converged)}
        )
    _restore(state, frozen)
    return _records(history, loss(), stop)


def _restore(state: Sequence[Array], frozen: dict[int, list[Array]]) -> None:
    """Set each frozen member back to its copy."""
    for lane, arrays in frozen.items():
        for array, value in zip(state, arrays, strict=True):
            array[..., lane] = value


def _records(history: list[Array], final: Array, stop: NDArray[np.int_]) -> list[Convergence]:
    records = []
    for lane, last in enumerate(stop):
        sweeps = int(last) or len(history)
        losses = np.array([*(loss[lane] for loss in history[:sweeps]), final[lane]])
        records.append(Convergence(sweeps, losses, bool(last)))
    return records


def warn_if_stopped_early(solver: Any, rank: int, records: Sequence[Convergence]) -> None:
    """Warn of members that did not converge within ``max_iter`` sweeps; ``tol=0`` asks for all of them."""
    early = [record for record in records if not record.converged]
    if not early or solver.tol == 0:
        return
    before, after = early[0].loss[-2:]
    change = (before - after) / abs(before) if before else 0.0
    warn_user(
        f"{type(solver).__name__} at rank {rank} did not converge within max_iter={solver.max_iter} sweeps "
        f"in {len(early)} of {len(records)} members (the last sweep changed the loss by {change:.1e} of its "
        f"value, tol={solver.tol:g}). Raise max_iter, or tol if that accuracy suffices.",
        ConvergenceWarning,
    )
