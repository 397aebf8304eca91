"""Reader of SciPy sparse matrices."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.dense import BY_NAME
from latentlink.network.readers.listing import DUPLICATES, Duplicates, Listing
from latentlink.network.readers.matrices.structure import checked_entries
from latentlink.validation.choices import checked_choice
from latentlink.validation.columns import exact_floats
from latentlink.validation.wording import counted

__all__ = ["IN_FILE", "Unstored", "background_of", "raise_if_stored_twice", "sparse_listing"]

Unstored = Literal["zero", "unknown"]

_ADD = "To have them added, as SciPy does, call matrix.sum_duplicates() before."
_CLEAN = "drop_duplicates and resolve_conflicts of latentlink.network"
_REMEDY = f'{_ADD[:-1]}; or read with duplicates="keep" and use {_CLEAN}.'
IN_FILE = f'Read with duplicates="keep", then use {_CLEAN}, or correct the file.'


def background_of(unstored: Unstored | None) -> float:
    """Return the background weight for a meaning of unstored entries; raise InputError for None."""
    if unstored is None:
        raise InputError(
            "unstored is None; expected the meaning of the entries that a sparse matrix does not store. Give "
            'unstored="zero" (they are known zeros) or unstored="unknown".'
        )
    checked_choice(unstored, ("zero", "unknown"), "unstored")
    return 1.0 if unstored == "zero" else 0.0


def sparse_listing(
    matrix: Any,
    symmetric: bool,
    unstored: Unstored | None,
    duplicates: Duplicates = "raise",
    remedy: str = _REMEDY,
    positions: NDArray[np.int64] | None = None,
) -> Listing:
    """List the stored entries, including explicit zeros; unless ``duplicates`` is "keep", each one once.

    Parameters
    ----------
    matrix : SciPy sparse matrix or array
    symmetric : bool
        Raise unless it equals its transpose, and list one triangle.
    unstored : {"zero", "unknown"}
    duplicates : {"raise", "keep"}
    remedy : str
        What to do about an entry that is stored more than once, as a sentence.
    positions : array of int or None
        The new position of each column.
    """
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
    entries = checked_entries(matrix)
    if entries is None:
        stored = scipy.sparse.coo_array(matrix)
        entries = (stored.row, stored.col, stored.data)
    rows, cols, values = entries
    floats = exact_floats(values, lambda index: f"row {rows[index]}, column {cols[index]}")
    cols = cols if positions is None else positions[cols]
    coo = scipy.sparse.coo_array((floats, (rows, cols)), shape=matrix.shape)
    if checked_choice(duplicates, DUPLICATES, "duplicates") == "raise":
        raise_if_stored_twice(coo, "sparse matrix", remedy)
    listing = Listing(coo.row, coo.col, coo.data, shape=coo.shape)
    _raise_if_infinite(coo, unstored)
    if symmetric:
        _raise_unless_symmetric(coo, unstored, "" if positions is None else BY_NAME)
        _select(listing, coo.row <= coo.col)
    return listing


def raise_if_stored_twice(coo: Any, what: str, remedy: str = "") -> None:
    """Raise InputError if a matrix in coordinate form stores an entry more than once.

    SciPy defines such an entry by the sum, but in a list of pairs it is a duplicate or a conflict: nobody
    could tell afterwards that a 2 was two entries.

    Parameters
    ----------
    coo : coo_array
    what : str
        The matrix in messages.
    remedy : str
        What to do, as a sentence.
    """
    down, right = np.diff(coo.row), np.diff(coo.col)
    if np.all((down > 0) | ((down == 0) & (right > 0))):  # in order, as most are
        return
    order = np.lexsort((coo.col, coo.row))
    rows, cols = coo.row[order], coo.col[order]
    again = np.flatnonzero((rows[1:] == rows[:-1]) & (cols[1:] == cols[:-1]))
    if len(again):
        at = again[0]
        first, second = coo.data[order[at]], coo.data[order[at + 1]]
        repeats = counted(len(again), "entry repeats", "entries repeat")
        raise InputError(
            f"The {what} stores row {rows[at]}, column {cols[at]} (counted from 0) more than once, as "
            f"{first:g} and as {second:g}; in the whole matrix {repeats} another. Expected every entry once. "
            f"{remedy or _ADD}"
        )


def _raise_if_infinite(coo: Any, unstored: Unstored | None) -> None:
    bad = ~np.isfinite(coo.data)
    if bad.any():
        position = int(np.argmax(bad))
        also = "" if unstored == "unknown" else ' and give unstored="unknown"'
        raise InputError(
            f"The sparse matrix has {coo.data[position]} in row {coo.row[position]}, column "
            f"{coo.col[position]}; expected finite numbers. Leave unknown entries unstored{also}."
        )


def _raise_unless_symmetric(coo: Any, unstored: Unstored | None, order: str) -> None:
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
                f"The matrix is not symmetric{order}: row {row}, column {col} is "
                f"{_shown(matrix, row, col)}, but row {col}, column {row} is {_shown(matrix, col, row)}. If "
                "only one triangle is stored, add the other: matrix + scipy.sparse.triu(matrix, 1).T. Else "
                "leave symmetric=False."
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
