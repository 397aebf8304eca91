"""Listed pairs in: tuples, arrays, columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.entries import checked_shape
from latentlink.network.readers.listing import Listing, listed_entry
from latentlink.network.readers.node_labels import Place, index_labels, is_text, named_labels, plain_labels
from latentlink.validation.columns import parsed_numbers

__all__ = ["edge_columns", "listing_of", "refuse_beside_frame"]

_EXPECTED = (
    "expected tuples (row, column), (row, column, value) or (row, column, value, weight), "
    "or rows and cols as two sequences"
)


def refuse_beside_frame(**given: Any) -> None:
    """Refuse columns of their own beside a frame, which holds all of them."""
    for name, column in given.items():
        if column is not None:
            raise InputError(f"The edges are a frame, and {name}= is given too. Name it in columns= instead.")


def edge_columns(edges: Any, cols: Any, values: Any, weights: Any, columns: Any = None) -> list[Any]:
    """Row, column, value and weight columns of edges given as tuples, as an array or as columns."""
    if columns is not None:
        raise InputError(
            f"columns={columns!r} names columns of a frame, but the edges are none. Leave it out."
        )
    if cols is not None:
        return [edges, cols, values, weights]
    columns = _array_columns(edges) if isinstance(edges, np.ndarray) else _tuple_columns(edges)
    given = [*columns, None, None][:4]
    for place, (name, column) in enumerate((("values", values), ("weights", weights)), start=2):
        if column is None:
            continue
        if given[place] is not None:
            raise InputError(f"The edges hold {name} already, and {name}= is given too. Leave one out.")
        given[place] = column
    return given


def _array_columns(edges: NDArray[Any]) -> list[Any]:
    if edges.ndim != 2 or edges.shape[1] not in {2, 3, 4}:
        raise InputError(
            f"The edges are an array of shape {edges.shape}; expected (edges, 2), (edges, 3) or (edges, 4). "
            "For columns one by one give rows and cols. For a matrix use from_dense."
        )
    return [edges[:, column] for column in range(edges.shape[1])]


def _tuple_columns(edges: Any) -> list[Any]:
    if isinstance(edges, str | bytes | Mapping) or not isinstance(edges, Iterable):
        raise InputError(f"The edges are of type {type(edges).__name__}; {_EXPECTED}.")
    listed = list(edges)
    if not listed:
        return [[], []]
    for place, edge in enumerate(listed):
        if isinstance(edge, str | bytes) or not hasattr(edge, "__len__") or not 2 <= len(edge) <= 4:
            raise InputError(f"{listed_entry(place).capitalize()} is {edge!r}; {_EXPECTED}.")
        if len(edge) != len(listed[0]):
            raise InputError(
                f"{listed_entry(place).capitalize()} is {edge!r}, with {len(edge)} parts, but listed entry 0 "
                f"has {len(listed[0])}; expected the same number everywhere."
            )
    return [list(column) for column in zip(*listed, strict=True)]


def listing_of(
    columns: list[Any], shape: tuple[int, int] | None, square: bool, place: Place = listed_entry
) -> Listing:
    """Turn row, column, value and weight columns into a listing."""
    shape = None if shape is None else checked_shape(shape, square)
    rows = plain_labels(columns[0], "row", place)
    cols = plain_labels(columns[1], "column", place)
    if len(rows) != len(cols):
        raise InputError(f"There are {len(rows):,} rows but {len(cols):,} columns; expected as many.")
    numbers = [
        None if column is None else parsed_numbers(column, len(rows), what, place)
        for what, column in zip(("value", "weight"), columns[2:], strict=True)
    ]
    listing = _one_kind(rows, cols, shape) if square else _two_kinds(rows, cols, shape)
    listing.values, listing.weights = numbers
    listing.place = place
    return listing


def _one_kind(rows: Any, cols: Any, shape: tuple[int, int] | None) -> Listing:
    if len(rows) and is_text(rows) != is_text(cols):
        raise InputError(
            "The rows are names and the columns are indices, or the other way round, but in a symmetric or "
            "square network both are the same nodes. Give both as strings or both as integers."
        )
    if not is_text(rows):
        size = index_labels([rows, cols], "index") if shape is None else 0
        return Listing(rows, cols, shape=shape or (size, size))
    names, (first, second) = named_labels(rows, cols)
    _no_shape(shape)
    return Listing(first, second, shape=(len(names), len(names)), row_names=names, col_names=names)


def _two_kinds(rows: Any, cols: Any, shape: tuple[int, int] | None) -> Listing:
    listing = Listing(rows, cols)
    sizes = list(shape or (0, 0))
    if is_text(rows):
        _no_shape(shape)
        listing.row_names, (listing.rows,) = named_labels(rows)
        sizes[0] = len(listing.row_names)
    elif shape is None:
        sizes[0] = index_labels([rows], "row index")
    if is_text(cols):
        _no_shape(shape)
        listing.col_names, (listing.cols,) = named_labels(cols)
        sizes[1] = len(listing.col_names)
    elif shape is None:
        sizes[1] = index_labels([cols], "column index")
    listing.shape = sizes[0], sizes[1]
    return listing


def _no_shape(shape: tuple[int, int] | None) -> None:
    if shape is not None:
        raise InputError(
            f"shape={shape} is given, but the nodes are names, whose number gives the shape. Leave shape "
            "out, or give the nodes as integers, their indices."
        )
