"""Statements of the paper beside what was found, and the verdict on each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass

import numpy as np

from latentlink.evaluation.rendering import as_markdown

__all__ = ["VERDICTS", "Claim", "claims_table", "verdict"]

VERDICTS = ("holds", "holds in part", "does not hold", "not measured")


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, and what was found by its own settings and by the defaults.

    Attributes
    ----------
    statement : str
        What the paper states, in our words.
    paper, default : str
        What was found in both modes.
    verdict : str
        One of `VERDICTS`, about the statement in the paper's own mode.
    reason : str, default=""
        Why it differs, where it does.
    """

    statement: str
    paper: str
    default: str
    verdict: str
    reason: str = ""


def verdict(*parts: bool | np.bool_) -> str:
    """Return the verdict on a statement of several parts: all, some or none of them hold."""
    if not parts:
        return "not measured"
    return "holds" if all(parts) else "holds in part" if any(parts) else "does not hold"


def claims_table(claims: Iterable[Claim]) -> str:
    """Return claims as a Markdown table."""
    head = ("the paper states", "found, the paper's settings", "found, our defaults", "verdict", "why")
    return as_markdown(head, [astuple(each) for each in claims])
