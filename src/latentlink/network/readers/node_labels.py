"""Node labels of edge lists, integers or strings, turned into indices and names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.network.names import sorted_names
from latentlink.network.readers.listing import listed_entry

__all__ = [
    "Locator",
    "NameTable",
    "are_names",
    "checked_labels",
    "indexed_names",
    "number_of_nodes",
    "sorted_table",
]

Locator = Callable[[int], str]
"""Describes for messages where the entry of a position is, such as "line 7"."""

Integers = NDArray[np.int64]

_FEW_NODES = 10  # that occur nowhere, without a warning


class NameTable(defaultdict[str, int]):
    """Mapping of names to numbers 0, 1, 2, ... in the order in which they are first looked up.

    Examples
    --------
    >>> NameTable().numbers(["tea", "milk", "tea"])
    array([0, 1, 0])
    """

    def __init__(self) -> None:
        super().__init__()
        # With the length as default factory, the loop over a column of names is compiled code throughout.
        self.default_factory = self.__len__

    def numbers(self, names: Sequence[str]) -> Integers:
        """Return the number of each name; new names are added."""
        return np.fromiter(map(self.__getitem__, names), np.int64, len(names))


def sorted_table(table: NameTable) -> tuple[list[str], Integers]:
    """Return the sorted names of a table, and for each of its numbers the index of the name among them.

    Examples
    --------
    >>> table = NameTable()
    >>> numbers = table.numbers(["tea", "milk"])
    >>> sorted_table(table)
    (['milk', 'tea'], array([1, 0]))
    """
    names = sorted_names(list(table))
    indices = np.empty(len(names), np.int64)
    indices[table.numbers(names)] = np.arange(len(names))
    return names, indices


def are_names(labels: NDArray[Any] | list[str]) -> bool:
    """Whether labels returned by `checked_labels` are names; else they are indices."""
    return isinstance(labels, list)


def checked_labels(labels: Any, what: str, locate: Locator = listed_entry) -> NDArray[Any] | list[str]:
    """Return labels as an array of integers or as a list of names; raise InputError for others and mixtures.

    Parameters
    ----------
    labels : array-like
    what : str
        What one of them is called in messages: "row" or "column".
    locate : callable
        As for `Locator`.
    """
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iuf" and labels.ndim == 1:
        return _checked_integers(labels, what, locate)
    listed = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    kinds = set(map(type, listed))
    if kinds and all(issubclass(kind, str) for kind in kinds):
        if "" in listed:
            raise InputError(
                f"The {what} of {locate(listed.index(''))} is an empty name; expected a name of at least one "
                "character."
            )
        return listed
    if all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        return _checked_integers(_int64(listed, what), what, locate)
    raise InputError(_label_message(listed, what, locate))


def _int64(listed: list[int], what: str) -> Integers:
    try:
        return np.array(listed, dtype=np.int64)
    except OverflowError:
        raise InputError(
            f"A {what} is {max(listed, key=abs)}, too large for an index. Give labels as strings."
        ) from None


def _checked_integers(labels: NDArray[Any], what: str, locate: Locator) -> NDArray[Any]:
    if labels.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            whole = labels.astype(np.int64)
        fractional = ~(whole == labels)
        if fractional.any():
            position = int(np.argmax(fractional))
            raise InputError(
                f"The {what} of {locate(position)} is {labels[position]}; expected an integer (an index) or "
                "a string (a name)."
            )
        labels = whole
    if labels.size and labels.min() < 0:
        position = int(np.argmin(labels))
        raise InputError(
            f"The {what} of {locate(position)} is {labels[position]}; expected an index, 0 or more. "
            "If it is a label, give it as a string."
        )
    return labels


def _label_message(listed: list[Any], what: str, locate: Locator) -> str:
    """Return the message for the first label that is of another type than the first one, or of neither."""
    allowed = str if isinstance(listed[0], str) else int
    fits = [isinstance(label, allowed) and not isinstance(label, bool) for label in listed]
    position = fits.index(False)
    label = listed[position]
    return (
        f"The {what} of {locate(position)} is {label!r} ({type(label).__name__}); expected integers "
        "(indices) everywhere or strings (names) everywhere. Turn labels into strings."
    )


def indexed_names(*columns: list[str]) -> tuple[list[str], list[Integers]]:
    """Return the sorted names of all columns together, and for each column the indices of its labels.

    Examples
    --------
    >>> indexed_names(["tea", "milk", "tea"])
    (['milk', 'tea'], [array([1, 0, 1])])
    """
    table = NameTable()
    numbers = [table.numbers(column) for column in columns]
    names, indices = sorted_table(table)
    return names, [indices[column] for column in numbers]


def number_of_nodes(columns: Iterable[NDArray[Any]], what: str) -> int:
    """Return one more than the largest index; raise InputError if they must be ids, warn if they may be.

    Ids that begin at 1000 would give a thousand nodes without any pair, which are part of the network.

    Parameters
    ----------
    columns : iterable of arrays of int
    what : str
        What one of them is called in messages, such as "row index".
    """
    listed = [column for column in columns if column.size]
    if not listed:
        raise InputError(
            f"No {what} is listed, so the number of nodes is not known. Give shape=(rows, columns)."
        )
    size = 1 + max(int(column.max()) for column in listed)
    distinct = sum(column.size for column in listed)
    if size <= 10 * distinct + 1000:
        occurs = np.zeros(size, bool)
        for column in listed:
            occurs[column] = True
        distinct = int(np.count_nonzero(occurs))
    if size > 10 * distinct + 1000:
        raise InputError(
            f"The largest {what} is {size - 1:,}, but at most {distinct:,} different ones are listed. "
            "Integers are indices, counted from 0: give labels as strings, or give shape=(rows, columns) if "
            "these are indices."
        )
    never = size - distinct
    if never > max(distinct, _FEW_NODES):
        warn_user(
            f"The largest {what} is {size - 1:,}, but only {distinct:,} different ones are listed: integers "
            f"are indices, counted from 0, so that the network has {never:,} nodes more, without any pair. "
            "If the integers are ids, give them as text, for example frame.astype({label: str}) or "
            "[(str(a), str(b)) for a, b in pairs]; if they are indices, say so: shape=(rows, columns)."
        )
    return size
