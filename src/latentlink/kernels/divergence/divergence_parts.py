"""The divergence of a value from its fit, and the slope of the loss of a row's zeros.

Given the factors b of its partners, the loss of a row a is

    sum_listed u (x log(x / z) - x + z) + base sum_unlisted z = sum_positive u d(x, z) + sum_c a_c E_c,
    E_c = base sum_all b_c + sum_listed (u0 - base) b_c,

where d is the divergence, z = sum_c a_c b_c, and u0 is the weight of an entry whose value is 0. So only
entries with a positive value need z, and unlisted ones need the total of b alone.
"""

import math
from functools import cache

import numpy as np

from latentlink.kernels.lanes.compile import helper
from latentlink.kernels.lanes.transcendental import exponent, log_rest, mantissa
from latentlink.kernels.lanes.vector import (
    absolute,
    add,
    any_nonzero,
    broadcast,
    div,
    fma,
    fnma,
    like,
    load,
    mul,
    store,
    sub,
    where_known,
    where_positive,
)

__all__ = ["divergence", "zero_slope"]

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


@cache
def zero_slope(lanes, per_member):
    """Return the function that writes E of the row of some entries to an array, from an offset on."""
    width = max(lanes, 1)

    @helper
    def row_slope(begin, end, indices, X, U, B, S, rest, E, e0):
        size = B.shape[1]
        zero = like(0.0, rest)
        for c in range(size):
            store(E, e0 + c * width, mul(rest, load(S, c * width, lanes)))
        for e in range(begin, end):
            x = load(X, e * width, lanes)
            if per_member:
                weight = where_known(x, load(U, e * width, lanes), zero)
            else:
                weight = where_known(x, broadcast(U[e], lanes), zero)
            more = sub(where_positive(x, zero, weight), rest)
            if any_nonzero(more):
                b0 = indices[e] * size * width
                for c in range(size):
                    b = load(B, b0 + c * width, lanes)
                    store(E, e0 + c * width, fma(more, b, load(E, e0 + c * width, lanes)))
        # A difference below the rounding error of its terms is treated as 0, as where all entries are hidden.
        noise = like(np.finfo(E.dtype).eps * (16.0 + 4.0 * np.sqrt(end - begin)), rest)
        for c in range(size):
            here = load(E, e0 + c * width, lanes)
            significant = fnma(noise, mul(rest, load(S, c * width, lanes)), here)
            store(E, e0 + c * width, where_positive(significant, here, zero))

    return row_slope
