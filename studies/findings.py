"""Findings: measured quantities beside the criteria set for them."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import binomtest

__all__ = ["Finding", "rate", "rate_within"]


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
