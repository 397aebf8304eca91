"""Single numbers: finite, within bounds, whole where a count is meant.

A function named ``check_...`` looks at a setting of an object and raises `IncompatibleError`; one named
``checked_...`` takes an argument, returns it as a plain number and raises `InputError`.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from latentlink.errors import IncompatibleError, InputError
from latentlink.validation.wording import shown

__all__ = ["check_number", "check_shares", "checked_count", "checked_number", "checked_share", "is_number"]


def is_number(
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    whole: bool = False,
    above: bool = False,
    below: bool = False,
) -> bool:
    """Whether a value is a finite number from ``low`` to ``high``; True and False are none.

    Parameters
    ----------
    value : object
    low, high : float
    whole : bool
        Only whole numbers.
    above, below : bool
        ``low`` (or ``high``) itself does not count.

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
    except OverflowError:  # a whole number too large for a float
        finite = whole
    return finite and (low < value if above else low <= value) and (value < high if below else value <= high)


def _expected(low: float, high: float, whole: bool, above: bool, below: bool) -> str:
    """Write what `is_number` accepts."""
    kind = "a whole number" if whole else "a number"
    if math.isinf(low) and math.isinf(high):
        return f"{kind}, finite"
    if math.isinf(high):
        return f"{kind} {'>' if above else '>='} {low:,g}"
    if not above and not below:
        return f"{kind} from {low:,.12g} to {high:,.12g}"
    return (
        f"{kind} {'above' if above else 'of at least'} {low:g} and {'below' if below else 'at most'} {high:g}"
    )


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
    """Raise unless a setting is a number within bounds, as for `is_number`."""
    value = getattr(owner, name)
    if not is_number(value, low, high, whole=whole, above=above, below=below):
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={value!r}; expected "
            f"{_expected(low, high, whole, above, below)}."
        )


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
    """Return an argument as a float, or raise unless it is within bounds, as for `is_number`.

    Parameters
    ----------
    value : object
    what : str
        The argument's name.
    low, high, above, below
        As for `is_number`.
    meaning : str
        What the message adds to the bounds, such as ``", the share of entries to hold out"``.
    """
    if not is_number(value, low, high, above=above, below=below):
        raise InputError(
            f"{what} is {shown(value)}; expected {_expected(low, high, False, above, below)}{meaning}."
        )
    return float(value)


def checked_count(value: Any, what: str, low: int = 1, high: float = math.inf, meaning: str = "") -> int:
    """Return an argument as a whole number from ``low`` to ``high``; 2.0 and "2" are none.

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
    """Return an argument that is a number above 0 and below 1."""
    return checked_number(value, what, 0, 1, above=True, below=True)


def check_shares(owner: object, *names: str) -> None:
    """Raise unless settings are numbers above 0 and below 1."""
    for name in names:
        check_number(owner, name, 0, 1, above=True, below=True)
