"""Entries of a dense network: matrices of values and weights, whose terms are products of matrices.

The curvature of all rows at once is the product of the weights with all products of two coordinates of a
partner, of which half suffice:

    G_i = sum_j q_ij b_j b_j'    is    Q (m columns) times K,   K_j = all b_jc b_jd with c <= d.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from numpy.typing import NDArray

from latentlink.kernels import Listed
from latentlink.solvers.devices.array_device import ArrayDevice
from latentlink.solvers.devices.row_terms import RowTerms, Terms, row_parts

__all__ = ["MaskedMatrix"]


@dataclass(frozen=True, slots=True, eq=False)
class MaskedMatrix:
    """All entries of a matrix on a device; those that are not known have weight 0.

    Attributes
    ----------
    device : ArrayDevice
    values : array, shape (members, rows, columns)
    weights : array, shape (members, rows, columns), or (1, rows, columns) if all members have the same
    unit : bool
        Whether all weights are 1.
    """

    device: ArrayDevice
    values: Any
    weights: Any
    unit: bool
    base: None = None
    degrees: None = None

    @classmethod
    def of(
        cls, device: ArrayDevice, listed: Listed, columns: int, background: float | NDArray[Any]
    ) -> MaskedMatrix:
        """Return the matrix of the listed entries; all others are zeros with the weight of the background."""
        rows, members, dtype = len(listed.indptr) - 1, listed.values.shape[1], listed.values.dtype
        lines = np.repeat(np.arange(rows), np.diff(listed.indptr))
        known = ~np.isnan(listed.values)
        shared = not listed.per_member and bool(known.all()) and np.ndim(background) == 0
        values = np.zeros((members, rows, columns), dtype)
        values[:, lines, listed.indices] = np.where(known, listed.values, 0).T
        unlisted = np.broadcast_to(background, 1 if shared else members).astype(dtype)
        weights = np.ones((len(unlisted), rows, columns), dtype) * unlisted[:, None, None]
        own = listed.weights if listed.per_member else listed.weights[:, None]
        weights[:, lines, listed.indices] = (own if shared else np.where(known, own, 0)).T
        unit = bool(np.all(weights == 1))
        return cls(device, device.put(values), device.put(weights), unit)

    def transposed(self) -> MaskedMatrix:
        """Return the same entries by column."""
        xp = array_namespace(self.values)
        values, weights = (xp.matrix_transpose(each) for each in (self.values, self.weights))
        return MaskedMatrix(self.device, values, weights, self.unit)

    def ordered(self, lines: Any) -> Any:
        """Return lines as they are."""
        return lines

    restored = ordered

    def row_terms(self, A: Any, B: Any, terms: Terms, curved: bool) -> Iterator[RowTerms]:
        """Yield gradient, curvature and loss of rows, part by part."""
        xp = array_namespace(A)
        members, rows, columns = self.values.shape
        size = B.shape[2]
        pairs = self._pairs(B) if curved else None
        square = _square_of_pairs(size, self.device) if curved else None
        for span in row_parts(rows, members * (columns + size * size)):
            a, weights = A[:, span, :], self.weights[:, span, :]
            z = xp.matmul(a, xp.matrix_transpose(B))
            slopes, curves, loss = terms(z, self.values[:, span, :], weights, None)
            gradient = xp.matmul(slopes, B)
            curvature = None
            if curved:
                halves = xp.take(xp.matmul(curves, pairs), square, axis=2)
                curvature = xp.reshape(halves, (*halves.shape[:2], size, size))
            yield RowTerms(a, gradient, curvature, loss, span)

    def _pairs(self, B: Any) -> Any:
        """Return the products of all pairs of coordinates, shape (members, columns, pairs)."""
        xp = array_namespace(B)
        first, second = (self.device.put(each) for each in np.triu_indices(B.shape[2]))
        return xp.take(B, first, axis=2) * xp.take(B, second, axis=2)


def _square_of_pairs(size: int, device: ArrayDevice) -> Any:
    """Return for each element of a symmetric matrix the number of its pair."""
    square = np.zeros((size, size), np.int64)
    square[np.triu_indices(size)] = np.arange(size * (size + 1) // 2)
    return device.put(np.maximum(square, square.T).reshape(-1))
