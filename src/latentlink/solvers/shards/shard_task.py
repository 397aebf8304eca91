"""What is fitted in shards, and how the rows of a shard begin."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from latentlink.factors import Factors
from latentlink.solvers.base import Solver
from latentlink.solvers.shards.own_rows import OwnRows
from latentlink.solvers.shards.summed_ensemble import SummedEnsemble

__all__ = ["Task", "part_of_start"]


class Task(NamedTuple):
    """What is fitted: a block of members at a rank.

    Attributes
    ----------
    solver : Solver
    summed : SummedEnsemble
        The sums over all entries.
    group : range
        The members.
    rank : int
    rngs : list of Generator
        One for each member of the group.
    start : list of Factors or None
        Given starts of the members of the group, with all rows.
    """

    solver: Solver
    summed: SummedEnsemble
    group: range
    rank: int
    rngs: list[np.random.Generator]
    start: list[Factors] | None


def part_of_start(task: Task, position: int, rows: slice) -> Factors:
    """Return some rows of the start of a member of the group, and all columns."""
    member, solver = task.group[position], task.solver
    if task.start is None:
        rng: Any = OwnRows(deepcopy(task.rngs[position]), rows)  # several shards may have the same one
        begun = solver.start(task.summed, member, task.rank, rng)
        offset = solver.offset(task.summed, member)
        return Factors(begun.W, begun.H, offset=offset)
    given = task.start[position]
    bias = None if given.row_bias is None else given.row_bias[rows]
    part = Factors(given.W[rows], given.H, bias, given.col_bias, given.offset)
    return solver.adopt_start(task.summed, member, part)
