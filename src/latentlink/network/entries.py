"""Checks that a network's parts make sense, each with a sentence for what does not."""

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
    """Listed entries as four arrays of one length."""

    rows: Indices
    cols: Indices
    values: Floats
    weights: Floats


def checked_shape(shape: tuple[int, int], square: bool) -> tuple[int, int]:
    """Two positive numbers, equal where rows and columns are the same nodes."""
    try:
        n, m = (index(size) for size in shape)
    except (TypeError, ValueError):
        raise InputError(f"The shape is {shape!r}; expected two integers: rows and columns.") from None
    if n < 1 or m < 1:
        raise InputError(f"The shape is {n} x {m}, but a network needs at least one row and one column.")
    if square and n != m:
        raise InputError(
            f"The shape is {n:,} x {m:,}, but a symmetric or square network has as many rows as columns. "
            "Leave symmetric=False and square=False for a network between two kinds of nodes."
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
    return Entries(row, col, _numbers(values, len(row), "value"), _weights(weights, len(row)))


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
    """Copy finite values, one for each listed entry; None stands for ones."""
    return _own(_numbers(values, count, "value"))


def checked_weights(weights: ArrayLike | None, count: int) -> Floats:
    """Copy finite weights >= 0, one for each listed entry; None stands for ones."""
    return _own(_weights(weights, count))


def _own(array: Floats) -> Floats:
    """Copy, because the caller may go on writing into the array; a single number broadcast stays so."""
    if array.size and array.strides == (0,):
        return np.broadcast_to(np.float64(array[0]), array.shape)
    return np.array(array)


def _weights(weights: ArrayLike | None, count: int) -> Floats:
    found = _numbers(weights, count, "weight")
    if count and found.min() < 0:
        place = int(np.argmin(found))
        raise InputError(
            f"The weight of listed entry {place} is {found[place]:g}; expected 0 (hidden) or more (known)."
        )
    return found


def _numbers(numbers: ArrayLike | None, count: int, what: str) -> Floats:
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
            "Leave an unknown entry out of the list."
        )
    return found.astype(np.float64, copy=False)


def checked_background(background: float) -> float:
    """Check the weight for the unlisted pairs: finite, not negative."""
    if not is_number(background, 0):
        raise InputError(
            f"The background weight is {shown(background)}; expected 0 (unlisted pairs are unknown), 1 "
            "(they are known zeros) or a positive number (they are zeros of that weight)."
        )
    return float(background)


def checked_which(which: ArrayLike, count: int) -> Indices:
    """Positions of the chosen listed entries, given as a mask or as positions."""
    chosen = np.asarray(which)
    if chosen.dtype == bool and chosen.shape == (count,):
        return np.flatnonzero(chosen)
    if chosen.size == 0:
        return np.zeros(0, np.int64)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
        raise InputError(
            f"The choice of listed entries is an array of shape {chosen.shape} and type {chosen.dtype}; "
            f"expected a mask of {count:,} or integers, their positions."
        )
    outside = (chosen < 0) | (chosen >= count)
    if outside.any():
        raise InputError(
            f"There is no listed entry {chosen[np.argmax(outside)]}: there are {count:,}, counted from 0."
        )
    return chosen


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
    """Copy an array in the given order; one that is a single number broadcast stays so."""
    return _own(array) if order is None or array.strides == (0,) else array[order]
