"""Draws of factors from their conditional distributions in plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri_exp

from latentlink.kernels.lanes.integers import UNIT
from latentlink.kernels.operands import Listed, Mirror, NormalPrior, RandomNumbers
from latentlink.kernels.posterior.augmentation import REST, SCALES

__all__ = ["drawn_logistic_rows", "drawn_nonnegative_rows", "drawn_rows", "exponentials"]

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


def drawn_logistic_rows(
    listed: Listed,
    A: Array,
    B: Array,
    prior: NormalPrior,
    numbers: RandomNumbers,
    mirror: Mirror | None = None,
) -> None:
    """Draw the free coordinates of some rows of A given B, whose products are logits of links."""
    free = np.arange(prior.first, prior.last)
    fixed = np.setdiff1d(np.arange(A.shape[1]), free)
    scales = np.array(SCALES)
    linear = np.broadcast_to(prior.linear, (len(A), *prior.linear.shape[1:]))
    for i in range(numbers.begin, numbers.end):
        entries = slice(listed.indptr[i], listed.indptr[i + 1])
        own = slice(*(np.array([entries.start, entries.stop]) - listed.indptr[numbers.begin]))
        partners = B[listed.indices[entries]]
        for lane in range(A.shape[2]):
            x = listed.values[entries, lane]
            u = listed.weights[entries, lane] if listed.per_member else listed.weights[entries]
            u = prior.tau[lane] * np.where(np.isnan(x), 0, u)
            x = np.where(np.isnan(x), 0, x)
            b, q = partners[:, free, lane], partners[:, fixed, lane] @ A[i, fixed, lane]
            z = b @ A[i, free, lane] + q
            ratios = scales / (1 + scales * (z**2)[:, None] / 2)
            omega = np.where(u > 0, REST * u + np.sum(ratios * numbers.gammas[own, :, lane], axis=1), 0)
            P = prior.precision[..., lane] + (omega[:, None] * b).T @ b
            C = np.linalg.cholesky(P)
            right = np.linalg.solve(C, linear[i, :, lane] + (u * (x - 0.5) - omega * q) @ b)
            A[i, free, lane] = np.linalg.solve(C.T, right + numbers.normals[i - numbers.begin, :, lane])
            if mirror is not None:
                B[i, mirror.partner[free], lane] = mirror.sign[free] * A[i, free, lane]


def exponentials(state: Array, shape: tuple[int, int], dtype: Any) -> Array:
    """Return standard exponential numbers of shape (*shape, members), and move on the generators."""
    a, b, c, d = state
    high, turn, left, right, one = (np.uint64(number) for number in (11, 17, 45, 19, 1))
    out = np.empty((shape[0] * shape[1], state.shape[1]), dtype)
    for n in range(len(out)):
        out[n] = -np.log((((a + d) >> high) + one) * UNIT)
        shifted, c, d = b << turn, c ^ a, d ^ b
        a, b = a ^ d, b ^ c
        c, d = c ^ shifted, (d << left) | (d >> right)
    state[:] = a, b, c, d
    return out.reshape(*shape, -1)


def drawn_nonnegative_rows(
    listed: Listed, A: Array, B: Array, G: Array, base: float | Array, prior: NormalPrior, Z: Array
) -> tuple[Array, Array]:
    """Draw the free coordinates of the rows of A given B, one by one, each >= 0; return the losses."""
    loss, losses = np.zeros(A.shape[2]), np.zeros((len(A), A.shape[2]))
    linear = np.broadcast_to(prior.linear, (len(A), *prior.linear.shape[1:]))
    rest = np.broadcast_to(base, A.shape[2])
    for i, lane in np.ndindex(losses.shape):
        entries = slice(listed.indptr[i], listed.indptr[i + 1])
        b, x = B[listed.indices[entries], :, lane], listed.values[entries, lane]
        u = listed.weights[entries, lane] if listed.per_member else listed.weights[entries]
        u, x = np.where(np.isnan(x), 0, u), np.where(np.isnan(x), 0, x)
        P = prior.tau[lane] * (((u - rest[lane])[:, None] * b).T @ b + rest[lane] * G[..., lane])
        right = prior.tau[lane] * (u * x) @ b
        for cycle in range(Z.shape[1]):
            for n, c in enumerate(range(prior.first, prior.last)):
                others = right[c] - P[c] @ A[i, :, lane] + P[c, c] * A[i, c, lane]
                A[i, c, lane] = _truncated(P[c, c], others + linear[i, n, lane], Z[i, cycle, n, lane])
        z = b @ A[i, :, lane]
        loss[lane] += np.sum(u * (x - z) ** 2 - rest[lane] * z * z)
        losses[i, lane] = np.sum(u * (x - z) ** 2)
    return loss, losses


def _truncated(precision: float, linear: float, uniform: float) -> float:
    """Return a draw of the density exp(-precision a^2 / 2 + linear a) on a >= 0, by a uniform number."""
    if precision <= 0:
        return float(-np.log(uniform) / -linear)
    root = np.sqrt(precision)
    least = -linear / root
    return float(max(-ndtri_exp(np.log(uniform) + log_ndtr(-least)) - least, 0) / root)
