"""Every kernel in plain NumPy: the readable reference that the compiled kernels must equal.

Arrays have the members innermost, as in the kernels, so each line below works on all members at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import kl_div

from latentlink.kernels.boolean.boolean_twins import (
    boolean_disjoint,
    boolean_errors,
    boolean_gains,
    boolean_optimize,
)
from latentlink.kernels.graphs.graph_twins import (
    core_numbers,
    distances,
    path_sums,
    substitute,
    triangle_counts,
)
from latentlink.kernels.operands import BiasStep, Coordinates, Listed, Mirror
from latentlink.kernels.posterior.posterior_twins import (
    draw_normals,
    drawn_logistic_rows,
    drawn_nonnegative_rows,
    drawn_rows,
    feature_sums,
    feature_terms,
)
from latentlink.kernels.products.line_twins import line_sums, summed_lines
from latentlink.kernels.stages.stage_twins import piecewise_linear_sum, tree_sum
from latentlink.kernels.twin_parts import bounded_minimum, logistic_parts, row_entries

__all__ = [
    "background_rows",
    "balance",
    "boolean_disjoint",
    "boolean_errors",
    "boolean_gains",
    "boolean_optimize",
    "completed_products",
    "core_numbers",
    "distances",
    "divergence_moments",
    "divergence_rows",
    "draw_normals",
    "drawn_logistic_rows",
    "drawn_nonnegative_rows",
    "drawn_rows",
    "extrapolate",
    "feature_sums",
    "feature_terms",
    "gram",
    "gram_rows",
    "line_sums",
    "logistic_loss",
    "logistic_parts",
    "masked_rows",
    "moments",
    "multiplied_rows",
    "path_sums",
    "penalties",
    "piecewise_linear_sum",
    "substitute",
    "summed_lines",
    "times_gram",
    "totals",
    "tree_sum",
    "triangle_counts",
]

Array = NDArray[Any]


def masked_rows(
    listed: Listed,
    A: Array,
    B: Array,
    coordinates: Coordinates,
    cycles: int = 1,
    logistic: bool = False,
    mirror: Mirror | None = None,
) -> Array:
    """Update the rows of A by coordinate descent; return the loss of the data before it for each member."""
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = row_entries(listed, i, B)
        partners = listed.indices[listed.indptr[i] : listed.indptr[i + 1], None]
        counted = 1.0 if mirror is None else 1.0 + np.sign(partners - i)
        z = np.einsum("cm,ecm->em", A[i], b)
        if logistic:
            part, slope, curvature = logistic_parts(z, x)
            loss += (counted * weight * part).sum(0)
            weight = weight * curvature
            r = slope / curvature
        else:
            r = x - z
            loss += (counted * weight * r * r).sum(0)
        for _ in range(cycles):
            for c in range(coordinates.first, coordinates.last):
                num, den = (weight * r * b[:, c]).sum(0), (weight * b[:, c] ** 2).sum(0)
                new = bounded_minimum((num, den), A[i, c], i, c, coordinates)
                r = r - (new - A[i, c]) * b[:, c]
                A[i, c] = new
        if mirror is not None:
            for c in range(coordinates.first, coordinates.last):
                B[i, mirror.partner[c]] = mirror.sign[c] * A[i, c]
    return loss


def logistic_loss(listed: Listed, A: Array, B: Array, mirrored: bool = False) -> Array:
    """Return the cross-entropy of links whose logits are the products of A and B, for each member."""
    del mirrored  # tells that pairs are listed twice, which saves time alone
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = row_entries(listed, i, B)
        loss += (weight * logistic_parts(np.einsum("cm,ecm->em", A[i], b), x)[0]).sum(0)
    return loss


def background_rows(
    listed: Listed,
    A: Array,
    B: Array,
    G: Array,
    base: float | Array,
    coordinates: Coordinates,
    cycles: int = 1,
) -> Array:
    """Update the rows of A by coordinate descent, unlisted zeros included; return the listed loss."""
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = row_entries(listed, i, B)
        z = np.einsum("cm,ecm->em", A[i], b)
        loss += (weight * (x - z) ** 2 - base * z * z).sum(0)
        noise = np.finfo(A.dtype).eps * (16 + 4 * np.sqrt(len(b)))
        for _ in range(cycles):
            for c in range(coordinates.first, coordinates.last):
                z = np.einsum("cm,ecm->em", A[i], b)
                num = ((weight * x - (weight - base) * z) * b[:, c]).sum(0) - base * (A[i] * G[c]).sum(0)
                den = ((weight - base) * b[:, c] ** 2).sum(0) + base * G[c, c]
                significant = den > noise * base * G[c, c]
                num, den = np.where(significant, num, 0), np.where(significant, den, 0)
                A[i, c] = bounded_minimum((num, den), A[i, c], i, c, coordinates)
    return loss


def gram(B: Array) -> Array:
    """Return sum_j b_j b_j' of every member, shape (size, size, members), in double precision."""
    B = B.astype(np.float64)
    return np.einsum("jcm,jdm->cdm", B, B)


