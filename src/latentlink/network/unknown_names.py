"""The message about nodes that a network does not have: how many, the nearest names, swapped sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network.nearest_names import nearest_names
from latentlink.validation.wording import shortened

__all__ = ["GivenNodes", "unknown_nodes_message"]

_NAMED = 3  # unknown names in a message
_NEAREST = 3  # names that are near a single one
_MANY = 200_000  # from so many known names on, the nearest are sought for the first unknown one alone


@dataclass(frozen=True, eq=False)
class GivenNodes:
    """Nodes of one side as they were given, with the indices that were found.

    Attributes
    ----------
    what : str
        What one of them is called: "row" or "column".
    labels : array of int or str, or of both as objects, shape (nodes,)
    indices : array of int, shape (nodes,)
        -1 for those that are unknown.
    size : int
        Number of rows or columns of the network.
    known : array of str or None
        Their names.
    others : array of str or None
        Names of the other side.
    """

    what: str
    labels: NDArray[Any]
    indices: NDArray[Any]
    size: int
    known: NDArray[np.str_] | None
    others: NDArray[np.str_] | None

    @property
    def unknown(self) -> list[Any]:
        """The unknown nodes, each once, in the order in which they were given."""
        return list(dict.fromkeys(self.labels[self.indices < 0].tolist()))

    def are_others(self) -> bool:
        """Whether all unknown nodes are names of the other side."""
        unknown = self.unknown
        if self.others is None or self.others is self.known or not unknown:
            return False
        # A set of a million names takes long, and most often the first one is enough to know.
        return bool(np.any(self.others == str(unknown[0]))) and set(unknown) <= set(self.others.tolist())


def unknown_nodes_message(*sides: GivenNodes) -> str:
    """Return the message about unknown nodes of one or of both sides."""
    sides = tuple(side for side in sides if side.unknown)
    swapped = [side.are_others() for side in sides]
    if len(sides) > 1 and all(swapped):
        row, col = (_shown(side.unknown) for side in sides)
        return (
            f"Rows and columns are swapped: {row} given as {sides[0].what} and {col} given as "
            f"{sides[1].what} are known on the other side. Give each pair as (row, column)."
        )
    texts = [_side(side, other) for side, other in zip(sides, swapped, strict=True)]
    return " ".join(texts)


def _side(side: GivenNodes, of_others: bool) -> str:
    what, unknown = side.what, side.unknown
    numbers = [label for label in unknown if not isinstance(label, str)]
    if numbers:
        more = f" (and {len(numbers) - 1:,} more are beyond)" if len(numbers) > 1 else ""
        return (
            f"There is no {what} {numbers[0]}{more}: the network has {side.size:,} {what}s, counted from 0."
        )
    total = len(set(side.labels.tolist()))
    expected = f"; expected one of the {side.size:,} names, spelled exactly as it was read."
    if of_others:
        other = "column" if what == "row" else "row"
        found = f"is the name of a {other}" if len(unknown) == 1 else f"are names of {other}s"
        subject = "It" if len(unknown) == 1 else "They"
        hint = f" {subject} {found}: have rows and columns been swapped?"
        return f"{_count(unknown, total, what)}{_shown(unknown)}.{hint}"
    if total == 1:
        near = ", ".join(map(shortened, _nearest(unknown[0], side, _NEAREST)))
        return (
            f"{_count(unknown, total, what)}{_shown(unknown)}{expected}{f' Nearest: {near}.' if near else ''}"
        )
    suggested = 1 if side.known is not None and len(side.known) > _MANY else _NAMED
    shown = [
        _with_nearest(name, side if number < suggested else None)
        for number, name in enumerate(unknown[:_NAMED])
    ]
    return f"{_count(unknown, total, what)}{_joined(shown, len(unknown))}{expected}"


def _count(unknown: Sequence[str], total: int, what: str) -> str:
    if total == 1:
        return f"No {what} has the name "
    are = "is" if len(unknown) == 1 else "are"
    return f"{len(unknown):,} of {total:,} {what} names {are} unknown: "


def _with_nearest(name: str, side: GivenNodes | None) -> str:
    near = [] if side is None else _nearest(name, side, 1)
    return f"{shortened(name, 40)} (nearest: {shortened(near[0], 40)})" if near else shortened(name, 40)


def _nearest(name: str, side: GivenNodes, most: int) -> list[str]:
    return [] if side.known is None else nearest_names(name, side.known, most)


def _shown(unknown: Sequence[Any]) -> str:
    return _joined([shortened(name, 40) for name in unknown[:_NAMED]], len(unknown))


def _joined(shown: Sequence[str], count: int) -> str:
    more = count - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")
