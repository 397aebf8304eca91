"""Names of all nodes, given beside a list of pairs: nodes without links are part of the network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.names import warn_if_ids
from latentlink.network.readers.listing import Listing
from latentlink.network.unknown_names import GivenNodes, unknown_nodes_message

__all__ = ["AllNodes", "all_nodes"]


@dataclass(frozen=True)
class AllNodes:
    """Names of all rows and of all columns, each None where they are those of the listed pairs.

    Attributes
    ----------
    rows, cols : list of str or None
        In their order. In a square network both are the same list.
    parameters : (str, str)
        What the names of the rows and of the columns are called in messages.
    """

    rows: list[str] | None = None
    cols: list[str] | None = None
    parameters: tuple[str, str] = ("row_names", "col_names")

    @property
    def sizes(self) -> tuple[int | None, int | None]:
        """Numbers of rows and columns, None where they are not given."""
        return tuple(None if each is None else len(each) for each in (self.rows, self.cols))  # type: ignore[return-value]

    def rename(self, listing: Listing) -> None:
        """Give a listing these nodes, in this order; raise InputError for a listed name that is not here."""
        n, m = listing.shape
        if self.rows is not None:
            listing.rows, n = self._reindexed(listing, 0, self.rows), len(self.rows)
        if self.cols is not None:
            listing.cols, m = self._reindexed(listing, 1, self.cols), len(self.cols)
        listing.row_names = listing.row_names if self.rows is None else self.rows
        listing.col_names = listing.col_names if self.cols is None else self.cols
        listing.shape = n, m

    def _reindexed(self, listing: Listing, side: int, nodes: list[str]) -> Any:
        indices = (listing.rows, listing.cols)[side]
        listed = (listing.row_names, listing.col_names)[side]
        if listed is None:
            self._check_size(listing, side, len(nodes))
            if not (side and self.rows is self.cols) and all(isinstance(node, str) for node in nodes):
                warn_if_ids(np.asarray(indices), np.array(nodes), ("row", "column")[side])
            return indices
        table = dict(zip(nodes, range(len(nodes)), strict=True))
        labels = np.array(listed, dtype=object)
        found = np.array([table.get(name, -1) for name in labels.tolist()], np.int64)
        if len(found) and found.min() < 0:
            raise InputError(self._message(listing, side, labels, found))
        return found[indices]

    def _message(self, listing: Listing, side: int, labels: NDArray[Any], found: NDArray[np.int64]) -> str:
        """Return the message about names of the pairs that are not among the given ones, marked by -1."""
        nodes = (self.rows, self.cols)[side] or []
        square = self.rows is self.cols
        absent = found[(listing.rows, listing.cols)[side]] < 0
        if square:
            absent |= found[listing.cols] < 0
        known = np.array([node for node in nodes if isinstance(node, str)] or [""], np.str_)
        what, parameter = "node" if square else ("row", "column")[side], self.parameters[side]
        given = GivenNodes(what, labels, found, len(nodes), known, None)
        where = listing.locate(int(np.argmax(absent)))
        return (
            f"{parameter}= lacks names of the pairs, the first in {where}. {unknown_nodes_message(given)} "
            f"Add what is missing to {parameter}=, or correct the pairs."
        )

    def _check_size(self, listing: Listing, side: int, size: int) -> None:
        """Raise InputError if there is another number of names than of rows or columns."""
        if listing.shape[side] != size:
            what = ("row", "column")[side]
            raise InputError(
                f"{self.parameters[side]}= has {size:,} names for {listing.shape[side]:,} {what}s; expected "
                "one for each."
            )


def all_nodes(square: bool, nodes: Any, row_names: Any, col_names: Any) -> AllNodes:
    """Return the names of all nodes from the arguments of a constructor, or raise InputError.

    Parameters
    ----------
    square : bool
        Rows and columns are the same nodes.
    nodes, row_names, col_names : iterable of str or None
    """
    if square:
        for name, given in (("row_names", row_names), ("col_names", col_names)):
            if given is not None:
                raise InputError(
                    f"{name}= is given for a symmetric or square network, whose rows and columns are the "
                    "same nodes. Give nodes= instead."
                )
        listed = _listed(nodes, "nodes")
        return AllNodes(listed, listed, ("nodes", "nodes"))
    if nodes is not None:
        raise InputError(
            "nodes= is given, but rows and columns are different nodes here. Give row_names= and col_names=, "
            "or symmetric=True (square=True for directed links) if they are the same nodes."
        )
    return AllNodes(_listed(row_names, "row_names"), _listed(col_names, "col_names"))


def _listed(names: Any, what: str) -> list[str] | None:
    if names is None:
        return None
    if isinstance(names, str | bytes | Mapping) or not isinstance(names, Iterable):
        raise InputError(f"{what} is of type {type(names).__name__}; expected a list of names.")
    listed = [str(name) if isinstance(name, str) else name for name in names]
    if not listed:
        raise InputError(f"{what} is empty; expected the names of all nodes.")
    return listed
