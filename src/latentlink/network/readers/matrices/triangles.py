"""Whole matrices from Matrix Market files, of which symmetric ones store one triangle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError

__all__ = ["dense_matrix", "expanded"]

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def dense_matrix(values: Floats, shape: tuple[int, int], symmetry: str) -> Floats:
    """Return a dense matrix from its values, column by column; of the lower triangle if it is symmetric."""
    if symmetry == "general":
        return values.reshape(shape, order="F")
    matrix = np.zeros(shape)
    # The lower triangle by columns is the upper triangle by rows of the transpose.
    rows, cols = np.triu_indices(shape[0], 1 if symmetry == "skew-symmetric" else 0)
    matrix[rows, cols] = -values if symmetry == "skew-symmetric" else values
    matrix[cols, rows] = values
    return matrix


def expanded(
    rows: Indices, cols: Indices, values: Floats, symmetry: str, where: str
) -> tuple[Indices, Indices, Floats]:
    """Return entries with those of the other triangle, or raise InputError if a pair is in both of them."""
    if symmetry == "general":
        return rows, cols, values
    off = rows != cols
    _raise_if_in_both(rows[off], cols[off], symmetry, where)
    skew = symmetry == "skew-symmetric"
    on_diagonal = ~off & (values != 0)
    if skew and on_diagonal.any():
        position = int(np.argmax(on_diagonal))
        raise InputError(
            f"{where}: entry {position + 1:,} is on the diagonal, in row {rows[position] + 1}; "
            f"expected zeros there, "
            "since the matrix is skew-symmetric."
        )
    return (
        np.concatenate([rows, cols[off]]),
        np.concatenate([cols, rows[off]]),
        np.concatenate([values, -values[off] if skew else values[off]]),
    )


def _raise_if_in_both(rows: Indices, cols: Indices, symmetry: str, where: str) -> None:
    above = rows < cols
    if above.all() or not above.any():
        return
    size = int(max(rows.max(), cols.max())) + 1
    codes: Any = np.minimum(rows, cols) * size + np.maximum(rows, cols)
    both = np.intersect1d(codes[above], codes[~above])
    if len(both):
        row, col = divmod(int(both[0]), size)
        raise InputError(
            f"{where}: row {row + 1}, column {col + 1} is stored in both triangles; expected one of "
            f"them, since the "
            f"matrix is {symmetry}. Write the lower triangle only, or declare the matrix as general."
        )
