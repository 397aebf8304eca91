"""The one place where work is spread: serially, over threads, or over any executor."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from typing import Any, TypeVar

from latentlink.errors import IncompatibleError

__all__ = ["run", "worker_count"]

Result = TypeVar("Result")


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


def run(
    function: Callable[..., Result],
    tasks: Iterable[tuple[Any, ...]],
    n_jobs: int | None = None,
    executor: Executor | None = None,
) -> Iterator[tuple[tuple[Any, ...], Result]]:
    """Call a function on every task and yield (task, result) as they are done.

    Kernels release the interpreter's lock, so threads share the data and need no copies. A given executor is
    used as it is and left open: processes, a Dask client's, MPI's.
    """
    todo = list(tasks)
    workers = min(worker_count(n_jobs), len(todo))
    if executor is None and workers <= 1:
        for task in todo:
            yield task, function(*task)
        return
    pool = executor or ThreadPoolExecutor(workers)
    futures: dict[Future[Result], tuple[Any, ...]] = {}
    try:
        futures = {pool.submit(function, *task): task for task in todo}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:  # who stops listening wants no more of them
            future.cancel()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)
