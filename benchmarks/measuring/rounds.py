"""Rounds of jobs that alternate, so that other load on the machine affects all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

__all__ = ["interleaved", "medians", "seconds_of"]

ROUNDS, LONG = 3, 15.0

Record = Mapping[str, Any]


def interleaved(
    jobs: Mapping[str, Callable[[], Record]], rounds: int = ROUNDS, long: float = LONG
) -> dict[str, dict[str, Any]]:
    """Return for each job the medians of what it returned in several rounds over all jobs.

    A job that took more than ``long`` seconds (``wall_s``), or only has a ``note``, is not run again. The
    number of ``runs`` is a part of the result.

    Examples
    --------
    >>> records = iter([{"wall_s": 1.0}, {"wall_s": 5.0}, {"wall_s": 2.0}])
    >>> interleaved({"a": lambda: next(records), "b": lambda: {"wall_s": 60.0}})
    {'a': {'wall_s': 2.0, 'runs': 3}, 'b': {'wall_s': 60.0, 'runs': 1}}
    """
    found: dict[str, list[Record]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            records = found[name]
            if not records or ("note" not in records[-1] and records[-1].get("wall_s", 0.0) <= long):
                records.append(job())
    return {name: {**medians(records), "runs": len(records)} for name, records in found.items()}


def medians(records: Sequence[Record]) -> dict[str, Any]:
    """Return the median of each field that is a float, and other fields of the first record.

    Examples
    --------
    >>> medians([{"name": "x", "s": 1.0}, {"name": "x", "s": 4.0}, {"name": "x", "s": 2.0}])
    {'name': 'x', 's': 2.0}
    """
    return {
        name: median(record[name] for record in records if name in record)
        if isinstance(value, float)
        else value
        for name, value in records[0].items()
    }


def seconds_of(
    jobs: Mapping[str, Callable[[], object]],
    rounds: int = 5,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Return the median seconds of each job in rounds over all of them; the first calls are not counted.

    Examples
    --------
    >>> seconds_of({"nothing": lambda: None})["nothing"] < 1
    True
    """

    def timed(job: Callable[[], object]) -> Callable[[], Record]:
        def run() -> Record:
            begin = clock()
            job()
            return {"wall_s": clock() - begin}

        return run

    for job in jobs.values():
        job()
    found = interleaved({name: timed(job) for name, job in jobs.items()}, rounds, float("inf"))
    return {name: record["wall_s"] for name, record in found.items()}
