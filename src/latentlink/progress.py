"""Progress of a fit: what a callback receives, one count over several models, and a bar that draws it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TextIO

import numpy as np

__all__ = ["Callback", "Progress", "StagedProgress", "cancels", "progress_bar"]

_BAR_WIDTH = 30
_LINE_SHARE = 0.1  # of the work between two lines, where no bar can be drawn
_REDRAW_SECONDS = 0.1


@dataclass(frozen=True)
class Progress:
    """Progress of a fit, as a callback receives it.

    Attributes
    ----------
    done, total : int
        Number of tasks finished, and of all tasks expected: trials of ridges, blocks of members, and the
        summary of each rank. An automatic search corrects the total on its way.
    rank : int or None
        The choice among the ranks finished so far; None before the first.
    seconds_left : float or None
        Estimated time of the remaining tasks; None before a first task was computed.
    share : float
        Share of the expected work that is done, from 0 to 1; it never decreases during a fit.
    model : str
        The model that is being fitted, for an estimator of several models; else an empty string.
    finished : bool
        Whether this is the last call.
    """

    done: int
    total: int
    rank: int | None
    seconds_left: float | None
    share: float = 0.0
    model: str = ""
    finished: bool = False


Callback = Callable[[Progress], object]


def cancels(answer: object) -> bool:
    """Return whether the answer of a callback cancels the fit: False does, None and all others do not."""
    return isinstance(answer, bool | np.bool_) and not answer


@dataclass
class StagedProgress:
    """One count over the fits of several models, which are the stages of a joint fit.

    Stages are expected to take equal time, until some have finished.

    Attributes
    ----------
    callback : callable or None
        Receives a `Progress` of the whole.
    stages : int
        Number of stages.
    cancelled : bool
        Whether the callback has cancelled a stage.
    """

    callback: Callback | None
    stages: int
    cancelled: bool = field(default=False, init=False)
    _stage: int = field(default=-1, init=False)
    _model: str = field(default="", init=False)
    _done: int = field(default=0, init=False)
    _latest: Progress = field(default=Progress(0, 0, None, None), init=False)
    _start: float = field(default_factory=time.monotonic, init=False)

    def stage(self, model: str) -> Callback | None:
        """Begin the next stage; return the callback of its fit."""
        self._stage += 1
        self._model = model
        self._done = self._latest.done
        return None if self.callback is None else self._report

    def finish(self) -> None:
        """Call the callback a last time."""
        if self.callback is not None:
            done = self._latest.done
            self.callback(replace(self._latest, total=done, seconds_left=0.0, share=1.0, finished=True))

    def _report(self, inner: Progress) -> object:
        share = max(self._latest.share, (self._stage + inner.share) / self.stages)
        done = self._done + inner.done
        # Stages to come are expected to have as many tasks as those until now.
        expected = round((self._done + inner.total) * self.stages / (self._stage + 1))
        elapsed = time.monotonic() - self._start
        self._latest = Progress(
            done,
            max(done, expected),
            inner.rank,
            elapsed * (1 - share) / share if share > 0 and inner.seconds_left is not None else None,
            share,
            self._model,
        )
        answer = self.callback(self._latest) if self.callback is not None else None
        self.cancelled = self.cancelled or cancels(answer)
        return answer


class _Bar:
    """A callback that draws a bar on one line, or writes a line for each tenth where it cannot be redrawn."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._redraws = file.isatty() or ("ipykernel" in sys.modules and file in (sys.stdout, sys.stderr))
        self._width, self._share, self._time = 0, -1.0, -1.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if self._redraws and (progress.finished or now - self._time >= _REDRAW_SECONDS):
            line = _line(progress, _BAR_WIDTH)
            self._file.write(f"\r{line:<{self._width}}" + ("\n" if progress.finished else ""))
            self._width, self._time = len(line), now
        elif not self._redraws and (progress.finished or progress.share >= self._share + _LINE_SHARE):
            self._file.write(_line(progress, 0) + "\n")
            self._share = progress.share
        self._file.flush()


def _line(progress: Progress, width: int) -> str:
    """Return the text of a bar of a width, such as ``[#####     ]  50 %  LMF  rank 4 so far  12 s left``."""
    filled = round(width * progress.share)
    parts = [f"[{'#' * filled}{' ' * (width - filled)}]"] if width else []
    parts.append(f"{100 * progress.share:3.0f} %")
    if progress.model and not progress.finished:
        parts.append(progress.model)
    if progress.rank is not None:
        parts.append(f"rank {progress.rank}" + ("" if progress.finished else " so far"))
    if progress.seconds_left is not None and not progress.finished:
        parts.append(f"about {_duration(progress.seconds_left)} left")
    return "  ".join(parts)


def _duration(seconds: float) -> str:
    """Return a time in the unit that suits it.

    Examples
    --------
    >>> _duration(12.3), _duration(600), _duration(9000)
    ('12 s', '10 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def progress_bar(file: TextIO | None = None) -> Callback:
    """Return a callback that draws the progress of a fit as a bar, in a terminal or a notebook.

    Elsewhere, such as in a log file, it writes a line for each tenth of the work. Use a new one for each fit.

    Parameters
    ----------
    file : text file, optional
        Where to write; standard error by default.

    Examples
    --------
    >>> import io
    >>> import numpy as np
    >>> from latentlink import WNMFk
    >>> log = io.StringIO()
    >>> X = np.outer(np.arange(1.0, 9.0), np.arange(1.0, 7.0))
    >>> model = WNMFk((1, 2), n_perturbs=4, random_state=0).fit(X, callback=progress_bar(log))
    >>> log.getvalue().splitlines()[-1]
    '100 %  rank 1'
    """
    return _Bar(sys.stderr if file is None else file)
