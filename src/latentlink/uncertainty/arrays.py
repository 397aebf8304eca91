"""What rules are given: one number or mark a pair, and shares between 0 and 1, or a sentence."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network.arguments import as_number, shown
from latentlink.network.columns import Array, amounts_of, binary_of, numbers_of

__all__ = ["Array", "binary_of", "check_shares", "checked_share", "numbers_of", "spreads_of"]


def spreads_of(found: ArrayLike, like: NDArray[Any] | None = None) -> Array:
    """Return standard deviations: finite numbers >= 0."""
    return amounts_of(found, "spread", like, expected="a standard deviation, 0 or more")


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
