"""Standard normal random numbers in lanes, two at a time (Box and Muller 1958).

With an exponential number e and an angle that is uniform on the circle, sqrt(2 e) cos(angle) and
sqrt(2 e) sin(angle) are independent and normal. Sine and cosine are polynomials of a quarter of the angle,
which is doubled twice.
"""

from functools import cache
from math import factorial, pi

from latentlink.kernels.lanes.compile import EDITION, helper, kernel
from latentlink.kernels.lanes.vector import broadcast, fma, fnma, like, load, mul, root, store, sub
from latentlink.kernels.posterior.exponentials import next_exponential, next_uniform

__all__ = ["compiled_draw_normals"]

# Taylor coefficients of sin(t) / t and of cos(t) in t^2, to the last bit of a double for |t| <= pi / 4.
_SINE = tuple((-1.0) ** n / factorial(2 * n + 1) for n in range(8))
_COSINE = tuple((-1.0) ** n / factorial(2 * n) for n in range(9))
_QUARTER = pi / 4


@helper
def _polynomial(coefficients, x):
    total = like(coefficients[-1], x)
    for n in range(2, len(coefficients) + 1):
        total = fma(total, x, like(coefficients[-n], x))
    return total


@helper
def _next_normals(state, kind):
    """Return two vectors of standard normal numbers, and the next state."""
    one, two = like(1.0, kind), like(2.0, kind)
    e, state = next_exponential(state, kind)
    u, state = next_uniform(state, kind)
    radius = root(mul(two, e))
    t = mul(like(_QUARTER, kind), sub(mul(two, u), one))
    square = mul(t, t)
    sine, cosine = mul(t, _polynomial(_SINE, square)), _polynomial(_COSINE, square)
    for _ in range(2):
        sine, cosine = mul(two, mul(sine, cosine)), fnma(two, mul(sine, sine), one)
    return mul(radius, cosine), mul(radius, sine), state


@cache
def compiled_draw_normals(lanes):
    """Return the kernel that fills ``out`` (numbers, lanes) and moves on the ``state`` (4, lanes)."""
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def normals(state, out):
        _ = edition
        kind = broadcast(out.dtype.type(0), lanes)
        words = (
            load(state, 0, lanes),
            load(state, width, lanes),
            load(state, 2 * width, lanes),
            load(state, 3 * width, lanes),
        )
        for n in range(0, len(out), 2):
            first, second, words = _next_normals(words, kind)
            store(out, n * width, first)
            if n + 1 < len(out):
                store(out, (n + 1) * width, second)
        for word in range(4):
            store(state, word * width, words[word])

    return normals
