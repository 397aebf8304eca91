"""Columns of the resolvent (I - decay S)^-1 of a sparse matrix, which sums over walks of all lengths."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import splu

from latentlink.kernels import substitute
from latentlink.proximity.elimination import fills_little

__all__ = ["Resolvent", "series_weights", "terms_of_series", "unit_columns"]

Array = NDArray[Any]
Compressed = tuple[Array, Array, Array]

_STEPS = 12, 100  # terms of the series, in graphs of many and of few links
_WORK = 2_000_000  # links times terms, between these bounds


class Resolvent:
    """Columns of (I - decay S)^-1 = I + decay S + decay^2 S^2 + ..., for S of norm 1 at most.

    A sparse LU decomposition gives them exactly. If that would fill too much, the series is summed instead,
    with an estimate of the terms that are left out; all terms are positive, so that small entries have as
    many digits as large ones.

    Parameters
    ----------
    S : csr_array, shape (nodes, nodes)
        Entries >= 0.
    decay : float
        Above 0 and below 1.
    little : bool, optional
        What `fills_little` says of S, where that is known from another decay.
    """

    def __init__(self, S: Any, decay: float, little: bool | None = None) -> None:
        self._decay = decay
        self._turned = (decay * S).T.tocsr()
        self._terms = terms_of_series(S)
        # With many links few terms are needed, and an elimination fills everything.
        self._exact = self._terms > _STEPS[0] and (fills_little(S) if little is None else little)
        if self._terms == _STEPS[0]:
            # Single precision where many links make time matter; far pairs of sparse graphs need double.
            self._turned = self._turned.astype(np.float32)

    @property
    def exact(self) -> bool:
        """Whether a decomposition gives the columns exactly."""
        return self._exact

    def columns(self, sources: Array) -> Array:
        """Return rows of the resolvent as columns, those of some sources: shape (nodes, sources)."""
        size, dtype = self._turned.shape[0], self._turned.dtype
        if not self._exact:
            return self._series(unit_columns(size, sources, dtype))
        lower, upper, order, back = self._decomposition
        columns = unit_columns(size, order[sources], dtype)
        substitute(lower, upper, columns)
        return np.maximum(columns[back], 0.0)

    @cached_property
    def _decomposition(self) -> tuple[Compressed, Compressed, Array, Array]:
        """The triangular factors of the matrix, and where its rows and columns are in their order."""
        size = self._turned.shape[0]
        matrix = sparse.eye_array(size, format="csc") - self._turned.tocsc()
        # Pivots stay on the diagonal, in an order that fills little: the matrix is that of a walk that
        # ends, for which this is stable.
        found = splu(
            matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
        )
        return _compressed(found.L), _compressed(found.U), found.perm_r, found.perm_c

    def _series(self, start: Array) -> Array:
        """Return the sum of start, S start, S S start, ... with an estimate of the terms that are left out.

        Late terms are multiples of the leading eigenvectors, of which bipartite graphs have two, with
        eigenvalues decay and -decay: beyond two such terms, every second one is decay^2 times that before it.
        """
        total, term, last = start.copy(), start, start
        for _ in range(self._terms):
            last, term = term, self._turned @ term
            total += term
        return total + self._decay**2 / (1 - self._decay**2) * (last + term)


def terms_of_series(S: Any) -> int:
    """Return how many powers of a matrix are summed: fewer of one with many links, where each costs more."""
    return int(np.clip(_WORK // max(1, S.nnz), *_STEPS))


def series_weights(decay: float, terms: int) -> Array:
    """Return the weights of the powers 0 to ``terms`` of S in the sum with an estimate of those left out.

    See `Resolvent` for the estimate.
    """
    weights = decay ** np.arange(terms + 1.0)
    weights[-2:] /= 1 - decay**2
    return weights


def _compressed(factor: Any) -> Compressed:
    """Return a triangular factor by rows, each in ascending order."""
    rows = factor.tocsr()
    rows.sort_indices()
    return rows.indptr, rows.indices, rows.data


def unit_columns(size: int, sources: Array, dtype: Any = np.float64) -> Array:
    """Return a column for each source that is 1 there and 0 elsewhere."""
    columns = np.zeros((size, len(sources)), dtype)
    columns[sources, np.arange(len(sources))] = 1
    return columns
