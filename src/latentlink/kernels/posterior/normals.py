"""Standard normal random numbers in lanes, two at a time (Box and Muller 1958).

With an exponential number e and an angle that is uniform on the circle, sqrt(2 e) cos(angle) and
sqrt(2 e) sin(angle) are independent and normal. Sine and cosine are polynomials of a quarter of the angle,
which is doubled twice.
"""

from functools import cache
from math import factorial, pi

from latentlink.kernels.lanes.compile import EDITION, helper, kernel
from latentlink.kernels.lanes.generator import next_uniform
from latentlink.kernels.lanes.vector import broadcast, fma, fnma, like, mul, root, store, sub
from latentlink.kernels.posterior.exponentials import next_exponential

__all__ = ["compiled_normals"]

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
def _next_normals(state, vector):
    """Return two vectors of standard normal numbers, and move on the generators."""
    one, two = like(1.0, vector), like(2.0, vector)
    radius = root(mul(two, next_exponential(state, vector)))
    u = next_uniform(state, vector)
    t = mul(like(_QUARTER, vector), sub(mul(two, u), one))
    square = mul(t, t)
    sine, cosine = mul(t, _polynomial(_SINE, square)), _polynomial(_COSINE, square)
    for _ in range(2):
        sine, cosine = mul(two, mul(sine, cosine)), fnma(two, mul(sine, sine), one)
    return mul(radius, cosine), mul(radius, sine)


@cache
def compiled_normals(lanes):
    """Return the kernel that fills ``out`` (numbers, lanes) and moves on the ``state`` (4, lanes)."""
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def normals(state, out):
        _ = edition
        like_this = broadcast(out.dtype.type(0), lanes)
        for n in range(0, len(out), 2):
            first, second = _next_normals(state, like_this)
            store(out, n * width, first)
            if n + 1 < len(out):
                store(out, (n + 1) * width, second)

    return normals
