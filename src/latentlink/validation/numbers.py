"""Checks of single numbers: finite, within bounds, whole where the number is a count.

A function named ``check_...`` checks a setting of an object and raises `IncompatibleError`; one named
``checked_...`` checks an argument, returns it as a plain number and raises `InputError`.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from latentlink.errors import IncompatibleError, InputError
from latentlink.validation.wording import shown, shown_repr

__all__ = [
    "check_number",
    "check_shares",
    "checked_count",
    "checked_number",
    "checked_seconds",
    "checked_share",
    "is_number",
    "is_pair",
    "is_range",
]


def is_number(
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    whole: bool = False,
    above: bool = False,
    below: bool = False,
) -> bool:
    """Return whether a value is a finite real number from ``low`` to ``high``, and not a bool.

    Parameters
    ----------
    value : object
    low, high : float
        Bounds, which are included by default.
    whole : bool
        Accept integers only; 2.0 is not one.
    above, below : bool
        Exclude ``low``, exclude ``high``.

    Examples
    --------
    >>> is_number(2, 1, whole=True), is_number("2"), is_number(0.0, 0, above=True)
    (True, False, False)
    """
    kind: Any = Integral if whole else Real
    if not isinstance(value, kind) or isinstance(value, bool):
        return False
    try:
        finite = math.isfinite(value)
    except OverflowError:  # an integer too large for a float
        finite = whole
    return finite and (low < value if above else low <= value) and (value < high if below else value <= high)


def is_pair(value: Any, low: float = -math.inf, *, above: bool = False) -> bool:
    """Return whether a value is a tuple or list of two numbers, each as for `is_number`.

    Examples
    --------
    >>> is_pair((1, 5)), is_pair((1, 5), 1, above=True), is_pair("15")
    (True, False, False)
    """
    pair = isinstance(value, tuple | list) and len(value) == 2
    return pair and all(is_number(number, low, above=above) for number in value)


def is_range(value: Any) -> bool:
    """Return whether a value is a tuple or list of two numbers, the least first; one may be infinite.

    Examples
    --------
    >>> is_range((1, 5)), is_range((0, math.inf)), is_range((5, 1)), is_range((-math.inf, math.inf))
    (True, True, False, False)
    """
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    low, high = value
    least = is_number(low) or (isinstance(low, float) and low == -math.inf)
    greatest = is_number(high) or (isinstance(high, float) and high == math.inf)
    return least and greatest and (is_number(low) or is_number(high)) and bool(low < high)


def check_number(
    owner: object,
    name: str,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    whole: bool = False,
    above: bool = False,
    below: bool = False,
) -> None:
    """Raise IncompatibleError unless a setting is a number within bounds, as for `is_number`."""
    value = getattr(owner, name)
    if not is_number(value, low, high, whole=whole, above=above, below=below):
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={shown_repr(value)}; expected "
            f"{_expected(low, high, whole, above, below)}."
        )


def check_shares(owner: object, *names: str) -> None:
    """Raise IncompatibleError unless settings are numbers above 0 and below 1."""
    for name in names:
        check_number(owner, name, 0, 1, above=True, below=True)


def checked_seconds(value: Any, what: str) -> float:
    """Return a limit of time as a float above 0, infinity for none, or raise InputError.

    Examples
    --------
    >>> checked_seconds(60, "time_limit"), checked_seconds(math.inf, "time_limit")
    (60.0, inf)
    """
    if isinstance(value, Real) and value == math.inf:
        return math.inf
    return checked_number(value, what, 0, above=True, meaning=" of seconds, or infinity or None for no limit")


def checked_number(
    value: Any,
    what: str,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above: bool = False,
    below: bool = False,
    meaning: str = "",
) -> float:
    """Return an argument as a float, or raise InputError unless it is within bounds, as for `is_number`.

    Parameters
    ----------
    value : object
    what : str
        Name of the argument.
    low, high, above, below
        As for `is_number`.
    meaning : str
        Text that the message adds to the bounds, such as ``", the share of entries to hold out"``.

    Examples
    --------
    >>> checked_number(1, "noise", 0)
    1.0
    """
    if not is_number(value, low, high, above=above, below=below):
        raise InputError(
            f"{what} is {shown(value)}; expected {_expected(low, high, False, above, below)}{meaning}."
        )
    return float(value)


def checked_count(value: Any, what: str, low: int = 1, high: float = math.inf, meaning: str = "") -> int:
    """Return an argument as an int, or raise InputError unless it is an integer from ``low`` to ``high``.

    Examples
    --------
    >>> checked_count(3, "repeats")
    3
    """
    if not is_number(value, low, high, whole=True):
        raise InputError(
            f"{what} is {shown(value)}; expected {_expected(low, high, True, False, False)}{meaning}."
        )
    return int(value)


def checked_share(value: Any, what: str) -> float:
    """Return an argument as a float, or raise InputError unless it is above 0 and below 1."""
    return checked_number(value, what, 0, 1, above=True, below=True)


def _expected(low: float, high: float, whole: bool, above: bool, below: bool) -> str:
    """Describe what `is_number` accepts."""
    kind = "a whole number" if whole else "a number"
    if low == -math.inf and high == math.inf:
        return "a whole number" if whole else "a finite number"
    if high == math.inf:
        return f"{kind} {'>' if above else '>='} {_bound(low)}"
    if low == -math.inf:
        return f"{kind} {'<' if below else '<='} {_bound(high)}"
    if not above and not below:
        return f"{kind} from {_bound(low)} to {_bound(high)}"
    lower, upper = "above" if above else "of at least", "below" if below else "at most"
    return f"{kind} {lower} {_bound(low)} and {upper} {_bound(high)}"


def _bound(number: float) -> str:
    try:
        return f"{number:,.12g}"
    except OverflowError:  # an integer too large for a float
        return shown(number)
