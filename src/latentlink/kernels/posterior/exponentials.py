"""Random numbers in lanes, one generator a lane: xoshiro256+ (Blackman and Vigna 2021) and logarithms.

Numbers of NumPy's generators would have to be spread over an array, in which those of one chain are far
apart, and take ten times as long. The state of the generators is four vectors of integers, seeded by NumPy's
generators of the chains.
"""

import numpy as np

from latentlink.kernels.lanes.compile import helper
from latentlink.kernels.lanes.integers import exclusive_or, rotated, shifted, uniform, wrapped_sum
from latentlink.kernels.lanes.transcendental import exponent, log_rest, mantissa
from latentlink.kernels.lanes.vector import add, div, fma, like, mul, sub

__all__ = ["next_exponential", "next_uniform"]

_LOG_OF_2 = float(np.log(2.0))


@helper
def next_uniform(state, kind):
    """Return uniform numbers above 0 and up to 1, of the type of a vector, and the next state."""
    a, b, c, d = state
    u = uniform(wrapped_sum(a, d), kind)
    t = shifted(b, 17)
    c = exclusive_or(c, a)
    d = exclusive_or(d, b)
    b = exclusive_or(b, c)
    a = exclusive_or(a, d)
    return u, (a, b, exclusive_or(c, t), rotated(d, 45))


@helper
def next_exponential(state, kind):
    """Return standard exponential numbers of the type of a vector, and the next state."""
    u, state = next_uniform(state, kind)
    # log u = e log 2 + log m for u = 2^e m, and log m = 2 s + s^3 rest(s), s = (m - 1) / (m + 1).
    m, one = mantissa(u), like(1.0, kind)
    s = div(sub(m, one), add(m, one))
    minus_log = fma(like(-2.0, kind), s, mul(like(-_LOG_OF_2, kind), exponent(u)))
    return fma(mul(mul(s, s), sub(like(0.0, kind), s)), log_rest(s), minus_log), state
