"""Values and weights as people write them, turned into floats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError

__all__ = ["plain_numbers", "refuse_unusable", "to_float"]


def plain_numbers(column: Any, count: int, what: str, place: Callable[[int], str]) -> NDArray[np.float64]:
    """Finite floats, one for each entry; refuses anything else with its place."""
    try:
        found = np.asarray(column)
    except ValueError as error:
        raise InputError(f"The {what}s are no column of numbers: {error}.") from None
    if found.shape != (count,):
        raise InputError(f"The {what}s have shape {found.shape}; expected ({count},), one for each entry.")
    if found.dtype.kind not in "biuf":
        found = _each(found.tolist(), what, place)
    found = found.astype(np.float64)
    refuse_unusable(found, what, place)
    return found


def to_float(number: Any) -> float:
    """Turn a number or its text into a float; unlike `float`, refuses ``1_000``."""
    if isinstance(number, str) and "_" in number:
        raise ValueError(number)
    return float(number)


def _each(listed: list[Any], what: str, place: Callable[[int], str]) -> NDArray[np.float64]:
    numbers = np.empty(len(listed))
    for position, number in enumerate(listed):
        try:
            numbers[position] = to_float(number)
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"The {what} of {place(position)} is {_short(number)}; expected a finite number."
            ) from None
    return numbers


def _short(number: Any) -> str:
    """Show what is no number, but not all digits of one that is too large."""
    if isinstance(number, int) and abs(number) > 10**40:
        return f"a whole number of {number.bit_length():,} bits, too large for a float"
    return repr(number)


def refuse_unusable(found: NDArray[np.float64], what: str, place: Callable[[int], str]) -> None:
    """Refuse NaN and infinity, and weights below 0."""
    bad = ~np.isfinite(found)
    if bad.any():
        position = int(np.argmax(bad))
        raise InputError(
            f"The {what} of {place(position)} is {found[position]}; expected a finite number. "
            "Leave an unknown pair out of the list."
        )
    if what == "weight" and found.size and found.min() < 0:
        position = int(np.argmin(found))
        raise InputError(
            f"The weight of {place(position)} is {found[position]:g}; expected 0 (hidden) or more (known)."
        )
