"""Draws of factors from their conditional distributions in plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels.operands import Listed, NormalPrior

__all__ = ["drawn_rows"]

Array = NDArray[Any]


def drawn_rows(
    listed: Listed, A: Array, B: Array, G: Array, base: float | Array, prior: NormalPrior, Z: Array
) -> tuple[Array, Array]:
    """Draw the free coordinates of the rows of A given B, with the standard normal Z; return the losses.

    Every member of every row is a small problem of its own: the formula, and nothing for speed.
    """
    loss, losses = np.zeros(A.shape[2]), np.zeros((len(A), A.shape[2]))
    of_rows, of_partners = prior.relative or (np.ones(losses.shape), np.ones((len(B), A.shape[2])))
    linear = np.broadcast_to(prior.linear, (len(A), *prior.linear.shape[1:]))
    rest = np.broadcast_to(base, A.shape[2])
    free = np.arange(prior.first, prior.last)
    fixed = np.setdiff1d(np.arange(A.shape[1]), free)
    for i in range(len(A)):
        entries = slice(listed.indptr[i], listed.indptr[i + 1])
        partners = B[listed.indices[entries]]
        for lane in range(A.shape[2]):
            x = listed.values[entries, lane]
            u = listed.weights[entries, lane] if listed.per_member else listed.weights[entries]
            u, x = np.where(np.isnan(x), 0, u), np.where(np.isnan(x), 0, x)
            b, q = partners[:, free, lane], partners[:, fixed, lane] @ A[i, fixed, lane]
            all_b, all_q = G[np.ix_(free, free)][..., lane], G[np.ix_(free, fixed)][..., lane]
            s = of_partners[listed.indices[entries], lane]
            tau, more = prior.tau[lane] * of_rows[i, lane], s * u - rest[lane]
            P = prior.precision[..., lane] + tau * ((more[:, None] * b).T @ b + rest[lane] * all_b)
            right = (s * u * x - more * q) @ b - rest[lane] * all_q @ A[i, fixed, lane]
            C = np.linalg.cholesky(P)
            right = np.linalg.solve(C, linear[i, :, lane] + tau * right)
            A[i, free, lane] = np.linalg.solve(C.T, right + Z[i, :, lane])
            z = partners[:, :, lane] @ A[i, :, lane]
            loss[lane] += np.sum(u * (x - z) ** 2 - rest[lane] * z * z)
            losses[i, lane] = np.sum(s * u * (x - z) ** 2)
    return loss, losses
