"""Cases run in several processes; each becomes a line of a file when it ends, so that a run can continue."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from latentlink.experiments.case_lines import Lines, append_lines, read_lines, write_lines

__all__ = ["Case", "Report", "run_missing", "run_quietly", "stored_lines"]

Case = Mapping[str, Any]
Report = Callable[[int, int], None]


def stored_lines(path: Path, cases: Sequence[Case]) -> Lines:
    """Return the stored lines of the cases, in their order."""
    stored = {_key(line, cases): line for line in read_lines(path)}
    return [stored[key] for key in (_key(case, cases) for case in cases) if key in stored]


def run_missing(
    path: Path,
    cases: Sequence[Case],
    run: Callable[..., dict[str, Any]],
    *,
    stamp: Mapping[str, str],
    remarks: Mapping[str, str] | None = None,
    workers: int = 2,
    report: Report | None = None,
) -> Lines:
    """Run all cases without a line, and return the lines of all cases.

    A line is added to the file as soon as its case ends. Lines with another stamp are discarded first, so
    that the results of two versions are not mixed. Lines of other cases stay in the file: which cases there
    are may depend on the data at hand.

    Parameters
    ----------
    path : Path
        The file of the lines.
    cases : sequence of dict
        Arguments of ``run``, all with the same names.
    run : function
        Computes one case and returns its results by name; of the top level of a module.
    stamp : dict of str
        What all lines have to have in common, such as the version of the code.
    remarks : dict of str, optional
        What the lines of this run have in addition; those of earlier ones may differ in it.
    workers : int, default=2
        Number of processes, each with one thread.
    report : callable, optional
        Receives the number of cases that are done and the number of all cases.
    """
    additions = dict(remarks or {})
    stored = [
        {**line, **{name: line.get(name, "") for name in additions}}
        for line in read_lines(path)
        if stamp.items() <= line.items()
    ]
    keys = {_key(case, cases) for case in cases}
    lines = [line for line in stored if _key(line, cases) in keys]
    others = [line for line in stored if _key(line, cases) not in keys]
    write_lines(path, [*lines, *others])
    done = {_key(line, cases) for line in lines}
    missing = [case for case in cases if _key(case, cases) not in done]
    if missing:
        _run_in_processes(path, missing, run, {**stamp, **additions}, workers, report)
    lines = stored_lines(path, cases)
    write_lines(path, [*lines, *others])
    return lines


def _run_in_processes(
    path: Path,
    missing: Sequence[Case],
    run: Callable[..., dict[str, Any]],
    stamp: Mapping[str, str],
    workers: int,
    report: Report | None,
) -> None:
    with ProcessPoolExecutor(workers, initializer=_use_one_thread) as pool:
        futures = {pool.submit(run_quietly, run, dict(case)): case for case in missing}
        try:
            for count, future in enumerate(as_completed(futures), 1):
                append_lines(path, [{**futures[future], **future.result(), **stamp}])
                if report is not None:
                    report(count, len(missing))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def run_quietly(run: Callable[..., dict[str, Any]], case: Case) -> dict[str, Any]:
    """Run a case without warnings: what a search warns of is in its status."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run(**case)


def _use_one_thread() -> None:
    """Limit linear algebra to one thread: there is a process for each core."""
    threadpool_limits(1)


def _key(line: Mapping[str, Any], cases: Iterable[Case]) -> tuple[str, ...]:
    return tuple(str(line[name]) for name in next(iter(cases)))
