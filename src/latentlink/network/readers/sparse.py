"""SciPy sparse matrices in and out."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from latentlink.errors import InputError
from latentlink.network.readers.listing import Listing
from latentlink.validation.choices import checked_choice

__all__ = ["Unstored", "background_of", "sparse_listing"]

Unstored = Literal["zero", "unknown"]


def background_of(unstored: Unstored | None) -> float:
    """Weight of the unstored entries; the choice must be made."""
    if unstored is None:
        raise InputError(
            'A sparse matrix does not say what its unstored entries mean. Give unstored="zero" (they are '
            'known zeros) or unstored="unknown".'
        )
    checked_choice(unstored, ("zero", "unknown"), "unstored")
    return 1.0 if unstored == "zero" else 0.0


def sparse_listing(matrix: Any, symmetric: bool, unstored: Unstored | None) -> Listing:
    """List the stored entries, explicit zeros too."""
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
    # The sum of repeated entries is what SciPy means by them; the copy keeps the caller's own as it was.
    coo = coo.copy()
    coo.sum_duplicates()
    listing = Listing(coo.row, coo.col, coo.data, shape=coo.shape)
    if coo.nnz < stored:
        listing.notes.append(f"{stored - coo.nnz:,} stored entries repeat another and were added up")
    _refuse_infinity(coo)
    if symmetric:
        _check_symmetric(coo, unstored)
        _keep(listing, coo.row <= coo.col)
    return listing


def _refuse_infinity(coo: Any) -> None:
    bad = ~np.isfinite(coo.data)
    if bad.any():
        place = int(np.argmax(bad))
        raise InputError(
            f"The sparse matrix has {coo.data[place]} in row {coo.row[place]}, column {coo.col[place]}; "
            'expected finite numbers. Leave unknown entries unstored and give unstored="unknown".'
        )


def _check_symmetric(coo: Any, unstored: Unstored | None) -> None:
    if coo.shape[0] != coo.shape[1]:
        raise InputError(f"The matrix has shape {coo.shape}; a symmetric one has as many rows as columns.")
    turned = coo.T.tocsr()
    own = coo.tocsr()
    # Counting every stored entry as 1 compares the patterns, and the values where the patterns agree.
    pattern = _ones(own) - _ones(turned) if unstored == "unknown" else None
    for difference in filter(lambda each: each is not None, (pattern, own - turned)):
        found = difference.tocoo()
        off = np.flatnonzero(found.data)
        if off.size:
            row, col = int(found.row[off[0]]), int(found.col[off[0]])
            raise InputError(
                f"The matrix is not symmetric: row {row}, column {col} is {_shown(own, row, col)}, but row "
                f"{col}, column {row} is {_shown(own, col, row)}. If only one triangle is stored, add the "
                "other: matrix + scipy.sparse.triu(matrix, 1).T. Else leave symmetric=False."
            )


def _ones(matrix: Any) -> Any:
    copied = matrix.copy()
    copied.data = np.ones_like(copied.data)
    return copied


def _shown(matrix: Any, row: int, col: int) -> str:
    start, stop = matrix.indptr[row], matrix.indptr[row + 1]
    here = np.flatnonzero(matrix.indices[start:stop] == col)
    return f"{matrix.data[start + here[0]]:g}" if here.size else "not stored"


def _keep(listing: Listing, which: Any) -> None:
    listing.rows, listing.cols = listing.rows[which], listing.cols[which]
    listing.values = listing.values[which] if listing.values is not None else None
