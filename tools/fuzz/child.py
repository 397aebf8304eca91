"""Calls in a child process with limits on time and memory, which outlive a crash of the interpreter."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

__all__ = ["SECONDS", "SPARE_BYTES", "Child", "Outcome"]

SECONDS = 10.0
"""Most time of one call, on a processor of its own: other processes may take a part of the machine."""
_WAITING_SECONDS = 6 * SECONDS
SPARE_BYTES = 2**30
"""Most address space beyond that of the process when it is ready for calls."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one call ended.

    Attributes
    ----------
    kind : {"returned", "raised", "crashed", "late"}
    value : object
        What the function returned; otherwise a sentence.
    seconds : float
    """

    kind: str
    value: Any
    seconds: float


class Child:
    """A function that is called in another process; the process is replaced after a crash or a late call.

    Parameters
    ----------
    function : callable
        Of a module, so that the child process can import it. It takes and returns what can be pickled.
    warm_up : tuple
        Arguments of a first call without limits, which imports what the function needs.
    """

    def __init__(self, function: Callable[..., Any], warm_up: tuple[Any, ...] = ()) -> None:
        self._function = function
        self._warm_up = warm_up
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._connection: Any = None

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def __call__(self, *arguments: Any) -> Outcome:
        """Call the function, and return how the call ended."""
        if self._process is None:
            self._start()
        start = time.monotonic()
        try:
            self._connection.send(arguments)
            if not self._connection.poll(_WAITING_SECONDS):
                self._stop()
                return Outcome("late", f"no result after {_WAITING_SECONDS:g} s", time.monotonic() - start)
            kind, value, seconds = self._connection.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            code = self._process.exitcode
            self._stop()
            return Outcome("crashed", f"the process ended with code {code}", time.monotonic() - start)
        if seconds > SECONDS:
            return Outcome("late", f"took {seconds:.1f} s", seconds)
        return Outcome(kind, value, seconds)

    def _start(self) -> None:
        self._connection, other = self._context.Pipe()
        arguments = (other, self._function, self._warm_up)
        self._process = self._context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        other.close()
        self._connection.recv()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = None


def _serve(connection: Connection, function: Callable[..., Any], warm_up: tuple[Any, ...]) -> None:
    """Answer calls until the other end is closed."""
    if warm_up:
        function(*warm_up)
    _limit_memory()
    connection.send("ready")
    with contextlib.suppress(EOFError):
        while True:
            arguments = connection.recv()
            start = _cpu_seconds()
            try:
                answer = ("returned", function(*arguments))
            except Exception as error:  # noqa: BLE001  (the point is to find what is raised)
                answer = ("raised", f"{type(error).__name__}: {str(error)[:300]}")
            connection.send((*answer, _cpu_seconds() - start))


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its own child processes."""
    return sum(os.times()[:4])


def _limit_memory() -> None:
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + SPARE_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
