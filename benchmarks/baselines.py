"""What a sweep is measured against: a plain compiled row kernel, and dense masked NumPy."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["dense_masked_sweep", "plain_half_sweep"]


@numba.njit(nogil=True, cache=True)
def plain_half_sweep(indptr, indices, values, W, Ht, ridge, residual, gathered):
    """Coordinate descent on the rows of W for one member, as one would write it in numba."""
    k = W.shape[1]
    for i in range(len(indptr) - 1):
        start = indptr[i]
        degree = indptr[i + 1] - start
        for e in range(degree):
            j = indices[start + e]
            r = values[start + e]
            for c in range(k):
                h = Ht[j, c]
                gathered[c, e] = h
                r -= W[i, c] * h
            residual[e] = r
        for c in range(k):
            num = values.dtype.type(0)
            den = values.dtype.type(0)
            for e in range(degree):
                h = gathered[c, e]
                num += residual[e] * h
                den += h * h
            old = W[i, c]
            new = max(values.dtype.type(0), (old * den + num) / (den + ridge))
            W[i, c] = new
            for e in range(degree):
                residual[e] += (old - new) * gathered[c, e]


def dense_masked_sweep(X, M, W, H, ridge):
    """One sweep of masked HALS on dense arrays, component by component, as the paper's own code does."""
    for c in range(W.shape[1]):
        R = M * (X - W @ H + np.outer(W[:, c], H[c]))
        W[:, c] = np.maximum(0, R @ H[c] / (M @ H[c] ** 2 + ridge))
        R = M * (X - W @ H + np.outer(W[:, c], H[c]))
        H[c] = np.maximum(0, W[:, c] @ R / (W[:, c] ** 2 @ M + ridge))
