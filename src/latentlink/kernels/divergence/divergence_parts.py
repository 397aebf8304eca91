"""The divergence of a value from its fit, and the slope of the loss of a row's zeros.

Given the factors b of its partners, the loss of a row a is

    sum_listed u (x log(x / z) - x + z) + base sum_unlisted z = sum_positive u d(x, z) + sum_c a_c E_c,
    E_c = base sum_all b_c + sum_listed (u0 - base) b_c,

where d is the divergence, z = sum_c a_c b_c, and u0 is the weight of an entry whose value is 0. So only
entries with a positive value need z, and unlisted ones need the total of b alone.
"""

import math

import numpy as np

from latentlink.kernels.lanes.compile import helper
from latentlink.kernels.lanes.transcendental import exponent, log_rest, mantissa
from latentlink.kernels.lanes.vector import (
    absolute,
    add,
    any_nonzero,
    div,
    fma,
    fnma,
    like,
    load_like,
    mul,
    store,
    sub,
    where_known,
    where_positive,
)

__all__ = ["divergence", "row_slope"]

LN2 = math.log(2.0)


@helper
def divergence(x, z):
    """Return x log(x / z) - x + z for x >= 0 and z > 0, accurate also where z is close to x."""
    ratio = div(x, z)
    power, one = exponent(ratio), like(1.0, x)
    near = sub(like(0.5, x), absolute(power))
    # log(r) = 2 s + s^3 rest(s). Near 1, where s = (x - z) / (x + z), terms of first order cancel exactly.
    difference, scaled = sub(x, z), mantissa(ratio)
    s = div(
        where_positive(near, difference, sub(scaled, one)), where_positive(near, add(x, z), add(scaled, one))
    )
    cube = mul(mul(s, mul(s, s)), log_rest(s))
    close = fma(x, cube, mul(s, difference))
    logarithm = fma(power, like(LN2, x), fma(like(2.0, x), s, cube))
    return where_positive(near, close, fma(x, logarithm, sub(z, x)))


@helper
def row_slope(begin, end, indices, X, U, B, S, rest, width, E, e0):
    """Write E of the row of some entries to an array, from an offset on; a vector has ``width`` numbers."""
    size = B.shape[1]
    zero = like(0.0, rest)
    for c in range(size):
        store(E, e0 + c * width, mul(rest, load_like(S, c * width, zero)))
    for e in range(begin, end):
        x = load_like(X, e * width, zero)
        if U.ndim == 2:  # weights of each member
            weight = where_known(x, load_like(U, e * width, zero), zero)
        else:
            weight = where_known(x, like(U[e], zero), zero)
        more = sub(where_positive(x, zero, weight), rest)
        if any_nonzero(more):
            b0 = indices[e] * size * width
            for c in range(size):
                b = load_like(B, b0 + c * width, zero)
                store(E, e0 + c * width, fma(more, b, load_like(E, e0 + c * width, zero)))
    # A difference below the rounding error of its terms is treated as 0, as where all entries are hidden.
    noise = like(np.finfo(E.dtype).eps * (16.0 + 4.0 * np.sqrt(end - begin)), rest)
    for c in range(size):
        here = load_like(E, e0 + c * width, zero)
        significant = fnma(noise, mul(rest, load_like(S, c * width, zero)), here)
        store(E, e0 + c * width, where_positive(significant, here, zero))
