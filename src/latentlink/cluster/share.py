"""One of several processes that work on the tasks of one run folder, without a scheduler."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

from latentlink.errors import InputError

__all__ = ["Share", "claimed", "wait_a_moment"]

T = TypeVar("T")

_BEAT = 15.0  # seconds between signs of life of a claim
_STALE = 120.0  # seconds without one, after which a claim is void


class Share(Executor):
    """Runs the tasks of one of several processes in threads of its own; others run theirs elsewhere.

    Each process goes through the whole search in one folder. It begins with tasks of its own share, takes
    those of others that nobody has begun, and waits for those that are under way elsewhere. So no task is
    computed twice, and none is lost if a process ends.

    Parameters
    ----------
    number, count : int
        The number of this process, from 1, and how many there are.
    n_jobs : int
        Threads.

    Examples
    --------
    >>> with Share(2, 3) as share:
    ...     share.ordered("abcdef")
    ['b', 'e', 'c', 'f', 'a', 'd']
    """

    def __init__(self, number: int, count: int, n_jobs: int = 1) -> None:
        if not 1 <= number <= count:
            raise InputError(f"The share is {number}/{count}; expected a number from 1 to {count}.")
        self.number, self.count = number, count
        self._threads = ThreadPoolExecutor(n_jobs)

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a call in one of the threads."""
        return self._threads.submit(function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)

    def ordered(self, tasks: Sequence[T]) -> list[T]:
        """Return tasks in the order in which this process takes them: its share, then those of the next."""
        shares = [(self.number - 1 + step) % self.count for step in range(self.count)]
        return [task for share in shares for task in tasks[share :: self.count]]


@contextmanager
def claimed(path: Path) -> Iterator[bool]:
    """Claim a task by a file while the block runs; the value is False if another process has claimed it.

    The file is touched every 15 s. One that was not for 120 s was left by a process that has ended, and its
    claim is void. Times are those of the file system, so that clocks may differ.
    """
    if not _created(path) and not (_is_stale(path) and _taken_over(path)):
        yield False
        return
    done = Event()
    beating = Thread(target=_beat, args=(path, done), daemon=True)
    beating.start()
    try:
        yield True
    finally:
        done.set()
        beating.join()
        with suppress(FileNotFoundError):
            path.unlink()


def _created(path: Path) -> bool:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        return False
    return True


def _is_stale(path: Path) -> bool:
    clock = path.with_name(f".clock-{secrets.token_hex(8)}")
    clock.touch()
    now = clock.stat().st_mtime
    clock.unlink()
    try:
        return now - path.stat().st_mtime > _STALE
    except FileNotFoundError:
        return False  # just released: the result is there, or the next look finds the task free


def _taken_over(path: Path) -> bool:
    """Replace a void claim by a new one; of several processes one succeeds."""
    void = path.with_name(f".void-{secrets.token_hex(8)}")
    try:
        path.rename(void)
    except FileNotFoundError:
        return False
    void.unlink()
    return _created(path)


def _beat(path: Path, done: Event) -> None:
    while not done.wait(_BEAT):
        with suppress(OSError):
            os.utime(path)


def wait_a_moment() -> None:
    """Pause before a task that is under way elsewhere is looked at again."""
    time.sleep(0.2)
