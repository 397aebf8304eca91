"""Coordinate descent on the rows of a factor, where unlisted entries are unknown.

The factors of a row's partners are gathered into a buffer, and each coordinate of the row is then minimised
exactly in turn, with the residual updated after each step:

    a_c <- max(lower_c, (a_c den + num + ridge_c centre_c) / (den + ridge_c)),
    num = sum_j u_j r_j b_jc,   den = sum_j u_j b_jc^2,   r_j = x_j - sum_c a_c b_jc.

Rows are independent of each other. The square root of the weight u is multiplied into b and r while
gathering, so that weights cost nothing in the inner loop. Under the logistic loss the same step is taken on
the parabola that bounds it (see `logistic`), with its curvature in place of the weight.
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
    prefetch,
    root,
    store,
    sub,
    where_known,
    where_positive,
)
from latentlink.kernels.logistic import logistic_parts

__all__ = ["compiled_masked_rows"]

AHEAD = 4  # entries between the prefetch of a partner's factors and their use


@cache
def compiled_masked_rows(lanes, per_member, logistic, mirror):
    """Return the kernel for this number of lanes, kind of weights and loss.

    Weights have the shape (entries,), or (entries, lanes) for members with weights of their own. A value of
    NaN means that the entry is unknown to this member.

    With ``mirror`` rows and partners are the same nodes, and every pair is listed in both directions: an
    updated row is written to its partner form immediately, ``B[i, mirrored[c]] = sign[c] * A[i, c]``, so that
    later rows use it. The loss of a pair is then taken, for both directions, where its first node is updated,
    when neither of the two has been.

    Arguments of the kernel: the listed entries (``indptr``, ``indices``, values ``X``, weights ``U``), the
    factors ``A`` to update and ``B`` of the partners, the ``penalty`` (`Coordinates.penalty`)
    and the ``lower`` bound of each coordinate, the ``span`` (first, last) of coordinates to update, the
    number of ``cycles`` over them, ``twins`` = (mirrored, sign), ``scratch`` = (buffer, residual, total), and
    ``loss``, to which the loss of the data before the update is added.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def masked_rows(indptr, indices, X, U, A, B, penalty, lower, span, cycles, twins, scratch, loss):
        _ = edition
        size = A.shape[1]
        entries = len(indices)
        cache_line = 64 // A.itemsize
        first, last = span
        ridge, growth, counts, step_of_counts, centre = penalty
        mirrored, sign = twins
        buffer, residual, total = scratch
        zero = broadcast(A.dtype.type(0), lanes)
        line = size * width
        for i in range(len(indptr) - 1):
            start = indptr[i]
            degree = indptr[i + 1] - start
            a0 = i * line
            plane = degree * width
            row_loss = zero
            count = load(counts, i * step_of_counts, lanes)
            counted = broadcast(A.dtype.type(1), lanes)
            for e in range(degree):
                b0 = indices[start + e] * line
                if mirror:
                    later, itself = indices[start + e] > i, indices[start + e] == i
                    counted = broadcast(A.dtype.type(2 if later else 1 if itself else 0), lanes)
                ahead = indices[min(start + e + AHEAD, entries - 1)] * line
                for offset in range(0, line, cache_line):
                    prefetch(B, ahead + offset)
                x = load(X, (start + e) * width, lanes)
                if logistic:
                    z = zero
                    for c in range(size):
                        z = fma(load(A, a0 + c * width, lanes), load(B, b0 + c * width, lanes), z)
                    if per_member:
                        weight = where_known(x, load(U, (start + e) * width, lanes), zero)
                    else:
                        weight = where_known(x, broadcast(U[start + e], lanes), zero)
                    part, slope, curvature = logistic_parts(z, where_known(x, x, zero))
                    row_loss = fma(mul(counted, weight), part, row_loss)
                    scale = root(mul(weight, curvature))
                    for c in range(size):
                        store(buffer, c * plane + e * width, mul(scale, load(B, b0 + c * width, lanes)))
                    r = where_positive(scale, div(mul(weight, slope), scale), zero)
                else:
                    if per_member:
                        scale = where_known(x, root(load(U, (start + e) * width, lanes)), zero)
                    else:
                        scale = where_known(x, broadcast(np.sqrt(U[start + e]), lanes), zero)
                    r = mul(scale, where_known(x, x, zero))
                    for c in range(size):
                        b = mul(scale, load(B, b0 + c * width, lanes))
                        store(buffer, c * plane + e * width, b)
                        r = fnma(load(A, a0 + c * width, lanes), b, r)
                    row_loss = fma(mul(counted, r), r, row_loss)
                store(residual, e * width, r)
            store(total, 0, row_loss)
            for lane in range(width):
                loss[lane] += total[lane]
            for cycle in range(cycles):
                # One pass updates the residual by the last step and sums for the next coordinate.
                step = zero
                before = first * plane
                for c in range(first, last):
                    here = c * plane
                    # Two sums each, so that an addition need not wait for the one before it.
                    num, more = zero, zero
                    den, further = zero, zero
                    pairs = plane - plane % (2 * width)
                    for e in range(0, pairs, 2 * width):
                        f = e + width
                        b = load(buffer, here + e, lanes)
                        r = fma(step, load(buffer, before + e, lanes), load(residual, e, lanes))
                        store(residual, e, r)
                        num = fma(r, b, num)
                        den = fma(b, b, den)
                        b = load(buffer, here + f, lanes)
                        r = fma(step, load(buffer, before + f, lanes), load(residual, f, lanes))
                        store(residual, f, r)
                        more = fma(r, b, more)
                        further = fma(b, b, further)
                    for e in range(pairs, plane, width):
                        b = load(buffer, here + e, lanes)
                        r = fma(step, load(buffer, before + e, lanes), load(residual, e, lanes))
                        store(residual, e, r)
                        num = fma(r, b, num)
                        den = fma(b, b, den)
                    num, den = add(num, more), add(den, further)
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
                        r = fma(step, load(buffer, before + e, lanes), load(residual, e, lanes))
                        store(residual, e, r)
            if mirror:
                for c in range(first, last):
                    value = mul(broadcast(sign[c], lanes), load(A, a0 + c * width, lanes))
                    store(B, i * line + mirrored[c] * width, value)

    return masked_rows
