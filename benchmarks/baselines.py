"""Baselines of the sweep benchmark: a plain numba row kernel, and dense masked NumPy."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["dense_boolean_half", "dense_masked_half", "dense_masked_sweep", "plain_half_sweep"]


@numba.njit(nogil=True, cache=True)
def plain_half_sweep(indptr, indices, values, W, Ht, ridge, residual, gathered):
    """Run coordinate descent on the rows of W for one member, in plain numba."""
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
    """Run one sweep of masked HALS on dense arrays, component by component, as in the code of the paper."""
    for c in range(W.shape[1]):
        R = M * (X - W @ H + np.outer(W[:, c], H[c]))
        W[:, c] = np.maximum(0, R @ H[c] / (M @ H[c] ** 2 + ridge))
        R = M * (X - W @ H + np.outer(W[:, c], H[c]))
        H[c] = np.maximum(0, W[:, c] @ R / (W[:, c] ** 2 @ M + ridge))


def dense_masked_half(X, M, W, H, ridge, cycles):
    """Run coordinate descent on W with a dense residual, one component of all rows at a time."""
    R = M * (X - W @ H)
    curvature = M @ (H**2).T
    for _ in range(cycles):
        for c in range(W.shape[1]):
            total = curvature[:, c] + ridge
            step = np.maximum(0, (R @ H[c] + W[:, c] * curvature[:, c]) / np.maximum(total, 1e-300)) - W[:, c]
            W[:, c] += step
            R -= M * np.outer(step, H[c])


def dense_boolean_half(X, M, W, H, ridge, upper):
    """Run coordinate descent on W against the dense completed matrix."""
    Z = W @ H
    Y = np.where(M > 0, np.where(X > 0.5, np.clip(Z, 1, upper), 0), Z)
    P, G = Y @ H.T, H @ H.T
    for c in range(W.shape[1]):
        W[:, c] = np.maximum(0, (P[:, c] - W @ G[:, c] + W[:, c] * G[c, c]) / (G[c, c] + ridge))
