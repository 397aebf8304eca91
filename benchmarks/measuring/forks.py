"""Jobs in copies of this process: each begins with the same data and compiled kernels, and leaves nothing."""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

__all__ = ["in_fork"]

LIMIT = 240.0  # seconds


def in_fork(job: Callable[[], dict[str, Any]], limit: float = LIMIT) -> dict[str, Any]:
    """Return the record that a job returns in a fork of this process.

    Where it fails, or is not done within the limit, the record is a ``note`` that says so. This process must
    have no threads of its own: those of OpenMP would be missing in the fork.

    Examples
    --------
    >>> in_fork(lambda: {"seconds": 1.0})
    {'seconds': 1.0}
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, job), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, from Python 3.12
        process.start()
    sender.close()
    try:
        record: dict[str, Any] = receiver.recv() if receiver.poll(limit) else _stopped(process, limit)
    except EOFError:
        process.join()
        record = {"note": f"The process ended with code {process.exitcode} and without a result."}
    process.join()
    return record


def _stopped(process: Any, limit: float) -> dict[str, Any]:
    process.kill()
    return {"note": f"Not done after {limit:.0f} s, and stopped."}


def _send(sender: Connection, job: Callable[[], dict[str, Any]]) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            record = job()
    except Exception as error:  # noqa: BLE001  (what fails is a row of the table)
        record = {"note": f"Failed: {type(error).__name__}: {error}"}
    sender.send(record)
    sender.close()
