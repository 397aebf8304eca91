"""Coordinate descent on the rows of a factor, where unlisted entries are zeros of weight ``base``.

The unlisted part of a row's loss is the loss of all entries minus that of the listed ones. The sum over all
entries needs only the Gram matrix G = sum_j b_j b_j', so the cost is still that of the listed entries:

    num = sum_listed [u x - (u - base) z] b_c - base (a G)_c,   den = sum_listed (u - base) b_c^2 + base G_cc.
"""

from functools import cache

import numpy as np

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import (
    add,
    at_least,
    broadcast,
    div,
    fma,
    fnma,
    load,
    mul,
    store,
    sub,
    where_known,
    where_positive,
)

__all__ = ["compiled_background_rows"]


@cache
def compiled_background_rows(lanes, per_member):
    """Return the kernel for this number of lanes, with weights shared by the members or one for each.

    Its arguments are those of the masked kernel, with the Gram matrix ``G`` of the partners, shape
    (size, size, lanes), and ``base``, one weight per member; ``scratch`` is (buffer, residual, surplus,
    total). The contribution of the listed entries, sum u (x - z)^2 - base z^2, is added to ``loss``.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def background_rows(indptr, indices, X, U, A, B, G, base, penalty, lower, span, cycles, scratch, loss):
        _ = edition
        size = A.shape[1]
        first, last = span
        ridge, growth, counts, step_of_counts, centre = penalty
        buffer, residual, surplus, total = scratch
        zero = broadcast(A.dtype.type(0), lanes)
        rest = load(base, 0, lanes)
        precision = np.finfo(A.dtype).eps
        for i in range(len(indptr) - 1):
            start = indptr[i]
            degree = indptr[i + 1] - start
            a0 = i * size * width
            plane = degree * width
            row_loss = zero
            count = load(counts, i * step_of_counts, lanes)
            for e in range(degree):
                b0 = indices[start + e] * size * width
                x = load(X, (start + e) * width, lanes)
                if per_member:
                    weight = where_known(x, load(U, (start + e) * width, lanes), zero)
                else:
                    weight = where_known(x, broadcast(U[start + e], lanes), zero)
                x = where_known(x, x, zero)
                z = zero
                for c in range(size):
                    b = load(B, b0 + c * width, lanes)
                    store(buffer, c * plane + e * width, b)
                    z = fma(load(A, a0 + c * width, lanes), b, z)
                more = sub(weight, rest)
                store(surplus, e * width, more)
                store(residual, e * width, fnma(more, z, mul(weight, x)))
                error = sub(x, z)
                row_loss = fma(mul(weight, error), error, row_loss)
                row_loss = fnma(mul(rest, z), z, row_loss)
            store(total, 0, row_loss)
            for lane in range(width):
                loss[lane] += total[lane]
            # A difference below the rounding error of its two terms is treated as 0.
            noise = broadcast(A.dtype.type(precision * (16.0 + 4.0 * np.sqrt(degree))), lanes)
            for cycle in range(cycles):
                step = zero
                before = first * plane
                for c in range(first, last):
                    here = c * plane
                    num = zero
                    den = zero
                    for e in range(0, plane, width):
                        b = load(buffer, here + e, lanes)
                        more = load(surplus, e, lanes)
                        change = mul(more, load(buffer, before + e, lanes))
                        r = fma(step, change, load(residual, e, lanes))
                        store(residual, e, r)
                        num = fma(r, b, num)
                        den = fma(mul(more, b), b, den)
                    all_num = zero
                    for d in range(size):
                        all_num = fma(
                            load(A, a0 + d * width, lanes), load(G, (c * size + d) * width, lanes), all_num
                        )
                    all_den = mul(rest, load(G, (c * size + c) * width, lanes))
                    num = fnma(rest, all_num, num)
                    den = add(den, all_den)
                    significant = fnma(noise, all_den, den)
                    num = where_positive(significant, num, zero)
                    den = where_positive(significant, den, zero)
                    old = load(A, a0 + c * width, lanes)
                    pull = fma(count, load(growth, c * width, lanes), load(ridge, c * width, lanes))
                    num = fma(pull, load(centre, c * width, lanes), fma(old, den, num))
                    den = add(den, pull)
                    new = at_least(div(num, den), broadcast(lower[c], lanes))
                    new = where_positive(den, new, old)
                    store(A, a0 + c * width, new)
                    step = sub(old, new)
                    before = here
                if cycle + 1 < cycles:
                    for e in range(0, plane, width):
                        change = mul(load(surplus, e, lanes), load(buffer, before + e, lanes))
                        store(residual, e, fma(step, change, load(residual, e, lanes)))

    return background_rows
