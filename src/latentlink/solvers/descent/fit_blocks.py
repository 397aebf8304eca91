"""Fits of all members of an ensemble, block by block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
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
from latentlink.solvers.devices.device_choice import devices_of
from latentlink.solvers.devices.fit_on_devices import device_groups, each_on_its_device, on_device
from latentlink.solvers.posterior.chain_records import Chain

if TYPE_CHECKING:
    from latentlink.solvers.base import Solver
    from latentlink.solvers.devices.array_device import ArrayDevice

__all__ = ["CPU", "Solved", "fit_blocks", "loss_floor", "run_descent"]

Array = NDArray[Any]

CPU = "cpu"
"""The name of the compiled kernels among devices."""


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
    devices : tuple of str
        Where each member was fitted: ``cpu``, or a device such as ``cuda:0``.
    """

    members: tuple[Factors, ...]
    records: tuple[Convergence, ...]
    chains: tuple[Chain, ...] = ()
    devices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.devices:
            object.__setattr__(self, "devices", (CPU,) * len(self.members))

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
    devices = devices_of(solver)
    ensemble = with_listed_diagonal(ensemble)
    warn_of_empty_lines(ensemble)
    fits: list[tuple[Factors, Convergence, str]] = []
    fit = partial(_fit_block, solver, ensemble, begin, whole)
    with fixed_mode():
        if devices:
            fits = each_on_its_device(fit, device_groups(ensemble.n_members, devices, rank))
        else:
            # One block at a time, so that the memory of a block is released before the next one is made.
            for group in member_groups(ensemble.n_members, solver.precision):
                fits += fit(group, None)
    members, records, names = zip(*fits, strict=True)
    warn_if_stopped_early(solver, rank, records)
    return Solved(members, records, devices=names)


def _fit_block(
    solver: Solver,
    ensemble: Ensemble,
    begin: Callable[[int], Factors],
    whole: bool,
    group: range,
    device: ArrayDevice | None,
) -> list[tuple[Factors, Convergence, str]]:
    """Fit a group of members, by the compiled kernels or on a device, whose name comes with them."""
    block = make_block(ensemble, group, solver.precision, padded=device is None)
    rows, cols, offsets = pack(map(begin, group), block.width, solver.biased, solver.precision)
    sweeps = solver.sweeps(block, rows, cols, offsets)
    stopping = Stopping(solver.max_iter, solver.tol, loss_floor(solver, block, offsets))
    if device is None:
        records = run_descent(sweeps, (rows, cols), stopping, solver.extrapolate, whole)
    else:
        with device.active():
            remote = on_device(sweeps, device)
            records = run_descent(remote, remote.state, stopping, solver.extrapolate, whole)
            rows[...], cols[...] = remote.factors()
            del remote
    sweeps.fill_empty(whole)
    # The data of a block may be larger than all factors: release them before the factors are copied.
    del block, sweeps
    symmetric = ensemble.network.symmetric
    name = CPU if device is None else device.name
    return [
        (unpack(rows, cols, lane, solver, float(offsets[lane]), symmetric), records[lane], name)
        for lane in range(len(group))
    ]


def run_descent(
    sweeps: Any, state: Sequence[Any], stopping: Stopping, extrapolate: bool, whole: bool
) -> list[Convergence]:
    """Sweep until all members converge, with extrapolation where the sweeps allow it."""
    parts = sweeps.moving_parts(whole) if extrapolate else []
    extrapolation = Extrapolation(parts) if parts else None
    step = sweeps.sweep if whole else sweeps.sweep_cols
    return descend(step, sweeps.loss, state, stopping, extrapolation)


def loss_floor(solver: Solver, block: Block, offsets: Array) -> Array:
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
