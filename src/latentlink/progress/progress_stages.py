"""Progress over several stages of a fit, and over steps of equal duration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from latentlink.progress.progress_record import Callback, Progress, cancels, share_and_rest
from latentlink.progress.work_clock import compiled_seconds, work_seconds

__all__ = ["StagedProgress", "StepProgress"]

_PARTS = 1_000  # of the expected time, in which several stages are counted
_LOADING = 2.0  # a first step that takes longer than so many others has loaded code


@dataclass
class StagedProgress:
    """One count over several stages of a fit, such as the models of a joint fit.

    Tasks of different stages do not compare, and how many are to come is not known: what is counted is
    thousandths of the expected time. The time of the stages to come is estimated by that of the stages until
    now, in proportion to their weights. The share is that of the time: what is done, of what is done and
    left. The time in which code is compiled or loaded counts in neither; once some was compiled, stages to
    come are expected to compile too.

    Attributes
    ----------
    callback : callable or None
        Receives a `Progress` of the whole.
    weights : list of float
        Expected duration of each stage, in any unit; may be corrected before a stage begins.
    open_stages : sequence of bool
        Whether the end of each stage is unknown beforehand, such as that of a search that doubles the rank;
        of stages that are not listed it is known.
    compiling : sequence of float
        Expected time of each stage to compile code, in any unit; of stages that are not listed none.
    cancelled : bool
        Whether the callback has cancelled a stage.
    seconds : list of float
        Durations of the stages that have ended; stored work counts as long as it took.
    begin : float
        When the stage under way began, by `work_seconds`.
    """

    callback: Callback | None
    weights: list[float]
    open_stages: Sequence[bool] = ()
    compiling: Sequence[float] = ()
    cancelled: bool = field(default=False, init=False)
    seconds: list[float] = field(default_factory=list, init=False)
    begin: float = field(default=0.0, init=False)
    _stage: int = field(default=-1, init=False)
    _model: str = field(default="", init=False)
    _before: float = field(default=0.0, init=False)
    _work: float = field(default=0.0, init=False)
    _latest: Progress = field(default=Progress(0, 0, None, None), init=False)

    def stage(self, model: str) -> Callback | None:
        """Begin the next stage; return the callback of its fit."""
        now = work_seconds()
        if self._stage >= 0:
            self.seconds.append(max(now - self.begin, self._work))
            self._before = sum(self.seconds)
        self._stage += 1
        self._model, self.begin, self._work = model, now, 0.0
        return None if self.callback is None else self._report

    def finish(self) -> None:
        """Call the callback a last time; of a cancelled fit the tasks and the share stay what they were."""
        if self.callback is not None:
            latest = self._latest
            share = latest.share if self.cancelled else 1.0
            self.callback(
                Progress(int(_PARTS * share), _PARTS, latest.rank, 0.0, share, self._model, finished=True)
            )

    def _report(self, inner: Progress) -> object:
        left, share = None, self._latest.share
        weight = sum(self.weights[: self._stage + 1])
        to_come = sum(self.weights) - weight
        rests = self._rests(inner, work_seconds() - self.begin)
        if rests is not None:
            spent = self._before + self._work
            least, more = (rest + (spent + rest) / weight * to_come for rest in rests)
            left = share_and_rest(spent, least)[1] + self._compiling_to_come()
            share = max(share, share_and_rest(spent, more)[0])
        open_ended = inner.open_ended or any(self.open_stages[self._stage + 1 :])
        self._latest = Progress(
            int(_PARTS * share), _PARTS, inner.rank, left, share, self._model, open_ended=open_ended
        )
        answer = self.callback(self._latest) if self.callback is not None else None
        self.cancelled = self.cancelled or cancels(answer)
        return answer

    def _compiling_to_come(self) -> float:
        """Return how long stages to come will compile code, by what those until now have compiled."""
        until_now = sum(self.compiling[: self._stage + 1])
        to_come = sum(self.compiling[self._stage + 1 :])
        return compiled_seconds() / until_now * to_come if until_now else 0.0

    def _rests(self, inner: Progress, elapsed: float) -> tuple[float, float] | None:
        """Return the least and the expected time left of the stage; None if nothing tells it yet.

        Before a stage tells it itself, it is that of the stages before, by their weights.
        """
        if inner.seconds_left is not None:
            self._work = _seconds_of_work(inner, elapsed)
            return inner.seconds_left, _expected_rest(inner, self._work)
        before = sum(self.weights[: self._stage])
        if not before:
            return None
        self._work = elapsed
        rest = max(0.0, self._before / before * self.weights[self._stage] - elapsed)
        return rest, rest


def _expected_rest(inner: Progress, work: float) -> float:
    """Return the expected time left of a stage: while its end is open, by its share, but the least time."""
    least = inner.seconds_left or 0.0
    return max(least, work * (1 / inner.share - 1)) if inner.open_ended and inner.share else least


def _seconds_of_work(inner: Progress, elapsed: float) -> float:
    """Return the time that a stage has taken, or would have taken, had nothing been stored before."""
    if inner.seconds_left is None or not 0 < inner.share < 1:
        return elapsed
    return max(elapsed, inner.seconds_left * inner.share / (1 - inner.share))


@dataclass
class StepProgress:
    """Progress of steps of known relative durations, but for the first, which may load libraries.

    It tells no time left by itself, and is left out of what the others are expected to take, if it took much
    longer than two others.

    Attributes
    ----------
    callback : callable or None
        Receives a `Progress` after each step.
    total : int
        Number of steps; one that takes as long as several counts as so many.
    """

    callback: Callback | None
    total: int
    _done: int = field(default=0, init=False)
    _begin: float = field(default=0.0, init=False)
    _first: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._begin = work_seconds()

    def step(self, count: int = 1) -> bool:
        """Count a finished step, or one like several; call the callback, and return False if it cancels."""
        first = not self._done
        self._done += count
        if self.callback is None:
            return True
        spent = work_seconds() - self._begin
        if first:
            self._first = spent / count
        each, others = spent / self._done, (spent - self._first) / max(1, self._done - 1)
        if self._done > 2 and self._first > _LOADING * others:
            each = others
        share, left = share_and_rest(spent, each * (self.total - self._done))
        told = None if first and self._done < self.total else left
        return not cancels(self.callback(Progress(self._done, self.total, None, told, share)))
