"""Coordinate descent on the rows of a factor under the divergence.

The loss of one coordinate a of a row, all others given, has the slope g and the curvature h,

    g = D - N,   N = sum_positive u x t,   h = sum_positive u x t^2,   t = b / z,

with D the constant of `divergence_moments`. Three steps are used, none of which passes the minimum:

    a N / D            the step of Lee and Seung for this coordinate alone,
    a - g / h          where g < 0: Newton's step stops before the minimum, since g is concave in a,
    a - g / (h + g m)  where g > 0: with m = max t the curvature at a - s is at most h / (1 - s m)^2.

The loss decreases on the way to the minimum, so the longest of them is taken. Unlike the multiplicative step
alone, this one leaves 0, reaches it exactly, and converges quadratically in one coordinate.
"""

from functools import cache

import numpy as np

from latentlink.kernels.divergence.divergence_parts import divergence, row_slope
from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import (
    any_nonzero,
    at_least,
    at_most,
    broadcast,
    div,
    fma,
    load,
    mul,
    store,
    sub,
    where_positive,
)

__all__ = ["compiled_divergence_rows"]


@cache
def compiled_divergence_rows(lanes, per_member):
    """Return the kernel that updates ``A`` and adds the loss of all rows before it; ``cycles`` may be 0.

    ``S``, ``base`` and ``floor`` are those of `compiled_divergence_moments`; ``scratch`` is (buffer, counts,
    fitted, total), and ``slope`` is a buffer of shape (size, lanes).
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def divergence_rows(indptr, indices, X, U, A, B, S, base, floor, cycles, scratch, slope, loss):
        _ = edition
        size = A.shape[1]
        buffer, counts, fitted, total = scratch
        zero = broadcast(A.dtype.type(0), lanes)
        rest, least = load(base, 0, lanes), load(floor, 0, lanes)
        tiny = broadcast(A.dtype.type(np.finfo(A.dtype).tiny), lanes)
        for i in range(len(indptr) - 1):
            a0 = i * size * width
            plane = (indptr[i + 1] - indptr[i]) * width
            row_loss = zero
            row_slope(indptr[i], indptr[i + 1], indices, X, U, B, S, rest, width, slope, 0)
            for c in range(size):
                row_loss = fma(load(A, a0 + c * width, lanes), load(slope, c * width, lanes), row_loss)
            end = 0
            for e in range(indptr[i], indptr[i + 1]):
                x = load(X, e * width, lanes)
                if per_member:
                    weight = where_positive(x, load(U, e * width, lanes), zero)
                else:
                    weight = where_positive(x, broadcast(U[e], lanes), zero)
                if not any_nonzero(weight):
                    continue
                x = where_positive(x, x, zero)
                b0 = indices[e] * size * width
                z = zero
                for c in range(size):
                    b = load(B, b0 + c * width, lanes)
                    store(buffer, c * plane + end, b)
                    store(slope, c * width, fma(weight, b, load(slope, c * width, lanes)))
                    z = fma(load(A, a0 + c * width, lanes), b, z)
                store(fitted, end, z)
                store(counts, end, mul(weight, x))
                row_loss = fma(weight, divergence(x, at_least(z, least)), row_loss)
                end += width
            store(total, 0, row_loss)
            for lane in range(width):
                loss[lane] += total[lane]
            step = zero
            before = 0
            for _ in range(cycles):
                for c in range(size):
                    here = c * plane
                    num = zero
                    curvature = zero
                    most = zero
                    for e in range(0, end, width):
                        z = fma(step, load(buffer, before + e, lanes), load(fitted, e, lanes))
                        store(fitted, e, z)
                        count = load(counts, e, lanes)
                        t = div(load(buffer, here + e, lanes), at_least(z, least))
                        part = mul(count, t)
                        num = fma(count, t, num)
                        curvature = fma(part, t, curvature)
                        most = at_least(where_positive(count, t, zero), most)
                    old = load(A, a0 + c * width, lanes)
                    den = load(slope, c * width, lanes)
                    gradient = sub(den, num)
                    ratio = div(mul(old, num), den)
                    # A curvature that has underflowed says nothing about the minimum.
                    newton = where_positive(sub(curvature, tiny), sub(old, div(gradient, curvature)), ratio)
                    damped = sub(old, div(gradient, fma(gradient, most, curvature)))
                    up = at_least(newton, ratio)
                    down = at_least(at_most(damped, ratio), zero)
                    new = where_positive(num, where_positive(gradient, down, up), zero)
                    new = where_positive(den, new, old)
                    store(A, a0 + c * width, new)
                    step = sub(new, old)
                    before = here

    return divergence_rows
