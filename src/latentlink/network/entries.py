"""Validation and canonical order of a network's shape, listed entries and background weight."""

from __future__ import annotations

from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network.compressed import index_dtype, is_ascending, sorted_order
from latentlink.validation.numbers import is_number
from latentlink.validation.wording import shown

__all__ = [
    "Entries",
    "canonical_order",
    "checked_background",
    "checked_entries",
    "checked_shape",
    "checked_values",
    "checked_weights",
    "checked_which",
    "reordered",
]

Floats = NDArray[np.float64]
Indices = NDArray[np.integer[Any]]


class Entries(NamedTuple):
    """Rows, columns, values and weights of listed entries: four arrays of one length."""

    rows: Indices
    cols: Indices
    values: Floats
    weights: Floats


def checked_shape(shape: tuple[int, int], square: bool) -> tuple[int, int]:
    """Return the shape, or raise unless it is two positive integers, equal for a square network."""
    try:
        n, m = (index(size) for size in shape)
    except (TypeError, ValueError):
        raise InputError(f"The shape is {shape!r}; expected two integers: rows and columns.") from None
    if n < 1 or m < 1:
        raise InputError(f"The shape is {n} x {m}; expected at least one row and one column.")
    if square and n != m:
        raise InputError(
            f"The shape is {n:,} x {m:,}, but a symmetric or square network has as many rows as columns. "
            "Leave symmetric=False and square=False if rows and columns are different kinds of nodes."
        )
    return n, m


def checked_entries(
    rows: ArrayLike,
    cols: ArrayLike,
    values: ArrayLike | None,
    weights: ArrayLike | None,
    shape: tuple[int, int],
) -> Entries:
    """Return listed entries, or raise for indices outside the shape, values not finite or weights below 0."""
    row = _checked_indices(rows, shape[0], "row")
    col = _checked_indices(cols, shape[1], "column")
    if len(row) != len(col):
        raise InputError(
            f"There are {len(row):,} row indices but {len(col):,} column indices; expected as many of both."
        )
    return Entries(row, col, _numbers(values, len(row), "value"), _weights(weights, len(row)))


def _checked_indices(indices: ArrayLike, size: int, what: str) -> Indices:
    array = np.asarray(indices)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise InputError(
            f"The {what} indices are an array of shape {array.shape} and type {array.dtype}; expected one "
            "dimension of integers. Use Network.from_edges for names."
        )
    outside = (array < 0) | (array >= size)
    if outside.any():
        position = int(np.argmax(outside))
        raise InputError(
            f"The {what} index of listed entry {position} is {array[position]}, but the network has {size:,} "
            f"{what}s, counted from 0."
        )
    return array.astype(index_dtype(size), copy=False)


def checked_values(values: ArrayLike | None, count: int) -> Floats:
    """Return a copy of finite values, one for each listed entry; None means ones."""
    return _copied(_numbers(values, count, "value"))


def checked_weights(weights: ArrayLike | None, count: int) -> Floats:
    """Return a copy of finite weights >= 0, one for each listed entry; None means ones."""
    return _copied(_weights(weights, count))


def _copied(array: Floats) -> Floats:
    """Copy an array, which the caller may change later; an array of stride 0 stays one number in memory."""
    if array.size and array.strides == (0,):
        return np.broadcast_to(np.float64(array[0]), array.shape)
    return np.array(array)


def _weights(weights: ArrayLike | None, count: int) -> Floats:
    numbers = _numbers(weights, count, "weight")
    if count and numbers.min() < 0:
        position = int(np.argmin(numbers))
        raise InputError(
            f"The weight of listed entry {position} is {numbers[position]:g}; expected 0 (hidden) or more "
            "(known)."
        )
    return numbers


def _numbers(numbers: ArrayLike | None, count: int, what: str) -> Floats:
    if numbers is None:
        return np.broadcast_to(np.float64(1.0), (count,))
    array = np.asarray(numbers)
    if array.dtype.kind not in "biuf":
        raise InputError(f"The {what}s are of type {array.dtype}; expected real numbers.")
    if array.shape != (count,):
        raise InputError(
            f"The {what}s have shape {array.shape}; expected ({count},), one for each listed entry."
        )
    bad = ~np.isfinite(array)
    if bad.any():
        position = int(np.argmax(bad))
        raise InputError(
            f"The {what} of listed entry {position} is {array[position]}; expected a finite number. "
            "Leave an unknown entry out of the list."
        )
    return array.astype(np.float64, copy=False)


def checked_background(background: float) -> float:
    """Return the weight of unlisted pairs as a float, or raise unless it is finite and >= 0."""
    if not is_number(background, 0):
        raise InputError(
            f"The background weight is {shown(background)}; expected 0 (unlisted pairs are unknown), 1 "
            "(they are known zeros) or a positive number (they are zeros of that weight)."
        )
    return float(background)


def checked_which(which: ArrayLike, count: int) -> Indices:
    """Return positions of listed entries selected by a Boolean mask or by positions."""
    selected = np.asarray(which)
    if selected.dtype == bool and selected.shape == (count,):
        return np.flatnonzero(selected)
    if selected.size == 0:
        return np.zeros(0, np.int64)
    if selected.ndim != 1 or selected.dtype.kind not in "iu":
        raise InputError(
            f"The selection of listed entries is an array of shape {selected.shape} and type "
            f"{selected.dtype}; expected a Boolean mask of length {count:,}, or positions as integers."
        )
    outside = (selected < 0) | (selected >= count)
    if outside.any():
        raise InputError(
            f"There is no listed entry {selected[np.argmax(outside)]}: the network lists {count:,}, counted "
            "from 0."
        )
    return selected


def canonical_order(rows: Indices, cols: Indices, symmetric: bool) -> tuple[Indices | None, Indices, Indices]:
    """Sort entries by row, then column, then listed position; a symmetric pair gets the smaller index first.

    Returns the order, or None if the entries are sorted already, and the sorted rows and columns.
    """
    if symmetric:
        rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
    if is_ascending(rows, cols):
        return None, np.array(rows), np.array(cols)
    order = sorted_order(rows, cols)
    return order, rows[order], cols[order]


def reordered(array: Floats, order: Indices | None) -> Floats:
    """Return a copy of an array in the given order; an array of stride 0 stays one number in memory."""
    return _copied(array) if order is None or array.strides == (0,) else array[order]
