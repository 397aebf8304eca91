"""One draw of each row of a factor from its conditional normal distribution, given the partners.

The free coordinates a of a row have a normal prior of precision L and linear term l (precision times mean),
and an entry x of weight u is normal around a b + q with the precision tau r s u, where q is the part of the
coordinates that are not free, and r and s are the relative precisions of the row and of the partner. So a
given all else is normal with

    precision  P = L + tau r [ sum_listed (s u - base) b b' + base G ],
    P mean       = l + tau r [ sum_listed (s u x - (s u - base) q) b - base G_q ],

where unlisted entries are zeros of weight ``base``, G = sum_j b_j b_j' over all partners, and G_q the same of
b_j and q_j. With the Cholesky factor P = C C', the draw is C'^-1 (C^-1 (P mean) + z), z standard normal.

Of a link the logit is a b + q. Given an augmenting variable omega of each entry (see `augmentation`) its
likelihood is normal too: the same formula with omega in place of tau r s u, and u (x - 1/2) in place of u x.

Non-negative coordinates are drawn one after the other, each given the others of its row: normal with the
precision P_cc and the mean ((P mean)_c - sum_d P_cd a_d) / P_cc, truncated at 0 (`truncated_normal`).
"""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import (
    add,
    broadcast,
    div,
    fma,
    fnma,
    load,
    mul,
    root,
    store,
    sub,
    where_known,
    where_positive,
)
from latentlink.kernels.posterior.augmentation import SCALES, TERMS, add_augmented, begin_augmented
from latentlink.kernels.posterior.truncated import truncated_normal

__all__ = ["CHUNK", "compiled_drawn_rows"]

CHUNK = 16
"""Entries whose partners are gathered at once: as few as the first cache holds for many coordinates."""


