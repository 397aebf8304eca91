"""Exponential random numbers, one generator a lane: xoshiro256+ (Blackman and Vigna 2021) and logarithms.

Of the random numbers of a sweep those of the augmenting variables are most, several for each entry. Drawn
here they take a quarter of the time of NumPy's generators, whose numbers of one chain have to be spread over
an array in which they are far apart. The states are seeded by NumPy's generators of the chains.
"""

from functools import cache

import numpy as np

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.transcendental import exponent, log_rest, mantissa
from latentlink.kernels.lanes.vector import add, broadcast, div, fma, load, mul, store, sub

__all__ = ["BLOCK", "UNIT", "compiled_exponentials"]

BLOCK = 64
"""Numbers of all lanes that are made at once, in the first cache."""

UNIT = 2.0**-53
"""The least of the uniform numbers, which are its multiples up to 1."""


@cache
def compiled_exponentials(lanes):
    """Return the kernel that fills ``out`` (numbers, lanes) and moves on the ``state`` (4, lanes)."""
    edition = EDITION
    width = max(lanes, 1)
    unit, log_of_2 = UNIT, float(np.log(2.0))
    high, turn, left, right = np.uint64(11), np.uint64(17), np.uint64(45), np.uint64(19)
    step = np.uint64(1)

    @kernel
    def exponentials(state, uniform, out):
        _ = edition
        two = broadcast(out.dtype.type(-2), lanes)
        one = broadcast(out.dtype.type(1), lanes)
        minus_log_of_2 = broadcast(out.dtype.type(-log_of_2), lanes)
        zero = broadcast(out.dtype.type(0), lanes)
        for begin in range(0, out.shape[0], BLOCK):
            count = min(BLOCK, out.shape[0] - begin)
            for lane in range(width):
                a, b, c, d = state[0, lane], state[1, lane], state[2, lane], state[3, lane]
                for n in range(count):
                    # As a signed integer, of which processors without AVX-512 make a number sooner.
                    uniform[n * width + lane] = np.int64(((a + d) >> high) + step) * unit
                    shifted = b << turn
                    c ^= a
                    d ^= b
                    b ^= c
                    a ^= d
                    c ^= shifted
                    d = (d << left) | (d >> right)
                state[0, lane], state[1, lane], state[2, lane], state[3, lane] = a, b, c, d
            for n in range(count):
                # log u = e log 2 + log m for u = 2^e m, and log m = 2 s + s^3 rest(s), s = (m - 1) / (m + 1).
                u = load(uniform, n * width, lanes)
                m = mantissa(u)
                s = div(sub(m, one), add(m, one))
                minus_log = fma(two, s, mul(minus_log_of_2, exponent(u)))
                minus_log = fma(mul(mul(s, s), sub(zero, s)), log_rest(s), minus_log)
                store(out, (begin + n) * width, minus_log)

    return exponentials
