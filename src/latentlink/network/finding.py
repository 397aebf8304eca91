"""Looking up nodes and pairs, by index or by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network import names

__all__ = ["Finding"]


class Finding:
    """Look-ups; everywhere an integer is an index, counted from 0, and a string is a name."""

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
        """Index of a row, given by index or by name.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea"), ("bob", "milk")]).row_index("bob")
        1
        """
        return names.node_index(row, self._row_table, self.shape[0], "row")

    def col_index(self, col: int | str) -> int:
        """Index of a column, given by index or by name.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea"), ("bob", "milk")]).col_index("tea")
        1
        """
        return names.node_index(col, self._col_table, self.shape[1], "column")

    def row_indices(self, rows: ArrayLike) -> NDArray[np.integer[Any]]:
        """Find the indices of many rows, given by indices or by names; shape (asked,).

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea"), ("bob", "milk")]).row_indices(["bob", "ann", "bob"])
        array([1, 0, 1])
        """
        return names.node_indices(rows, self._row_table, self.shape[0], "row")

    def col_indices(self, cols: ArrayLike) -> NDArray[np.integer[Any]]:
        """Find the indices of many columns, given by indices or by names; shape (asked,).

        Examples
        --------
        >>> from latentlink.network import Network
        >>> Network.from_edges([("ann", "tea"), ("bob", "milk")]).col_indices(["milk", "tea"])
        array([0, 1])
        """
        return names.node_indices(cols, self._col_table, self.shape[1], "column")

    def position(self, row: int | str, col: int | str) -> int:
        """Where a pair, by index or by name, stands in the listing; refuses a pair that is not listed.

        Examples
        --------
        >>> from latentlink.network import Network
        >>> network = Network.from_edges([("ann", "tea"), ("bob", "milk")])
        >>> network.position("bob", "milk")
        1
        """
        i, j = self.row_index(row), self.col_index(col)
        if self.symmetric and i > j:
            i, j = j, i
        # In the array's own type: another one would copy all rows for one look-up.
        low, high = np.searchsorted(self.rows, np.array([i, i + 1], self.rows.dtype))
        place = low + int(np.searchsorted(self.cols[low:high], self.cols.dtype.type(j)))
        if place == high or self.cols[place] != j:
            raise InputError(f"The pair ({row!r}, {col!r}) is not listed in this network.")
        return int(place)


def _table(listed: NDArray[np.str_]) -> Mapping[str, int]:
    return dict(zip(listed.tolist(), range(len(listed)), strict=True))
