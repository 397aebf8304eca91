"""The one place where work is spread: serially, over threads, or over any executor."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Self

from latentlink.errors import IncompatibleError

__all__ = ["Crew", "worker_count"]

Task = tuple[Callable[..., Any], tuple[Any, ...]]


def worker_count(n_jobs: int | None) -> int:
    """Return how many threads a number of jobs means, as in scikit-learn: None is 1, -1 is all cores.

    Examples
    --------
    >>> worker_count(None), worker_count(3)
    (1, 3)
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not hasattr(n_jobs, "__index__") or n_jobs == 0:
        raise IncompatibleError(
            f"n_jobs is {n_jobs!r}; expected None, a positive number, or -1 for all cores."
        )
    cores = os.cpu_count() or 1
    return max(1, cores + 1 + n_jobs) if n_jobs < 0 else int(n_jobs)


class Crew:
    """Workers on tasks, some of which come up only when others are done.

    Kernels release the interpreter's lock, so threads share the data and need no copies. A given executor is
    used as it is and left open: processes, a Dask client's, MPI's.

    Parameters
    ----------
    n_jobs : int or None
        Threads.
    executor : Executor, optional
        Who works instead of threads.

    Examples
    --------
    >>> with Crew() as crew:
    ...     crew.add(pow, 2, 3)
    ...     [result for _, _, result in crew.done()]
    [8]
    """

    def __init__(self, n_jobs: int | None = None, executor: Executor | None = None) -> None:
        workers = worker_count(n_jobs)
        self._own = ThreadPoolExecutor(workers) if executor is None and workers > 1 else None
        self._pool = executor or self._own
        # Threads are handed no more than they can begin, so that what comes first does. How many tasks
        # another executor works on at once is not known: it is handed all of them.
        self._most = workers if executor is None else float("inf")
        self._waiting: deque[Task] = deque()
        self._begun: dict[Future[Any], Task] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for future in self._begun:  # who stops listening wants no more of them
            future.cancel()
        if self._own is not None:
            self._own.shutdown(wait=True, cancel_futures=True)

    def add(self, function: Callable[..., Any], *given: Any, first: bool = False) -> None:
        """Have a function called: after all others, or before those that have not begun."""
        (self._waiting.appendleft if first else self._waiting.append)((function, given))

    def done(self) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...], Any]]:
        """Yield (function, arguments, result) as tasks are done, until none is left; more may be added."""
        while self._waiting or self._begun:
            if self._pool is None:
                function, given = self._waiting.popleft()
                yield function, given, function(*given)
                continue
            while self._waiting and len(self._begun) < self._most:
                task = self._waiting.popleft()
                self._begun[self._pool.submit(task[0], *task[1])] = task
            ended = next(iter(wait(self._begun, return_when=FIRST_COMPLETED).done))
            yield *self._begun.pop(ended), ended.result()
