"""A clock of the work of a fit, without the time in which kernels are compiled or loaded."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock

from numba.core import event

__all__ = ["compiled_seconds", "work_clock", "work_seconds"]

_LOADING, _COMPILING = "numba:compiler_lock", "numba:compile"


class _Stopwatch(event.Listener):
    """Measures for how long events of a kind are under way in any thread; the time of several counts once."""

    def __init__(self) -> None:
        self._lock, self._depth, self._begin, self._total = Lock(), 0, 0.0, 0.0

    def on_start(self, event: object) -> None:
        """Begin, unless another event is under way."""
        with self._lock:
            if not self._depth:
                self._begin = time.monotonic()
            self._depth += 1

    def on_end(self, event: object) -> None:
        """End, unless another event is under way; an event that began before the stopwatch counts nothing."""
        with self._lock:
            if self._depth == 1:
                self._total += time.monotonic() - self._begin
            self._depth = max(0, self._depth - 1)

    def seconds(self) -> float:
        """Return the time until now."""
        with self._lock:
            return self._total + (time.monotonic() - self._begin if self._depth else 0.0)


_CLOCK: ContextVar[tuple[_Stopwatch, _Stopwatch] | None] = ContextVar("clock of a fit", default=None)


@contextmanager
def work_clock() -> Iterator[None]:
    """Measure within what numba compiles and loads; inside of another such block, by the clock of that one.

    Kernels are compiled in the first process that needs them and loaded in every other one: seconds in which
    no work is done, and which tell nothing of the work to come. In processes of an executor they are not
    measured.
    """
    if _CLOCK.get() is not None:
        yield
        return
    loading, compiling = _Stopwatch(), _Stopwatch()
    token = _CLOCK.set((loading, compiling))
    try:
        with event.install_listener(_LOADING, loading), event.install_listener(_COMPILING, compiling):
            yield
    finally:
        _CLOCK.reset(token)


def work_seconds() -> float:
    """Return the seconds of a monotonic clock, without those in which code was compiled or loaded."""
    clock = _CLOCK.get()
    return time.monotonic() - (clock[0].seconds() if clock else 0.0)


def compiled_seconds() -> float:
    """Return for how long code was compiled since the clock began; loading it does not count."""
    clock = _CLOCK.get()
    return clock[1].seconds() if clock else 0.0
