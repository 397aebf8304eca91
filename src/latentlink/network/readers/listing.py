"""What was read, on its way to becoming a Network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.history import Step
from latentlink.validation.choices import checked_choice
from latentlink.validation.wording import counted

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["Duplicates", "Listing", "checked_columns", "listed_entry"]

Duplicates = Literal["refuse", "keep"]


def listed_entry(position: int) -> str:
    """Say where an entry stands in a list, for a message."""
    return f"listed entry {position}"


def checked_columns(columns: Any, expected: str) -> tuple[Any, ...]:
    """Return two to four different columns, in their order."""
    ordered = isinstance(columns, Iterable) and not isinstance(columns, str | bytes | Set | Mapping)
    found = tuple(columns) if ordered else ()
    if not 2 <= len(found) <= 4:
        raise InputError(f"columns is {columns!r}; expected {expected}: row, column, value, weight.")
    if any(one in found[:place] for place, one in enumerate(found)):
        raise InputError(f"columns is {columns!r}; expected a different column for each part.")
    return found


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
        # Hidden listings have no say: only known ones can contradict each other.
        known = network.subset(network.known)
        differ = known.repeated[1:] & (known.values[1:] != known.values[:-1])
        conflict = bool(differ.any())
        # A conflict is worse than a duplicate, so it is shown first.
        found, which = (known, differ) if conflict else (network, network.repeated[1:])
        shown = 1 + int(np.argmax(which))
        pair = int(found.rows[shown]), int(found.cols[shown])
        first, second = self._places(pair, network.symmetric, conflict)
        one, two = (self._value(position) for position in (first, second))
        verdict = "a conflict: the values differ" if conflict else self._agreement(first, second)
        repeats = counted(int(network.repeated.sum()), "entry repeats", "entries repeat")
        names = _named(pair[0], network.row_names), _named(pair[1], network.col_names)
        return (
            f"{self.source + ': ' if self.source else ''}The pair ({names[0]}, {names[1]}) is listed more "
            f"than once: {self.place(first)} has the value {one:g} and {self.place(second)} has {two:g} "
            f"({verdict}). In all, {repeats} a pair. "
            'Read with duplicates="keep", then use drop_duplicates and resolve_conflicts of '
            "latentlink.network, or correct the data."
        )

    def _places(self, pair: tuple[int, int], symmetric: bool, conflict: bool) -> tuple[int, int]:
        """Two listed positions of the pair, with different values if there are such."""
        here = (self.rows == pair[0]) & (self.cols == pair[1])
        if symmetric:
            here |= (self.rows == pair[1]) & (self.cols == pair[0])
        if conflict and self.weights is not None:
            here &= self.weights > 0
        first, *others = np.flatnonzero(here).tolist()
        if conflict:
            others = [place for place in others if self._value(place) != self._value(first)]
        return first, others[0]

    def _agreement(self, *positions: int) -> str:
        hidden = [place for place in positions if self.weights is not None and not self.weights[place] > 0]
        if not hidden:
            return "a duplicate: the values agree"
        which = "both are" if len(hidden) > 1 else f"{self.place(hidden[0])} is"
        return f"{which} hidden, with weight 0, so that the values are no conflict"

    def _value(self, position: int) -> float:
        return 1.0 if self.values is None else float(self.values[position])


def _named(index: int, names: NDArray[np.str_] | None) -> str:
    return str(index) if names is None else repr(str(names[index]))
