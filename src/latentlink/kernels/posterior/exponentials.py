"""Exponential random numbers in lanes: logarithms of uniform ones.

Of the random numbers of a sweep those of the augmenting variables are most, several for each entry. Numbers
of NumPy's generators would have to be spread over an array, in which those of one chain are far apart; these
are drawn where they are needed. The states are seeded by NumPy's generators of the chains.
"""

import numpy as np

from latentlink.kernels.lanes.compile import helper
from latentlink.kernels.lanes.generator import next_uniform
from latentlink.kernels.lanes.transcendental import exponent, log_rest, mantissa
from latentlink.kernels.lanes.vector import add, div, fma, like, mul, sub

__all__ = ["next_exponential"]

_LOG_OF_2 = float(np.log(2.0))


@helper
def next_exponential(state, vector):
    """Return standard exponential numbers of the type of a vector, and move on the generators."""
    u, one = next_uniform(state, vector), like(1.0, vector)
    # log u = e log 2 + log m for u = 2^e m, and log m = 2 s + s^3 rest(s), s = (m - 1) / (m + 1).
    m = mantissa(u)
    s = div(sub(m, one), add(m, one))
    minus_log = fma(like(-2.0, u), s, mul(like(-_LOG_OF_2, u), exponent(u)))
    return fma(mul(mul(s, s), sub(like(0.0, u), s)), log_rest(s), minus_log)
