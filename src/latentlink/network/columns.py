"""Columns that rules and metrics are given: one finite number or mark for each pair, or a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network.numbers import plain_numbers

__all__ = ["Array", "amounts_of", "binary_of", "numbers_of", "refuse_masked"]

Array = NDArray[np.float64]


def numbers_of(found: ArrayLike, what: str, like: NDArray[Any] | None = None, *, each: str = "pair") -> Array:
    """Return finite numbers, as many as ``like`` has; none are none.

    Examples
    --------
    >>> numbers_of(["0.5", 2], "score")
    array([0.5, 2. ])
    """
    refuse_masked(found, what, each)
    count = np.size(found) if like is None else len(like)
    return plain_numbers(found, count, what, lambda place: f"{each} {place}")


def amounts_of(
    found: ArrayLike, what: str, like: NDArray[Any] | None = None, *, expected: str = "0 or more"
) -> Array:
    """Return finite numbers >= 0."""
    numbers = numbers_of(found, what, like)
    if numbers.size and numbers.min() < 0:
        place = int(np.argmin(numbers))
        raise InputError(f"The {what} of pair {place} is {numbers[place]:g}; expected {expected}.")
    return numbers


def binary_of(found: ArrayLike, what: str, like: NDArray[Any] | None = None) -> NDArray[np.bool_]:
    """Return truth values given as such, or as 0 and 1."""
    numbers = numbers_of(found, what, like)
    other = (numbers != 0) & (numbers != 1)
    if other.any():
        place = int(np.argmax(other))
        raise InputError(f"The {what} of pair {place} is {numbers[place]:g}; expected 0 or 1.")
    return numbers == 1


def refuse_masked(found: Any, what: str, each: str = "pair") -> None:
    """Refuse an array some of whose numbers are masked: what is under the mask must not be read."""
    if isinstance(found, np.ma.MaskedArray) and np.ma.is_masked(found):
        place = int(np.argmax(np.ma.getmaskarray(found)))
        raise InputError(
            f"The {what} of {each} {place} is masked; expected a finite number. Leave each masked {each} out "
            "of all arrays: array[~mask]."
        )
