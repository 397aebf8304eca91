"""What was read, on its way to becoming a Network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.describe import counted
from latentlink.network.step import Step

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["Duplicates", "Listing", "checked_choice", "listed_entry"]

Duplicates = Literal["refuse", "keep"]


def listed_entry(position: int) -> str:
    """Say where an entry stands in a list, for a message."""
    return f"listed entry {position}"


def checked_choice(found: object, choices: tuple[str, ...], what: str) -> None:
    """Refuse a setting that is none of its choices."""
    if found not in choices:
        raise InputError(f"{what} is {found!r}; expected one of {', '.join(map(repr, choices))}.")


@dataclass(slots=True)
class Listing:
    """Entries in the order in which they were listed, before they are checked.

    ``place`` says in words where the entry of a position stood; ``source`` names the file, if any.
    """

    rows: NDArray[Any]
    cols: NDArray[Any]
    values: NDArray[Any] | None = None
    weights: NDArray[Any] | None = None
    shape: tuple[int, int] = (0, 0)
    row_names: list[str] | NDArray[Any] | None = None
    col_names: list[str] | NDArray[Any] | None = None
    place: Callable[[int], str] = listed_entry
    source: str = ""
    notes: list[str] = field(default_factory=list)

    def network(self, name: str, duplicates: Duplicates = "refuse", **settings: Any) -> Network:
        """Make the Network; ``settings`` are background, symmetric and square."""
        from latentlink.network.network import Network

        checked_choice(duplicates, ("refuse", "keep"), "duplicates")
        origin = f" from {self.source}" if self.source else ""
        sentence = ". ".join([f"Read {counted(len(self.rows), 'entry', 'entries')}{origin}", *self.notes])
        network = Network(
            self.rows,
            self.cols,
            self.values,
            self.weights,
            shape=self.shape,
            row_names=self.row_names,
            col_names=self.col_names,
            history=(Step(name, len(self.rows), sentence + "."),),
            **settings,
        )
        if duplicates == "refuse" and not network.is_clean:
            raise InputError(self._repetition(network))
        return network

    def _repetition(self, network: Network) -> str:
        """Say which pair is listed twice, where, and what to do."""
        again = network.repeated
        other = again[1:] & (network.values[1:] != network.values[:-1])
        # A conflict is worse than a duplicate, so it is shown first.
        shown = 1 + int(np.argmax(other if other.any() else again[1:]))
        pair = int(network.rows[shown]), int(network.cols[shown])
        first, second = self._places(pair, network.symmetric, bool(other.any()))
        one, two = (self._value(position) for position in (first, second))
        verdict = "a duplicate: the values agree" if one == two else "a conflict: the values differ"
        names = _named(pair[0], network.row_names), _named(pair[1], network.col_names)
        return (
            f"{self.source + ': ' if self.source else ''}The pair ({names[0]}, {names[1]}) is listed more "
            f"than once: {self.place(first)} has the value {one:g} and {self.place(second)} has {two:g} "
            f"({verdict}). In all, {counted(int(again.sum()), 'entry repeats', 'entries repeat')} a pair. "
            'Read with duplicates="keep", then use drop_duplicates and resolve_conflicts of '
            "latentlink.network, or correct the data."
        )

    def _places(self, pair: tuple[int, int], symmetric: bool, conflict: bool) -> tuple[int, int]:
        """Two listed positions of the pair, with different values if there are such."""
        here = (self.rows == pair[0]) & (self.cols == pair[1])
        if symmetric:
            here |= (self.rows == pair[1]) & (self.cols == pair[0])
        first, *others = np.flatnonzero(here).tolist()
        if conflict:
            others = [place for place in others if self._value(place) != self._value(first)]
        return first, others[0]

    def _value(self, position: int) -> float:
        return 1.0 if self.values is None else float(self.values[position])


def _named(index: int, names: NDArray[np.str_] | None) -> str:
    return str(index) if names is None else repr(str(names[index]))
