"""Every kernel once more in plain NumPy: what the compiled ones must equal, and the place to read them.

Arrays have the members innermost, as in the kernels, so each line below works on all members at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels.operands import Coordinates, Lines, Listed, Mirror

__all__ = [
    "background_rows",
    "boolean_change",
    "boolean_disjoint",
    "boolean_gains",
    "boolean_settle",
    "completed_products",
    "gram",
    "gram_rows",
    "logistic_parts",
    "masked_rows",
    "moments",
    "path_sums",
    "quadratic_form",
    "squares",
    "times_gram",
]

Array = NDArray[Any]


def logistic_parts(z: Array, y: Array) -> tuple[Array, Array, Array]:
    """Return the loss at logit z for label y, y - sigmoid(z), and the curvature of the bounding parabola."""
    e = np.exp(-np.abs(z))
    loss = np.maximum(z, 0) + np.log1p(e) - y * z
    probability = np.where(z > 0, 1, e) / (1 + e)
    near = np.abs(z) < 1e-2
    curvature = np.where(near, 0.25 - z * z / 48, (probability - 0.5) / np.where(near, 1, z))
    return loss, y - probability, curvature


def _row(listed: Listed, i: int, B: Array) -> tuple[Array, Array, Array]:
    """Return partners' factors (degree, size, members), values and weights of row i; unseen is weight 0."""
    here = slice(listed.indptr[i], listed.indptr[i + 1])
    values = listed.values[here]
    weights = listed.weights[here] if listed.per_member else listed.weights[here, None]
    seen = ~np.isnan(values)
    return B[listed.indices[here]], np.where(seen, values, 0), np.where(seen, weights, 0)


def _minimum(num: Array, den: Array, old: Array, c: int, coordinates: Coordinates) -> Array:
    """Return where a coordinate's parabola has its minimum, bounded; one without a say stays."""
    pull = coordinates.ridge[c]
    den_total = den + pull
    with np.errstate(divide="ignore", invalid="ignore"):
        new = np.maximum((old * den + num + pull * coordinates.centre[c]) / den_total, coordinates.lower[c])
    return np.where(den_total > 0, new, old)


def masked_rows(
    listed: Listed,
    A: Array,
    B: Array,
    coordinates: Coordinates,
    cycles: int = 1,
    logistic: bool = False,
    mirror: Mirror | None = None,
) -> Array:
    """Coordinate descent on the rows of A; return the data's loss before it, one number a member."""
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = _row(listed, i, B)
        z = np.einsum("cm,ecm->em", A[i], b)
        if logistic:
            part, slope, curvature = logistic_parts(z, x)
            loss += (weight * part).sum(0)
            weight = weight * curvature
            r = slope / curvature
        else:
            r = x - z
            loss += (weight * r * r).sum(0)
        for _ in range(cycles):
            for c in range(coordinates.first, coordinates.last):
                num, den = (weight * r * b[:, c]).sum(0), (weight * b[:, c] ** 2).sum(0)
                new = _minimum(num, den, A[i, c], c, coordinates)
                r = r - (new - A[i, c]) * b[:, c]
                A[i, c] = new
        if mirror is not None:
            for c in range(coordinates.first, coordinates.last):
                B[i, mirror.partner[c]] = mirror.sign[c] * A[i, c]
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
    """Coordinate descent on the rows of A with unlisted zeros of weight ``base``; return the listed loss."""
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = _row(listed, i, B)
        z = np.einsum("cm,ecm->em", A[i], b)
        loss += (weight * (x - z) ** 2 - base * z * z).sum(0)
        noise = np.finfo(A.dtype).eps * (16 + 4 * np.sqrt(len(b)))
        for _ in range(cycles):
            for c in range(coordinates.first, coordinates.last):
                z = np.einsum("cm,ecm->em", A[i], b)
                num = ((weight * x - (weight - base) * z) * b[:, c]).sum(0) - base * (A[i] * G[c]).sum(0)
                den = ((weight - base) * b[:, c] ** 2).sum(0) + base * G[c, c]
                meant = den > noise * base * G[c, c]
                A[i, c] = _minimum(np.where(meant, num, 0), np.where(meant, den, 0), A[i, c], c, coordinates)
    return loss


def gram(B: Array) -> Array:
    """Return sum_j b_j b_j' of every member, shape (size, size, members), in double precision."""
    B = B.astype(np.float64)
    return np.einsum("jcm,jdm->cdm", B, B)


def squares(A: Array, centre: Array) -> Array:
    """Return sum_i (a_ic - centre_c)^2 of every member, shape (size, members), in double precision."""
    away = A.astype(np.float64) - centre
    return (away * away).sum(0)


def times_gram(A: Array, G: Array) -> Array:
    """Return A G of every member, shape of A."""
    return np.einsum("idm,dcm->icm", A, G).astype(A.dtype, copy=False)


