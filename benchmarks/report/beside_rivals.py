"""Sentences on fits beside those of other packages: who is faster, who is better, and who is both.

A rival is behind one of our fits that takes no more CPU time and has no larger error. Else it is ahead in
time, of our fits with no larger error, or in error, of all our fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from benchmarks.ratings import TARGETS, time_to
from benchmarks.report.cells import shown
from benchmarks.report.sentence import Sentence

__all__ = ["beside_rivals", "times_to_targets"]

Row = Mapping[str, Any]


def beside_rivals(rows: Sequence[Row]) -> Iterator[Sentence]:
    """Yield sentences on each data set of whole fits."""
    for data, group in groupby(rows, key=lambda row: row["data"]):
        every = list(group)
        done = [row for row in every if "error" in row]
        ours, rivals = ([row for row in done if row["ours"] is side] for side in (True, False))
        failed = [row for row in every if row.get("ours") and "error" not in row]
        yield from (Sentence(f"{data}: {row['method']} has no result. {row['note']}", True) for row in failed)
        behind = []
        for rival in rivals:
            if any(row["cpu_s"] <= rival["cpu_s"] and row["error"] <= rival["error"] for row in ours):
                behind.append(rival["method"])
            else:
                yield _ahead(data, rival, ours)
        if behind:
            rest = ", ".join(behind)
            yield Sentence(
                f"{data}: a fit of ours takes no more CPU time and has no larger error than {rest}."
            )


def _ahead(data: str, rival: Row, ours: Sequence[Row]) -> Sentence:
    """Return in what a rival is ahead of our fits."""
    no_worse = [row for row in ours if row["error"] <= rival["error"]]
    if no_worse:
        fastest = min(no_worse, key=lambda row: row["cpu_s"])
        times = fastest["cpu_s"] / max(rival["cpu_s"], 1e-9)
        than = f"as {_shown(fastest)}, our fastest fit with no larger error"
        return Sentence(f"{data}: {_shown(rival)} is {times:.1f} times as fast {than}.", behind=True)
    best = min(ours, key=lambda row: row["error"], default=None)
    than = "than all of ours" if best is None else f"than all of ours; the best is {_shown(best)}"
    return Sentence(f"{data}: {_shown(rival)} has less error {than}.", behind=True)


def _shown(row: Row) -> str:
    return f"{row['method']} ({shown(float(row['cpu_s']))} s, error {shown(float(row['error']))})"


def times_to_targets(rows: Sequence[Row]) -> Iterator[Sentence]:
    """Yield for each target of the ratings when each method reaches it, and who is first."""
    is_ours = {row["method"]: row["ours"] for row in rows if "method" in row}
    for target in TARGETS:
        found = time_to(rows, target)
        if found["rmse"] is None:
            continue
        reached = sorted(
            ((row["cpu_s"], method, row["budget"]) for method, row in found["first"].items() if row),
            key=lambda each: each[0],
        )
        order = ", ".join(f"{method} {shown(float(cpu))} s ({budget})" for cpu, method, budget in reached)
        never = [method for method, row in found["first"].items() if row is None]
        text = f"an RMSE of {found['rmse']:.4f}, the least of {target}, takes {order} of CPU time"
        text += f"; never reached by {'; '.join(never)}." if never else "."
        yield Sentence(text, behind=not is_ours[reached[0][1]])
