"""What the scores of pairs are made of, as tables: few bars of kinds of parts, and all parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.report.words.part_words import AVERAGE_PAIR, kind_of_part
from latentlink.scoring import explained_kinds
from latentlink.scoring.explain import explanation_order
from latentlink.tables import Table

__all__ = ["explanation_tables", "shown_count"]

Array = NDArray[Any]

_PARTS = 8  # bars of an explanation, or more, until the last, which is all others, is not the longest
_MOST_PARTS = 20


def explanation_tables(model: Any, rows: Array, cols: Array) -> dict[str, Table] | None:
    """Return what the score of each pair is made of.

    Returns
    -------
    dict of str to Table, or None
        ``explanations`` by kinds of parts, as bars, and ``explanation_parts`` by all parts, unless these
        are the bars, with the columns link (from 0), part, contribution and spread. None without any pair.
    """
    kinds, parts = _Terms(), _Terms()
    of_pairs = explained_kinds(model._scorer(), rows, cols, None, (kind_of_part, str))
    for link, (by_kind, by_part) in enumerate(of_pairs):
        kinds.add(link, *by_kind)
        if by_part[0] != by_kind[0]:  # else the bars are the parts
            parts.add(link, *by_part, most=len(by_part[0]))
    if not kinds.found["link"]:
        return None
    return {"explanations": kinds.table()} | (
        {"explanation_parts": parts.table()} if parts.found["link"] else {}
    )


class _Terms:
    """Terms of scores, the largest of each link first."""

    def __init__(self) -> None:
        self.found: dict[str, list[Any]] = {"link": [], "part": [], "contribution": [], "spread": []}

    def add(
        self, link: int, parts: list[str], contribution: Array, spread: Array, most: int | None = None
    ) -> None:
        """Add the largest terms of a link, and all others as one."""
        # What all pairs share is last, under whichever name.
        order = explanation_order(["constant" if p == AVERAGE_PAIR else p for p in parts], contribution)
        shown = shown_count(contribution[order]) if most is None else most
        rest, order = order[shown:], order[:shown]
        found = self.found
        found["part"] += [parts[place] for place in order]
        found["contribution"] += contribution[order].tolist()
        found["spread"] += spread[order].tolist()
        if len(rest):  # so that what is shown adds up to the whole
            found["part"].append(f"the other {len(rest)} parts")
            found["contribution"].append(float(contribution[rest].sum()))
            found["spread"].append(np.nan)
        found["link"] += [link] * (len(found["part"]) - len(found["link"]))

    def table(self) -> Table:
        """Return the terms as a table."""
        kinds: dict[str, Any] = {"link": np.int64, "part": object}
        return Table(
            {name: np.array(column, kinds.get(name, np.float64)) for name, column in self.found.items()}
        )


def shown_count(contribution: Array) -> int:
    """Return how many terms are shown: so many that all others together are not larger than the largest."""
    if len(contribution) <= _PARTS:
        return len(contribution)
    rest = np.abs(np.cumsum(contribution[::-1])[::-1])  # of the terms from each place on
    enough = np.flatnonzero(rest[_PARTS - 1 : _MOST_PARTS] <= np.abs(contribution).max())
    return _PARTS - 1 + int(enough[0]) if len(enough) else min(_MOST_PARTS, len(contribution))
