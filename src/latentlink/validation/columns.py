"""Checks of columns of numbers: one finite number, 0/1 label, weight or probability for each pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.validation.wording import shown

__all__ = [
    "Floats",
    "amount_column",
    "binary_column",
    "exact_floats",
    "number_column",
    "parsed_numbers",
    "parsed_texts",
    "probability_column",
    "raise_if_masked",
    "raise_if_rounded",
    "raise_if_unusable",
    "spread_column",
    "to_float",
]

Floats = NDArray[np.float64]


def number_column(
    values: ArrayLike,
    what: str,
    like: NDArray[Any] | None = None,
    *,
    each: str = "pair",
    empty: bool = True,
) -> Floats:
    """Return an array of finite floats, one for each pair, or raise InputError.

    Parameters
    ----------
    values : array-like, shape (pairs,)
        Numbers, or text that is a number.
    what : str
        Name of one value in messages.
    like : array, optional
        A column of the expected length.
    each : str
        What a value belongs to, in messages.
    empty : bool
        Accept a column without entries.

    Examples
    --------
    >>> number_column(["0.5", 2], "score")
    array([0.5, 2. ])
    """
    raise_if_masked(values, what, each)
    try:
        count = np.size(values) if like is None else len(like)
    except ValueError as error:
        raise InputError(f"The {what}s are not a column of numbers: {error}.") from None
    if not count and not empty:
        raise InputError(f"There are no {what}s; expected at least one.")
    return parsed_numbers(values, count, what, lambda position: f"{each} {position}")


def amount_column(
    values: ArrayLike,
    what: str,
    like: NDArray[Any] | None = None,
    *,
    expected: str = "0 or more",
    empty: bool = True,
) -> Floats:
    """Return an array of finite floats >= 0, or raise InputError, as for `number_column`."""
    numbers = number_column(values, what, like, empty=empty)
    if numbers.size and numbers.min() < 0:
        position = int(np.argmin(numbers))
        raise InputError(f"The {what} of pair {position} is {numbers[position]:g}; expected {expected}.")
    return numbers


def spread_column(values: ArrayLike, like: NDArray[Any] | None = None) -> Floats:
    """Return an array of standard deviations >= 0, or raise InputError."""
    return amount_column(values, "spread", like, expected="a standard deviation, 0 or more")


def binary_column(
    values: ArrayLike, what: str, like: NDArray[Any] | None = None, *, empty: bool = True
) -> NDArray[np.bool_]:
    """Return a Boolean array from truth values or from 0 and 1, or raise InputError for other values."""
    numbers = number_column(values, what, like, empty=empty)
    other = (numbers != 0) & (numbers != 1)
    if other.any():
        position = int(np.argmax(other))
        raise InputError(f"The {what} of pair {position} is {numbers[position]:g}; expected 0 or 1.")
    return numbers == 1


def probability_column(
    values: ArrayLike,
    what: str,
    like: NDArray[Any] | None = None,
    *,
    expected: str = "a number from 0 to 1",
    empty: bool = True,
) -> Floats:
    """Return an array of floats from 0 to 1, or raise InputError, as for `number_column`."""
    numbers = number_column(values, f"{what} value", like, empty=empty)
    outside = (numbers < 0) | (numbers > 1)
    if outside.any():
        position = int(np.argmax(outside))
        raise InputError(f"The {what} of pair {position} is {numbers[position]:g}; expected {expected}.")
    return numbers


def raise_if_masked(values: Any, what: str, each: str = "pair") -> None:
    """Raise InputError if an array has masked entries, since the values under a mask have no meaning."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        position = int(np.argmax(np.ma.getmaskarray(values)))
        raise InputError(
            f"The {what} of {each} {position} is masked; expected a finite number. Leave each masked {each} "
            "out of all arrays: array[~mask]."
        )


def parsed_numbers(column: Any, count: int, what: str, locate: Callable[[int], str]) -> Floats:
    """Return an array of ``count`` finite floats, parsed from numbers or text, or raise InputError.

    Parameters
    ----------
    column : array-like
    count : int
        The expected length.
    what : str
        Name of one value in messages; a "weight" must not be negative.
    locate : callable
        Maps a position to a description of where the entry is, for messages.
    """
    try:
        numbers = np.asarray(column)
    except ValueError as error:
        raise InputError(f"The {what}s are not a column of numbers: {error}.") from None
    if numbers.shape != (count,):
        raise InputError(f"The {what}s have shape {numbers.shape}; expected ({count},), one for each entry.")
    if numbers.dtype.kind not in "biuf":
        numbers = _parsed_one_by_one(numbers.tolist(), what, locate)
    numbers = exact_floats(numbers, lambda index: locate(index[0]), what)
    raise_if_unusable(numbers, what, locate)
    return numbers


def parsed_texts(texts: list[str], what: str, locate: Callable[[int], str]) -> Floats:
    """Return an array of finite floats, parsed from texts, or raise InputError, as `parsed_numbers` does.

    No array of the texts is made, which would give each of them the length of the longest.
    """
    try:
        numbers = np.fromiter(map(to_float, texts), np.float64, len(texts))
    except (ValueError, OverflowError):
        numbers = _parsed_one_by_one(texts, what, locate)
    raise_if_unusable(numbers, what, locate, texts)
    raise_if_rounded(texts, numbers, what, locate)
    return numbers


