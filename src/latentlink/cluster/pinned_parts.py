"""Objects with a state on the workers of a Dask cluster, each pinned to one of them."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any
from uuid import uuid4

from latentlink.cluster.serial_parts import Call, LostPartError, added, tree_sum
from latentlink.cluster.shared_objects import run_unpacked
from latentlink.cluster.task_failures import connection_lost, raise_task_failure, without_workers
from latentlink.errors import IncompatibleError

__all__ = ["PinnedParts"]

_TICK = 1.0  # seconds between looks at workers whose calls do not finish
_WAIT_FOR_WORKERS = 600.0  # seconds
_SCATTERED = 2**20  # bytes of arguments from which workers get them from each other, not from the scheduler
_UNDER_WAY = 2  # sums at once: while one is sent, the next one is computed

_HELD: dict[str, tuple[Any, set[int]]] = {}
"""The objects in this process, each with the numbers of the calls that it has begun."""


class PinnedParts:
    """Objects on the workers of a cluster, whose methods are called for all at once.

    An object stays where it was made. If its worker is lost, calls raise `LostPartError`, and so does a call
    that Dask would repeat: the object may have changed by it before.

    Parameters
    ----------
    client : dask.distributed.Client
    make : callable
        Returns the object of a number, on its worker.
    number : int
        How many objects there are.
    """

    def __init__(self, client: Any, make: Callable[[int], Any], number: int) -> None:
        if client.asynchronous:
            raise IncompatibleError(
                "The executor is an asynchronous Dask client, which cannot be waited for here. Give one that "
                "was made without asynchronous=True."
            )
        self._client, self._run, self._numbers = client, uuid4().hex, count()
        try:
            client.wait_for_workers(1, timeout=_WAIT_FOR_WORKERS)
        except TimeoutError:
            raise without_workers(_WAIT_FOR_WORKERS) from None
        workers = sorted(self._workers())
        self._where = [workers[part % len(workers)] for part in range(number)]
        self._gathered([self._sent(part, _make, make, part) for part in range(number)])

    def each(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of each object returns."""
        return self._gathered(self._called(method, args))

    def summed(self, calls: Sequence[Call]) -> list[Any]:
        """Return what is made of the sums of the results of some calls."""
        results: list[Any] = []
        under_way: deque[Any] = deque()
        for call in calls:
            root = tree_sum(self._called(call.method, call.args), partial(self._anywhere, added))
            under_way.append(self._anywhere(_then, self._content(call.then), root))
            if len(under_way) >= _UNDER_WAY:
                results += self._gathered([under_way.popleft()])
        return results + self._gathered(list(under_way))

    def close(self) -> None:
        """Drop the objects."""
        from distributed import fire_and_forget

        with suppress(Exception):  # the cluster may be gone
            for part in range(len(self._where)):
                fire_and_forget(self._sent(part, _drop))

    def _called(self, method: str, args: tuple[Any, ...]) -> list[Any]:
        number, content = next(self._numbers), self._content((method, args))
        return [self._sent(part, _call, number, content) for part in range(len(self._where))]

    def _content(self, call: Any) -> Any:
        """Return the bytes of a call; if they are many, on a worker, from which others get them."""
        content = pickle.dumps(call, protocol=5)
        return content if len(content) < _SCATTERED else self._client.scatter(content, hash=False)

    def _sent(self, part: int, function: Callable[..., Any], *args: Any) -> Any:
        """Return the future of a call on the worker of an object, whose key is its first argument."""
        name, where = f"shard {part}-{uuid4().hex[:12]}", [self._where[part]]
        return self._client.submit(
            function, f"{self._run}-{part}", *args, key=name, workers=where, pure=False
        )

    def _anywhere(self, function: Callable[..., Any], *args: Any) -> Any:
        return self._client.submit(function, *args, workers=sorted(set(self._where)), pure=False)

    def _gathered(self, futures: list[Any]) -> list[Any]:
        """Wait for futures and return their results; raise `LostPartError` once a worker is gone."""
        from distributed import CancelledError, TimeoutError, wait

        waiting = True
        while waiting:
            try:
                wait(futures, timeout=_TICK, return_when="ALL_COMPLETED")
                waiting = False
            except (TimeoutError, CancelledError):
                waiting = all(future.status != "error" for future in futures)
            if not set(self._where) <= self._workers():
                raise LostPartError
        for future in futures:
            if future.status == "error":
                _raise(future)
            if future.status != "finished":
                raise LostPartError
        try:
            return list(self._client.gather(futures))
        except (CancelledError, TimeoutError, OSError):
            raise LostPartError from None

    def _workers(self) -> set[str]:
        if self._client.status != "running":
            raise connection_lost()
        try:
            return set(self._client.nthreads())
        except (OSError, TimeoutError) as error:
            raise connection_lost() from error


def _raise(future: Any) -> None:
    error = future.exception()
    if isinstance(error, LostPartError) or type(error).__name__ in {"KilledWorker", "FutureCancelledError"}:
        raise LostPartError
    raise_task_failure(future.key, error)


# ------------------------------------------------------------ on the workers


def _make(key: str, make: Callable[[int], Any], part: int) -> None:
    _HELD[key] = run_unpacked(make, part), set()


def _call(key: str, number: int, content: bytes) -> Any:
    part, begun = _HELD.get(key, (None, {number}))
    if number in begun:
        raise LostPartError(f"{key} is not on this worker, or call {number} was made before.")
    begun.add(number)
    method, args = pickle.loads(content)
    return run_unpacked(getattr(part, method), *args)


def _then(content: bytes, total: Any) -> Any:
    return run_unpacked(pickle.loads(content), total)


def _drop(key: str) -> None:
    _HELD.pop(key, None)
