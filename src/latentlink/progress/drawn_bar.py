"""A bar that draws the progress of a fit, or lines of a log."""

from __future__ import annotations

import sys
import time
from io import BufferedIOBase, IOBase, RawIOBase
from os import PathLike
from typing import Any, TextIO

from latentlink.errors import InputError
from latentlink.progress.progress_record import Callback, Progress
from latentlink.validation.arguments import checked_callable
from latentlink.validation.wording import shown_repr

__all__ = ["checked_callback", "progress_bar", "time_left"]

_BAR_WIDTH = 30
_LINE_SHARE = 0.1  # of the work between two lines, where no bar can be drawn
_REDRAW_SECONDS = 0.1
_LEAST_TOLD = 10.0  # seconds that are left at least, to be worth telling


class _Bar:
    """A callback that draws a bar on one line, or writes a line for each tenth where it cannot be redrawn."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        terminal = callable(getattr(file, "isatty", None)) and file.isatty()
        self._redraws = terminal or ("ipykernel" in sys.modules and file in (sys.stdout, sys.stderr))
        self._width, self._share, self._time = 0, -1.0, -1.0

    def check(self) -> None:
        """Raise InputError if the file was closed since the bar was made."""
        _checked_file(self._file)

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
    """Return the text of a bar of a width, such as ``[##  ]  50 %  LMF  rank 4 so far  about 12 s left``."""
    filled = round(width * progress.share)
    parts = [f"[{'#' * filled}{' ' * (width - filled)}]"] if width else []
    parts.append(f"{100 * progress.share:3.0f} %")
    if progress.model and not progress.finished:
        parts.append(progress.model)
    if progress.rank is not None:
        parts.append(f"rank {progress.rank}" + ("" if progress.finished else " so far"))
    parts.append(time_left(progress))
    return "  ".join(part for part in parts if part)


def time_left(progress: Progress) -> str:
    """Return the time left in words; empty at the end, and where it is not known.

    Of a search that may go on there is only a least time, and one of a few seconds says nothing.

    Examples
    --------
    >>> time_left(Progress(3, 9, 4, 12.3, 0.3)), time_left(Progress(3, 9, 4, 12.3, 0.3, open_ended=True))
    ('about 12 s left', 'at least 12 s left')
    """
    if progress.seconds_left is None or progress.finished:
        return ""
    if progress.open_ended and progress.seconds_left < _LEAST_TOLD:
        return ""
    how = "at least" if progress.open_ended else "about"
    return f"{how} {_duration(progress.seconds_left)} left"


def _duration(seconds: float) -> str:
    """Return a time in the unit that suits it.

    Examples
    --------
    >>> _duration(0.2), _duration(12.3), _duration(600), _duration(9000)
    ('1 s', '12 s', '10 min', '2.5 h')
    """
    if seconds < 120:
        return f"{max(seconds, 1.0):.0f} s"
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
    return _Bar(sys.stderr if file is None else _checked_file(file))


def checked_callback(callback: Any) -> None:
    """Raise InputError, before any work, unless a callback is a function that takes a Progress."""
    if callback is progress_bar:
        raise InputError(
            "callback is progress_bar, the function that makes a bar; expected a bar. Write "
            "callback=progress_bar(), with parentheses."
        )
    checked_callable(callback, "callback", "that takes a Progress")
    if isinstance(callback, _Bar):
        callback.check()


def _checked_file(file: Any) -> TextIO:
    """Return an open text file; raise InputError for anything else."""
    if isinstance(file, str | PathLike):
        raise InputError(
            f"The file of progress_bar is {shown_repr(file)}, a path; expected an open text file, such as "
            f'open({shown_repr(file)}, "w"), or None for standard error.'
        )
    if not callable(getattr(file, "write", None)) or not callable(getattr(file, "flush", None)):
        raise InputError(
            f"The file of progress_bar is {shown_repr(file)}; expected an open text file, such as "
            "sys.stdout, or None for standard error."
        )
    if getattr(file, "closed", False):
        raise InputError(
            f"The file of progress_bar, {shown_repr(file)}, is closed; expected an open text file. Open it "
            "for as long as the fit runs."
        )
    binary = isinstance(file, RawIOBase | BufferedIOBase) or "b" in str(getattr(file, "mode", ""))
    if binary or (isinstance(file, IOBase) and not file.writable()):
        raise InputError(
            f"The file of progress_bar, {shown_repr(file)}, takes no text; expected a text file that is open "
            'for writing, such as open("log.txt", "w").'
        )
    checked: TextIO = file
    return checked
