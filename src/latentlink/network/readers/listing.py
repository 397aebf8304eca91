"""Listing: entries as they were read, before they become a Network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.history import Step
from latentlink.validation.choices import checked_choice
from latentlink.validation.wording import counted, few, shortened

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["DUPLICATES", "Duplicates", "Listing", "checked_columns", "column_notes", "listed_entry"]

DUPLICATES = ("raise", "keep")
Duplicates = Literal["raise", "keep"]

_PARTS = ("row", "column", "value", "weight")


def listed_entry(position: int) -> str:
    """Describe for a message where an entry is in a list."""
    return f"listed entry {position}"


def checked_columns(columns: Any, expected: str) -> tuple[Any, ...]:
    """Return two to four different columns in their order, or raise InputError with what is ``expected``.

    None in place of the value, before a weight, says that there is none: all pairs are links.
    """
    ordered = isinstance(columns, Iterable) and not isinstance(columns, str | bytes | Set | Mapping)
    listed = tuple(columns) if ordered else ()
    without_value = len(listed) == 4 and listed[2] is None
    if not 2 <= len(listed) <= 4 or None in listed[: 2 if without_value else None]:
        raise InputError(
            f"columns is {columns!r}; expected {expected}: row, column, value, weight, or "
            "(row, column, None, weight) for links without values."
        )
    if any(column in listed[:index] for index, column in enumerate(listed)):
        raise InputError(f"columns is {columns!r}; expected a different column for each part.")
    return listed


def column_notes(
    names: Sequence[str], columns: Sequence[int | None], relation: int | None = None
) -> list[str]:
    """Return sentences about which columns of a list are read, for the history.

    Parameters
    ----------
    names : sequence of str
        Names of all columns, for messages.
    columns : sequence of int or None
        Positions of row, column, value and weight, as far as they are read; None for no value.
    relation : int, optional
        Position of the relation of triples.

    Examples
    --------
    >>> column_notes(["'when'", "'user'", "'item'"], (1, 2))
    ["row: 'user', column: 'item'", "Not read: 'when'"]
    """
    parts = zip(_PARTS, columns, strict=False)
    read = ", ".join(f"{part}: {'1 for all' if at is None else names[at]}" for part, at in parts)
    unread = [name for at, name in enumerate(names) if at not in (*columns, relation)]
    return [read] + ([f"Not read: {few(unread)}"] if unread else [])


@dataclass(slots=True)
class Listing:
    """Entries in the order in which they were read, not yet validated.

    Attributes
    ----------
    rows, cols : array of int
        Indices.
    values, weights : array of float or None
        None makes all of them 1.
    shape : (int, int)
        Numbers of rows and columns.
    row_names, col_names : list of str or None
    locate : callable
        Describes for messages where the entry of a position is, such as "line 7".
    source : str
        Path of the file, empty for other sources.
    notes : list of str
        Sentences about what was read, for the history.
    """

    rows: NDArray[Any]
    cols: NDArray[Any]
    values: NDArray[Any] | None = None
    weights: NDArray[Any] | None = None
    shape: tuple[int, int] = field(kw_only=True)
    row_names: list[str] | NDArray[Any] | None = None
    col_names: list[str] | NDArray[Any] | None = None
    locate: Callable[[int], str] = listed_entry
    source: str = ""
    notes: list[str] = field(default_factory=list)

    def network(self, name: str, duplicates: Duplicates = "raise", **settings: Any) -> Network:
        """Return the Network; ``name`` is that of its constructor, ``settings`` are parameters of Network."""
        checked_choice(duplicates, DUPLICATES, "duplicates")
        network = self._as_listed(name, settings)
        if duplicates == "raise" and not network.is_clean:
            once = pairs_listed_once(self) if network.symmetric else None
            if once is None:
                raise InputError(self._duplicate_message(network))
            return once._as_listed(name, settings, n_read=len(self.rows))
        return network

    def _as_listed(self, name: str, settings: dict[str, Any], n_read: int | None = None) -> Network:
        """Return the Network of the entries as they are, of which more may have been read."""
        from latentlink.network.network import Network

        n_read = len(self.rows) if n_read is None else n_read
        origin = f" from {self.source}" if self.source else ""
        sentence = ". ".join([f"Read {counted(n_read, 'entry', 'entries')}{origin}", *self.notes])
        return Network(
            self.rows,
            self.cols,
            self.values,
            self.weights,
            shape=self.shape,
            row_names=self.row_names,
            col_names=self.col_names,
            history=(Step(name, n_read, sentence + "."),),
            **settings,
        )

    def _duplicate_message(self, network: Network) -> str:
        """Return the message about a pair that is listed more than once: which, where, and what to do."""
        # Only the values of known entries can be in conflict.
        known = network.subset(network.known)
        differ = known.repeated[1:] & (known.values[1:] != known.values[:-1])
        conflict = bool(differ.any())
        # A conflict is more severe than a duplicate, so it is reported first.
        entries, repeated = (known, differ) if conflict else (network, network.repeated[1:])
        example = 1 + int(np.argmax(repeated))
        pair = int(entries.rows[example]), int(entries.cols[example])
        first, second = self._positions(pair, network.symmetric, conflict)
        one, two = (self._value(position) for position in (first, second))
        kind = "a conflict: the values differ" if conflict else self._agreement(first, second)
        repeats = counted(int(network.repeated.sum()), "entry repeats", "entries repeat")
        names = _shown_node(pair[0], network.row_names), _shown_node(pair[1], network.col_names)
        return (
            f"{self.source + ': ' if self.source else ''}The pair ({names[0]}, {names[1]}) is listed more "
            f"than once: {self.locate(first)} has the value {one:g} and {self.locate(second)} has {two:g} "
            f"({kind}). In all, {repeats} a pair. "
            'Read with duplicates="keep", then use drop_duplicates and resolve_conflicts of '
            "latentlink.network, or correct the data."
        )

    def _positions(self, pair: tuple[int, int], symmetric: bool, conflict: bool) -> tuple[int, int]:
        """Return two positions of the pair; with ``conflict``, of known entries with different values."""
        equal = (self.rows == pair[0]) & (self.cols == pair[1])
        if symmetric:
            equal |= (self.rows == pair[1]) & (self.cols == pair[0])
        if conflict and self.weights is not None:
            equal &= self.weights > 0
        first, *others = np.flatnonzero(equal).tolist()
        if conflict:
            others = [other for other in others if self._value(other) != self._value(first)]
        return first, others[0]

    def _agreement(self, *positions: int) -> str:
        hidden = [
            position for position in positions if self.weights is not None and not self.weights[position] > 0
        ]
        if not hidden:
            return "a duplicate: the values agree"
        subject = "both are" if len(hidden) > 1 else f"{self.locate(hidden[0])} is"
        return f"{subject} hidden, with weight 0, so that the values are no conflict"

    def _value(self, position: int) -> float:
        return 1.0 if self.values is None else float(self.values[position])


def pairs_listed_once(listing: Listing) -> Listing | None:
    """Return the entries of an undirected network without second directions; None if pairs repeat otherwise.

    Each pair may be listed once in each direction, with the same value and weight. Any other repetition may
    be an error in the data.
    """
    rows, cols = (np.asarray(side, np.int64) for side in (listing.rows, listing.cols))
    codes = np.minimum(rows, cols) * max(listing.shape) + np.maximum(rows, cols)
    forward, back = np.flatnonzero(rows <= cols), np.flatnonzero(rows > cols)
    if any(len(np.unique(codes[side])) < len(side) for side in (forward, back)):
        return None
    both = np.intersect1d(codes[forward], codes[back], assume_unique=True, return_indices=True)
    one, other = forward[both[1]], back[both[2]]
    numbers = [part for part in (listing.values, listing.weights) if part is not None]
    if any(np.any(np.asarray(part)[one] != np.asarray(part)[other]) for part in numbers):
        return None
    kept = np.delete(np.arange(len(rows)), other)
    pairs = counted(
        len(other),
        "pair, listed in both directions with the same value, was",
        "pairs, listed in both directions with the same value, were",
    )
    values, weights = (
        None if part is None else np.asarray(part)[kept] for part in (listing.values, listing.weights)
    )
    return replace(
        listing,
        rows=listing.rows[kept],
        cols=listing.cols[kept],
        values=values,
        weights=weights,
        locate=lambda position: listing.locate(int(kept[position])),
        notes=[*listing.notes, f"{pairs} kept once"],
    )


def _shown_node(index: int, names: NDArray[np.str_] | None) -> str:
    return str(index) if names is None else shortened(str(names[index]))
