"""Nodes as people write them, integers or strings, turned into indices and names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.names import sorted_names
from latentlink.network.readers.listing import listed_entry

__all__ = ["NameTable", "Place", "index_labels", "is_text", "named_labels", "plain_labels", "ranks_of"]

Place = Callable[[int], str]
Integers = NDArray[np.int64]


class NameTable(defaultdict[str, int]):
    """Number names as they are met: the first gets 0, the next new one 1."""

    def __init__(self) -> None:
        super().__init__()
        # A new name gets the number of names so far; the whole loop over a column stays compiled.
        self.default_factory = self.__len__

    def numbers(self, names: Sequence[str]) -> Integers:
        """Return the number of each name."""
        return np.fromiter(map(self.__getitem__, names), np.int64, len(names))


def ranks_of(table: NameTable) -> tuple[list[str], Integers]:
    """Put the names of a table in order, and say to which index each of its numbers goes."""
    names = sorted_names(list(table))
    ranks = np.empty(len(names), np.int64)
    ranks[table.numbers(names)] = np.arange(len(names))
    return names, ranks


def is_text(labels: NDArray[Any] | list[str]) -> bool:
    """Whether checked labels are names; else they are indices."""
    return isinstance(labels, list)


def plain_labels(labels: Any, what: str, place: Place = listed_entry) -> NDArray[Any] | list[str]:
    """Labels as an array of integers, or as a list of names; refuses all others and mixtures."""
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iuf" and labels.ndim == 1:
        return _integers(labels, what, place)
    listed = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    kinds = set(map(type, listed))
    if kinds and all(issubclass(kind, str) for kind in kinds):
        if "" in listed:
            raise InputError(f"The {what} of {place(listed.index(''))} is an empty name; expected a name.")
        return listed
    if all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        return _integers(_int64(listed, what), what, place)
    raise InputError(_odd_label(listed, what, place))


def _int64(listed: list[int], what: str) -> Integers:
    try:
        return np.array(listed, dtype=np.int64)
    except OverflowError:
        raise InputError(
            f"A {what} is {max(listed, key=abs)}, too large for an index. Give labels as strings."
        ) from None


def _integers(labels: NDArray[Any], what: str, place: Place) -> NDArray[Any]:
    if labels.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            whole = labels.astype(np.int64)
        odd = ~(whole == labels)
        if odd.any():
            position = int(np.argmax(odd))
            raise InputError(
                f"The {what} of {place(position)} is {labels[position]}; expected an integer (an index) or a "
                "string (a name)."
            )
        labels = whole
    if labels.size and labels.min() < 0:
        position = int(np.argmin(labels))
        raise InputError(
            f"The {what} of {place(position)} is {labels[position]}; an index is 0 or more. "
            "If it is a label, give it as a string."
        )
    return labels


def _odd_label(listed: list[Any], what: str, place: Place) -> str:
    allowed = str if isinstance(listed[0], str) else int
    fits = [isinstance(label, allowed) and not isinstance(label, bool) for label in listed]
    position = fits.index(False)
    label = listed[position]
    return (
        f"The {what} of {place(position)} is {label!r} ({type(label).__name__}); expected integers (indices) "
        "everywhere or strings (names) everywhere. Turn labels into strings."
    )


def named_labels(*columns: list[str]) -> tuple[list[str], list[Integers]]:
    """One set of names for all the columns, in order, and the index of each label."""
    table = NameTable()
    numbers = [table.numbers(column) for column in columns]
    names, ranks = ranks_of(table)
    return names, [ranks[each] for each in numbers]


def index_labels(columns: Iterable[NDArray[Any]], what: str) -> int:
    """Count the nodes that the indices speak of; refuses what look like labels."""
    listed = [column for column in columns if column.size]
    if not listed:
        raise InputError(f"No {what} is listed, so their number is not known. Give shape=(rows, columns).")
    size = 1 + max(int(column.max()) for column in listed)
    entries = sum(column.size for column in listed)
    if size <= 10 * entries + 1000:
        met = np.zeros(size, bool)
        for column in listed:
            met[column] = True
        entries = int(np.count_nonzero(met))
    if size > 10 * entries + 1000:
        raise InputError(
            f"The largest {what} is {size - 1:,}, but at most {entries:,} different ones are listed. "
            "Integers are indices, counted from 0: give labels as strings, or give shape=(rows, columns) if "
            "these are indices."
        )
    return size
