"""What rules are given: one number or mark a pair, and shares between 0 and 1, or a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network.arguments import as_number, shown
from latentlink.network.numbers import plain_numbers

__all__ = ["binary_of", "check_shares", "checked_share", "numbers_of", "spreads_of"]

Array = NDArray[np.float64]


def numbers_of(found: ArrayLike, what: str, like: NDArray[Any] | None = None) -> Array:
    """Return finite numbers, as many as ``like`` has; none are none."""
    count = np.size(found) if like is None else len(like)
    return plain_numbers(found, count, what, lambda place: f"pair {place}")


def binary_of(found: ArrayLike, what: str, like: NDArray[Any]) -> NDArray[np.bool_]:
    """Return truth values given as such, or as 0 and 1."""
    numbers = numbers_of(found, what, like)
    other = (numbers != 0) & (numbers != 1)
    if other.any():
        place = int(np.argmax(other))
        raise InputError(f"The {what} of pair {place} is {numbers[place]:g}; expected 0 or 1.")
    return numbers == 1


def spreads_of(found: ArrayLike, like: NDArray[Any] | None = None) -> Array:
    """Return standard deviations: finite numbers >= 0."""
    spread = numbers_of(found, "spread", like)
    if spread.size and spread.min() < 0:
        place = int(np.argmin(spread))
        raise InputError(
            f"The spread of pair {place} is {spread[place]:g}; expected a standard deviation, 0 or more."
        )
    return spread


def checked_share(found: Any, what: str) -> float:
    """Return a number above 0 and below 1."""
    share = as_number(found)
    if not 0 < share < 1:
        raise InputError(f"{what} is {shown(found)}; expected a number above 0 and below 1.")
    return share


def check_shares(owner: object, *names: str) -> None:
    """Refuse settings that are not above 0 and below 1."""
    for name in names:
        checked_share(getattr(owner, name), f"{name} of {type(owner).__name__}")
