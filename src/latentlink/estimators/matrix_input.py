"""Input of `fit` and `transform`: arrays, sparse matrices, frames and masks turned into a Network."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data

from latentlink.errors import IncompatibleError, InputError, InputTypeError, warn_user
from latentlink.folding import as_whole_rows, known_rows, named_rows
from latentlink.network import Network
from latentlink.network.readers.matrices.structure import checked_entries
from latentlink.network.readers.sparse import raise_if_stored_twice
from latentlink.network.readers.tables.edge_list_frames import raise_if_edge_list
from latentlink.network.readers.tables.frames import (
    first_without_numbers,
    frame_names,
    raise_if_labels_differ,
    raise_if_labels_repeat,
    raise_if_lazy,
    warn_if_unnamed,
)
from latentlink.network.readers.tables.id_columns import raise_if_id_column
from latentlink.network.transforms.symmetry import as_matrix, as_symmetric
from latentlink.validation.bounds import MOST_NODES
from latentlink.validation.wording import counted, few

__all__ = ["raise_if_too_many_nodes", "read_network", "read_new_rows", "rows_to_fold_in"]

_EXPECTED = (
    "Expected a Network, or an array, sparse matrix or frame of numbers, shape (rows, columns), with NaN "
    "where a value is unknown. For a list of pairs: fit(Network.from_edges(pairs))."
)


def read_network(estimator: Any, X: Any, mask: Any, *, reset: bool) -> Network:
    """Read data as scikit-learn does: all entries known, unstored ones 0, NaN unknown.

    With a mask, 0 is unknown and a positive number is the entry's weight. A sparse matrix with a sparse mask
    is known only where the mask stores a positive number. A Network is returned as it is.

    Parameters
    ----------
    estimator : estimator
        Stores number and names of the columns if ``reset``, else they must equal the stored ones.
    X : Network, array-like, sparse matrix or frame, shape (rows, columns)
    mask : array-like, sparse matrix or frame of the same shape, or None
    reset : bool
    """
    if isinstance(X, Network):
        if mask is not None:
            raise InputError(
                "A Network already tells known from unknown entries, so mask must be None. Hide entries with "
                "network.hide."
            )
        raise_if_too_many_nodes(X.shape)
        _set_or_check_features(estimator, X, reset)
        return X
    raise_if_lazy(X)
    for given in (X, mask):
        if sparse.issparse(given):
            checked_entries(given)  # compiled functions of SciPy trust all indices
    if hasattr(X, "columns"):
        raise_if_labels_repeat(list(getattr(X, "column_names", X.columns)), "The frame")
    if reset and mask is None:
        raise_if_edge_list(X)
        raise_if_id_column(X)
    matrix = _validated(estimator, X, reset)
    raise_if_labels_differ(X, mask)
    network = _from_sparse(matrix, mask) if sparse.issparse(matrix) else Network.from_dense(matrix, mask=mask)
    warn_if_unnamed(X)
    row_names, col_names = frame_names(X)
    if row_names is None and col_names is None:
        return network
    names: dict[str, Any] = {
        side: None if labels is None else np.array(labels, dtype=np.str_)
        for side, labels in (("row_names", row_names), ("col_names", col_names))
    }
    return network.relisted(*network.entries, **names)


def rows_to_fold_in(estimator: Any, X: Any, mask: Any) -> Network:
    """Read new rows of a fitted estimator in any form that `RankedFactorizer.fold_in` takes."""
    columns = estimator.network_.shape[1]
    with warnings.catch_warnings():
        # An array has the columns of the fit in their order, as documented; scikit-learn would doubt it.
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        return read_new_rows(estimator, *(as_whole_rows(given, columns) for given in (X, mask)))


def read_new_rows(estimator: Any, X: Any, mask: Any) -> Network:
    """Read new rows of a fitted estimator: several, or by name; warn of those of which nothing is known."""
    fitted: Network = estimator.network_
    rows = named_rows(fitted, X)
    if rows is not None and mask is not None:
        raise InputError("New rows by name need no mask; expected mask=None. Leave out what is unknown.")
    network = read_network(estimator, X if rows is None else rows, mask, reset=False)
    if rows is None:
        network = as_matrix(as_symmetric(network) if fitted.symmetric else network)
    if network.col_names is None and fitted.col_names is not None:
        network = network.relisted(*network.entries, col_names=fitted.col_names)
    empty = np.flatnonzero(~known_rows(network)).astype(str).tolist()
    if empty:
        warn_user(
            f"Nothing is known of {counted(len(empty), 'new row')} ({few(empty, 5)}): each gets the "
            "average of the fitted rows, and its scores carry no further information.",
        )
    return network


def raise_if_too_many_nodes(shape: tuple[int, int]) -> None:
    """Raise IncompatibleError for a shape whose factors no memory can hold, before anything is allocated."""
    if sum(shape) > MOST_NODES:
        raise IncompatibleError(
            f"The network has {shape[0]:,} rows and {shape[1]:,} columns; expected at most {MOST_NODES:,} in "
            "all, since factors have at least 8 bytes for each. If indices are numbers that somebody gave to "
            "the nodes, give them as names: str(number)."
        )


def _validated(estimator: Any, X: Any, reset: bool) -> Any:
    """Return a matrix of floats, checked by scikit-learn; raise InputError for what it refuses."""
    try:
        if isinstance(X, np.ma.MaskedArray):
            X = np.ma.filled(X.astype(np.float64), np.nan)
        return validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse=("csr", "csc", "coo"),
            dtype=np.float64,
            ensure_all_finite=False,
        )
    except (TypeError, ValueError) as error:
        kind = InputTypeError if isinstance(error, TypeError) else InputError
        found = first_without_numbers(X) or _short(str(error))
        raise kind(f"{found} {_EXPECTED if reset else _expected_rows(estimator.n_features_in_)}") from error


def _expected_rows(columns: int) -> str:
    return (
        f"Expected rows of {columns:,} columns, as in the fit. Of a row of which little is known: "
        "{name: value} or [(name, value), ...]."
    )


def _short(message: str) -> str:
    """Return a message of scikit-learn as sentences, without the data that it repeats."""
    if message.startswith("The feature names"):  # a list of them follows
        return message.rstrip() + "\n"
    first, *others = message.splitlines()
    text = " ".join(
        [first.removesuffix(" instead:"), *(each for each in others if each.startswith("Reshape"))]
    )
    text = text.replace(" array Reshape", " array. Reshape")
    text = text if text.endswith(".") else f"{text}."
    return f"X is no matrix of numbers: {text}" if text[0].islower() else text


def _set_or_check_features(estimator: Any, network: Network, reset: bool) -> None:
    """Set or check the number of columns and their names, as scikit-learn does for arrays."""
    count, names = network.shape[1], network.col_names
    if reset:
        estimator.n_features_in_ = count
        if names is not None:
            estimator.feature_names_in_ = names.astype(object)
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
        return
    if count != estimator.n_features_in_:
        raise InputError(
            f"X has {count} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} "
            "features as input: one for each column that it was fitted with."
        )
    fitted = getattr(estimator, "feature_names_in_", None)
    if fitted is not None and names is not None and not np.array_equal(fitted, names.astype(object)):
        column = int(np.argmax(fitted != names.astype(object)))
        raise InputError(
            f"Column {column} of the network is {str(names[column])!r}, but was {str(fitted[column])!r} when "
            "the model was fitted; expected the same columns in the same order."
        )


def _from_sparse(X: Any, mask: Any) -> Network:
    stored = sparse.coo_array(X)
    raise_if_stored_twice(stored, "sparse matrix")
    if mask is None:
        _raise_if_infinite(stored.data, stored, "")
        known = ~np.isnan(stored.data)
        values = np.where(known, stored.data, 0.0)
        return Network(stored.row, stored.col, values, known * 1.0, shape=X.shape, background=1.0)
    weights = _sparse_mask(mask, X.shape)
    values = np.asarray(sparse.csr_array(stored)[weights.row, weights.col], np.float64).ravel()
    _raise_if_infinite(values, weights, ", which the mask says is known")
    known = ~np.isnan(values)
    return Network(weights.row[known], weights.col[known], values[known], weights.data[known], shape=X.shape)


def _raise_if_infinite(values: Any, stored: Any, why: str) -> None:
    infinite = np.isinf(values)
    if infinite.any():
        position = int(np.argmax(infinite))
        raise InputError(
            f"The sparse matrix has {values[position]} in row {stored.row[position]}, column "
            f"{stored.col[position]}{why}; expected finite numbers, or NaN where the value is unknown."
        )


def _sparse_mask(mask: Any, shape: tuple[int, int]) -> Any:
    """Return the positive entries of a mask, sparse or dense."""
    given = mask if sparse.issparse(mask) else np.asarray(mask)
    if given.shape != shape:
        raise InputError(f"The mask has shape {given.shape}, but the matrix has shape {shape}.")
    if given.dtype.kind not in "biuf":
        raise InputError(f"The mask holds values of type {given.dtype}; expected 0, 1 or weights.")
    stored = sparse.coo_array(given).astype(np.float64).copy()
    raise_if_stored_twice(stored, "mask")
    bad = ~((stored.data >= 0) & (stored.data < np.inf))
    if bad.any():
        position = int(np.argmax(bad))
        raise InputError(
            f"The mask has {stored.data[position]:g} in row {stored.row[position]}, column "
            f"{stored.col[position]}; expected 0 (unknown), 1 (known) or a positive weight."
        )
    stored.eliminate_zeros()
    return stored
