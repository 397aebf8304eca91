"""Descent of all members of an ensemble, block by block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.factors import Factors
from latentlink.network.background import with_meant_diagonal
from latentlink.network.ensemble import Ensemble
from latentlink.solvers.descent.blocks import Block, groups_of, make_block
from latentlink.solvers.descent.convergence import Convergence, Stopping, descend, warn_if_stopped_early
from latentlink.solvers.descent.empty_lines import warn_of_empty
from latentlink.solvers.descent.extrapolation import Extrapolation
from latentlink.solvers.descent.packing import pack, unpack

if TYPE_CHECKING:
    from latentlink.solvers.base import Solver

__all__ = ["Solved", "fit_blocks"]

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Solved:
    """What a solver found.

    Attributes
    ----------
    members : tuple of Factors
        The model of each member.
    records : tuple of Convergence
        How each member's descent went.
    """

    members: tuple[Factors, ...]
    records: tuple[Convergence, ...]

    def score(self, rows: ArrayLike, cols: ArrayLike) -> Array:
        """Score pairs by the mean of all members."""
        return np.mean([member.score(rows, cols) for member in self.members], axis=0)


def fit_blocks(
    solver: Solver,
    ensemble: Ensemble,
    begin: Callable[[int], Factors],
    rank: int,
    whole: bool,
) -> Solved:
    """Fit all members of an ensemble, one block of lanes after the other.

    Parameters
    ----------
    solver : Solver
        Settings, and the sweeps that improve a block.
    ensemble : Ensemble
    begin : callable
        Returns the start of a member.
    rank : int
    whole : bool
        Fit rows and columns; else the columns alone, given the rows.
    """
    ensemble = with_meant_diagonal(ensemble)
    warn_of_empty(ensemble)
    groups = groups_of(ensemble.n_members, solver.precision)
    # One block at a time: its lanes are gone before the next one's are made.
    pairs = [pair for group in groups for pair in _fit_block(solver, ensemble, group, begin, whole)]
    members, records = zip(*pairs, strict=True)
    warn_if_stopped_early(solver, rank, records)
    return Solved(members, records)


def _fit_block(
    solver: Solver,
    ensemble: Ensemble,
    group: range,
    begin: Callable[[int], Factors],
    whole: bool,
) -> list[tuple[Factors, Convergence]]:
    block = make_block(ensemble, group, solver.precision)
    rows, cols, offsets = pack(map(begin, group), block.width, solver.biased, solver.precision)
    sweeps = solver.sweeps(block, rows, cols, offsets)
    stopping = Stopping(solver.max_iter, solver.tol, _floor(solver, block, offsets))
    step = sweeps.sweep if whole else sweeps.sweep_cols
    moving = sweeps.moving(whole) if solver.extrapolate else []
    extrapolation = Extrapolation(moving) if moving else None
    records = descend(step, sweeps.loss, (rows, cols), stopping, extrapolation)
    sweeps.fill_empty(whole)
    del (
        block,
        sweeps,
        step,
        moving,
        extrapolation,
    )  # their values may be larger than all factors, which are copied now
    symmetric = ensemble.network.symmetric
    found = [unpack(rows, cols, lane, solver.biased, float(offsets[lane])) for lane in range(len(group))]
    models = [replace(factors, logistic=solver.logistic, symmetric=symmetric) for factors in found]
    return list(zip(models, records[: len(group)], strict=True))


def _floor(solver: Solver, block: Block, offsets: Array) -> Array:
    """Return a millionth of what there is to fit: a loss below it is an exact fit for all purposes."""
    if solver.logistic:
        return np.zeros(block.width)
    energy = np.zeros(block.width)
    for lane, member in enumerate(block.members):
        values, weights = block.ensemble.member_entries(member)
        energy[lane] = np.sum(weights * (values - offsets[lane]) ** 2)
    share = 1e-6
    if np.any(block.background) and solver.tol > 0:
        # The background's loss is a difference, known to some units of the last place of the energy.
        share = max(share, 8 * float(np.finfo(solver.precision).eps) / solver.tol)
    return share * energy