@cache
def compiled_drawn_rows(lanes, per_member, logistic=False, mirror=False, nonnegative=False):
    """Return the kernel for this number of lanes, with weights shared by the members or one for each.

    ``prior`` is (precision, linear term, tau), ``relative`` the relative precisions of rows and partners,
    ``span`` the free coordinates, the distance of the linear terms of two rows (0 if all have the same) and
    the rows to draw, ``Z`` the standard normal numbers, shape (rows to draw, free, lanes), and ``scratch`` is
    (precision matrix and linear term, gathered partners, the same times their weights, total). Of the
    ``losses`` the first gets the listed loss after the draw added, the second that of each row, with the
    relative precisions of the partners.

    With ``logistic`` values are links, ``tau`` is a factor of their weights, there are neither relative
    precisions nor losses, and ``E`` are the gamma variables of the entries of these rows, shape (entries,
    terms, lanes). With ``mirror`` rows and partners are the same nodes: a row is written to its partner form
    immediately, by ``twins`` = (mirrored, sign). With ``nonnegative`` the linear term is minus the rate of an
    exponential prior, ``L`` is not used, and ``Z`` are uniform numbers, shape (rows, cycles, free, lanes),
    for as many cycles over the coordinates.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def drawn_rows(indptr, indices, X, U, A, B, G, base, prior, relative, span, Z, E, twins, scratch, losses):
        _ = edition
        loss, row_losses = losses
        size = A.shape[1]
        first, last, apart, from_row, to_row = span
        from_entry = indptr[from_row]
        mirrored, sign = twins
        free = last - first
        L, mean_term, tau = prior
        of_rows, of_partners = relative
        P, gathered, weighted, total, diagonal = scratch
        flat_A, flat_Z = A.ravel(), Z.ravel()
        # Even numbers of rows and columns, so that two of each are updated at once; the last may be padding.
        # The linear term is one more row of the matrix.
        wide, tall = free + free % 2, free + 1 + (free + 1) % 2
        p = free * wide * width
        one, zero = A.dtype.type(1), broadcast(A.dtype.type(0), lanes)
        rest = load(base, 0, lanes)
        half, unit = broadcast(A.dtype.type(0.5), lanes), broadcast(one, lanes)
        for i in range(from_row, to_row):
            begin, end = indptr[i], indptr[i + 1]
            a0 = i * size * width
            scale = unit if logistic else mul(load(tau, 0, lanes), load(of_rows, i * width, lanes))
            # The sums of all partners come first, 0 without a background.
            for c in range(free):
                linear = zero
                for d in range(size):
                    g = load(G, ((first + c) * size + d) * width, lanes)
                    if first <= d < last:
                        if d - first <= c:
                            store(P, (c * wide + d - first) * width, mul(rest, g))
                    else:
                        linear = fnma(mul(rest, load(A, a0 + d * width, lanes)), g, linear)
                store(P, p + c * width, linear)
            for chunk in range(begin, end, CHUNK):
                count = min(CHUNK, end - chunk)
                for e in range(count):
                    b0 = indices[chunk + e] * size * width
                    x = load(X, (chunk + e) * width, lanes)
                    if per_member:
                        weight = where_known(x, load(U, (chunk + e) * width, lanes), zero)
                    else:
                        weight = where_known(x, broadcast(U[chunk + e], lanes), zero)
                    x = where_known(x, x, zero)
                    q = zero
                    for d in range(first):
                        q = fma(load(A, a0 + d * width, lanes), load(B, b0 + d * width, lanes), q)
                    for d in range(last, size):
                        q = fma(load(A, a0 + d * width, lanes), load(B, b0 + d * width, lanes), q)
                    e0 = e * tall * width
                    if logistic:
                        weight = mul(weight, load(tau, 0, lanes))
                        z = q
                        for d in range(first, last):
                            z = fma(load(A, a0 + d * width, lanes), load(B, b0 + d * width, lanes), z)
                        more, half_square = begin_augmented(z, weight)
                        g0 = (chunk + e - from_entry) * TERMS * width
                        for term in range(TERMS):
                            gamma = load(E, g0 + term * width, lanes)
                            more = add_augmented(more, half_square, SCALES[term], gamma)
                        more = where_positive(weight, more, zero)
                        target = mul(weight, sub(x, half))
                    else:
                        weight = mul(weight, load(of_partners, indices[chunk + e] * width, lanes))
                        more = sub(weight, rest)
                        target = mul(weight, x)
                    for c in range(free):
                        b = load(B, b0 + (first + c) * width, lanes)
                        store(gathered, e0 + c * width, b)
                        store(weighted, e0 + c * width, mul(more, b))
                    store(weighted, e0 + free * width, fnma(more, q, target))
                # Two rows and two columns of the matrix at once, so that a number is used twice when loaded.
                for c in range(0, tall, 2):
                    for d in range(0, min(c + 1, wide), 2):
                        above = (c * wide + d) * width
                        below = above + wide * width
                        s00 = load(P, above, lanes)
                        s01 = load(P, above + width, lanes)
                        s10 = load(P, below, lanes)
                        s11 = load(P, below + width, lanes)
                        of_c, of_d = c * width, d * width
                        for _e in range(count):
                            u0 = load(weighted, of_c, lanes)
                            u1 = load(weighted, of_c + width, lanes)
                            v0 = load(gathered, of_d, lanes)
                            v1 = load(gathered, of_d + width, lanes)
                            of_c += tall * width
                            of_d += tall * width
                            s00 = fma(u0, v0, s00)
                            s01 = fma(u0, v1, s01)
                            s10 = fma(u1, v0, s10)
                            s11 = fma(u1, v1, s11)
                        # Above the diagonal, and in the padding, these are not used.
                        store(P, above, s00)
                        store(P, above + width, s01)
                        store(P, below, s10)
                        store(P, below + width, s11)
            if nonnegative:
                for c in range(free):
                    for d in range(c):
                        store(P, (d * wide + c) * width, load(P, (c * wide + d) * width, lanes))
                cycles = Z.shape[1]
                for step in range(cycles * free):
                    c = step % free
                    z0 = ((i - from_row) * cycles * free + step) * width
                    pull = load(P, p + c * width, lanes)
                    for d in range(free):
                        if d != c:
                            pull = fnma(
                                load(P, (c * wide + d) * width, lanes),
                                load(A, a0 + (first + d) * width, lanes),
                                pull,
                            )
                    pull = fma(scale, pull, load(mean_term, i * apart + c * width, lanes))
                    store(total, 0, pull)
                    store(diagonal, 0, mul(scale, load(P, (c * wide + c) * width, lanes)))
                    for lane in range(width):
                        uniform = flat_Z[z0 + lane]
                        flat_A[a0 + (first + c) * width + lane] = truncated_normal(
                            diagonal[lane], total[lane], uniform
                        )
            else:
                # Cholesky factorization in place, with the inverse of the diagonal, and C^-1 (P mean).
                for c in range(free):
                    prior_term = load(mean_term, i * apart + c * width, lanes)
                    linear = fma(scale, load(P, p + c * width, lanes), prior_term)
                    for d in range(c):
                        s = load(L, (c * free + d) * width, lanes)
                        s = fma(scale, load(P, (c * wide + d) * width, lanes), s)
                        for f in range(d):
                            s = fnma(
                                load(P, (c * wide + f) * width, lanes),
                                load(P, (d * wide + f) * width, lanes),
                                s,
                            )
                        s = mul(s, load(P, (d * wide + d) * width, lanes))
                        store(P, (c * wide + d) * width, s)
                        linear = fnma(s, load(P, p + d * width, lanes), linear)
                    own = load(L, (c * free + c) * width, lanes)
                    s = fma(scale, load(P, (c * wide + c) * width, lanes), own)
                    for f in range(c):
                        r = load(P, (c * wide + f) * width, lanes)
                        s = fnma(r, r, s)
                    # P is at least the prior's; where rounding says otherwise, its own diagonal takes over.
                    s = where_positive(s, s, own)
                    inverse = div(unit, root(s))
                    store(P, (c * wide + c) * width, inverse)
                    store(P, p + c * width, mul(linear, inverse))
                z0 = (i - from_row) * free * width
                for c in range(free - 1, -1, -1):
                    s = add(load(P, p + c * width, lanes), load(Z, z0 + c * width, lanes))
                    for d in range(c + 1, free):
                        s = fnma(
                            load(P, (d * wide + c) * width, lanes),
                            load(A, a0 + (first + d) * width, lanes),
                            s,
                        )
                    store(A, a0 + (first + c) * width, mul(s, load(P, (c * wide + c) * width, lanes)))
            if mirror:
                for c in range(first, last):
                    value = mul(broadcast(sign[c], lanes), load(A, a0 + c * width, lanes))
                    store(B, a0 + mirrored[c] * width, value)
            if not logistic:
                row_loss, relative_loss = zero, zero
                for e in range(begin, end):
                    b0 = indices[e] * size * width
                    x = load(X, e * width, lanes)
                    if per_member:
                        weight = where_known(x, load(U, e * width, lanes), zero)
                    else:
                        weight = where_known(x, broadcast(U[e], lanes), zero)
                    x = where_known(x, x, zero)
                    z = zero
                    for c in range(size):
                        z = fma(load(A, a0 + c * width, lanes), load(B, b0 + c * width, lanes), z)
                    error = sub(x, z)
                    square = mul(mul(weight, error), error)
                    row_loss = fma(mul(weight, error), error, row_loss)
                    row_loss = fnma(mul(rest, z), z, row_loss)
                    relative_loss = fma(load(of_partners, indices[e] * width, lanes), square, relative_loss)
                store(row_losses, i * width, relative_loss)
                store(total, 0, row_loss)
                for lane in range(width):
                    loss[lane] += total[lane]

    return drawn_rows
