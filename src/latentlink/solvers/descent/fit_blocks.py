"""Fits of all members of an ensemble, block by block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.factors import Factors
from latentlink.kernels import fixed_mode
from latentlink.network.background import with_listed_diagonal
from latentlink.network.ensemble import Ensemble
from latentlink.solvers.descent.blocks import Block, make_block, member_groups
from latentlink.solvers.descent.convergence import Convergence, Stopping, descend, warn_if_stopped_early
from latentlink.solvers.descent.empty_lines import warn_of_empty_lines
from latentlink.solvers.descent.extrapolation import Extrapolation
from latentlink.solvers.descent.packing import pack, unpack
from latentlink.solvers.posterior.chain_records import Chain

if TYPE_CHECKING:
    from latentlink.solvers.base import Solver

__all__ = ["Solved", "fit_blocks"]

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Solved:
    """The result of a solver: a model and a convergence record for each ensemble member.

    Attributes
    ----------
    members : tuple of Factors
        The model of each member.
    records : tuple of Convergence
        Sweeps, loss and convergence of each member.
    chains : tuple of Chain
        The chain of each member, of which its model is the last draw; empty unless the solver samples.
    """

    members: tuple[Factors, ...]
    records: tuple[Convergence, ...]
    chains: tuple[Chain, ...] = ()

    @property
    def draws(self) -> tuple[Factors, ...]:
        """The draws of all chains, or the members of a solver that does not sample."""
        return tuple(draw for chain in self.chains for draw in chain.draws) or self.members

    def score(self, rows: ArrayLike, cols: ArrayLike) -> Array:
        """Return the mean score of each pair over all members, or over all draws of their chains."""
        return np.mean([member.score(rows, cols) for member in self.draws], axis=0)


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
        Settings, and the sweeps of a block.
    ensemble : Ensemble
    begin : callable
        Returns the start of a member.
    rank : int
    whole : bool
        Whether rows and columns are fitted; else the columns alone, given the rows.
    """
    ensemble = with_listed_diagonal(ensemble)
    warn_of_empty_lines(ensemble)
    pairs: list[tuple[Factors, Convergence]] = []
    with fixed_mode():
        # One block at a time, so that the memory of a block is released before the next one is made.
        for group in member_groups(ensemble.n_members, solver.precision):
            pairs += _fit_block(solver, ensemble, group, begin, whole)
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
    parts = sweeps.moving_parts(whole) if solver.extrapolate else []
    extrapolation = Extrapolation(parts) if parts else None
    records = descend(step, sweeps.loss, (rows, cols), stopping, extrapolation)
    sweeps.fill_empty(whole)
    # The data of a block may be larger than all factors: release them before the factors are copied.
    del block, sweeps, step, parts, extrapolation
    symmetric = ensemble.network.symmetric
    return [
        (unpack(rows, cols, lane, solver, float(offsets[lane]), symmetric), records[lane])
        for lane in range(len(group))
    ]


def _floor(solver: Solver, block: Block, offsets: Array) -> Array:
    """Return the loss below which a fit counts as exact: a millionth of the size of the data."""
    if solver.logistic:
        return np.zeros(block.width)
    lanes = zip(block.members, offsets.tolist(), strict=True)
    energy = np.array([solver.loss_scale(block.ensemble, member, offset) for member, offset in lanes])
    share = 1e-6
    if block.has_background and solver.tol > 0:
        # The loss of the background is a difference, accurate to some units of the last place of the energy.
        share = max(share, 8 * float(np.finfo(solver.precision).eps) / solver.tol)
    return share * energy
