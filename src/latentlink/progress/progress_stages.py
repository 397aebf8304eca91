"""Progress over several stages of a fit, and over steps of equal duration."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from latentlink.progress.progress_record import Callback, Progress, cancels

__all__ = ["StagedProgress", "StepProgress"]


@dataclass
class StagedProgress:
    """One count over several stages of a fit, such as the models of a joint fit.

    The time of the stages to come is estimated by that of the stages until now, in proportion to their
    weights. The share is that of the time: what is done, of what is done and left.

    Attributes
    ----------
    callback : callable or None
        Receives a `Progress` of the whole.
    weights : list of float
        Expected duration of each stage, in any unit; may be corrected before a stage begins.
    cancelled : bool
        Whether the callback has cancelled a stage.
    seconds : list of float
        Durations of the stages that have ended; stored work counts as long as it took.
    begin : float
        When the stage under way began, by ``time.monotonic``.
    """

    callback: Callback | None
    weights: list[float]
    cancelled: bool = field(default=False, init=False)
    seconds: list[float] = field(default_factory=list, init=False)
    begin: float = field(default=0.0, init=False)
    _stage: int = field(default=-1, init=False)
    _model: str = field(default="", init=False)
    _before: tuple[int, float] = field(default=(0, 0.0), init=False)
    _work: float = field(default=0.0, init=False)
    _latest: Progress = field(default=Progress(0, 0, None, None), init=False)

    def stage(self, model: str) -> Callback | None:
        """Begin the next stage; return the callback of its fit."""
        now = time.monotonic()
        if self._stage >= 0:
            self.seconds.append(max(now - self.begin, self._work))
            self._before = self._latest.done, sum(self.seconds)
        self._stage += 1
        self._model, self.begin, self._work = model, now, 0.0
        return None if self.callback is None else self._report

    def finish(self) -> None:
        """Call the callback a last time."""
        if self.callback is not None:
            done = self._latest.done
            self.callback(replace(self._latest, total=done, seconds_left=0.0, share=1.0, finished=True))

    def _report(self, inner: Progress) -> object:
        tasks, seconds = self._before
        done, left = tasks + inner.done, None
        share = self._latest.share
        weight = sum(self.weights[: self._stage + 1])
        if inner.seconds_left is not None:
            self._work = _seconds_of_work(inner, time.monotonic() - self.begin)
            unit = (seconds + self._work + inner.seconds_left) / weight
            left = inner.seconds_left + unit * (sum(self.weights) - weight)
            share = max(share, (seconds + self._work) / (seconds + self._work + left) if left else 1.0)
        # Stages to come are expected to have tasks in proportion to their weights too.
        expected = round((tasks + inner.total) * sum(self.weights) / weight)
        self._latest = Progress(done, max(done, expected), inner.rank, left, share, self._model)
        answer = self.callback(self._latest) if self.callback is not None else None
        self.cancelled = self.cancelled or cancels(answer)
        return answer


def _seconds_of_work(inner: Progress, elapsed: float) -> float:
    """Return the time that a stage has taken, or would have taken, had nothing been stored before."""
    if inner.seconds_left is None or not 0 < inner.share < 1:
        return elapsed
    return max(elapsed, inner.seconds_left * inner.share / (1 - inner.share))


@dataclass
class StepProgress:
    """Progress of a number of steps of equal duration.

    Attributes
    ----------
    callback : callable or None
        Receives a `Progress` after each step.
    total : int
        Number of steps.
    """

    callback: Callback | None
    total: int
    _done: int = field(default=0, init=False)
    _begin: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._begin = time.monotonic()

    def step(self) -> bool:
        """Count a finished step and call the callback; return False if it cancels the fit."""
        self._done += 1
        if self.callback is None:
            return True
        left = (time.monotonic() - self._begin) * (self.total - self._done) / self._done
        share = self._done / self.total
        return not cancels(self.callback(Progress(self._done, self.total, None, left, share)))
