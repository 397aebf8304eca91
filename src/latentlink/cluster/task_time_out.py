"""How long a task may take, by the pace of those that have finished."""

from __future__ import annotations

__all__ = ["LEAST_SECONDS", "TaskTimeOut"]

LEAST_SECONDS = 60.0  # a worker may have to start and to compile first
_TIMES_SLOWEST = 10.0  # tasks of one cost differ by when they converge


class TaskTimeOut:
    """Time-outs of tasks: ten times the slowest pace of those that have finished, and a minute at least.

    The pace of a task is its time divided by its expected cost. Until a task has finished there is no
    time-out. Each further attempt has twice the time, so that a task which is slow by itself ends at last.

    Examples
    --------
    >>> time_out = TaskTimeOut()
    >>> time_out.seconds(cost=2.0)
    inf
    >>> time_out.finished(cost=1.0, seconds=30.0)
    >>> time_out.seconds(cost=2.0), time_out.seconds(cost=2.0, attempt=2), time_out.seconds(cost=0.01)
    (600.0, 1200.0, 60.0)
    """

    def __init__(self, least_seconds: float | None = None) -> None:
        self._least = LEAST_SECONDS if least_seconds is None else least_seconds
        self._slowest: float | None = None

    def finished(self, cost: float, seconds: float) -> None:
        """Note the time of a task that has finished."""
        self._slowest = max(self._slowest or 0.0, seconds / cost)

    def seconds(self, cost: float, attempt: int = 1) -> float:
        """Return how long an attempt may take."""
        if self._slowest is None:
            return float("inf")
        return max(self._least, _TIMES_SLOWEST * self._slowest * cost) * 2.0 ** (attempt - 1)
