"""Tasks run serially, on threads, on any `concurrent.futures` executor, or on a Dask cluster.

A fit has two levels of parallel work: tasks (a rank and a block of members), and the parts of a task (chunks
of rows in a sweep). Both use the threads of one `TaskPool`: a thread without a task of its own takes parts of
the tasks that are under way, so that no more threads are busy than were asked for.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Self

from threadpoolctl import threadpool_limits

from latentlink.cluster import (
    DaskExecutor,
    RemoteTask,
    Share,
    SharedObjects,
    is_dask_client,
    run_packed,
    run_unpacked,
)
from latentlink.errors import IncompatibleError
from latentlink.saving import storage_errors
from latentlink.validation.bounds import MOST_JOBS
from latentlink.validation.numbers import is_number
from latentlink.validation.wording import shown_repr

__all__ = ["TaskPool", "Workers", "one_blas_thread", "run_parts", "worker_count"]

Workers = Executor | Any  # an executor, or a Dask client, whose class is not imported here


class Task(NamedTuple):
    """A function call, with a name and an expected time relative to others."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    name: str = ""
    cost: float = 1.0


_POOL: ContextVar[TaskPool | None] = ContextVar("the pool whose thread runs this task", default=None)


def worker_count(n_jobs: int | None) -> int:
    """Return the number of threads for ``n_jobs``, as in scikit-learn: None is 1, -1 is all cores.

    Examples
    --------
    >>> worker_count(None), worker_count(3)
    (1, 3)
    """
    if n_jobs is None:
        return 1
    if not is_number(n_jobs, -MOST_JOBS, MOST_JOBS, whole=True) or n_jobs == 0:
        raise IncompatibleError(
            f"n_jobs is {shown_repr(n_jobs)}; expected None, a whole number of threads from 1 to "
            f"{MOST_JOBS:,}, or -1 for all cores."
        )
    cores = os.cpu_count() or 1
    return max(1, cores + 1 + n_jobs) if n_jobs < 0 else int(n_jobs)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit the linear algebra of a block of code to one thread.

    The matrices of a fit are small, and its tasks are what runs in parallel. With a thread for each core,
    each product waits for all cores: on a busy machine that takes ten times as long, and the last bits depend
    on the number of cores.

    Examples
    --------
    >>> import numpy as np
    >>> with one_blas_thread():
    ...     float(np.ones(3) @ np.ones(3))
    3.0
    """
    with threadpool_limits(1, user_api="blas"):
        yield


def run_parts(function: Callable[[int], None], parts: int) -> None:
    """Call ``function(0)`` to ``function(parts - 1)``, shared with idle threads of the pool of this task.

    Parts must not depend on each other: they run in any order. Outside of a task they run one after another.

    Examples
    --------
    >>> squares = [0] * 4
    >>> def square(i):
    ...     squares[i] = i * i
    >>> run_parts(square, 4)
    >>> squares
    [0, 1, 4, 9]
    """
    pool = _POOL.get() if parts > 1 else None
    helpers = pool.idle_threads(parts - 1) if pool is not None else 0
    if pool is None or not helpers:
        for index in range(parts):
            function(index)
        return
    indices = count()  # next() of it is atomic

    def work() -> None:
        while (index := next(indices)) < parts:
            function(index)

    pool.help(work, helpers)


class TaskPool:
    """A queue of function calls and the workers that run them; calls may be added while others run.

    Kernels release the interpreter's lock, so threads share the data and need no copies. Other processes get
    the data that tasks share once, see `latentlink.cluster`, and run each task in one thread. An executor
    that is passed in (of processes, Dask or MPI) is not shut down.

    Parameters
    ----------
    n_jobs : int or None, default=None
        Number of threads, see `worker_count`. With one, tasks run in the calling thread.
    executor : Executor or dask.distributed.Client, optional
        Runs the tasks instead of threads.
    folder : path, optional
        Where data that tasks share are written while they run, for processes that can read it.

    Examples
    --------
    >>> with TaskPool() as pool:
    ...     pool.add(pow, 2, 3)
    ...     [result for _, _, result in pool.completed()]
    [8]
    """

    def __init__(
        self, n_jobs: int | None = None, executor: Workers | None = None, folder: str | Path | None = None
    ) -> None:
        workers = worker_count(n_jobs)
        self._threads = ThreadPoolExecutor(workers) if executor is None and workers > 1 else None
        self.is_remote = executor is not None and not isinstance(executor, ThreadPoolExecutor)
        self.share = executor if isinstance(executor, Share) else None
        other_memory = self.is_remote and self.share is None
        self._folder = _shared_folder(folder) if other_memory and folder is not None else None
        self._cluster = DaskExecutor(executor, self._folder) if is_dask_client(executor) else None
        self._shared = None if self._folder is None or self._cluster else SharedObjects(self._folder)
        self._executor: Any = self._threads if executor is None else executor
        # Threads get no more tasks than they can start at once, so that a task added with first=True is next.
        # How many tasks another executor runs at once is not known: it gets all of them.
        self._max_running = workers if executor is None else float("inf")
        self._waiting: deque[Task] = deque()
        self._running: dict[Future[Any] | RemoteTask, Task] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for future in self._running:  # after an error or a cancelled search nobody reads their results
            future.cancel()
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)
        if self._cluster is not None:
            self._cluster.close([task for task in self._running if isinstance(task, RemoteTask)])
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def add(
        self,
        function: Callable[..., Any],
        *args: Any,
        first: bool = False,
        name: str = "",
        cost: float = 1.0,
    ) -> None:
        """Add a call of a function to the end of the queue, or to its front if ``first``.

        A cluster shows it by its name, and expects it to take a time that grows with its cost.
        """
        task = Task(function, args, name or function.__name__, cost)
        (self._waiting.appendleft if first else self._waiting.append)(task)

    @property
    def has_tasks(self) -> bool:
        """Whether tasks are waiting or running."""
        return bool(self._waiting or self._running)

    def clear(self, keep: Callable[..., Any] | None = None) -> bool:
        """Drop tasks that have not begun, but those of a function to keep; return whether there were any."""
        kept = [task for task in self._waiting if task.function is keep]
        dropped = len(self._waiting) > len(kept)
        self._waiting = deque(kept)
        for future, task in list(self._running.items()):
            if task.function is not keep and future.cancel():
                del self._running[future]
                dropped = True
        return dropped

    def completed(self) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...], Any]]:
        """Yield (function, arguments, result) of each task as it completes, until the queue is empty."""
        while self._waiting or self._running:
            if self._executor is None:
                function, args, *_ = self._waiting.popleft()
                yield function, args, function(*args)
                continue
            while self._waiting and len(self._running) < self._room:
                task = self._waiting.popleft()
                self._running[self._submitted(task)] = task
            future = self._first_done()
            task = self._running.pop(future)
            yield task.function, task.args, future.result()

    @property
    def _room(self) -> float:
        return self._max_running if self._cluster is None else self._cluster.capacity

    def _submitted(self, task: Task) -> Future[Any] | RemoteTask:
        """Send a task to where it runs."""
        call = (task.function, *task.args)
        if self._cluster is not None:
            return self._cluster.submit(task.name, task.cost, *call)
        submitted: Future[Any]
        if self._threads is not None:
            submitted = self._executor.submit(self._run, *call)
        elif self._shared is not None:
            submitted = self._executor.submit(run_packed, self._shared.packed(*call), {})
        else:
            submitted = self._executor.submit(*((run_unpacked,) if self.is_remote else ()), *call)
        return submitted

    def _first_done(self) -> Future[Any] | RemoteTask:
        if self._cluster is not None:
            return self._cluster.first_done([task for task in self._running if isinstance(task, RemoteTask)])
        return next(iter(wait(self._running, return_when=FIRST_COMPLETED).done))  # type: ignore[arg-type]

    def _run(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a task in one of the threads, whose parts other threads may take."""
        token = _POOL.set(self)
        try:
            return function(*args)
        finally:
            _POOL.reset(token)

    def idle_threads(self, most: int) -> int:
        """Return how many threads have no task of their own, ``most`` at the most."""
        return max(0, min(int(self._max_running) - len(self._running), most))

    def help(self, work: Callable[[], None], helpers: int) -> None:
        """Call ``work`` in this thread and in ``helpers`` idle ones, until all calls have returned."""
        assert self._threads is not None
        calls = [self._threads.submit(work) for _ in range(helpers)]
        try:
            work()
        finally:
            # A call that no thread has begun would find nothing left to do.
            begun = [call for call in calls if not call.cancel()]
            wait(begun)
        for call in begun:
            call.result()


def _shared_folder(folder: str | Path) -> Path:
    """Create a folder inside of another, for the data that tasks share."""
    parent = Path(folder)
    with storage_errors(parent):
        parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=".tasks-", dir=parent))
