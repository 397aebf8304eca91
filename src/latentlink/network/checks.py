"""Checks that a network's parts make sense, each with a sentence for what does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network.views import index_dtype, is_ascending, sorted_order

__all__ = [
    "Entries",
    "canonical_order",
    "checked_background",
    "checked_entries",
    "checked_names",
    "checked_shape",
    "checked_values",
    "checked_weights",
    "node_index",
    "reordered",
    "same_names",
]

Floats = NDArray[np.float64]
Indices = NDArray[np.integer[Any]]


class Entries(NamedTuple):
    """Listed entries as four arrays of one length."""

    rows: Indices
    cols: Indices
    values: Floats
    weights: Floats


def checked_shape(shape: tuple[int, int], symmetric: bool) -> tuple[int, int]:
    """Two positive numbers, equal for a symmetric network."""
    n, m = (int(size) for size in shape)
    if n < 1 or m < 1:
        raise InputError(f"The shape is {n} x {m}, but a network needs at least one row and one column.")
    if symmetric and n != m:
        raise InputError(
            f"The shape is {n} x {m}, but a symmetric network has as many rows as columns. "
            "Leave symmetric=False for a network between two kinds of nodes."
        )
    return n, m


def checked_entries(
    rows: ArrayLike,
    cols: ArrayLike,
    values: ArrayLike | None,
    weights: ArrayLike | None,
    shape: tuple[int, int],
) -> Entries:
    """Four arrays of one length, indices within the shape, values finite, weights not negative."""
    row = _checked_indices(rows, shape[0], "row")
    col = _checked_indices(cols, shape[1], "column")
    if len(row) != len(col):
        raise InputError(f"There are {len(row):,} row indices but {len(col):,} column indices.")
    return Entries(row, col, checked_values(values, len(row)), checked_weights(weights, len(row)))


def _checked_indices(indices: ArrayLike, size: int, what: str) -> Indices:
    found = np.asarray(indices)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise InputError(
            f"The {what} indices are an array of shape {found.shape} and type {found.dtype}; expected one "
            "dimension of integers. Use Network.from_edges for names."
        )
    outside = (found < 0) | (found >= size)
    if outside.any():
        place = int(np.argmax(outside))
        raise InputError(
            f"The {what} index of listed entry {place} is {found[place]}, but the network has {size:,} "
            f"{what}s, counted from 0."
        )
    return found.astype(index_dtype(size), copy=False)


def checked_values(values: ArrayLike | None, count: int) -> Floats:
    """Finite values, one for each listed entry; None stands for ones."""
    return _checked_numbers(values, count, "value")


def checked_weights(weights: ArrayLike | None, count: int) -> Floats:
    """Finite weights >= 0, one for each listed entry; None stands for ones."""
    found = _checked_numbers(weights, count, "weight")
    if count and found.min() < 0:
        place = int(np.argmin(found))
        raise InputError(
            f"The weight of listed entry {place} is {found[place]:g}; expected 0 (hidden) or more (known)."
        )
    return found


def _checked_numbers(numbers: ArrayLike | None, count: int, what: str) -> Floats:
    if numbers is None:
        return np.broadcast_to(np.float64(1.0), (count,))
    found = np.asarray(numbers)
    if found.dtype.kind not in "biuf":
        raise InputError(f"The {what}s are of type {found.dtype}; expected real numbers.")
    if found.shape != (count,):
        raise InputError(
            f"The {what}s have shape {found.shape}; expected ({count},), one for each listed entry."
        )
    bad = ~np.isfinite(found)
    if bad.any():
        place = int(np.argmax(bad))
        raise InputError(
            f"The {what} of listed entry {place} is {found[place]}; expected a finite number. "
            "Leave an unknown entry out of the list, or give it weight 0."
        )
    # A copy, always: the caller may go on writing into the array that was handed in.
    return np.array(found, dtype=np.float64)


def checked_background(background: float) -> float:
    """A weight for the unlisted pairs: finite, not negative."""
    found = float(background)
    if not 0 <= found < np.inf:
        raise InputError(
            f"The background weight is {background}; expected 0 (unlisted pairs are unknown), 1 (they are known "
            "zeros) or a positive number (they are zeros of that weight)."
        )
    return found


def canonical_order(rows: Indices, cols: Indices, symmetric: bool) -> tuple[Indices | None, Indices, Indices]:
    """Order entries by row, then column, then place; a symmetric pair gets the smaller index first.

    The order is None where the entries stand in it already.
    """
    if symmetric:
        rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
    if is_ascending(rows, cols):
        return None, np.array(rows), np.array(cols)
    order = sorted_order(rows, cols)
    return order, rows[order], cols[order]


def reordered(array: Floats, order: Indices | None) -> Floats:
    """The array in the given order; one that is a single number broadcast stays so."""
    return array if order is None or array.strides == (0,) else array[order]


Names = NDArray[np.str_]


def checked_names(
    row_names: Sequence[str] | NDArray[Any] | None,
    col_names: Sequence[str] | NDArray[Any] | None,
    shape: tuple[int, int],
    symmetric: bool,
) -> tuple[Names | None, Names | None]:
    """Names of rows and columns: strings, as many as needed, no name twice."""
    rows = _checked_axis(row_names, shape[0], "row")
    if symmetric:
        if col_names is not None and not same_names(rows, _checked_axis(col_names, shape[1], "column")):
            raise InputError("A symmetric network has one set of names: give row_names only.")
        return rows, rows
    return rows, _checked_axis(col_names, shape[1], "column")


def _checked_axis(names: Sequence[str] | NDArray[Any] | None, size: int, what: str) -> Names | None:
    if names is None:
        return None
    found = np.array([str(name) for name in names], dtype=np.str_)
    if len(found) != size:
        raise InputError(f"There are {len(found):,} {what} names for {size:,} {what}s.")
    unique, counts = np.unique(found, return_counts=True)
    if len(unique) < size:
        twice = unique[np.argmax(counts > 1)]
        raise InputError(f"The {what} name {str(twice)!r} stands {counts.max()} times; names must differ.")
    return found


def same_names(one: Names | None, other: Names | None) -> bool:
    """Whether two sets of names, or absences of names, are the same."""
    if one is None or other is None:
        return one is other
    return one is other or np.array_equal(one, other)


def node_index(node: int | str, names: Names | None, size: int, what: str) -> int:
    """Index of a node; integers are indices, strings are names."""
    if isinstance(node, str):
        found = np.flatnonzero(names == node) if names is not None else np.array([], int)
        if not len(found):
            raise InputError(
                f"No {what} has the name {node!r}" + ("." if names is not None else ": none has.")
            )
        return int(found[0])
    index = int(node)
    if not 0 <= index < size:
        raise InputError(f"There is no {what} {index}: the network has {size:,} {what}s, counted from 0.")
    return index
