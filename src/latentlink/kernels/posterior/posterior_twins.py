"""Draws of factors from their conditional distributions in plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri_exp

from latentlink.kernels.lanes.integers import UNIT
from latentlink.kernels.operands import Listed, Mirror, NormalPrior, RandomNumbers, Unlisted
from latentlink.kernels.posterior.augmentation import REST, SCALES

__all__ = [
    "draw_normals",
    "drawn_logistic_rows",
    "drawn_nonnegative_rows",
    "drawn_rows",
    "exponentials",
    "feature_sums",
    "feature_terms",
]

Array = NDArray[Any]


def drawn_rows(
    listed: Listed,
    A: Array,
    B: Array,
    prior: NormalPrior,
    Z: Array,
    unlisted: Unlisted | None = None,
    with_loss: bool = True,
) -> tuple[Array, Array | None]:
    """Draw the free coordinates of the rows of A given B, with the standard normal Z; return the losses.

    Every member of every row is a small problem of its own: the formula, and nothing for speed.
    """
    loss, losses = np.zeros(A.shape[2]), np.zeros((len(A), A.shape[2]))
    of_rows, of_partners = prior.relative or (np.ones(losses.shape), np.ones((len(B), A.shape[2])))
    linear = np.broadcast_to(prior.linear, (len(A), *prior.linear.shape[1:]))
    rest, G = _weight_and_gram(unlisted, A)
    free = np.arange(prior.first, prior.last)
    fixed = np.setdiff1d(np.arange(A.shape[1]), free)
    for i in range(len(A)):
        entries = slice(listed.indptr[i], listed.indptr[i + 1])
        partners = B[listed.indices[entries]]
        for lane in range(A.shape[2]):
            x, u = _known(listed, entries, lane)
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
            loss[lane] += with_loss * np.sum(u * (x - z) ** 2 - rest[lane] * z * z)
            losses[i, lane] = with_loss * np.sum(s * u * (x - z) ** 2)
    return loss, None if prior.relative is None else losses


def _weight_and_gram(unlisted: Unlisted | None, A: Array) -> tuple[Array, Array]:
    """Return the weight of unlisted zeros for each member, and the Gram matrix of all partners."""
    if unlisted is None:
        return np.zeros(A.shape[2]), np.zeros((A.shape[1], *A.shape[1:]))
    return np.broadcast_to(unlisted.weight, A.shape[2]), unlisted.gram


def _known(listed: Listed, entries: slice, lane: int) -> tuple[Array, Array]:
    """Return values and weights of some entries for a member, both 0 where they are unknown to it."""
    x = listed.values[entries, lane]
    u = listed.weights[entries, lane] if listed.per_member else listed.weights[entries]
    return np.where(np.isnan(x), 0, x), np.where(np.isnan(x), 0, u)


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
    gammas = numbers.gammas
    if numbers.state is not None:
        count = listed.indptr[numbers.end] - listed.indptr[numbers.begin]
        gammas = exponentials(numbers.state, count * len(SCALES), A.dtype).reshape(count, len(SCALES), -1)
    for i in range(numbers.begin, numbers.end):
        entries = slice(listed.indptr[i], listed.indptr[i + 1])
        own = slice(*(np.array([entries.start, entries.stop]) - listed.indptr[numbers.begin]))
        partners = B[listed.indices[entries]]
        for lane in range(A.shape[2]):
            x, u = _known(listed, entries, lane)
            u = prior.tau[lane] * u
            b, q = partners[:, free, lane], partners[:, fixed, lane] @ A[i, fixed, lane]
            z = b @ A[i, free, lane] + q
            ratios = scales / (1 + scales * (z**2)[:, None] / 2)
            omega = np.where(u > 0, REST * u + np.sum(ratios * gammas[own, :, lane], axis=1), 0)
            P = prior.precision[..., lane] + (omega[:, None] * b).T @ b
            C = np.linalg.cholesky(P)
            right = np.linalg.solve(C, linear[i, :, lane] + (u * (x - 0.5) - omega * q) @ b)
            A[i, free, lane] = np.linalg.solve(C.T, right + numbers.normals[i - numbers.begin, :, lane])
            if mirror is not None:
                B[i, mirror.partner[free], lane] = mirror.sign[free] * A[i, free, lane]


def uniforms(state: Array) -> Array:
    """Return a uniform number of each member, above 0 and up to 1, and move on the generators."""
    a, b, c, d = state
    high, turn, left, right, one = (np.uint64(number) for number in (11, 17, 45, 19, 1))
    drawn: Array = (((a + d) >> high) + one) * UNIT
    shifted, c, d = b << turn, c ^ a, d ^ b
    a, b = a ^ d, b ^ c
    c, d = c ^ shifted, (d << left) | (d >> right)
    state[:] = a, b, c, d
    return drawn


def exponentials(state: Array, count: int, dtype: Any) -> Array:
    """Return ``count`` standard exponential numbers of each member, and move on the generators."""
    return np.array([-np.log(uniforms(state)) for _ in range(count)], dtype).reshape(count, state.shape[1])


def draw_normals(state: Array, out: Array) -> None:
    """Fill an array with standard normal numbers, of each member by its generator, which is moved on."""
    numbers = out.reshape(-1, out.shape[-1])
    for n in range(0, len(numbers), 2):
        radius, angle = np.sqrt(-2 * np.log(uniforms(state))), np.pi * (2 * uniforms(state) - 1)
        numbers[n : n + 2] = np.array([radius * np.cos(angle), radius * np.sin(angle)])[: len(numbers) - n]


def drawn_nonnegative_rows(
    listed: Listed,
    A: Array,
    B: Array,
    prior: NormalPrior,
    Z: Array,
    unlisted: Unlisted | None = None,
    with_loss: bool = True,
) -> tuple[Array, Array | None]:
    """Draw the free coordinates of the rows of A given B, one by one, each >= 0; return the losses."""
    loss = np.zeros(A.shape[2])
    linear = np.broadcast_to(prior.linear, (len(A), *prior.linear.shape[1:]))
    rest, G = _weight_and_gram(unlisted, A)
    for i, lane in np.ndindex(len(A), A.shape[2]):
        entries = slice(listed.indptr[i], listed.indptr[i + 1])
        b, (x, u) = B[listed.indices[entries], :, lane], _known(listed, entries, lane)
        P = prior.tau[lane] * (((u - rest[lane])[:, None] * b).T @ b + rest[lane] * G[..., lane])
        right = prior.tau[lane] * (u * x) @ b
        for cycle in range(Z.shape[1]):
            for n, c in enumerate(range(prior.first, prior.last)):
                others = right[c] - P[c] @ A[i, :, lane] + P[c, c] * A[i, c, lane]
                A[i, c, lane] = _truncated(P[c, c], others + linear[i, n, lane], Z[i, cycle, n, lane])
        z = b @ A[i, :, lane]
        loss[lane] += with_loss * np.sum(u * (x - z) ** 2 - rest[lane] * z * z)
    return loss, None


def _truncated(precision: float, linear: float, uniform: float) -> float:
    """Return a draw of the density exp(-precision a^2 / 2 + linear a) on a >= 0, by a uniform number."""
    if precision <= 0:
        return float(-np.log(uniform) / -linear)
    root = np.sqrt(precision)
    least = -linear / root
    return float(max(-ndtri_exp(np.log(uniform) + log_ndtr(-least)) - least, 0) / root)


def feature_sums(F: Array, A: Array) -> Array:
    """Return sum_i f_i a_i' of every member, shape (features, size, members), in double precision."""
    sums: Array = np.einsum("ifm,icm->fcm", _of_each_member(F, A), A.astype(np.float64))
    return sums


def feature_terms(F: Array, C: Array, linear: Array) -> Array:
    """Return linear_c + sum_f F_if C_fc of every member, shape (nodes, coordinates, members)."""
    terms: Array = linear + np.einsum("ifm,fcm->icm", _of_each_member(F, C), C)
    return terms.astype(F.dtype)


def _of_each_member(F: Array, like: Array) -> Array:
    """Return features with members innermost, also if they are shared."""
    shape = (*F.shape[:2], like.shape[2])
    return np.broadcast_to(F if F.ndim == 3 else F[..., None], shape).astype(np.float64)
