"""Progress of a rank search: tasks finished and left, their share of the time, and the time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from latentlink.progress.progress_record import Callback, Progress, cancels, share_and_rest
from latentlink.progress.task_pace import Task, TaskPace, costs_of
from latentlink.progress.work_clock import work_seconds

__all__ = ["ProgressReporter"]


@dataclass
class ProgressReporter:
    """Counts tasks, and calls the progress callback with their share of the time and the time left.

    The time of a task is that since the report before it: with several workers, its part of their time, and
    without that in which code is compiled or loaded. What is left is predicted by `TaskPace`.

    Attributes
    ----------
    callback : callable or None
        Receives a `Progress` after each task, and once at the end.
    done, total : int
        Number of tasks finished, and of all tasks announced.
    share : float
        The largest share of the expected work that was reported as done.
    likely : sequence of Task
        Tasks that are likely to follow, but not announced yet.
    further : sequence of Task
        Tasks instead of the ``likely``, if the search goes on for longer than it must; empty if it cannot.
    closing : sequence of Task
        Work at the end of the search that is not counted as a task.
    start_time, deadline : float
        When the search started, and when it ends at the latest, in seconds.
    pace : TaskPace
        What tasks took until now.
    cancelled : bool
        Whether the callback has cancelled the search.
    """

    callback: Callback | None
    done: int = 0
    total: int = 0
    share: float = 0.0
    likely: Sequence[Task] = ()
    further: Sequence[Task] = ()
    closing: Sequence[Task] = ()
    start_time: float = field(default_factory=time.monotonic)
    deadline: float = float("inf")
    pace: TaskPace = field(default_factory=TaskPace)
    cancelled: bool = False
    _left: dict[tuple[str, int], float] = field(default_factory=dict)
    _loaded: dict[tuple[str, int], float] = field(default_factory=dict)
    _spent: float = 0.0
    _latest: float = field(init=False)

    def __post_init__(self) -> None:
        self._latest = work_seconds()

    def expect(self, tasks: Sequence[Task]) -> None:
        """Announce tasks."""
        self.total += len(tasks)
        for key, cost in costs_of(tasks).items():
            self._left[key] = self._left.get(key, 0.0) + cost

    def report(self, task: Task, rank: Callable[[], int | None], loaded: bool = False) -> bool:
        """Count a finished task and call the callback; return False if it cancels the search.

        Parameters
        ----------
        task : Task
            The task, which was announced before.
        rank : callable
            Returns the choice so far; only called if there is a callback.
        loaded : bool, default=False
            Whether the task was loaded from a checkpoint; its time then does not enter the estimate.
        """
        now, worked = time.monotonic(), work_seconds()
        seconds, self._latest = worked - self._latest, worked
        if not loaded:
            self.pace.add(task, seconds)
        if self.callback is None:
            return True
        self.done += 1
        key = task.kind, task.rank
        self._left[key] -= task.cost
        if loaded:
            self._loaded[key] = self._loaded.get(key, 0.0) + task.cost
        else:
            self._spent += seconds
        announced, closing = self.pace.seconds(self._left), self.pace.seconds(costs_of(self.closing))
        least = announced + self.pace.seconds(costs_of(self.likely)) + closing
        more = announced + self.pace.seconds(costs_of(self.further)) + closing if self.further else least
        spent = self._spent + self.pace.seconds(self._loaded)
        until_deadline = max(0.0, self.deadline - now)
        of_work, of_limit = (
            share_and_rest(*each)[0]
            for each in ((spent, max(least, more)), (now - self.start_time, until_deadline))
        )
        self.share = max(self.share, of_work, of_limit)
        _, seconds_left = share_and_rest(spent, min(least, until_deadline))
        report = Progress(
            self.done,
            self.total + len(self.likely),
            rank(),
            seconds_left if self.pace.settled else None,
            self.share,
            open_ended=bool(self.further) and least < until_deadline,
        )
        self.cancelled = cancels(self.callback(report))
        return not self.cancelled

    def finish(self, rank: int) -> None:
        """Call the callback a last time, with the chosen rank.

        A search that was cancelled has the tasks and the share that it had then. One that ended at its limit
        has no tasks left.
        """
        if self.callback is not None:
            total, share = (self.total + len(self.likely), self.share) if self.cancelled else (self.done, 1.0)
            self.callback(Progress(self.done, total, rank, 0.0, share, finished=True))