def totals(B: Array) -> Array:
    """Return sum_j b_j of every member, shape (size, members), in double precision."""
    total: Array = np.add.accumulate(B.astype(np.float64), axis=0)[-1]  # in order, as for `penalties`
    return total


def penalties(A: Array, coordinates: Coordinates, centre: Array) -> tuple[Array, Array]:
    """Return the penalties sum_i (ridge_c + growth_c count_i) (a_ic - centre_c)^2, and their sum."""
    squared = (A.astype(np.float64) - centre) ** 2
    S = np.zeros(A.shape[1:])
    np.multiply(coordinates.ridge, squared.sum(0), out=S, where=coordinates.ridge > 0)
    if coordinates.growth is not None and coordinates.counts is not None:
        S += coordinates.growth * (coordinates.counts.astype(np.float64)[:, None] * squared).sum(0)
    updated = np.vstack([np.zeros_like(S[:1]), S[coordinates.first : coordinates.last]])
    # In order; the order of NumPy's sum depends on the number of members.
    return S, np.add.accumulate(updated, axis=0)[-1]


def balance(rows: Array, cols: Array, row_coordinates: Coordinates, col_coordinates: Coordinates) -> None:
    """Rescale rows against columns of each component so that the sum of their penalties around 0 is least."""
    inner = slice(*row_coordinates.shared_span(col_coordinates))
    ours, theirs = (
        penalties(factors, own, np.zeros_like(own.centre))[0][inner]
        for factors, own in ((rows, row_coordinates), (cols, col_coordinates))
    )
    both = (ours > 0) & (theirs > 0)
    ratio = np.divide(theirs, ours, out=np.ones_like(ours), where=both)
    scale = np.sqrt(np.sqrt(ratio)).astype(rows.dtype)
    rows[:, inner] *= scale
    cols[:, inner] /= scale


def extrapolate(A: Array, before: Array, beta: Array, lower: Array, first: int) -> None:
    """Replace x by max(lower, x + beta (x - before)), and ``before`` by x, from coordinate ``first`` on."""
    span = slice(first, first + before.shape[1])
    x = A[:, span].copy()
    A[:, span] = np.maximum(x + beta * (x - before), lower[span, None])
    before[...] = x


def times_gram(A: Array, G: Array) -> Array:
    """Return A G of every member, of the shape of A."""
    return np.einsum("idm,dcm->icm", A, G).astype(A.dtype, copy=False)


def completed_products(
    listed: Listed,
    A: Array,
    B: Array,
    G: Array,
    base: float | Array,
    bounds: tuple[float, float] | None = None,
) -> tuple[Array, Array]:
    """Return P = Y B for the completed matrix Y, and the listed loss; ``bounds`` make the targets Boolean.

    The weight ``base`` of unlisted entries is one number for all members or one for each.
    """
    P = (1 - base) * np.einsum("idm,dcm->icm", A, G)
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = row_entries(listed, i, B)
        z = np.einsum("cm,ecm->em", A[i], b)
        if bounds is not None:
            x = np.where(x > 0.5, np.clip(z, *bounds), 0)
        P[i] += np.einsum("em,ecm->cm", weight * x - (weight - base) * z, b)
        loss += (weight * (x - z) ** 2 - base * z * z).sum(0)
    return P.astype(A.dtype, copy=False), loss


def gram_rows(P: Array, G: Array, A: Array, coordinates: Coordinates, cycles: int = 1) -> None:
    """Update the rows of A by descent on |Y - A B'|^2 + ridge |A|^2, given P = Y B and G = B'B."""
    for i in range(len(A)):
        for _ in range(cycles):
            for c in range(A.shape[1]):
                num = P[i, c] - (A[i] * G[c]).sum(0)
                A[i, c] = bounded_minimum((num, G[c, c]), A[i, c], i, c, coordinates)


