"""A quadratic upper bound of the logistic loss.

For a logit z and a label y the loss log(1 + exp(z)) - y z is bounded from above by the parabola

    omega / 2 * (z' - t)^2 + constant,   omega = (sigmoid(z) - 1/2) / z,   omega * (t - z) = y - sigmoid(z),

which touches it at z' = z (Jaakkola and Jordan, 2000). So a step that lowers the parabola lowers the loss
without a step length or line search. omega is 1/4 at z = 0 and decreases as 1 / (2 |z|).
"""

from latentlink.kernels.lanes.compile import helper
from latentlink.kernels.lanes.transcendental import exp_minus, log1p_unit
from latentlink.kernels.lanes.vector import absolute, add, div, fma, fnma, like, sub, where_positive

__all__ = ["logistic_parts"]


@helper
def logistic_parts(z, y):
    """Return the loss at logit z for label y, y - sigmoid(z), and the curvature omega."""
    size = absolute(z)
    e = exp_minus(size)
    one = like(1.0, z)
    zero = like(0.0, z)
    loss = fnma(y, z, add(where_positive(z, z, zero), log1p_unit(e)))
    top = where_positive(z, one, e)
    probability = div(top, add(one, e))
    # Near 0 the quotient cancels, while the series 1/4 - z^2/48 is exact to rounding.
    small = sub(like(1e-2, z), size)
    near = fnma(like(1.0 / 48.0, z), fma(z, z, zero), like(0.25, z))
    far = div(sub(probability, like(0.5, z)), where_positive(small, one, z))
    return loss, sub(y, probability), where_positive(small, near, far)
