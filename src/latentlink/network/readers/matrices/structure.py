"""Entries of the sparse formats csr, csc, coo, bsr and dia, with every index checked.

SciPy's compiled functions trust their indices: one that is out of range reads or writes foreign memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError

__all__ = ["EXPANSIONS", "PARTS", "checked_entries"]

Array = NDArray[Any]
Shape = tuple[int, int]
Triple = tuple[Array, Array, Array]
"""Rows, columns and values."""

PARTS = {
    "csr": ("indices", "indptr"),
    "csc": ("indices", "indptr"),
    "bsr": ("indices", "indptr"),
    "coo": ("row", "col"),
    "coo with coords": ("coords",),
    "dia": ("offsets",),
}
"""Arrays of each format, besides the values."""


def _csr(data: Array, indices: Array, indptr: Array, shape: Shape, where: str) -> Triple:
    _require(data.ndim == 1, where, "data", f"has {data.ndim} dimensions", "one")
    return _lines(indptr, len(data), shape[0], where), _indices(indices, len(data), shape[1], where), data


def _csc(data: Array, indices: Array, indptr: Array, shape: Shape, where: str) -> Triple:
    cols, rows, values = _csr(data, indices, indptr, (shape[1], shape[0]), where)
    return rows, cols, values


def _bsr(data: Array, indices: Array, indptr: Array, shape: Shape, where: str) -> Triple:
    fits = data.ndim == 3 and 0 not in data.shape[1:]
    _require(fits, where, "data", f"has shape {data.shape}", "three dimensions, blocks of entries")
    count, height, width = data.shape
    fits = shape[0] % height == 0 and shape[1] % width == 0
    _require(fits, where, "shape", f"is {shape}", f"multiples of the blocks, {height} x {width}")
    block_rows = _lines(indptr, count, shape[0] // height, where)
    block_cols = _indices(indices, count, shape[1] // width, where)
    rows = block_rows[:, None, None] * height + np.arange(height)[None, :, None]
    cols = block_cols[:, None, None] * width + np.arange(width)[None, None, :]
    rows, cols = np.broadcast_to(rows, data.shape), np.broadcast_to(cols, data.shape)
    return rows.ravel(), cols.ravel(), data.ravel()


def _coo(data: Array, row: Array, col: Array, shape: Shape, where: str) -> Triple:
    _require(data.ndim == 1, where, "data", f"has {data.ndim} dimensions", "one")
    rows = _indices(row, len(data), shape[0], where, "row")
    return rows, _indices(col, len(data), shape[1], where, "col"), data


def _coo_with_coords(data: Array, coords: Array, shape: Shape, where: str) -> Triple:
    fits = coords.ndim == 2 and len(coords) == 2
    _require(fits, where, "coords", f"has shape {coords.shape}", "two rows")
    return _coo(data, coords[0], coords[1], shape, where)


def _dia(data: Array, offsets: Array, shape: Shape, where: str) -> Triple:
    _require(data.ndim == 2, where, "data", f"has {data.ndim} dimensions", "two")
    fits = offsets.dtype.kind in "iu" and offsets.shape == data.shape[:1]
    found = f"has type {offsets.dtype} and shape {offsets.shape}"
    _require(fits, where, "offsets", found, f"{len(data)} integers, one for each diagonal")
    distinct = len(np.unique(offsets)) == len(offsets)
    _require(distinct, where, "offsets", "repeats a diagonal", "different ones")
    width = min(data.shape[1], shape[1])
    # Beyond these the diagonal is outside of the matrix; the sum below would overflow.
    inside = (offsets > -shape[0]) & (offsets < shape[1])
    data, shifts = data[inside, :width], offsets[inside].astype(np.int64)
    rows = np.arange(width)[None, :] - shifts[:, None]
    # SciPy counts zeros on a diagonal as entries that are not stored.
    stored = (rows >= 0) & (rows < shape[0]) & (data != 0)
    cols = np.broadcast_to(np.arange(width), rows.shape)
    return rows[stored], cols[stored], data[stored]


def _lines(indptr: Array, count: int, size: int, where: str) -> Array:
    """Return the row (or column) of each of ``count`` entries from the positions at which rows begin."""
    fits = indptr.dtype.kind in "iu" and indptr.shape == (size + 1,)
    found = f"has type {indptr.dtype} and shape {indptr.shape}"
    _require(fits, where, "indptr", found, f"{size + 1:,} integers, one more than there are rows or columns")
    falls = indptr[1:] < indptr[:-1]
    if falls.any():
        position = int(np.argmax(falls))
        pair = f"has {indptr[position]} and then {indptr[position + 1]} at position {position:,}"
        _require(False, where, "indptr", pair, "numbers that do not decrease")
    found = f"goes from {indptr[0]} to {indptr[-1]}"
    _require(
        indptr[0] == 0 and indptr[-1] == count, where, "indptr", found, f"from 0 to {count:,}, all entries"
    )
    lines: Array = np.repeat(np.arange(size), indptr[1:].astype(np.int64) - indptr[:-1].astype(np.int64))
    return lines


def _indices(indices: Array, count: int, size: int, where: str, part: str = "indices") -> Array:
    fits = indices.dtype.kind in "iu" and indices.shape == (count,)
    found = f"has type {indices.dtype} and shape {indices.shape}"
    _require(fits, where, part, found, f"{count:,} integers, one for each value")
    outside = (indices < 0) | (indices >= size)
    if outside.any():
        position = int(np.argmax(outside))
        found = f"has {indices[position]} at position {position:,}"
        _require(False, where, part, found, f"indices from 0 to {size - 1:,}")
    return indices.astype(np.int64)


def _require(condition: bool, where: str, part: str, found: str, expected: str) -> None:
    if not condition:
        raise InputError(
            f"{where}: the part {part!r} of the sparse matrix {found}; expected {expected}. It is damaged, "
            "or was changed by hand."
        )


EXPANSIONS: dict[str, Callable[..., Triple]] = {
    "csr": _csr,
    "csc": _csc,
    "bsr": _bsr,
    "coo": _coo,
    "coo with coords": _coo_with_coords,
    "dia": _dia,
}
"""Functions of the values, the other arrays, the shape and the file that return all stored entries."""


def checked_entries(matrix: Any, where: str = "The matrix in memory") -> Triple | None:
    """Return rows, columns and values of a SciPy matrix; None for formats that hold no indices of their own.

    Raises InputError if an index is out of range or the parts do not agree.
    """
    if matrix.format not in EXPANSIONS or matrix.ndim != 2:
        return None
    parts = (np.asarray(getattr(matrix, part)) for part in PARTS[matrix.format])
    return EXPANSIONS[matrix.format](np.asarray(matrix.data), *parts, matrix.shape, where)
