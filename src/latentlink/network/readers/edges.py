"""Reader of edge lists: tuples, arrays or separate columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.entries import checked_shape
from latentlink.network.readers.listing import Listing, listed_entry
from latentlink.network.readers.node_labels import (
    Locator,
    are_names,
    checked_labels,
    indexed_names,
    number_of_nodes,
)
from latentlink.network.readers.text.header import names_values
from latentlink.network.readers.text.relations.triples import warn_if_numbered_triples
from latentlink.validation.columns import parsed_numbers
from latentlink.validation.wording import shortened, shown_label

__all__ = ["column_listing", "edge_columns", "raise_if_columns_beside_frame", "warn_if_triples"]

Sizes = tuple[int | None, int | None]

_EXPECTED = (
    "expected tuples (row, column), (row, column, value) or (row, column, value, weight), "
    "in which the value may be None, or rows and cols as two sequences"
)


def raise_if_columns_beside_frame(**columns: Any) -> None:
    """Raise InputError if columns are given in addition to a frame, which holds all of them."""
    for name, column in columns.items():
        if column is not None:
            raise InputError(
                f"The edges are a frame, and {name}= is given too; expected only one of them. Name the "
                "column of the frame in columns= instead."
            )


def edge_columns(edges: Any, cols: Any, values: Any, weights: Any, columns: Any = None) -> list[Any]:
    """Return row, column, value and weight columns of edges given as tuples, as an array or as columns."""
    if columns is not None:
        raise InputError(
            f"columns={columns!r} is given, which names columns of a frame, but the edges are not a frame. "
            "Leave it out."
        )
    if cols is not None:
        return [edges, cols, values, weights]
    columns = _array_columns(edges) if isinstance(edges, np.ndarray) else _tuple_columns(edges)
    parts = [*columns, None, None][:4]
    if isinstance(parts[2], list) and parts[3] is not None and all(value is None for value in parts[2]):
        parts[2] = None  # (row, column, None, weight): links without values
    for index, (name, column) in enumerate((("values", values), ("weights", weights)), start=2):
        if column is None:
            continue
        if parts[index] is not None:
            raise InputError(f"The edges hold {name} already, and {name}= is given too. Leave one out.")
        parts[index] = column
    return parts


def _array_columns(edges: NDArray[Any]) -> list[Any]:
    if edges.ndim != 2 or edges.shape[1] not in {2, 3, 4}:
        raise InputError(
            f"The edges are an array of shape {edges.shape}; expected (edges, 2), (edges, 3) or (edges, 4). "
            "For separate columns give rows and cols. For a matrix use from_dense."
        )
    return [edges[:, column] for column in range(edges.shape[1])]


def _tuple_columns(edges: Any) -> list[Any]:
    if isinstance(edges, str | bytes | Mapping) or not isinstance(edges, Iterable):
        raise InputError(f"The edges are of type {type(edges).__name__}; {_EXPECTED}.")
    listed = list(edges)
    if not listed:
        return [[], []]
    for position, edge in enumerate(listed):
        if isinstance(edge, str | bytes) or not hasattr(edge, "__len__") or not 2 <= len(edge) <= 4:
            raise InputError(f"{listed_entry(position).capitalize()} is {edge!r}; {_EXPECTED}.")
        if len(edge) != len(listed[0]):
            raise InputError(
                f"{listed_entry(position).capitalize()} is {edge!r}, with {len(edge)} parts, but listed "
                f"entry 0 has {len(listed[0])}; expected the same number everywhere."
            )
    return [list(column) for column in zip(*listed, strict=True)]


def column_listing(
    columns: list[Any],
    shape: tuple[int, int] | None,
    square: bool,
    locate: Locator = listed_entry,
    sizes: Sizes = (None, None),
) -> Listing:
    """Return the listing of row, column, value and weight columns, the last two of which may be None.

    Without a shape, ``sizes`` are the numbers of rows and columns of nodes given by index, where not None.
    """
    shape = None if shape is None else checked_shape(shape, square)
    rows = checked_labels(columns[0], "row", locate)
    cols = checked_labels(columns[1], "column", locate)
    if len(rows) != len(cols):
        raise InputError(f"There are {len(rows):,} rows but {len(cols):,} columns; expected as many of both.")
    _raise_if_triples(columns, locate)
    numbers = [
        None if column is None else parsed_numbers(column, len(rows), what, locate)
        for what, column in zip(("value", "weight"), columns[2:], strict=True)
    ]
    of_sides = _square_listing if square else _bipartite_listing
    listing = of_sides(rows, cols, shape, sizes)
    listing.values, listing.weights = numbers
    listing.locate = locate
    return listing


def _raise_if_triples(columns: list[Any], locate: Locator) -> None:
    """Raise InputError if the values are names, as the tails of triples (head, relation, tail) are."""
    values = columns[2]
    if values is None or (isinstance(values, np.ndarray) and values.dtype.kind != "U"):
        return
    first = [columns[1][0], *values[:20]] if len(values) else []
    if first and all(isinstance(each, str) and each[:1].isalpha() and not _is_number(each) for each in first):
        raise InputError(
            f"The value of {locate(0)} is {shortened(first[1])}; expected a finite number. If these are "
            "triples of head, relation and tail, each relation is a network of its own: select one of them, "
            "and give head and tail alone."
        )


def warn_if_triples(listing: Listing, labels: list[Any] | None, where: str) -> None:
    """Warn if a table of integers, given as one object, may have triples in its three columns.

    Parameters
    ----------
    listing : Listing
    labels : list or None
        Labels of the columns; None for a list or an array.
    where : str
        What was read, for the message.
    """
    if listing.values is None or listing.weights is not None:
        return
    ways = "select those of one relation, and give head and tail alone"
    say_so = "Network.from_edges(rows, cols, values)"
    if labels is not None:
        if any(isinstance(label, str) and names_values(label) for label in labels):
            return
        head, relation, tail = (shown_label(label, in_list=True) for label in labels)
        ways = f"select those of one relation, and read head and tail: columns=({head}, {tail})"
        say_so = f"columns=({head}, {relation}, {tail})"
    warn_if_numbered_triples(
        listing, where, f"If these are triples, {ways}; if they are not, say so: {say_so}."
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _square_listing(rows: Any, cols: Any, shape: tuple[int, int] | None, sizes: Sizes) -> Listing:
    """Return the listing of labels that are the same nodes in rows and columns."""
    if len(rows) and are_names(rows) != are_names(cols):
        raise InputError(
            "The rows are names and the columns are indices, or the other way round, but in a symmetric or "
            "square network both are the same nodes. Give both as strings or both as integers."
        )
    if not are_names(rows):
        if shape is None:
            size = sizes[0] or number_of_nodes([rows, cols], "index")
            shape = size, size
        return Listing(rows, cols, shape=shape)
    names, (row_indices, col_indices) = indexed_names(rows, cols)
    _raise_if_shape(shape)
    return Listing(row_indices, col_indices, shape=(len(names), len(names)), row_names=names, col_names=names)


def _bipartite_listing(rows: Any, cols: Any, shape: tuple[int, int] | None, given: Sizes) -> Listing:
    """Return the listing of labels that are different nodes in rows and columns."""
    if are_names(rows) or are_names(cols):
        _raise_if_shape(shape)
    sizes = shape or given
    row_names, row_indices, n = _indexed_side(rows, sizes[0], "row index")
    col_names, col_indices, m = _indexed_side(cols, sizes[1], "column index")
    return Listing(row_indices, col_indices, shape=(n, m), row_names=row_names, col_names=col_names)


def _indexed_side(labels: Any, size: int | None, what: str) -> tuple[list[str] | None, Any, int]:
    """Return the names of the nodes of one side, if labels are names, the indices and the number of nodes."""
    if are_names(labels):
        names, (indices,) = indexed_names(labels)
        return names, indices, len(names)
    return None, labels, size or number_of_nodes([labels], what)


def _raise_if_shape(shape: tuple[int, int] | None) -> None:
    if shape is not None:
        raise InputError(
            f"shape={shape} is given, but the nodes are names, whose number determines the shape. Leave "
            "shape out, or give the nodes as integers, their indices."
        )
