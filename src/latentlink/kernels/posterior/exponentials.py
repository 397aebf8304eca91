"""Exponential random numbers, one generator a lane: xoshiro256+ (Blackman and Vigna 2021) and logarithms.

Of the random numbers of a sweep those of the augmenting variables are most, several for each entry. Drawn
here, the generators of all lanes at once, they take a tenth of the time of NumPy's generators, whose numbers
of one chain have to be spread over an array in which they are far apart. The states are seeded by NumPy's
generators of the chains.
"""

from functools import cache

import numpy as np

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.integers import exclusive_or, rotated, shifted, uniform, wrapped_sum
from latentlink.kernels.lanes.transcendental import exponent, log_rest, mantissa
from latentlink.kernels.lanes.vector import add, broadcast, div, fma, load, mul, store, sub

__all__ = ["compiled_exponentials"]


@cache
def compiled_exponentials(lanes):
    """Return the kernel that fills ``out`` (numbers, lanes) and moves on the ``state`` (4, lanes)."""
    edition = EDITION
    width = max(lanes, 1)
    log_of_2 = float(np.log(2.0))

    @kernel
    def exponentials(state, out):
        _ = edition
        two = broadcast(out.dtype.type(-2), lanes)
        one = broadcast(out.dtype.type(1), lanes)
        minus_log_of_2 = broadcast(out.dtype.type(-log_of_2), lanes)
        zero = broadcast(out.dtype.type(0), lanes)
        a, b = load(state, 0, lanes), load(state, width, lanes)
        c, d = load(state, 2 * width, lanes), load(state, 3 * width, lanes)
        for n in range(out.shape[0]):
            u = uniform(wrapped_sum(a, d), one)
            t = shifted(b, 17)
            c = exclusive_or(c, a)
            d = exclusive_or(d, b)
            b = exclusive_or(b, c)
            a = exclusive_or(a, d)
            c = exclusive_or(c, t)
            d = rotated(d, 45)
            # log u = e log 2 + log m for u = 2^e m, and log m = 2 s + s^3 rest(s), s = (m - 1) / (m + 1).
            m = mantissa(u)
            s = div(sub(m, one), add(m, one))
            minus_log = fma(two, s, mul(minus_log_of_2, exponent(u)))
            minus_log = fma(mul(mul(s, s), sub(zero, s)), log_rest(s), minus_log)
            store(out, n * width, minus_log)
        store(state, 0, a)
        store(state, width, b)
        store(state, 2 * width, c)
        store(state, 3 * width, d)

    return exponentials
