"""The tasks of a search: who does them, what they have left, and who is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from sklearn.base import clone

from latentlink.parallel import Crew
from latentlink.rank.checkpoint import Keeper
from latentlink.rank.engine import Plan, fit_members, summarise
from latentlink.rank.results import Member, RankPath, RankRecord
from latentlink.rank.ridge import RidgeChoice, Trial, choose_ridge, own_ridge, try_ridges
from latentlink.rank.selection import Selection

__all__ = ["Progress", "Teller", "Work"]


@dataclass(frozen=True)
class Progress:
    """How far a search has come: what a callback is told.

    Attributes
    ----------
    done, total : int
        Tasks finished, and all that are known so far to be needed: trials of ridges, blocks of members, and
        the summary of each rank.
    rank : int or None
        The choice among the ranks finished so far.
    seconds_left : float or None
        How long the rest will take at the pace so far; None before anything was worked on.
    """

    done: int
    total: int
    rank: int | None
    seconds_left: float | None


@dataclass
class Teller:
    """Tells a callback how far the work has come; work is counted by its rank, and by its members."""

    callback: Callable[[Progress], object] | None
    done: int = 0
    total: int = 0
    left: float = 0.0
    worked: float = 0.0
    begun: float = field(default_factory=time.monotonic)

    def expect(self, costs: Sequence[float]) -> None:
        """Take in tasks to come."""
        self.total += len(costs)
        self.left += sum(costs)

    def tell(self, cost: float, rank: Callable[[], int | None], found: bool = False) -> bool:
        """Count a task, worked on or found done; return whether to go on."""
        self.done += 1
        self.left -= cost
        self.worked += 0.0 if found else cost
        if self.callback is None:
            return True
        pace = (time.monotonic() - self.begun) / self.worked if self.worked else None
        left = 0.0 if self.done == self.total else None if pace is None else pace * self.left
        said = self.callback(Progress(self.done, self.total, rank(), left))
        return not (isinstance(said, bool | np.bool_) and not said)


@dataclass
class Work:
    """Tasks done and to be done."""

    plan: Plan
    selection: Selection
    keeper: Keeper | None
    crew: Crew
    teller: Teller
    records: dict[int, RankRecord] = field(default_factory=dict)
    parts: dict[int, dict[range, list[Member]]] = field(default_factory=dict)
    announced: set[int] = field(default_factory=set)
    cancelled: bool = False

    @property
    def path(self) -> RankPath:
        """Ranks that are finished."""
        return RankPath(tuple(self.records[rank] for rank in sorted(self.records)))

    def ridge(self, probes: Sequence[int]) -> RidgeChoice | None:
        """Try ridges and take one from here on, or that which was chosen before."""
        choice = self.keeper.ridge() if self.keeper else None
        if choice is None and not probes:
            choice = own_ridge(self.plan, "nothing is held out by which another could be chosen")
        if choice is None:
            self.teller.expect(probes)
            tried: dict[int, list[Trial]] = {}
            for rank in probes:
                self.crew.add(try_ridges, self.plan, rank)
            for _, (_, rank), trials in self.crew.done():
                tried[rank] = trials
                if not self.teller.tell(rank, lambda: None):
                    self.cancelled = True
                    return None
            choice = choose_ridge(self.plan, [trial for rank in probes for trial in tried[rank]])
            if self.keeper:
                self.keeper.keep_ridge(choice)
        solver = self.plan.solver
        if choice.tried:
            chosen = solver.with_ridge(choice.ridge, solver.ridge_scale(self.plan.network))
        else:
            chosen = clone(solver).set_params(ridge=choice.ridge)
        self.plan = replace(self.plan, solver=chosen)
        return choice

    def announce(self, ranks: Sequence[int]) -> None:
        """Count the tasks of ranks that will be visited, once."""
        fresh = [rank for rank in ranks if rank not in self.announced]
        self.announced.update(fresh)
        self.teller.expect([rank * len(block) for rank in fresh for block in self.plan.blocks])
        self.teller.expect([float(rank) for rank in fresh])

    def visit(self, ranks: Sequence[int]) -> bool:
        """Fit all members at some ranks and sum them up; return whether to go on."""
        self.announce(ranks)
        tasks = [(rank, block) for rank in ranks for block in self.plan.blocks]
        self.parts = {rank: {} for rank in ranks}
        for rank, block in tasks:
            members = self.keeper.members(rank, block) if self.keeper else None
            if members is None:
                self.crew.add(fit_members, self.plan, rank, block)
            elif not self._fitted(rank, block, members, found=True):
                return False
        for function, (_, rank, block), result in self.crew.done():
            if function is summarise:
                self.records[rank] = result
                go_on = self.teller.tell(rank, self._choice)
            else:
                if self.keeper:
                    self.keeper.keep_members(rank, block, result)
                go_on = self._fitted(rank, block, result)
            if not go_on:
                return False
        return True

    def _fitted(self, rank: int, block: range, members: list[Member], found: bool = False) -> bool:
        """Take in some members; once a rank has all of them, have it summed up; return whether to go on."""
        parts = self.parts[rank]
        parts[block] = members
        if len(parts) == len(self.plan.blocks):
            whole = [member for each in self.plan.blocks for member in parts.pop(each)]
            self.crew.add(summarise, self.plan, rank, whole, first=True)
        return self.teller.tell(rank * len(block), self._choice, found)

    def _choice(self) -> int | None:
        return self.selection.choose(self.path).rank if self.records else None
