"""Fits of a network whose rows are in shards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.cluster import Call, Parts, tree_sum
from latentlink.errors import IncompatibleError, warn_user
from latentlink.factors import Factors
from latentlink.kernels import fixed_mode
from latentlink.network import Network
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import make_block, member_groups
from latentlink.solvers.descent.convergence import Convergence, Stopping, warn_if_stopped_early
from latentlink.solvers.descent.fit_blocks import loss_floor, run_descent
from latentlink.solvers.descent.packing import pack
from latentlink.solvers.links import default_sample
from latentlink.solvers.lmf import LMF
from latentlink.solvers.needs import ridges_of_members
from latentlink.solvers.nmf import NMF
from latentlink.solvers.rnmf import RNMF
from latentlink.solvers.shards.shard_block import ShardBlock
from latentlink.solvers.shards.shard_task import Task, part_of_start
from latentlink.solvers.shards.sharded_sweeps import ShardedSweeps
from latentlink.solvers.shards.summed_ensemble import SummedEnsemble
from latentlink.solvers.shards.sweep_checkpoint import SweepCheckpoint
from latentlink.solvers.wnmf import WNMF

__all__ = ["SolvedGroup", "check_solver", "solve_shards"]

Array = NDArray[Any]


class SolvedGroup(NamedTuple):
    """A block of members that has been fitted; its rows are in the shards.

    Attributes
    ----------
    group : range
        The members.
    cols : array, shape (columns, coordinates, members)
        The packed columns.
    offsets : array, shape (members,)
    records : list of Convergence
    """

    group: range
    cols: Array
    offsets: Array
    records: list[Convergence]


def check_solver(solver: Solver) -> None:
    """Raise IncompatibleError for a solver whose columns cannot be updated by sums over shards."""
    solver.check_settings()
    if not isinstance(solver, (WNMF, NMF, RNMF, LMF)) or solver.samples:
        raise IncompatibleError(
            f"{solver} cannot be fitted in shards of rows; expected WNMF, NMF, RNMF or LMF. Fit it in one "
            "piece."
        )
    if ridges_of_members(solver):
        raise IncompatibleError(f"{solver} has a ridge for each member; expected one number for all of them.")
    settings = solver.get_params(deep=False)
    for name, needed in (("updates", "descent"), ("init", "random"), ("device", None)):
        if settings.get(name, needed) != needed:
            raise IncompatibleError(
                f"{solver} cannot be fitted in shards of rows, which need {name}={needed!r}. Set it so, or "
                "fit the network in one piece."
            )


def solve_shards(  # noqa: PLR0913
    shards: Parts,
    network: Network,
    solver: Solver,
    rank: int,
    rngs: Sequence[np.random.Generator],
    *,
    start: Sequence[Factors] | None = None,
    checkpoint_of: Callable[[range], SweepCheckpoint | None] | None = None,
    is_done: Callable[[range], bool] | None = None,
) -> Iterator[SolvedGroup]:
    """Fit all members, one block of lanes after the other, and yield each block while its rows are held.

    Parameters
    ----------
    shards : Parts
        Of `RowShard`.
    network : Network
        The shape and background of all rows; its entries are not used.
    solver : Solver
    rank : int
    rngs : sequence of Generator
        One for each member.
    start : sequence of Factors, optional
        The start of each member, with all rows.
    checkpoint_of : callable, optional
        Returns where the sweeps of a block of members are stored.
    is_done : callable, optional
        Tells blocks of members that are not to be fitted.
    """
    summed = _summed_ensemble(shards, network, solver, len(rngs))
    for group in member_groups(len(rngs), solver.precision):
        if is_done is not None and is_done(group):
            continue
        given = None if start is None else [start[member] for member in group]
        task = Task(solver, summed, group, rank, [rngs[member] for member in group], given)
        checkpoint = None if checkpoint_of is None else checkpoint_of(group)
        solved = _solved_group(shards, task, checkpoint)
        warn_if_stopped_early(solver, rank, solved.records)
        yield solved


def _summed_ensemble(shards: Parts, network: Network, solver: Solver, members: int) -> SummedEnsemble:
    """Prepare the entries of all shards for a solver, and return the sums over them."""
    found = shards.each("found", solver)
    known, links, listed = (sum(each[part] for each in found) for part in range(3))
    least, largest = min(each.least for each in found), max(each.largest for each in found)
    if not known:
        raise IncompatibleError(f"{solver} has nothing to learn from: no entry of any shard is known.")
    if least == largest != 0 and not (
        network.background or solver.unknown_is_zero or known == network.n_pairs
    ):
        raise IncompatibleError(
            f"All {known:,} known values are {least:g} and the rest is unknown, so the prediction would be "
            f"{least:g} everywhere. List some non-links with value 0, or set a background weight."
        )
    seed, share, background = None, 1.0, network.background
    if isinstance(solver, LMF) and background:
        sample = solver.background_sample or default_sample(links, network.shape)
        seed, share = solver.background_seed, min(1.0, sample / max(1, network.n_pairs - listed))
    sums = tree_sum(shards.each("prepare", solver, seed, share))
    if isinstance(solver, LMF):
        background = 0.0
    elif solver.unknown_is_zero:
        background = 1.0
    summed = SummedEnsemble.of_shape(network.shape, background, sums)
    offsets = [solver.offset(summed, member) for member in range(members)]
    squares = tree_sum(shards.each("squares", solver, offsets))
    return SummedEnsemble.of_shape(network.shape, background, sums, squares)


def _solved_group(shards: Parts, task: Task, checkpoint: SweepCheckpoint | None) -> SolvedGroup:
    """Fit a block of members."""
    solver, group, summed = task.solver, task.group, task.summed
    (sums,) = shards.summed([Call("open_block", (group, solver.precision))])
    block = ShardBlock.of(make_block(summed, group, solver.precision), summed.network.shape, sums)
    starts = (part_of_start(task, at, slice(0, 0)) for at in range(len(group)))
    rows, cols, offsets = pack(starts, block.width, solver.biased, solver.precision)
    own = solver.sweeps(block, rows, cols, offsets)
    pieces = ShardedSweeps.pieces_of(own)
    shards.each("begin", task, sums, pieces)
    sweeps = ShardedSweeps(shards, own, sums.degrees, pieces, checkpoint)
    stopping = Stopping(solver.max_iter, solver.tol, loss_floor(solver, block, offsets))
    with fixed_mode():
        records = run_descent(sweeps, sweeps.state, stopping, solver.extrapolate, True)[: len(group)]
    _fill_empty(shards, cols, sums.col_weight > 0)
    return SolvedGroup(group, cols[..., : len(group)], offsets[: len(group)], records)


def _fill_empty(shards: Parts, cols: Array, known: NDArray[np.bool_]) -> None:
    """Give rows and columns without known entries the average of the others."""
    total, count = tree_sum(shards.each("filled"))
    empty_rows = sum(shards.each("fill_empty", (total / np.maximum(count, 1)).astype(cols.dtype)))
    mean = np.where(known[:, None], cols, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    cols[...] = np.where(known[:, None], cols, mean)
    for kind, empty in (("row", empty_rows), ("column", int((~known).all(axis=1).sum()))):
        if empty:
            warn_user(
                f"Nothing is known of {empty:,} {kind}{'s' if empty > 1 else ''}: each gets the average of "
                f"the other {kind}s, and its scores carry no further information."
            )
