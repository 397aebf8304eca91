"""What an estimator is given, turned into a Network: arrays, sparse matrices, frames, masks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import validate_data

from latentlink.errors import IncompatibleError, InputError
from latentlink.estimators.labels import frame_names, refuse_other_labels
from latentlink.network import Network
from latentlink.network.frames import refuse_repeated
from latentlink.solvers import Solver

__all__ = ["as_symmetric", "read_network", "refuse_negative", "row_by_row"]

Array = NDArray[Any]


def read_network(estimator: Any, X: Any, mask: Any, *, reset: bool) -> Network:
    """Read data as scikit-learn means them: all entries known, unstored ones 0, NaN unknown.

    A mask says otherwise: 0 is unknown, a positive number is the entry's weight. A sparse matrix under a
    sparse mask is known only where the mask stores a positive number. A Network is taken as it is.

    Parameters
    ----------
    estimator : estimator
        Remembers number and names of the columns if ``reset``, else they must be those it remembers.
    X : Network, array-like, sparse matrix or frame, shape (rows, columns)
    mask : array-like, sparse matrix or frame of the same shape, or None
    reset : bool
    """
    if isinstance(X, Network):
        if mask is not None:
            raise InputError(
                "A Network says itself what is known, so mask must be None. Hide entries with network.hide."
            )
        _remember(estimator, X, reset)
        return X
    if hasattr(X, "columns"):
        refuse_repeated(list(X.columns), "The frame")
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    found = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse=("csr", "csc", "coo"),
        dtype=np.float64,
        ensure_all_finite=False,
    )
    refuse_other_labels(X, mask)
    network = _from_sparse(found, mask) if sparse.issparse(found) else Network.from_dense(found, mask=mask)
    rows, cols = frame_names(X)
    if rows is None and cols is None:
        return network
    return network.relisted(*_entries(network), row_names=rows, col_names=cols)


def _entries(network: Network) -> tuple[Array, Array, Array, Array]:
    return network.rows, network.cols, network.values, network.weights


def _remember(estimator: Any, network: Network, reset: bool) -> None:
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
            "features as input: a column for each column that it was fitted with."
        )
    known = getattr(estimator, "feature_names_in_", None)
    if known is not None and names is not None and not np.array_equal(known, names.astype(object)):
        place = int(np.argmax(known != names.astype(object)))
        raise InputError(
            f"Column {place} of the network is {str(names[place])!r}, but was {str(known[place])!r} when the "
            "model was fitted; expected the same columns in the same order."
        )


def _from_sparse(X: Any, mask: Any) -> Network:
    stored = sparse.coo_array(X).copy()
    stored.sum_duplicates()
    if np.isinf(stored.data).any() and mask is None:
        place = int(np.argmax(np.isinf(stored.data)))
        raise InputError(
            f"The sparse matrix has {stored.data[place]} in row {stored.row[place]}, column "
            f"{stored.col[place]}; expected finite numbers, or NaN where the value is unknown."
        )
    if mask is None:
        known = ~np.isnan(stored.data)
        values = np.where(known, stored.data, 0.0)
        return Network(stored.row, stored.col, values, known * 1.0, shape=X.shape, background=1.0)
    weights = _sparse_mask(mask, X.shape)
    values = np.asarray(sparse.csr_array(stored)[weights.row, weights.col], np.float64).ravel()
    if np.isinf(values).any():
        place = int(np.argmax(np.isinf(values)))
        raise InputError(
            f"The sparse matrix has {values[place]} in row {weights.row[place]}, column "
            f"{weights.col[place]}, which the mask says is known; expected a finite number."
        )
    known = ~np.isnan(values)
    return Network(weights.row[known], weights.col[known], values[known], weights.data[known], shape=X.shape)


def _sparse_mask(mask: Any, shape: tuple[int, int]) -> Any:
    """Return the positive entries of a mask, sparse or dense."""
    found = mask if sparse.issparse(mask) else np.asarray(mask)
    if found.shape != shape:
        raise InputError(f"The mask has shape {found.shape}, but the matrix has shape {shape}.")
    if found.dtype.kind not in "biuf":
        raise InputError(f"The mask holds values of type {found.dtype}; expected 0, 1 or weights.")
    stored = sparse.coo_array(found).astype(np.float64).copy()
    stored.sum_duplicates()
    bad = ~((stored.data >= 0) & (stored.data < np.inf))
    if bad.any():
        place = int(np.argmax(bad))
        raise InputError(
            f"The mask has {stored.data[place]:g} in row {stored.row[place]}, column {stored.col[place]}; "
            "expected 0 (unknown), 1 (known) or a positive weight."
        )
    stored.eliminate_zeros()
    return stored


def as_symmetric(network: Network) -> Network:
    """Return a matrix that equals its transpose as an undirected network; any other one as it is.

    A diagonal of zeros is left out: a node and itself are no pair.

    Examples
    --------
    >>> as_symmetric(Network.from_dense([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    Network: 3 x 3, symmetric, 2 links, 1 non-link, nothing else
    """
    if network.symmetric or network.shape[0] != network.shape[1]:
        return network
    own, turned = _entries(network), _entries(network.transposed())
    if not all(np.array_equal(one, other) for one, other in zip(own, turned, strict=True)):
        return network
    loops = network.rows == network.cols
    no_loops = not network.values[loops].any()
    kept = network.rows < network.cols if no_loops else network.rows <= network.cols
    names = network.col_names if network.row_names is None else network.row_names
    return Network(
        *(part[kept] for part in own),
        shape=network.shape,
        background=network.background,
        symmetric=True,
        row_names=names,
        col_names=network.col_names if network.col_names is not None else names,
    )


def row_by_row(network: Network) -> Network:
    """Return an undirected network as a matrix: each node's row has its links to all nodes.

    Examples
    --------
    >>> row_by_row(Network.from_edges([(0, 1, 1), (1, 2, 0)], symmetric=True))
    Network: 3 x 3, 2 links, 2 non-links, rest unknown
    """
    if not network.symmetric:
        return network
    n, view = network.shape[0], network.csr
    rows, cols = np.repeat(np.arange(n), np.diff(view.indptr)), np.asarray(view.indices, np.int64)
    values, weights = network.values[view.position], network.weights[view.position]
    if network.background and not network.has_self_loops:
        nodes = np.arange(n)
        rows, cols = np.concatenate([rows, nodes]), np.concatenate([cols, nodes])
        values, weights = (np.concatenate([part, np.zeros(n)]) for part in (values, weights))
    return Network(
        rows,
        cols,
        values,
        weights,
        shape=network.shape,
        background=network.background,
        row_names=network.row_names,
        col_names=network.col_names,
    )


def refuse_negative(estimator: Any, solver: Solver, network: Network) -> None:
    """Refuse known values below 0 where the solver cannot work on them."""
    negative = network.known & (network.values < 0)
    if solver.needs_nonnegative and negative.any():
        place = int(np.argmax(negative))
        raise IncompatibleError(
            f"Negative values in data passed to {type(estimator).__name__}: {solver} needs values >= 0, but "
            f"{np.count_nonzero(negative):,} known values are negative (first: {network.values[place]:g} in "
            f"row {network.rows[place]}, column {network.cols[place]}). Shift or clip them, or choose RNMFk, "
            "whose biases take any sign."
        )


_LEAST = 20  # with fewer of a kind, what is left out is the opposite of what is left as often as not


def refuse_other_than_links(estimator: Any, network: Network) -> None:
    """Refuse values that a logistic model on top of others cannot fit, before they are fitted."""
    values = network.values[network.known]
    other = ~np.isin(values, (0, 1))
    if other.any():
        raise IncompatibleError(
            f"{type(estimator).__name__} is for links and non-links, values 1 and 0, but "
            f"{int(other.sum()):,} known values are others (first: {values[other][0]:g}). Cut them first, or "
            "choose WNMFk or RNMFk."
        )


def refuse_too_few(estimator: Any, network: Network) -> None:
    """Refuse a network from which no weights of scores can be learned."""
    values = network.values[network.known]
    links, others = int((values == 1).sum()), int((values == 0).sum())
    if links < _LEAST or (others < _LEAST and not network.background):
        raise IncompatibleError(
            f"{type(estimator).__name__} learns how to weigh scores from pairs that are hidden in turn, and "
            f"needs at least {_LEAST} links and {_LEAST} non-links for that; {links:,} and {others:,} are "
            "known. List more of them (or give the network a background, if what is not listed is no link), "
            "or choose a model that weighs nothing: RankedFactorizer(solver=LMF())."
        )


def fitting_all(network: Network, models: Iterable[Any]) -> Network:
    """Return a network as all models can take it: undirected, if one needs that and it can be."""
    undirected = any(each._filled("solver").needs_symmetric for each in models)
    return as_symmetric(network) if undirected else network
