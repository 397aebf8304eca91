"""One draw of each row of a factor from its conditional normal distribution, given the partners.

The free coordinates a of a row have a normal prior of precision L and linear term l (precision times mean),
and an entry x of weight u is normal around a b + q with the precision tau r s u, where q is the part of the
coordinates that are not free, and r and s are the relative precisions of the row and of the partner. So a
given all else is normal with

    precision  P = L + tau r [ sum_listed (s u - base) b b' + base G ],
    P mean       = l + tau r [ sum_listed (s u x - (s u - base) q) b - base G_q ],

where unlisted entries are zeros of weight ``base``, G = sum_j b_j b_j' over all partners, and G_q the same of
b_j and q_j. With the Cholesky factor P = C C', the draw is C'^-1 (C^-1 (P mean) + z), z standard normal.

Non-negative coordinates are drawn one after the other, each given the others of its row: normal with the
precision P_cc and the mean ((P mean)_c - sum_d P_cd a_d) / P_cc, truncated at 0 (`truncated_normal`).
"""

from functools import cache
from typing import NamedTuple

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import (
    broadcast,
    fma,
    fnma,
    load,
    mul,
    store,
    sub,
    where_known,
)
from latentlink.kernels.posterior.row_normal import draw_nonnegative, draw_normal
from latentlink.kernels.posterior.row_sums import CHUNK, add_products, begin_sums

__all__ = ["RowForm", "compiled_drawn_rows"]


class RowForm(NamedTuple):
    """What a kernel is compiled for.

    Attributes
    ----------
    lanes : int
    per_member : bool
        Whether each member has weights of its own.
    unit : bool
        Whether all entries are known to all members with weight 1, without a background and without relative
        precisions.
    relative : bool
        Whether rows and partners have relative precisions.
    """

    lanes: int
    per_member: bool = False
    unit: bool = False
    relative: bool = False


@cache
def compiled_drawn_rows(form, nonnegative=False):
    """Return the kernel that draws the rows of values with normal noise.

    ``listed`` is (indptr, indices, values, weights); ``unlisted`` (whether there is a background, its weight,
    Gram matrix of the partners); ``prior`` (precision, linear terms, tau); ``relative`` the relative
    precisions of rows and partners; ``span`` the free coordinates; ``Z`` the standard normal numbers, shape
    (rows, free, lanes); ``scratch`` (sums, gathered partners, the same times their weights, two numbers of
    each lane); and ``losses`` (whether they are wanted, listed loss after the draw, to which it is added, and
    that of each row with the relative precisions of the partners).

    With ``nonnegative`` the linear term is minus the rate of an exponential prior, the precision is not used,
    and ``Z`` are uniform numbers, shape (rows, cycles, free, lanes), for as many cycles over the coordinates.
    """
    edition = EDITION
    lanes, per_member, unit, relative = form
    width = max(lanes, 1)

    @kernel
    def drawn_rows(listed, A, B, unlisted, prior, precisions, span, Z, scratch, losses):
        _ = edition
        indptr, indices, X, U = listed
        background, base, G = unlisted
        L, linear_terms, tau = prior
        of_rows, of_partners = precisions
        first, last = span
        free, size = last - first, A.shape[1]
        P, gathered, apart, total, other = scratch
        weighted = gathered if unit else apart
        wanted, loss, row_losses = losses
        zero = broadcast(A.dtype.type(0), lanes)
        rest = load(base, 0, lanes)
        tall = free + 1 + (free + 1) % 2
        for i in range(len(A)):
            begin, end = indptr[i], indptr[i + 1]
            a0 = i * size * width
            scale = load(tau, 0, lanes)
            if relative:
                scale = mul(scale, load(of_rows, i * width, lanes))
            if background:
                begin_sums(P, A[i], G, rest, (first, last, width), zero)
            else:
                P[:] = 0
            for chunk in range(begin, end, CHUNK):
                count = min(CHUNK, end - chunk)
                for e in range(count):
                    b0, e0 = indices[chunk + e] * size * width, e * tall * width
                    x = load(X, (chunk + e) * width, lanes)
                    q = zero
                    for d in range(first):
                        q = fma(load(A, a0 + d * width, lanes), load(B, b0 + d * width, lanes), q)
                    for d in range(last, size):
                        q = fma(load(A, a0 + d * width, lanes), load(B, b0 + d * width, lanes), q)
                    if unit:
                        for c in range(free):
                            store(gathered, e0 + c * width, load(B, b0 + (first + c) * width, lanes))
                        store(gathered, e0 + free * width, sub(x, q))
                    else:
                        weight = (
                            load(U, (chunk + e) * width, lanes)
                            if per_member
                            else broadcast(U[chunk + e], lanes)
                        )
                        weight = where_known(x, weight, zero)
                        if relative:
                            weight = mul(weight, load(of_partners, indices[chunk + e] * width, lanes))
                        more = sub(weight, rest)
                        for c in range(free):
                            b = load(B, b0 + (first + c) * width, lanes)
                            store(gathered, e0 + c * width, b)
                            store(weighted, e0 + c * width, mul(more, b))
                        known = where_known(x, x, zero)
                        store(weighted, e0 + free * width, fnma(more, q, mul(weight, known)))
                add_products(P, weighted, gathered, count, free, width, zero)
            if nonnegative:
                draw_nonnegative(
                    P,
                    A[i],
                    scale,
                    linear_terms[i % len(linear_terms)],
                    Z[i],
                    (first, last, width),
                    (total, other),
                )
            else:
                draw_normal(
                    P, A[i], scale, (L, linear_terms[i % len(linear_terms)]), Z[i], (first, last, width)
                )
            if wanted:
                row_loss, relative_loss = zero, zero
                for e in range(begin, end):
                    b0 = indices[e] * size * width
                    x = load(X, e * width, lanes)
                    z = zero
                    for c in range(size):
                        z = fma(load(A, a0 + c * width, lanes), load(B, b0 + c * width, lanes), z)
                    if unit:
                        error = sub(x, z)
                        row_loss = fma(error, error, row_loss)
                    else:
                        weight = load(U, e * width, lanes) if per_member else broadcast(U[e], lanes)
                        weight = where_known(x, weight, zero)
                        error = sub(where_known(x, x, zero), z)
                        row_loss = fma(mul(weight, error), error, row_loss)
                        row_loss = fnma(mul(rest, z), z, row_loss)
                        if relative:
                            of_partner = load(of_partners, indices[e] * width, lanes)
                            square = mul(mul(weight, error), error)
                            relative_loss = fma(of_partner, square, relative_loss)
                if relative:
                    store(row_losses, i * width, relative_loss)
                store(total, 0, row_loss)
                for lane in range(width):
                    loss[lane] += total[lane]

    return drawn_rows
