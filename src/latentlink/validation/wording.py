"""Wording of counts, lists and values in messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

__all__ = ["counted", "few", "names", "percent", "shortened", "shown"]

_FEW = 10
_LONGEST = 60


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write a count with its noun.

    Examples
    --------
    >>> counted(1, "link"), counted(5131, "link"), counted(2, "entry", "entries")
    ('1 link', '5,131 links', '2 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def few(items: Sequence[str], most: int = _FEW) -> str:
    """Write the first items, ten at most by default, and how many more there are.

    Examples
    --------
    >>> few(["a", "b"]), few(["x"] * 1001)[-15:]
    ('a, b', ' x and 991 more')
    """
    more = len(items) - most
    return ", ".join(items[:most]) + (f" and {more:,} more" if more > 0 else "")


def percent(share: float) -> str:
    """Write a share in percent, with as many digits as it has.

    Examples
    --------
    >>> percent(0.1), percent(0.025)
    ('10 %', '2.5 %')
    """
    return f"{100 * share:.4g} %"


def shown(value: object) -> str:
    """Write the value of an argument: text in quotes, numbers plainly."""
    return str(value) if isinstance(value, int | float | np.number | np.bool_) else repr(value)


def shortened(value: object) -> str:
    """Write a text or number in at most 60 characters; of any other object its type.

    Examples
    --------
    >>> shortened("x" * 100)[-5:], shortened([1])
    ('xx...', 'a list')
    """
    text = repr(value) if isinstance(value, str | int | float | None) else f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def names(values: Iterable[object]) -> str:
    """Write names in order, each shortened, no more than ten of them."""
    listed = sorted(shortened(name) for name in values)
    return ", ".join([*listed[:_FEW], "..."] if len(listed) > _FEW else listed)
