"""What the tasks of a rank search take, predicted from tasks of the same kind at the nearest ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Task", "TaskPace", "costs_of"]

Array = NDArray[np.float64]
Costs = Mapping[tuple[str, int], float]

_FALL = 3.0  # a measurement at twice the rank counts an eighth
_ALIKE = {"fit": {"trial": 0.25}}  # trials are fits too, and tell how these depend on the rank


@dataclass(frozen=True)
class Task:
    """A task of a rank search.

    Attributes
    ----------
    kind : str
        The kind of work; what a unit of cost takes is measured for each kind by itself.
    rank : int
        The rank at which the work is done.
    cost : float
        The expected cost, see `latentlink.progress.task_costs`.
    """

    kind: str
    rank: int
    cost: float


def costs_of(tasks: Iterable[Task]) -> dict[tuple[str, int], float]:
    """Return the cost of some tasks by kind and rank.

    Examples
    --------
    >>> costs_of([Task("fit", 2, 8.0), Task("fit", 2, 4.0), Task("summary", 2, 6.0)])
    {('fit', 2): 12.0, ('summary', 2): 6.0}
    """
    costs: dict[tuple[str, int], float] = {}
    for task in tasks:
        costs[task.kind, task.rank] = costs.get((task.kind, task.rank), 0.0) + task.cost
    return costs


class TaskPace:
    """Seconds for a unit of cost, by kind of task and by rank.

    Sweeps are more at some ranks than at others, and a unit takes longer where factors leave the cache: so
    what was measured counts the less, the more ranks differ, by a power of their ratio.

    The first task of a kind may load or compile code, which no other task does: its time is left out as soon
    as there is a second one. Until then a kind takes what those do that were measured twice, but no more than
    its first task. A kind that was not measured yet takes what all others do.

    Examples
    --------
    >>> pace = TaskPace()
    >>> pace.add(Task("fit", 2, 10.0), 99.0)  # loads the code
    >>> pace.add(Task("fit", 2, 10.0), 1.0)
    >>> pace.add(Task("fit", 64, 100.0), 30.0)
    >>> round(pace.seconds({("fit", 2): 10.0}), 2), round(pace.seconds({("fit", 60): 10.0}), 2)
    (1.0, 3.0)
    """

    def __init__(self) -> None:
        self._first: dict[str, tuple[Task, float]] = {}
        self._seconds: dict[str, dict[int, float]] = {}
        self._costs: dict[str, dict[int, float]] = {}

    @property
    def measured(self) -> bool:
        """Whether the time of any task was measured."""
        return bool(self._first)

    @property
    def settled(self) -> bool:
        """Whether the time of a second task of some kind was measured, which loads no code."""
        return bool(self._costs)

    def add(self, task: Task, seconds: float) -> None:
        """Add the measured time of a task."""
        if task.kind not in self._first:
            self._first[task.kind] = task, seconds
            return
        for sums, number in ((self._seconds, seconds), (self._costs, task.cost)):
            of_kind = sums.setdefault(task.kind, {})
            of_kind[task.rank] = of_kind.get(task.rank, 0.0) + number

    def seconds(self, costs: Costs) -> float:
        """Return the expected time of work that is given by its cost for each kind and rank.

        Before anything was measured a unit of cost counts as a second.
        """
        if not self.measured:
            return float(sum(costs.values()))
        total = 0.0
        for kind in {kind for kind, _ in costs}:
            work = {rank: cost for (each, rank), cost in costs.items() if each == kind}
            paces = self._paces(kind, np.fromiter(work, float, len(work)))
            total += float(paces @ np.fromiter(work.values(), float, len(work)))
        return total

    def _paces(self, kind: str, ranks: Array) -> Array:
        """Return the seconds for a unit of cost at some ranks."""
        if not self.settled:
            return np.full(len(ranks), self._pace_of_first_tasks(kind))
        counts = {kind: 1.0, **_ALIKE.get(kind, {})}
        counts = {each: count for each, count in counts.items() if each in self._costs}
        measured, seconds, costs, count = np.array(
            [
                (rank, self._seconds[each][rank], cost, number)
                for each, number in (counts or dict.fromkeys(self._costs, 1.0)).items()
                for rank, cost in self._costs[each].items()
            ]
        ).T
        weights = count * np.exp2(-_FALL * np.abs(np.log2(measured) - np.log2(ranks)[:, np.newaxis]))
        paces: Array = (weights @ seconds) / (weights @ costs)
        if kind in self._first and kind not in self._costs:
            paces = np.minimum(paces, self._pace_of_first_tasks(kind))
        return paces

    def _pace_of_first_tasks(self, kind: str) -> float:
        """Return the seconds for a unit of the first task of a kind; if there is none, of all kinds."""
        first = [self._first[kind]] if kind in self._first else list(self._first.values())
        return sum(seconds for _, seconds in first) / sum(task.cost for task, _ in first)