def raise_if_rounded(texts: list[str], numbers: Floats, what: str, locate: Callable[[int], str]) -> None:
    """Raise InputError for a whole number that no float is, some above 2^53, and for one that becomes 0.

    Parameters
    ----------
    texts : list of str
        As they were read.
    numbers : array of float
        What they were read as, all finite.
    what : str
        Name of one number in messages.
    locate : callable
        Maps a position to a description of where the entry is, for messages.

    Examples
    --------
    >>> raise_if_rounded(["0.0", "1e-400"], np.zeros(2), "value", lambda position: f"row {position}")
    Traceback (most recent call last):
        ...
    latentlink.errors.InputError: The value of row 1 is '1e-400', which no float is; expected ...
    """
    zeros = np.flatnonzero(numbers == 0).tolist()
    vanished = {text for text in {texts[position] for position in zeros} if _has_digits(text)}
    position = next((each for each in zeros if texts[each] in vanished), None) if vanished else None
    if position is None:
        large = np.flatnonzero(np.abs(numbers) >= 2.0**53).tolist()
        position = next((each for each in large if _is_other_whole(texts[each], numbers[each])), None)
    if position is not None:
        raise InputError(
            f"The {what} of {locate(position)} is {shown(texts[position])}, which no float is; expected "
            "whole numbers up to 2^53, and others from 1e-307 to 1e307. Write it with a point, or as 0, "
            "if it may be rounded."
        )


def _has_digits(text: str) -> bool:
    """Whether a number in a text has another digit than 0 before its exponent."""
    return bool(text.lower().partition("e")[0].strip().strip("+-.0"))


def _is_other_whole(text: str, number: float) -> bool:
    digits = text.strip().lstrip("+-").lstrip("0")
    return digits.isdigit() and int(digits) != abs(int(number))


def exact_floats(
    numbers: NDArray[Any], locate: Callable[[tuple[int, ...]], str], what: str = "value"
) -> Floats:
    """Return numbers as floats; raise InputError for a whole number that is none: some above 2^53.

    Parameters
    ----------
    numbers : array of numbers or truth values
    locate : callable
        Maps the index of an entry to a description of where it is, for messages.
    what : str
        Name of one number in messages.

    Examples
    --------
    >>> exact_floats(np.array([2**53 + 1]), lambda index: f"row {index[0]}")
    Traceback (most recent call last):
        ...
    latentlink.errors.InputError: The value of row 0 is 9007199254740993, which no float is; ...
    """
    floats: Floats = numbers.astype(np.float64)
    if numbers.dtype.kind in "iu" and numbers.dtype.itemsize == 8 and numbers.size:
        for flat in np.flatnonzero(np.abs(floats) >= 2.0**53).tolist():
            whole = int(numbers.flat[flat])
            if int(floats.flat[flat]) != whole:
                index = tuple(int(part) for part in np.unravel_index(flat, numbers.shape))
                raise InputError(
                    f"The {what} of {locate(index)} is {whole}, which no float is; expected whole numbers up "
                    f"to 2^53. Convert the {what}s to floats, if their last digits do not matter."
                )
    return floats


def to_float(number: Any) -> float:
    """Convert a number or text to a float; raise ValueError for ``1_000`` and digits other than 0 to 9."""
    if isinstance(number, str) and ("_" in number or not number.strip().isascii()):
        raise ValueError(number)
    return float(number)


def _parsed_one_by_one(listed: list[Any], what: str, locate: Callable[[int], str]) -> Floats:
    numbers = np.empty(len(listed))
    for position, number in enumerate(listed):
        try:
            numbers[position] = to_float(number)
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"The {what} of {locate(position)} is {_invalid(number)}; expected a finite number."
            ) from None
    return numbers


def _invalid(number: Any) -> str:
    """Describe a value that `to_float` does not convert; an int that fails is too large for a float."""
    return shown(number) + (", too large for a float" if isinstance(number, int) else "")


def raise_if_unusable(
    numbers: Floats, what: str, locate: Callable[[int], str], texts: Sequence[str] | None = None
) -> None:
    """Raise InputError for NaN and infinity, and for weights below 0; ``texts`` are what was read."""
    bad = ~np.isfinite(numbers)
    if bad.any():
        position = int(np.argmax(bad))
        given = "" if texts is None else texts[position]
        found, advice = str(numbers[position]), "Leave an unknown pair out of the list."
        if any(map(str.isdigit, given)):
            found, advice = f"{shown(given)}, too large for a float", f"Write the {what}s in a larger unit."
        elif np.isinf(numbers[position]):
            advice = f"Correct it, or leave the pair out if its {what} is not known."
        raise InputError(f"The {what} of {locate(position)} is {found}; expected a finite number. {advice}")
    if what == "weight" and numbers.size and numbers.min() < 0:
        position = int(np.argmin(numbers))
        raise InputError(
            f"The weight of {locate(position)} is {numbers[position]:g}; expected 0 (hidden) or more (known)."
        )