def moments(listed: Listed, A: Array, B: Array, G: Array, base: float | Array) -> tuple[Array, Array, Array]:
    """Return N = sum u x b, D = sum (u - base) z b + base A G, and the listed loss."""
    N, D = np.zeros_like(A), (base * np.einsum("idm,dcm->icm", A, G)).astype(A.dtype, copy=False)
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = row_entries(listed, i, B)
        z = np.einsum("cm,ecm->em", A[i], b)
        N[i] += np.einsum("em,ecm->cm", weight * x, b)
        D[i] += np.einsum("em,ecm->cm", (weight - base) * z, b)
        loss += (weight * (x - z) ** 2 - base * z * z).sum(0)
    return N, D, loss


def _slopes(
    entries: tuple[Array, Array, Array], a: Array, S: Array, base: float | Array, floor: Array
) -> tuple[Array, Array, Array]:
    """Return D of a row a, its fit, and the loss of the row."""
    b, x, weight = entries
    zeros = base * S + np.einsum("em,ecm->cm", np.where(x > 0, 0, weight) - base, b)
    # A difference below the rounding error of its terms is treated as 0, as where all entries are hidden.
    noise = np.finfo(a.dtype).eps * (16 + 4 * np.sqrt(len(b)))
    zeros = np.where(zeros > noise * base * S, zeros, 0)
    weight = np.where(x > 0, weight, 0)
    z = np.einsum("cm,ecm->em", a, b)
    loss = (a * zeros).sum(0) + (weight * kl_div(x, np.maximum(z, floor))).sum(0)
    return zeros + np.einsum("em,ecm->cm", weight, b), z, loss


def divergence_moments(
    listed: Listed, A: Array, B: Array, S: Array, base: float | Array, floor: Array
) -> tuple[Array, Array, Array]:
    """Return N = sum u x / z b and D = sum (u - base) b + base S under the divergence, and the loss."""
    N, D, loss = np.zeros_like(A), np.zeros_like(A), np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = row_entries(listed, i, B)
        D[i], z, row_loss = _slopes((b, x, weight), A[i], S, base, floor)
        N[i] = np.einsum("em,ecm->cm", weight * x / np.maximum(z, floor), b)
        loss += row_loss
    return N, D, loss


def divergence_rows(
    listed: Listed, A: Array, B: Array, S: Array, base: float | Array, floor: Array, cycles: int = 1
) -> Array:
    """Update the rows of A >= 0 by coordinate descent on the divergence; return the loss before it."""
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = row_entries(listed, i, B)
        D, z, row_loss = _slopes((b, x, weight), A[i], S, base, floor)
        loss += row_loss
        for c in list(range(A.shape[1])) * cycles:
            t = b[:, c] / np.maximum(z, floor)
            N, h = (weight * x * t).sum(0), (weight * x * t * t).sum(0)
            new = _longest_step(A[i, c], (D[c], N, h), np.where(weight * x > 0, t, 0).max(0, initial=0))
            z = z + (new - A[i, c]) * b[:, c]
            A[i, c] = new
    return loss


def _longest_step(old: Array, sums: tuple[Array, Array, Array], most: Array) -> Array:
    """Return where the longest step ends that does not pass the minimum; without a slope the old value."""
    D, N, h = sums
    g = D - N
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = old * N / D
        newton = np.where(h > np.finfo(old.dtype).tiny, old - g / h, ratio)
        down = np.maximum(np.minimum(old - g / (h + g * most), ratio), 0)
        new = np.where(N > 0, np.where(g > 0, down, np.maximum(newton, ratio)), 0)
    return np.where(D > 0, new, old)


def multiplied_rows(
    N: Array, D: Array, A: Array, coordinates: Coordinates, bias: BiasStep | None = None
) -> None:
    """Multiply A by max(N, 0) / (D + pull A) where that is positive; pull (a - centre)^2 is the penalty."""
    pull = coordinates.ridge[None]
    if coordinates.growth is not None and coordinates.counts is not None:
        pull = pull + coordinates.growth * coordinates.counts[:, None]
    inner = slice(0, A.shape[1])
    if bias is not None:
        inner, c, weight = slice(1, -1), bias.coordinate, bias.weight
        # The partner of a bias is a column of ones, so its moments are sums over known entries.
        descent = N[:, c] - D[:, c] - pull[:, c] * (A[:, c] - coordinates.centre[c])
        step = np.divide(descent, weight, out=np.zeros_like(weight), where=weight > 0)
        A[:, c] += (bias.rate * step).astype(A.dtype)
    den = D[:, inner] + pull[:, inner] * A[:, inner]
    # The product first: a coordinate of 0 stays 0 however small the denominator is.
    new = np.divide(A[:, inner] * np.maximum(N[:, inner], 0), den, out=A[:, inner].copy(), where=den > 0)
    new[(new < (1e-18 if A.itemsize == 4 else 1e-150)) & (den > 0)] = 0
    A[:, inner] = new
