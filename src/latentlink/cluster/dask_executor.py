"""Tasks on the workers of a Dask cluster: named, without the data that they share, and repeated if lost."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

from latentlink.cluster.shared_objects import MissingContentError, SharedObjects, forget, run_packed
from latentlink.cluster.task_failures import connection_lost, raise_task_failure, unfinished, without_workers
from latentlink.cluster.task_time_out import TaskTimeOut
from latentlink.errors import IncompatibleError

__all__ = ["DaskExecutor", "RemoteTask", "is_dask_client"]

_TICK = 1.0  # seconds between looks at tasks that do not finish
_MOST_ATTEMPTS = 5
_SCATTERED = 2**20  # bytes of a task from which it goes to a worker directly, not by the scheduler
_GATHERING = 600.0  # seconds in which the result of a finished task has to arrive
_WAIT_FOR_WORKERS = 600.0  # seconds


def is_dask_client(executor: Any) -> bool:
    """Return whether an object is a `dask.distributed.Client`; Dask is not imported for that.

    Examples
    --------
    >>> is_dask_client("tcp://127.0.0.1:8786")
    False
    """
    module = sys.modules.get("distributed")
    return module is not None and isinstance(executor, module.Client)


@dataclass(eq=False)
class RemoteTask:
    """A task on a cluster, and its attempts: one, unless a worker is lost or hangs.

    Attributes
    ----------
    call : tuple
        Function and arguments.
    name : str
        By which the dashboard shows it.
    cost : float
        Expected time, relative to other tasks.
    attempts : list of Future
        Those that are under way.
    """

    call: tuple[Callable[..., Any], tuple[Any, ...]]
    name: str
    cost: float
    attempts: list[Any] = field(default_factory=list)
    begun: int = 0
    since: float = 0.0
    is_done: bool = False
    value: Any = None

    def result(self) -> Any:
        """Return the result of a finished task."""
        return self.value

    def cancel(self) -> bool:
        """Return False: a task that is on the cluster has begun."""
        return False

    def abandon(self) -> None:
        """Cancel the attempts; their results are not read any more."""
        for future in self.attempts:
            future.cancel()
        self.attempts.clear()


class DaskExecutor:
    """Runs tasks on the workers of a Dask cluster.

    There are no more tasks on the cluster than its workers have threads, so that a task begins when it is
    sent. A task whose worker is lost is sent again; so is one that takes much longer than others did, to
    another worker, and whichever of both attempts ends first counts. The client is not closed.

    Parameters
    ----------
    client : dask.distributed.Client
    folder : path, optional
        Where data that tasks share are written, for workers that can read it. To others, and without a
        folder, they are sent, once to each worker.
    """

    def __init__(self, client: Any, folder: Path | None = None) -> None:
        if client.asynchronous:
            raise IncompatibleError(
                "The executor is an asynchronous Dask client, which cannot be waited for here. Give one that "
                "was made without asynchronous=True."
            )
        self._client, self._shared = client, SharedObjects(folder)
        self._is_read = folder is not None  # whether workers read files, until one of them cannot
        self._sent: dict[str, Any] = {}
        self._used: set[str] = set()
        self._hanging: set[str] = set()
        self._time_out, self._event = TaskTimeOut(), Event()
        self._run, self._numbers = uuid4().hex[:8], count()
        self._workers_seen = time.monotonic()

    @property
    def capacity(self) -> int:
        """How many tasks run at once: the threads of all workers that do not hang."""
        threads = self._threads()
        return max(1, sum(number for worker, number in threads.items() if worker not in self._hanging))

    def submit(self, name: str, cost: float, function: Callable[..., Any], *args: Any) -> RemoteTask:
        """Send a task to the cluster."""
        task = RemoteTask((function, args), name, cost)
        self._attempt(task)
        return task

    def first_done(self, tasks: Sequence[RemoteTask]) -> RemoteTask:
        """Wait until one of some tasks has finished; raise its error if it failed."""
        while True:
            self._event.clear()
            for task in tasks:
                if self._is_done(task):
                    return task
            if not self._event.wait(_TICK):
                self._look_after(tasks)

    def close(self, tasks: Iterable[RemoteTask]) -> None:
        """Cancel tasks, and release what they share on the workers."""
        with suppress(Exception):  # the cluster may be gone, and results are complete without
            for task in tasks:
                task.abandon()
            for future in self._sent.values():
                future.release()
            self._client.run(_forget, sorted(self._used), wait=False, on_error="ignore")

    # ------------------------------------------------------------ attempts

    def _attempt(self, task: RemoteTask, workers: Sequence[str] = ()) -> None:
        """Send a task, rather to some workers if they are named."""
        self._require_workers()
        task.begun += 1
        if task.begun > _MOST_ATTEMPTS:
            raise unfinished(task.name, _MOST_ATTEMPTS)
        function, args = task.call
        packed = self._shared.packed(function, *args)
        self._used.update(packed.keys)
        contents = {} if self._is_read else {key: self._content(key) for key in packed.keys}
        sent: Any = packed
        if len(packed.content) > _SCATTERED:
            sent = self._client.scatter(packed, hash=False)
        others = [worker for worker in self._threads() if worker not in self._hanging]
        future = self._client.submit(
            run_packed,
            sent,
            contents,
            key=f"{task.name}-{self._run}{next(self._numbers):x}",
            workers=workers or (others if self._hanging else None) or None,
            allow_other_workers=True if workers or (self._hanging and others) else None,
            pure=False,
        )
        future.add_done_callback(lambda _: self._event.set())
        task.attempts.append(future)
        task.since = time.monotonic()

    def _content(self, key: str) -> Any:
        """Return the content of a shared object on the workers, which is sent again where it was lost."""
        future = self._sent.get(key)
        if future is None or future.status not in {"finished", "pending"}:
            self._sent[key] = future = self._client.scatter(
                self._shared.content(key), broadcast=True, hash=False
            )
        return future

    def _is_done(self, task: RemoteTask) -> bool:
        """Return whether a task has finished, and keep its result; send it again if its attempts are lost."""
        for future in list(task.attempts):
            if future.status == "finished" and self._has_gathered(task, future):
                return True
            if future.status == "error":
                self._check_failure(task, future)
            if future.status != "pending" and future in task.attempts:
                task.attempts.remove(future)
        if not task.attempts:
            self._attempt(task)
        return False

    def _has_gathered(self, task: RemoteTask, future: Any) -> bool:
        """Fetch the result of a finished attempt; return False if it is lost."""
        from distributed import CancelledError, TimeoutError

        try:
            task.value = future.result(timeout=_GATHERING)
        except (CancelledError, TimeoutError, OSError):  # lost with its worker after it was finished
            return False
        seconds = time.monotonic() - task.since
        self._time_out.finished(task.cost, seconds)
        task.attempts.remove(future)
        task.abandon()  # other attempts
        return True

    def _check_failure(self, task: RemoteTask, future: Any) -> None:
        """Raise the error of an attempt, unless another attempt may succeed."""
        error = future.exception()
        if isinstance(error, MissingContentError):
            # The folder is not shared with this worker, and may not be with others.
            self._is_read = False
            return
        raise_task_failure(task.name, error)

    # ------------------------------------------------------------ workers

    def _threads(self) -> dict[str, int]:
        """Return the number of threads of each worker."""
        if self._client.status != "running":
            raise connection_lost()
        try:
            threads: dict[str, int] = self._client.nthreads()
        except (OSError, TimeoutError) as error:
            raise connection_lost() from error
        if threads:
            self._workers_seen = time.monotonic()
        return threads

    def _require_workers(self) -> None:
        """Wait until there is a worker; raise LatentLinkError if none comes."""
        while not self._threads():
            if time.monotonic() - self._workers_seen > _WAIT_FOR_WORKERS:
                raise without_workers(_WAIT_FOR_WORKERS)
            time.sleep(_TICK)

    def _look_after(self, tasks: Sequence[RemoteTask]) -> None:
        """Send tasks that take too long to other workers too."""
        self._require_workers()
        now = time.monotonic()
        late = [task for task in tasks if now - task.since > self._time_out.seconds(task.cost, task.begun)]
        if not late:
            return
        where = {key: worker for worker, keys in self._client.processing().items() for key in keys}
        for task in late:
            self._hanging.update(where[future.key] for future in task.attempts if future.key in where)
        others = [worker for worker in self._threads() if worker not in self._hanging]
        for task in late if others else ():
            self._attempt(task, others)


async def _forget(keys: Sequence[str]) -> None:
    """Release shared objects on a worker; Dask does not wait for coroutines alone."""
    forget(keys)
