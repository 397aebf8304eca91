"""Shares times counts, of which a rounding error must make no whole number more or less."""

from __future__ import annotations

import math

__all__ = ["ROUNDING", "least_whole", "most_whole"]

ROUNDING = 1e-12  # what a few operations on shares may be off by, relatively


def least_whole(amount: float) -> int:
    """Return the least whole number that is not below an amount, but for rounding.

    Examples
    --------
    >>> 0.9 / (1 - 0.9), least_whole(0.9 / (1 - 0.9))
    (9.000000000000002, 9)
    """
    return math.ceil(amount * (1 - ROUNDING))


def most_whole(amount: float) -> int:
    """Return the largest whole number that is not above an amount, but for rounding.

    Examples
    --------
    >>> (1 - 0.9) * 10, most_whole((1 - 0.9) * 10)
    (0.9999999999999998, 1)
    """
    return math.floor(amount * (1 + ROUNDING))
