"""Findings: measured quantities beside the criteria set for them, and helpers that sum up result lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

__all__ = ["Finding", "Lines", "columns", "grouped", "rate", "rate_within"]

Lines = list[dict[str, str]]


@dataclass(frozen=True)
class Finding:
    """One measured quantity of a study.

    Attributes
    ----------
    quantity : str
        What was measured, and on which cases.
    result : str
        Its value.
    criterion : str
        What was required of it before the study was run.
    met : bool or None
        Whether the criterion is met; None without one.
    """

    quantity: str
    result: str
    criterion: str = "none, reported only"
    met: bool | None = None


def rate(hits: int, count: int) -> str:
    """Write a rate with its 95 % interval (Clopper and Pearson)."""
    bounds = binomtest(hits, count).proportion_ci(0.95)
    return f"{hits / count:.3f} ({hits} of {count}; 95 % interval {bounds.low:.3f} to {bounds.high:.3f})"


def rate_within(hits: int, count: int, limit: float) -> bool:
    """Tell whether the lower end of the 95 % interval of a rate is at most the limit."""
    return bool(binomtest(hits, count).proportion_ci(0.95).low <= limit)


def grouped(lines: Lines, *names: str) -> Iterator[tuple[tuple[str, ...], Lines]]:
    """Yield the lines with equal entries in these columns, groups in the order of their first lines."""
    groups: dict[tuple[str, ...], Lines] = {}
    for line in lines:
        groups.setdefault(tuple(line[name] for name in names), []).append(line)
    yield from groups.items()


def columns(lines: Sequence[Mapping[str, str]], *names: str) -> dict[str, np.ndarray]:
    """Return columns of the lines as arrays of numbers."""
    return {name: np.array([float(line[name]) for line in lines]) for name in names}
