"""Draws of a normal variable that is truncated at 0, by the inverse of its distribution function."""

from math import erfc, log, sqrt

from latentlink.kernels.lanes.compile import helper

__all__ = ["truncated_normal", "upper_quantile"]

_FAR = 30.0  # standard deviations beyond which the tail has a simple form

# Rational approximations to the normal quantile, exact to 16 digits (Wichura 1988, algorithm AS 241).
_NEAR_TOP = (
    3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
    45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
)  # fmt: skip
_NEAR_BOTTOM = (
    1.0, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
    21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610,
)  # fmt: skip
_TAIL_TOP = (
    1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
    1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4,
)  # fmt: skip
_TAIL_BOTTOM = (
    1.0, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
    0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
)  # fmt: skip
_FAR_TOP = (
    6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230,
    0.0265321895265761230930, 0.00124266094738807843860, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
)  # fmt: skip
_FAR_BOTTOM = (
    1.0, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
    7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
    2.04426310338993978564e-15,
)  # fmt: skip


@helper
def _ratio(top, bottom, x):
    above, below = 0.0, 0.0
    for n in range(7, -1, -1):
        above = above * x + top[n]
        below = below * x + bottom[n]
    return above / below


@helper
def upper_quantile(q):
    """Return the number that a standard normal variable exceeds with the probability q, 0 < q <= 1."""
    centred = 0.5 - q
    if abs(centred) <= 0.425:
        return centred * _ratio(_NEAR_TOP, _NEAR_BOTTOM, 0.180625 - centred * centred)
    tail = max(q if centred > 0 else 1.0 - q, 1e-300)
    r = sqrt(-log(tail))
    size = _ratio(_TAIL_TOP, _TAIL_BOTTOM, r - 1.6) if r <= 5 else _ratio(_FAR_TOP, _FAR_BOTTOM, r - 5.0)
    return size if centred > 0 else -size


@helper
def truncated_normal(precision, linear, uniform):
    """Return a draw of the density exp(-precision a^2 / 2 + linear a) on a >= 0, by a uniform number.

    Without any precision it is exponential of the rate - linear.
    """
    if precision <= 0.0:
        return -log(uniform) / max(-linear, 1e-300)
    root = sqrt(precision)
    least = -linear / root  # the bound 0, in standard deviations from the mean
    if least > _FAR:
        # The tail is exp(-t^2 / 2) / t. By the difference of squares, not that of two large numbers.
        more = -2.0 * log(uniform)
        more -= log(1.0 + more / (least * least))
        return more / (sqrt(least * least + more) + least) / root
    t = upper_quantile(uniform * 0.5 * erfc(least / sqrt(2.0)))
    return max(t - least, 0.0) / root
