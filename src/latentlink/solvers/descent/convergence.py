"""The one loop: sweep until the loss stands still, each member on its own clock."""

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
    """How one member's descent went.

    Attributes
    ----------
    sweeps : int
        Number of sweeps made.
    loss : array, shape (sweeps + 1,)
        The objective at the start and after each sweep, before rows and columns of which nothing is known
        are filled in.
    converged : bool
        Whether the loss stood still before the sweeps ran out.
    """

    sweeps: int
    loss: NDArray[np.float64]
    converged: bool


@dataclass(frozen=True, slots=True)
class Stopping:
    """When to stop.

    Attributes
    ----------
    max_iter : int
        Sweeps at the most.
    tol : float
        A sweep that changes the loss by no more than this share of it is the last but one.
    floor : array, shape (members,)
        Where the loss is below this, ``tol`` is a share of this instead: a fit that is all but exact would
        else go on for ever, halving next to nothing.
    """

    max_iter: int
    tol: float
    floor: Array

    def standing(self, before: Array, after: Array) -> NDArray[np.bool_]:
        """Tell which members' loss stands still."""
        still: NDArray[np.bool_] = np.abs(before - after) <= self.tol * np.maximum(before, self.floor)
        return still


def descend(
    sweep: Callable[[], Array],
    loss: Callable[[], Array],
    state: Sequence[Array],
    stopping: Stopping,
    extrapolation: Extrapolation | None = None,
) -> list[Convergence]:
    """Sweep until every member's loss stands still, and leave in ``state`` where each of them stopped.

    Parameters
    ----------
    sweep : callable
        Makes one sweep and returns the loss *before* it, which a sweep learns on its way for nothing.
    loss : callable
        Returns the loss as it is.
    state : arrays with the members last
        What sweeps change. A member that stands still is put aside here and put back at the end, so that its
        result does not depend on how long its neighbours go on.
    stopping : Stopping
        When to stop.
    extrapolation : Extrapolation, optional
        Moves members between sweeps. A sweep that began too far off is taken back and counts as one that
        changed nothing.
    """
    width = state[0].shape[-1]
    history: list[Array] = []
    stop = np.full(width, -1)
    kept: dict[int, list[Array]] = {}
    worse = np.zeros(width, bool)
    for _ in range(stopping.max_iter):
        if extrapolation and history:
            extrapolation.go_on(~worse)
        found = sweep()
        before = history[-1] if history else np.full(width, np.inf)
        if extrapolation:
            worse = ~(found <= before)
            extrapolation.return_from(worse)
        history.append(np.where(worse, before, found))
        if len(history) < 2:
            continue
        still = stopping.standing(before, found) & (stop < 0)
        stop[still] = len(history)
        if np.all(stop >= 0):
            break
        kept.update(
            {int(lane): [array[..., lane].copy() for array in state] for lane in np.flatnonzero(still)}
        )
    for lane, arrays in kept.items():
        for array, value in zip(state, arrays, strict=True):
            array[..., lane] = value
    return _records(history, loss(), stop)


def _records(history: list[Array], final: Array, stop: NDArray[np.int_]) -> list[Convergence]:
    records = []
    for lane, last in enumerate(stop):
        sweeps = int(last) if last >= 0 else len(history)
        losses = np.array([*(loss[lane] for loss in history[:sweeps]), final[lane]])
        records.append(Convergence(sweeps, losses, bool(last >= 0)))
    return records


def warn_if_stopped_early(solver: Any, rank: int, records: Sequence[Convergence]) -> None:
    """Warn of members that ran out of sweeps, with what to change."""
    early = [record for record in records if not record.converged]
    if not early:
        return
    last = early[0].loss[-2:]
    change = (last[0] - last[1]) / abs(last[0]) if len(last) == 2 and last[0] else 0.0
    warn_user(
        f"{type(solver).__name__} at rank {rank} stopped after max_iter={solver.max_iter} sweeps, before the "
        f"loss stood still, in {len(early)} of {len(records)} members (last change {change:.1e} of the loss, "
        f"tol={solver.tol:g}). Raise max_iter, or tol if that is close enough.",
        ConvergenceWarning,
    )