def completed_products(
    listed: Listed,
    A: Array,
    B: Array,
    G: Array,
    base: float | Array,
    bounds: tuple[float, float] | None = None,
) -> tuple[Array, Array]:
    """Return P = Y B for the completed matrix Y, and the listed loss; bounds make it the Boolean one.

    The unlisted entries' weight ``base`` may be one for all members or one for each.
    """
    P = (1 - base) * np.einsum("idm,dcm->icm", A, G)
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = _row(listed, i, B)
        z = np.einsum("cm,ecm->em", A[i], b)
        if bounds is not None:
            x = np.where(x > 0.5, np.clip(z, *bounds), 0)
        P[i] += np.einsum("em,ecm->cm", weight * x - (weight - base) * z, b)
        loss += (weight * (x - z) ** 2 - base * z * z).sum(0)
    return P.astype(A.dtype, copy=False), loss


def gram_rows(P: Array, G: Array, A: Array, coordinates: Coordinates, cycles: int = 1) -> None:
    """Lower |Y - A B'|^2 + ridge |A|^2 by coordinate descent, given P = Y B and G = B'B."""
    for i in range(len(A)):
        for _ in range(cycles):
            for c in range(A.shape[1]):
                num = P[i, c] - (A[i] * G[c]).sum(0)
                A[i, c] = _minimum(num, G[c, c], A[i, c], c, coordinates)


def moments(listed: Listed, A: Array, B: Array, G: Array, base: float | Array) -> tuple[Array, Array, Array]:
    """Return N = sum u x b, D = sum (u - base) z b + base A G, and the listed loss."""
    N, D = np.zeros_like(A), (base * np.einsum("idm,dcm->icm", A, G)).astype(A.dtype, copy=False)
    loss = np.zeros(A.shape[2])
    for i in range(len(A)):
        b, x, weight = _row(listed, i, B)
        z = np.einsum("cm,ecm->em", A[i], b)
        N[i] += np.einsum("em,ecm->cm", weight * x, b)
        D[i] += np.einsum("em,ecm->cm", (weight - base) * z, b)
        loss += (weight * (x - z) ** 2 - base * z * z).sum(0)
    return N, D, loss


def boolean_gains(partners: Lines, signed: Array, count: Array, U: Array, V: Array, c: int) -> Array:
    """Return what each line gains by being held by component c; ``partners`` are the other side's lines."""
    of_partner = np.repeat(np.arange(len(V)), np.diff(partners.indptr))
    others = count[partners.where] - U[partners.indices, c] * V[of_partner, c]
    alone = (V[of_partner, c] > 0) & (others == 0)
    # Of no entries at all the counts would be whole numbers.
    return np.bincount(partners.indices, signed[partners.where] * alone, len(U)).astype(np.float64)


def boolean_change(lines: Lines, count: Array, U: Array, V: Array, c: int, held: Array) -> int:
    """Let component c hold these lines, keep ``count`` up to date, and return how many lines changed."""
    of_line = np.repeat(np.arange(len(U)), np.diff(lines.indptr))
    step = held.astype(np.int64) - U[:, c].astype(np.int64)
    count[lines.where] += step[of_line] * V[lines.indices, c]
    U[:, c] = held
    return int(np.count_nonzero(step))


def boolean_settle(
    sides: tuple[Lines, Lines],
    signed: Array,
    count: Array,
    factors: tuple[Array, Array],
    noise: tuple[Array, Array],
    rounds: int,
) -> None:
    """Component by component, hold the rows and columns that gain more than noise and let the others go."""
    for _ in range(rounds):
        changes = 0
        for c in range(factors[0].shape[1]):
            for side in (0, 1):
                U, V = factors[side], factors[1 - side]
                gain = boolean_gains(sides[1 - side], signed, count, U, V, c)
                changes += boolean_change(sides[side], count, U, V, c, gain > noise[side])
        if not changes:
            break


def boolean_disjoint(patterns: Array, others: Array, sizes: Array) -> Array:
    """Return for each pattern how many others share no component with it, the q-th counted sizes[q] times."""
    return np.array([sizes[~(others & pattern).any(axis=1)].sum() for pattern in patterns], np.int64)


def path_sums(
    graph: tuple[tuple[Array, Array], tuple[Array, Array]],
    weights: tuple[Array, Array],
    steps: int,
    rows: Array,
    cols: Array,
) -> Array:
    """Return for each pair the weighted number of paths between its ends, one step longer than ``steps``."""
    (indptr, indices), (col_indptr, _) = graph
    A = np.zeros((len(indptr) - 1, len(col_indptr) - 1))
    A[np.repeat(np.arange(len(A)), np.diff(indptr)), indices] = 1.0
    by_col, by_row = weights
    arrives = A * by_col
    if steps == 2:
        arrives = arrives @ A.T * by_row
    return (arrives @ A)[rows, cols]


def quadratic_form(
    columns: Array,
    middle: Array,
    scale: Array,
    borders: tuple[Array, Array],
    constant: float,
    slopes: Array,
    products: Array,
) -> Array:
    """Return c + sum_f a_f z_f + sum_f (2 z_f - x_f) (B x)_f at every place; columns by places."""
    z = (columns - middle[:, None]) / scale[:, None]
    x = z.clip(*(border[:, None] for border in borders))
    value: Array = constant + slopes @ z + ((2 * z - x) * (products @ x)).sum(axis=0)
    return value
