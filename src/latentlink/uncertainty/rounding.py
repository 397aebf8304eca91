"""Floor and ceiling of computed amounts, tolerant of floating-point rounding errors."""

from __future__ import annotations

import math

__all__ = ["ROUNDING", "least_whole", "most_whole"]

ROUNDING = 1e-12  # relative error that a few floating-point operations may have


def least_whole(amount: float) -> int:
    """Return the least whole number that is not below an amount, up to rounding errors.

    Examples
    --------
    >>> 0.9 / (1 - 0.9), least_whole(0.9 / (1 - 0.9))
    (9.000000000000002, 9)
    """
    return math.ceil(amount * (1 - ROUNDING))


def most_whole(amount: float) -> int:
    """Return the largest whole number that is not above an amount, up to rounding errors.

    Examples
    --------
    >>> (1 - 0.9) * 10, most_whole((1 - 0.9) * 10)
    (0.9999999999999998, 1)
    """
    return math.floor(amount * (1 + ROUNDING))
