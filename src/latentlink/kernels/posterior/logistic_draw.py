"""One draw of each row of a logistic factor from its conditional normal distribution, given the partners.

Of a link x of weight u the logit is a b + q, as in `row_draw`. Given an augmenting variable omega of each
entry (`augmentation`), which is drawn first, its likelihood is normal, and the free coordinates a have

    precision  P = L + sum_listed omega b b',   P mean = l + sum_listed (u (x - 1/2) - omega q) b.
"""

from functools import cache

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
    where_positive,
)
from latentlink.kernels.posterior.augmentation import SCALES, TERMS, add_augmented, begin_augmented
from latentlink.kernels.posterior.exponentials import next_exponential
from latentlink.kernels.posterior.row_normal import draw_normal
from latentlink.kernels.posterior.row_sums import CHUNK, add_products

__all__ = ["compiled_drawn_logistic_rows"]


@cache
def compiled_drawn_logistic_rows(lanes, per_member, given, mirror):
    """Return the kernel for this number of lanes, with weights shared by the members or one for each.

    ``listed`` is (indptr, indices, links, weights); ``prior`` (precision, linear terms, factor of the
    weights); ``span`` the free coordinates and the rows to draw; ``Z`` the standard normal numbers, shape
    (rows to draw, free, lanes); and ``scratch`` (sums, gathered partners, the same times omega).

    The gamma variables of the entries are ``given``, ``gammas`` of shape (entries of these rows, terms,
    lanes); or they are exponential, drawn here by the generators of ``state`` (4, lanes). With ``mirror``
    rows and partners are the same nodes: a row is written to its partner form immediately, by ``twins`` =
    (mirrored, sign).
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def logistic_rows(listed, A, B, prior, span, Z, gammas, state, twins, scratch):
        _ = edition
        indptr, indices, X, U = listed
        L, linear_terms, factor = prior
        first, last, from_row, to_row = span
        free, size = last - first, A.shape[1]
        mirrored, sign = twins
        P, gathered, weighted = scratch
        zero, one = broadcast(A.dtype.type(0), lanes), broadcast(A.dtype.type(1), lanes)
        half = broadcast(A.dtype.type(0.5), lanes)
        share = load(factor, 0, lanes)
        tall = free + 1 + (free + 1) % 2
        words = (
            load(state, 0, lanes),
            load(state, width, lanes),
            load(state, 2 * width, lanes),
            load(state, 3 * width, lanes),
        )
        for i in range(from_row, to_row):
            begin, end = indptr[i], indptr[i + 1]
            a0 = i * size * width
            P[:] = 0
            for chunk in range(begin, end, CHUNK):
                count = min(CHUNK, end - chunk)
                for e in range(count):
                    b0, e0 = indices[chunk + e] * size * width, e * tall * width
                    x = load(X, (chunk + e) * width, lanes)
                    weight = (
                        load(U, (chunk + e) * width, lanes) if per_member else broadcast(U[chunk + e], lanes)
                    )
                    weight = mul(where_known(x, weight, zero), share)
                    q = zero
                    for d in range(first):
                        q = fma(load(A, a0 + d * width, lanes), load(B, b0 + d * width, lanes), q)
                    for d in range(last, size):
                        q = fma(load(A, a0 + d * width, lanes), load(B, b0 + d * width, lanes), q)
                    z = q
                    for d in range(first, last):
                        z = fma(load(A, a0 + d * width, lanes), load(B, b0 + d * width, lanes), z)
                    omega, half_square = begin_augmented(z, weight)
                    g0 = (chunk + e - indptr[from_row]) * TERMS * width
                    for term in range(TERMS):
                        if given:
                            gamma = load(gammas, g0 + term * width, lanes)
                        else:
                            gamma, words = next_exponential(words, zero)
                        omega = add_augmented(omega, half_square, SCALES[term], gamma)
                    omega = where_positive(weight, omega, zero)
                    for c in range(free):
                        b = load(B, b0 + (first + c) * width, lanes)
                        store(gathered, e0 + c * width, b)
                        store(weighted, e0 + c * width, mul(omega, b))
                    target = mul(weight, sub(where_known(x, x, zero), half))
                    store(weighted, e0 + free * width, fnma(omega, q, target))
                add_products(P, weighted, gathered, count, free, width, zero)
            own = (L, linear_terms[i % len(linear_terms)])
            draw_normal(P, A[i], one, own, Z[i - from_row], (first, last, width))
            if mirror:
                for c in range(first, last):
                    value = mul(broadcast(sign[c], lanes), load(A, a0 + c * width, lanes))
                    store(B, a0 + mirrored[c] * width, value)
        for word in range(4):
            store(state, word * width, words[word])

    return logistic_rows
