"""Look-up of nodes and pairs by index or by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network import names
from latentlink.network.unknown_names import GivenNodes, unknown_nodes_message

__all__ = ["NodeLookup", "positions_among"]


class NodeLookup:
    """Look-up methods of a Network; an integer is an index, counted from 0, and a string is a name."""

    rows: NDArray[np.integer[Any]]
    cols: NDArray[np.integer[Any]]
    shape: tuple[int, int]
    symmetric: bool
    row_names: NDArray[np.str_] | None
    col_names: NDArray[np.str_] | None

    @cached_property
    def _row_table(self) -> Mapping[str, int] | None:
        return None if self.row_names is None else _table(self.row_names)

    @cached_property
    def _col_table(self) -> Mapping[str, int] | None:
        if self.col_names is self.row_names:
            return self._row_table
        return None if self.col_names is None else _table(self.col_names)

    def row_index(self, row: int | str) -> int:
        """Return the index of a row, given by index or by name.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea"), ("bob", "milk")]).row_index("bob")
        1
        """
        return int(self.row_indices([row])[0])

    def col_index(self, col: int | str) -> int:
        """Return the index of a column, given by index or by name.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea"), ("bob", "milk")]).col_index("tea")
        1
        """
        return int(self.col_indices([col])[0])

    def row_indices(self, rows: ArrayLike) -> NDArray[np.integer[Any]]:
        """Return the indices of many rows, given by indices or by names.

        Parameters
        ----------
        rows : array-like of int or str, shape (nodes,)

        Returns
        -------
        array of int, shape (nodes,)

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea"), ("bob", "milk")]).row_indices(["bob", "ann", "bob"])
        array([1, 0, 1])
        """
        return _all_known(self._given_rows(rows))[0]

    def col_indices(self, cols: ArrayLike) -> NDArray[np.integer[Any]]:
        """Return the indices of many columns, given by indices or by names.

        Parameters
        ----------
        cols : array-like of int or str, shape (nodes,)

        Returns
        -------
        array of int, shape (nodes,)

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea"), ("bob", "milk")]).col_indices(["milk", "tea"])
        array([0, 1])
        """
        return _all_known(self._given_cols(cols))[0]

    def pair_indices(
        self, rows: ArrayLike, cols: ArrayLike, *, missing: bool = False
    ) -> tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]:
        """Return the indices of the rows and of the columns of pairs, given by indices or by names.

        Raises InputError for nodes that the network does not have. The message names both sides, the nearest
        names, and notices if rows and columns were swapped.

        Parameters
        ----------
        rows, cols : arrays of int or str, shape (pairs,)
        missing : bool
            Return -1 for unknown nodes instead.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> network = Network.from_edges([("ann", "tea"), ("bob", "milk")])
        >>> network.pair_indices(["bob", "eve"], ["tea", "tea"], missing=True)
        (array([ 1, -1]), array([1, 1]))
        """
        sides = self._given_rows(rows), self._given_cols(cols)
        if missing:
            return sides[0].indices, sides[1].indices
        found = _all_known(*sides)
        return found[0], found[1]

    def _given_rows(self, rows: ArrayLike) -> GivenNodes:
        return _given("row", rows, self._row_table, self.row_names, self.col_names, self.shape[0])

    def _given_cols(self, cols: ArrayLike) -> GivenNodes:
        return _given("column", cols, self._col_table, self.col_names, self.row_names, self.shape[1])

    def node_names(
        self, rows: NDArray[np.integer[Any]], cols: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the names of rows and columns given by index; the indices themselves if they have no names.

        Parameters
        ----------
        rows, cols : arrays of int, shape (nodes,)

        Examples
        --------
        >>> from latentlink.network import Network
        >>> network = Network.from_edges([("ann", 0), ("bob", 1)])
        >>> network.node_names(np.array([1, 0]), np.array([0, 1]))
        (array(['bob', 'ann'], dtype='<U3'), array([0, 1]))
        """
        return (
            rows if self.row_names is None else self.row_names[rows],
            cols if self.col_names is None else self.col_names[cols],
        )

    def position(self, row: int | str, col: int | str) -> int:
        """Return the position of a pair among the listed entries, the first if it is listed more than once.

        Raises InputError for a pair that is not listed; `positions` returns -1 for it.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> network = Network.from_edges([("ann", "tea"), ("bob", "milk")])
        >>> network.position("bob", "milk")
        1
        """
        i, j = (int(each[0]) for each in self.pair_indices([row], [col]))
        if self.symmetric and i > j:
            i, j = j, i
        # Another dtype than that of the array would make searchsorted copy all rows for one look-up.
        low, high = np.searchsorted(self.rows, np.array([i, i + 1], self.rows.dtype))
        position = low + int(np.searchsorted(self.cols[low:high], self.cols.dtype.type(j)))
        if position == high or self.cols[position] != j:
            raise InputError(
                f"The pair ({row!r}, {col!r}) is not listed in this network; expected a listed pair. Use "
                "positions, which returns -1 for pairs that are not listed."
            )
        return int(position)

    def pair_keys(self, rows: ArrayLike, cols: ArrayLike) -> NDArray[np.int64]:
        """Return one integer for each pair, the same for both directions of an undirected pair.

        Keys of the listed entries are in ascending order.

        Parameters
        ----------
        rows, cols : arrays of int or str, shape (pairs,)
            Nodes by index or by name.

        Returns
        -------
        array of int, shape (pairs,)

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("a", "b"), ("b", "c")], symmetric=True).pair_keys(["c", "b"], ["b", "c"])
        array([5, 5])
        """
        i, j = self.pair_indices(rows, cols)
        if self.symmetric:
            i, j = np.minimum(i, j), np.maximum(i, j)
        return self._keys(i, j)

    def _keys(self, rows: NDArray[np.integer[Any]], cols: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Return ``row * columns + column``, which must fit into 64 bits."""
        n, m = self.shape
        if n * m > np.iinfo(np.int64).max:
            raise InputError(f"A network of {n:,} x {m:,} has more pairs than 64-bit integers can number.")
        return rows.astype(np.int64) * m + cols

    def positions(self, rows: ArrayLike, cols: ArrayLike) -> NDArray[np.int64]:
        """Return the positions of many pairs among the listed entries, -1 for pairs that are not listed.

        Parameters
        ----------
        rows, cols : arrays of int or str, shape (pairs,)
            Nodes by index or by name.

        Returns
        -------
        array of int, shape (pairs,)
            Of a pair that is listed more than once, the first position.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> network = Network.from_edges([("ann", "tea"), ("bob", "milk")])
        >>> network.positions(["bob", "ann"], ["milk", "milk"])
        array([ 1, -1])
        """
        return positions_among(self._keys(self.rows, self.cols), self.pair_keys(rows, cols))


def positions_among(ascending: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the positions of numbers in an ascending array, -1 for numbers that are not in it.

    Of a number that occurs more than once, the first position is returned.

    Examples
    --------
    >>> positions_among(np.array([1, 4, 9]), np.array([4, 5]))
    array([ 1, -1])
    """
    if not len(ascending):
        return np.full(len(numbers), -1)
    # Searching for a million numbers is ten times as fast if they are sorted.
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    nearest = np.minimum(np.searchsorted(ascending, ordered), len(ascending) - 1)
    positions = np.empty(len(numbers), np.int64)
    positions[order] = np.where(ascending[nearest] == ordered, nearest, -1)
    return positions


def _given(
    what: str,
    nodes: ArrayLike,
    table: Mapping[str, int] | None,
    known: NDArray[np.str_] | None,
    others: NDArray[np.str_] | None,
    size: int,
) -> GivenNodes:
    labels = nodes if isinstance(nodes, np.ndarray) else np.array(nodes, dtype=object)
    return GivenNodes(what, labels, names.node_indices(labels, table, size, what), size, known, others)


def _all_known(*sides: GivenNodes) -> list[NDArray[np.integer[Any]]]:
    """Return the indices of nodes, or raise InputError if one is unknown."""
    if any(side.indices.size and side.indices.min() < 0 for side in sides):
        raise InputError(unknown_nodes_message(*sides))
    return [side.indices for side in sides]


def _table(listed: NDArray[np.str_]) -> Mapping[str, int]:
    return dict(zip(listed.tolist(), range(len(listed)), strict=True))
