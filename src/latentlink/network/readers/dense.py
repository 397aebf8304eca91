"""Dense arrays in and out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.frames import frame_names, raise_if_labels_differ, raise_if_labels_repeat
from latentlink.network.readers.listing import Listing

__all__ = ["dense_listing"]

Floats = NDArray[np.float64]


def dense_listing(X: Any, mask: Any, symmetric: bool) -> Listing:
    """List every known entry of an array, zeros too."""
    if hasattr(X, "columns"):
        raise_if_labels_repeat(list(getattr(X, "column_names", X.columns)), "The frame")
    row_names, col_names = frame_names(X)
    values = _matrix(X, "The matrix")
    weights = None if mask is None else _checked_mask(mask, X, values.shape)
    _refuse_infinity(values, weights)
    known = ~np.isnan(values)
    if weights is not None:
        known &= weights > 0
    if symmetric:
        _check_symmetric(values, known, weights)
        known = np.triu(known)
    rows, cols = np.nonzero(known)
    return Listing(
        rows,
        cols,
        values[rows, cols],
        None if weights is None else weights[rows, cols],
        shape=(values.shape[0], values.shape[1]),
        row_names=row_names,
        col_names=col_names,
    )


def _matrix(X: Any, what: str) -> Floats:
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise InputError(f"{what} is sparse. Use Network.from_sparse, which asks what unstored means.")
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    elif hasattr(X, "to_numpy"):
        X = X.to_numpy()
    elif hasattr(X, "column_names") and hasattr(X, "to_pandas"):
        X = np.column_stack([column.to_numpy() for column in X.columns])
    try:
        found = np.asarray(X)
    except ValueError as error:
        raise InputError(f"{what} has rows of different length: {error}.") from None
    if found.ndim != 2 or 0 in found.shape:
        raise InputError(
            f"{what} has shape {found.shape}; expected two dimensions with at least one row and one column."
        )
    return found.astype(np.float64) if found.dtype.kind in "biuf" else _from_objects(found, what)


def _from_objects(found: NDArray[Any], what: str) -> Floats:
    """Numbers out of a table of objects, where a missing one is None or a null of its library."""
    if found.dtype.kind != "O":
        raise InputError(f"{what} holds values of type {found.dtype}; expected real numbers.")
    numbers = np.empty(found.shape)
    for place, value in np.ndenumerate(found):
        missing = value is None or type(value).__name__ == "NAType"
        if not missing and not isinstance(value, int | float | np.number | np.bool_):
            raise InputError(
                f"{what} has {value!r} in row {place[0]}, column {place[1]}; expected a real number, or NaN "
                "if it is unknown."
            )
        try:
            numbers[place] = np.nan if missing else float(value)
        except OverflowError:
            raise InputError(
                f"{what} has a whole number in row {place[0]}, column {place[1]} that is too large for a "
                "float; expected finite numbers."
            ) from None
    return numbers


def _refuse_infinity(values: Floats, weights: Floats | None) -> None:
    infinite = np.isinf(values)
    if weights is not None:
        infinite &= weights > 0
    if infinite.any():
        row, col = (int(place) for place in np.argwhere(infinite)[0])
        raise InputError(
            f"The matrix has {values[row, col]} in row {row}, column {col}; expected finite numbers, or NaN "
            "where the value is unknown."
        )


def _checked_mask(mask: Any, X: Any, shape: tuple[int, ...]) -> Floats:
    dense = mask.toarray() if hasattr(mask, "toarray") else mask
    raise_if_labels_differ(X, mask)
    weights = _matrix(dense, "The mask")
    if weights.shape != shape:
        raise InputError(f"The mask has shape {weights.shape}, but the matrix has shape {shape}.")
    bad = ~((weights >= 0) & (weights < np.inf))
    if bad.any():
        row, col = (int(place) for place in np.argwhere(bad)[0])
        raise InputError(
            f"The mask has {weights[row, col]:g} in row {row}, column {col}; expected 0 (unknown), 1 (known) "
            "or a positive weight."
        )
    return weights


def _check_symmetric(values: Floats, known: NDArray[np.bool_], weights: Floats | None) -> None:
    if values.shape[0] != values.shape[1]:
        raise InputError(f"The matrix has shape {values.shape}; a symmetric one has as many rows as columns.")
    differ = known != known.T
    differ |= known & known.T & (values != values.T)
    if weights is not None:
        differ |= known & (weights != weights.T)
    if differ.any():
        row, col = (int(place) for place in np.argwhere(differ)[0])
        raise InputError(
            f"The matrix is not symmetric: row {row}, column {col} is {_shown(values, known, row, col)}, but "
            f"row {col}, column {row} is {_shown(values, known, col, row)}. Make it symmetric, or leave "
            "symmetric=False."
        )


def _shown(values: Floats, known: NDArray[np.bool_], row: int, col: int) -> str:
    return f"{values[row, col]:g}" if known[row, col] else "unknown"
