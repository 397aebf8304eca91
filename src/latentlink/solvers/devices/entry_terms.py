"""The terms of listed entries: the weights of gradient and curvature of a row, and the loss.

For the partners b of a row with coordinates a, and fits z = a b', each loss of the row is, near a,

    s loss(a + d) <= s loss(a) - 2 g d + d G d',   g = sum_j p_j b_j,   G = sum_j q_j b_j b_j',

with s = 1 and equality under the squared error, and s = 2 under the cross-entropy. The functions here return
p, q and the loss of all members.
"""

from __future__ import annotations

from typing import Any

from array_api_compat import array_namespace

__all__ = ["boolean_targets", "logistic_terms", "squared_terms", "total"]


def total(x: Any) -> Any:
    """Return the sum of each member's numbers in double precision, shape (members,)."""
    xp = array_namespace(x)
    return xp.sum(xp.reshape(x, (x.shape[0], -1)), axis=1, dtype=xp.float64)


def squared_terms(z: Any, x: Any, weight: Any, surplus: Any | None) -> tuple[Any, Any, Any]:
    """Return p, q and the loss sum u (x - z)^2 of entries of weight u.

    With ``surplus``, the weight above that of the background, the entries are taken off the background: the
    loss is sum u (x - z)^2 - c z^2, of which c is the difference of the two.
    """
    error = x - z
    weighted = weight * error
    if surplus is None:
        return weighted, weight, total(weighted * error)
    rest = (weight - surplus) * z
    return weighted + rest, surplus, total(weighted * error - rest * z)


def logistic_terms(z: Any, y: Any, weight: Any) -> tuple[Any, Any, Any]:
    """Return p, q and the cross-entropy of links y with the logits z."""
    xp = array_namespace(z)
    size = xp.abs(z)
    e = xp.exp(-size)
    loss = xp.clip(z, min=0.0) + xp.log1p(e) - y * z
    probability = xp.where(z > 0, 1.0, e) / (1 + e)
    near = size < 1e-2  # where the quotient is a difference of equal numbers: its series
    curvature = xp.where(near, 0.25 - z * z / 48, (probability - 0.5) / xp.where(near, 1.0, z))
    return weight * (y - probability), weight * curvature, total(weight * loss)


def boolean_targets(z: Any, x: Any, bounds: tuple[float, float]) -> Any:
    """Return the targets of a Boolean model: of a known one its own fit within bounds, of a zero 0."""
    xp = array_namespace(z)
    return xp.where(x > 0.5, xp.clip(z, min=bounds[0], max=bounds[1]), 0.0)
