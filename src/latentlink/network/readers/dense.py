"""Reader of dense arrays, masked arrays and frames of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.tables.edge_list_frames import raise_if_edge_list
from latentlink.network.readers.tables.frames import raise_if_labels_differ, raise_if_labels_repeat
from latentlink.network.readers.tables.id_columns import raise_if_id_column
from latentlink.validation.columns import exact_floats

__all__ = ["BY_NAME", "dense_listing"]

BY_NAME = ", with its columns in the order of the rows by their names"

Floats = NDArray[np.float64]


def dense_listing(X: Any, mask: Any, symmetric: bool, positions: NDArray[np.int64] | None = None) -> Listing:
    """List every known entry of an array, including zeros; without names.

    Parameters
    ----------
    X, mask
        As for `Network.from_dense`.
    symmetric : bool
        Raise unless it equals its transpose, and list one triangle.
    positions : array of int or None
        The new position of each column.
    """
    if hasattr(X, "columns"):
        raise_if_labels_repeat(list(getattr(X, "column_names", X.columns)), "The frame")
    if mask is None:
        raise_if_edge_list(X, "Network.from_dense")
        raise_if_id_column(X, "Network.from_dense")
    values = _matrix(X, "The matrix")
    weights = None if mask is None else _checked_mask(mask, X, values.shape)
    _raise_if_infinite(values, weights)
    known = ~np.isnan(values)
    if weights is not None:
        known &= weights > 0
    if positions is not None:
        order = np.argsort(positions)
        values, known = values[:, order], known[:, order]
        weights = None if weights is None else weights[:, order]
    if symmetric:
        _raise_unless_symmetric(values, known, weights, "" if positions is None else BY_NAME)
        known = np.triu(known)
    rows, cols = np.nonzero(known)
    return Listing(
        rows,
        cols,
        values[rows, cols],
        None if weights is None else weights[rows, cols],
        shape=(values.shape[0], values.shape[1]),
    )


def _matrix(X: Any, what: str) -> Floats:
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise InputError(
            f"{what} is sparse; expected a dense array. Use Network.from_sparse and give the meaning of "
            "unstored entries."
        )
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    elif hasattr(X, "to_numpy"):
        X = X.to_numpy()
    elif hasattr(X, "column_names") and hasattr(X, "to_pandas"):
        X = np.column_stack([column.to_numpy() for column in X.columns])
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise InputError(
            f"{what} has rows of different length ({error}); expected rows of the same length."
        ) from None
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(
            f"{what} has shape {array.shape}; expected two dimensions with at least one row and one column."
        )
    if array.dtype.kind not in "biuf":
        return _from_objects(array, what)
    return exact_floats(array, lambda index: f"row {index[0]}, column {index[1]}")


def _from_objects(array: NDArray[Any], what: str) -> Floats:
    """Return floats from an array of objects, NaN for None and for missing values of pandas."""
    if array.dtype.kind != "O":
        raise InputError(f"{what} holds values of type {array.dtype}; expected real numbers.")
    numbers = np.empty(array.shape)
    for index, value in np.ndenumerate(array):
        missing = value is None or type(value).__name__ == "NAType"
        if not missing and not isinstance(value, int | float | np.number | np.bool_):
            raise InputError(
                f"{what} has {value!r} in row {index[0]}, column {index[1]}; expected a real number, or NaN "
                "if it is unknown."
            )
        try:
            numbers[index] = np.nan if missing else float(value)
        except OverflowError:
            raise InputError(
                f"{what} has a whole number in row {index[0]}, column {index[1]} that is too large for a "
                "float; expected finite numbers."
            ) from None
    return numbers


def _raise_if_infinite(values: Floats, weights: Floats | None) -> None:
    infinite = np.isinf(values)
    if weights is not None:
        infinite &= weights > 0
    if infinite.any():
        row, col = (int(index) for index in np.argwhere(infinite)[0])
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
        row, col = (int(index) for index in np.argwhere(bad)[0])
        raise InputError(
            f"The mask has {weights[row, col]:g} in row {row}, column {col}; expected 0 (unknown), 1 (known) "
            "or a positive weight."
        )
    return weights


def _raise_unless_symmetric(
    values: Floats, known: NDArray[np.bool_], weights: Floats | None, order: str
) -> None:
    if values.shape[0] != values.shape[1]:
        raise InputError(f"The matrix has shape {values.shape}; a symmetric one has as many rows as columns.")
    differ = known != known.T
    differ |= known & known.T & (values != values.T)
    if weights is not None:
        differ |= known & (weights != weights.T)
    if differ.any():
        row, col = (int(index) for index in np.argwhere(differ)[0])
        raise InputError(
            f"The matrix is not symmetric{order}: row {row}, column {col} is "
            f"{_shown(values, known, row, col)}, but row {col}, column {row} is "
            f"{_shown(values, known, col, row)}. Make it symmetric, or leave symmetric=False."
        )


def _shown(values: Floats, known: NDArray[np.bool_], row: int, col: int) -> str:
    return f"{values[row, col]:g}" if known[row, col] else "unknown"
