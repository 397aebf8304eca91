"""Names of rows and columns: validation, sorting and look-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.validation.wording import shortened, shown_repr

__all__ = [
    "LARGEST_BYTES",
    "ONE_KIND",
    "Names",
    "are_numbers",
    "checked_names",
    "node_index",
    "node_indices",
    "one_set",
    "same_names",
    "share_of_common_names",
    "sorted_names",
    "warn_if_ids",
]

Names = NDArray[np.str_]

# NumPy stores every name with as many characters as the longest one.
LARGEST_BYTES = 2**31
# Share of the smaller side's names on the other side from which rows and columns are taken for one kind.
ONE_KIND = 0.2
_COMPARED = 1000  # nodes given by index: ids stand for all of them or for none


def checked_names(
    row_names: Sequence[str] | NDArray[Any] | None,
    col_names: Sequence[str] | NDArray[Any] | None,
    shape: tuple[int, int],
    square: bool,
) -> tuple[Names | None, Names | None]:
    """Return row and column names, or raise unless they are distinct strings, one for each row or column."""
    rows = _checked_axis(row_names, shape[0], "row")
    if not square:
        return rows, _checked_axis(col_names, shape[1], "column")
    if col_names is None or col_names is row_names:
        return rows, rows
    if not same_names(rows, _checked_axis(col_names, shape[1], "column")):
        raise InputError(
            "The row names and the column names differ, but the rows and columns of a symmetric or square "
            "network are the same nodes; expected one set of names. Name one side only, or correct the "
            "names; if rows and columns are different nodes, leave symmetric=False and square=False."
        )
    return rows, rows


def _checked_axis(names: Sequence[str] | NDArray[Any] | None, size: int, what: str) -> Names | None:
    if names is None:
        return None
    checked = _as_names(names, what)
    if len(checked) != size:
        raise InputError(
            f"There are {len(checked):,} {what} names for {size:,} {what}s; expected one for each."
        )
    unique, counts = np.unique(checked, return_counts=True)
    if len(unique) < size:
        first = int(np.argmax(counts > 1))
        raise InputError(
            f"The {what} name {str(unique[first])!r} occurs {counts[first]} times; expected distinct names. "
            "Rename or merge the repeated ones."
        )
    return checked


def _as_names(names: Sequence[str] | NDArray[Any], what: str) -> Names:
    if isinstance(names, np.ndarray) and names.dtype.kind == "U" and np.all(names != ""):
        return np.array(names)
    listed = names.tolist() if isinstance(names, np.ndarray) else list(names)
    for position, name in enumerate(listed):
        if not isinstance(name, str) or not name or name.endswith("\0"):
            text = f" Give it as text, {str(name)!r}, here and in the pairs: integers in pairs are indices."
            raise InputError(
                f"The {what} name at position {position} is {name!r}; expected a string that is not empty "
                f"and does not end in a null character.{text if isinstance(name, int | np.integer) else ''}"
            )
    longest = max(listed, key=len, default="")
    if len(longest) * len(listed) * 4 > LARGEST_BYTES:
        raise InputError(
            f"A {what} name has {len(longest):,} characters (it begins with {longest[:40]!r}), too many for "
            f"{len(listed):,} names in memory. Shorten it; if it was read from a file, look for a quote that "
            "is never closed."
        )
    return np.array(listed, dtype=np.str_)


def same_names(one: Names | None, other: Names | None) -> bool:
    """Whether two arrays of names are equal; None, no names, equals only None."""
    if one is None or other is None:
        return one is other
    return one is other or np.array_equal(one, other)


def one_set(
    row_names: list[str] | None, col_names: list[str] | None
) -> tuple[list[str] | None, list[str] | None, NDArray[np.int64] | None]:
    """Return the names of rows and columns that are the same nodes, and where the columns have to go.

    Either side may name both. Columns with the names of the rows in another order are put in their order;
    names that differ are returned as they are, which `checked_names` refuses.

    Parameters
    ----------
    row_names, col_names : list of str or None

    Returns
    -------
    row_names, col_names : list of str or None
    positions : array of int or None
        The new position of each column; None if all are in their place.

    Examples
    --------
    >>> one_set(["a", "b", "c"], ["c", "a", "b"])
    (['a', 'b', 'c'], ['a', 'b', 'c'], array([2, 0, 1]))
    """
    if row_names is None or col_names is None:
        names = col_names if row_names is None else row_names
        return names, names, None
    table = {name: position for position, name in enumerate(row_names)}
    same = len(table) == len(row_names) == len(col_names) and table.keys() == set(col_names)
    if row_names == col_names or not same:
        return row_names, col_names, None
    return row_names, row_names, np.array([table[name] for name in col_names], np.int64)


def share_of_common_names(row_names: Names | None, col_names: Names | None) -> float:
    """Return the share of the names of the smaller side that the other side has too; 0 without names.

    Examples
    --------
    >>> share_of_common_names(np.array(["a", "b", "c"]), np.array(["b", "d"]))
    0.5
    """
    if row_names is None or col_names is None:
        return 0.0
    return len(np.intersect1d(row_names, col_names)) / min(len(row_names), len(col_names))


def are_numbers(names: Names | None) -> bool:
    """Whether there are names and all are whole numbers, which say nothing about the kinds of nodes."""
    return names is not None and bool(np.strings.isdigit(names).all())


def sorted_names(names: Sequence[str]) -> list[str]:
    """Sort names numerically if all of them are integers without leading zeros, else as text.

    Examples
    --------
    >>> sorted_names(["10", "9"]), sorted_names(["10", "9", "007"])
    (['9', '10'], ['007', '10', '9'])
    """
    if all(name.isascii() and name.isdigit() and (name[0] != "0" or name == "0") for name in names):
        # Without leading zeros the longer of two numbers is the larger one.
        return sorted(names, key=lambda name: (len(name), name))
    return sorted(names)


def node_index(node: int | str, table: Mapping[str, int] | None, size: int, what: str) -> int:
    """Return the index of a node given by index (an integer) or by name (a string), -1 if it is unknown."""
    if isinstance(node, str):
        if table is None:
            raise InputError(
                f"No {what} has the name {shortened(str(node))}: the {what}s have no names. Give an index."
            )
        return table.get(node, -1)
    if isinstance(node, bool) or not isinstance(node, int | np.integer):
        raise InputError(
            f"A {what} is given as {shown_repr(node)}; expected an index (an integer) or a name (a string)."
        )
    if node < 0:
        raise InputError(f"There is no {what} {node}: the network has {size:,} {what}s, counted from 0.")
    return int(node) if node < size else -1


def node_indices(
    nodes: NDArray[Any], table: Mapping[str, int] | None, size: int, what: str
) -> NDArray[np.integer[Any]]:
    """Return the indices of many nodes given by index or by name, -1 for those that are unknown."""
    if nodes.ndim != 1:
        raise InputError(f"The {what}s have shape {nodes.shape}; expected one dimension.")
    if nodes.dtype.kind in "iu":
        if nodes.size and nodes.min() < 0:
            node_index(int(nodes[np.argmax(nodes < 0)]), table, size, what)
        if nodes.size and nodes.max() >= size:
            return np.where(nodes < size, nodes, -1).astype(np.int64)
        return nodes.astype(np.int64, copy=False)
    labels = nodes.tolist()
    if table is not None and all(map(table.__contains__, labels)):
        return np.fromiter(map(table.__getitem__, labels), np.int64, len(labels))
    return np.array([node_index(node, table, size, what) for node in labels], dtype=np.int64)


def warn_if_ids(nodes: NDArray[Any], names: NDArray[np.str_] | None, what: str) -> bool:
    """Warn if integers are indices of nodes whose names are whole numbers too, but others; return whether.

    A file with the ids 1, 2, 3, ... has the names "1", "2", "3", ...: the index 1 is the node "2".

    Parameters
    ----------
    nodes : array of int or str, or of both as objects, shape (nodes,)
        As they were given.
    names : array of str or None
        Names of all nodes.
    what : str
        What one of the nodes is called: "row" or "column".

    Examples
    --------
    >>> warn_if_ids(np.array([0, 1]), np.array(["0", "1", "2"]), "row")
    False
    """
    if names is None or nodes.dtype.kind not in "iuO":
        return False
    for node in nodes[:_COMPARED].tolist():
        if isinstance(node, bool) or not isinstance(node, int) or not 0 <= node < len(names):
            continue
        name = str(names[node])
        if name.isdigit() and name != str(node):
            warn_user(
                f"The {what} {node} is given as an integer, which is an index, counted from 0: that of the "
                f"{what} with the name '{name}'. If names are meant, give them as text: '{node}'."
            )
            return True
    return False
