"""Reader of SciPy sparse matrices."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from latentlink.errors import InputError
from latentlink.network.readers.listing import Listing
from latentlink.validation.choices import checked_choice

__all__ = ["Unstored", "background_of", "sparse_listing"]

Unstored = Literal["zero", "unknown"]


def background_of(unstored: Unstored | None) -> float:
    """Return the background weight for a meaning of unstored entries; raise InputError for None."""
    if unstored is None:
        raise InputError(
            "unstored is None; expected the meaning of the entries that a sparse matrix does not store. Give "
            'unstored="zero" (they are known zeros) or unstored="unknown".'
        )
    checked_choice(unstored, ("zero", "unknown"), "unstored")
    return 1.0 if unstored == "zero" else 0.0


def sparse_listing(matrix: Any, symmetric: bool, unstored: Unstored | None) -> Listing:
    """List the stored entries, including explicit zeros."""
    import scipy.sparse

    if not scipy.sparse.issparse(matrix):
        raise InputError(
            f"The matrix is of type {type(matrix).__name__}; expected a SciPy sparse matrix or array. "
            "Use from_dense for an array."
        )
    if matrix.ndim != 2:
        raise InputError(f"The sparse array has shape {matrix.shape}; expected two dimensions.")
    if matrix.dtype.kind not in "biuf":
        raise InputError(f"The sparse matrix holds values of type {matrix.dtype}; expected real numbers.")
    coo = scipy.sparse.coo_array(matrix).astype(np.float64)
    stored = coo.nnz
    # SciPy defines repeated entries by their sum; summing is in place, so the caller's matrix is copied.
    coo = coo.copy()
    coo.sum_duplicates()
    listing = Listing(coo.row, coo.col, coo.data, shape=coo.shape)
    if coo.nnz < stored:
        listing.notes.append(f"{stored - coo.nnz:,} stored entries repeat another and were summed")
    _raise_if_infinite(coo)
    if symmetric:
        _raise_unless_symmetric(coo, unstored)
        _select(listing, coo.row <= coo.col)
    return listing


def _raise_if_infinite(coo: Any) -> None:
    bad = ~np.isfinite(coo.data)
    if bad.any():
        position = int(np.argmax(bad))
        raise InputError(
            f"The sparse matrix has {coo.data[position]} in row {coo.row[position]}, column "
            f"{coo.col[position]}; expected finite numbers. Leave unknown entries unstored and give "
            'unstored="unknown".'
        )


def _raise_unless_symmetric(coo: Any, unstored: Unstored | None) -> None:
    if coo.shape[0] != coo.shape[1]:
        raise InputError(f"The matrix has shape {coo.shape}; a symmetric one has as many rows as columns.")
    transposed = coo.T.tocsr()
    matrix = coo.tocsr()
    differences = [matrix - transposed]
    if unstored == "unknown":
        # An explicit zero differs from an unknown entry: the patterns of stored entries must agree too.
        differences.insert(0, _pattern(matrix) - _pattern(transposed))
    for difference in differences:
        entries = difference.tocoo()
        unequal = np.flatnonzero(entries.data)
        if unequal.size:
            row, col = int(entries.row[unequal[0]]), int(entries.col[unequal[0]])
            raise InputError(
                f"The matrix is not symmetric: row {row}, column {col} is {_shown(matrix, row, col)}, but "
                f"row {col}, column {row} is {_shown(matrix, col, row)}. If only one triangle is stored, add "
                "the other: matrix + scipy.sparse.triu(matrix, 1).T. Else leave symmetric=False."
            )


def _pattern(matrix: Any) -> Any:
    """Return a copy in which every stored entry is 1."""
    pattern = matrix.copy()
    pattern.data = np.ones_like(pattern.data)
    return pattern


def _shown(matrix: Any, row: int, col: int) -> str:
    start, stop = matrix.indptr[row], matrix.indptr[row + 1]
    positions = np.flatnonzero(matrix.indices[start:stop] == col)
    return f"{matrix.data[start + positions[0]]:g}" if positions.size else "not stored"


def _select(listing: Listing, which: Any) -> None:
    listing.rows, listing.cols = listing.rows[which], listing.cols[which]
    listing.values = listing.values[which] if listing.values is not None else None
