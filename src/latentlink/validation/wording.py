"""Text of counts, lists and values in messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

__all__ = [
    "counted",
    "few",
    "names",
    "percent",
    "shortened",
    "shown",
    "shown_label",
    "shown_path",
    "shown_repr",
    "told_apart",
]

_FEW = 10
_LONGEST = 60
_LONGEST_IN_LIST = 24
_LONGEST_REPR = 200
# Python does not convert integers of more than 4300 digits to text, and nobody reads 100.
_MOST_DIGITS = 100


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a count with its noun in singular or plural.

    Examples
    --------
    >>> counted(1, "link"), counted(5131, "link"), counted(2, "entry", "entries")
    ('1 link', '5,131 links', '2 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def few(items: Sequence[str], most: int = _FEW) -> str:
    """Return the first items, by default at most ten, and the number of the others.

    Examples
    --------
    >>> few(["a", "b"]), few(["x"] * 1001)[-15:]
    ('a, b', ' x and 991 more')
    """
    more = len(items) - most
    return ", ".join(items[:most]) + (f" and {more:,} more" if more > 0 else "")


def percent(share: float) -> str:
    """Return a share in percent, with up to four significant digits.

    Examples
    --------
    >>> percent(0.1), percent(0.025)
    ('10 %', '2.5 %')
    """
    return f"{100 * share:.4g} %"


def shown(value: object) -> str:
    """Return the value of an argument for a message: numbers as `str`, everything else as `shown_repr`.

    Examples
    --------
    >>> shown("2"), shown(np.float64(2.5)), shown(16**1000)
    ("'2'", '2.5', 'a whole number of 4,001 bits')
    """
    is_plain = isinstance(value, float | np.number | np.bool_)
    return str(value) if is_plain else shown_repr(value)


def shown_repr(value: object) -> str:
    """Return the first 200 characters of the `repr` of a value; for long integers their size in bits.

    Examples
    --------
    >>> shown_repr("2"), shown_repr(-(16**1000))
    ("'2'", 'a whole number of 4,001 bits')
    """
    if isinstance(value, int) and abs(value) >= 10**_MOST_DIGITS:
        return f"a whole number of {value.bit_length():,} bits"
    text = repr(value[:_LONGEST_REPR] if isinstance(value, str | bytes) else value)
    return text if len(text) <= _LONGEST_REPR else f"{text[: _LONGEST_REPR - 3]}..."


def shortened(value: object, longest: int = _LONGEST) -> str:
    """Return a text or number in at most 60 (or ``longest``) characters, and the type of any other object.

    Examples
    --------
    >>> shortened("x" * 100)[-5:], shortened([1])
    ('xx...', 'a list')
    """
    if isinstance(value, str):
        value = value[:longest]  # the repr of a long text takes long
    text = shown_repr(value) if isinstance(value, str | int | float | None) else f"a {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def names(values: Iterable[object]) -> str:
    """Return at most ten names in alphabetical order, each shortened.

    Examples
    --------
    >>> names({"b", "a"}), names(map(str, range(11)))[-8:]
    ("'a', 'b'", "'8', ...")
    """
    listed = sorted(shortened(name) for name in values)
    return ", ".join([*listed[:_FEW], "..."] if len(listed) > _FEW else listed)


def shown_label(label: object, in_list: bool = False) -> str:
    """Return a label of a frame, which may be of any type, in a few characters; in a list in even fewer.

    Examples
    --------
    >>> shown_label("rating"), shown_label("a label of many words and more", in_list=True)
    ("'rating'", "'a label of many word...")
    """
    text = shown_repr(label)
    longest = _LONGEST_IN_LIST if in_list else _LONGEST
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def shown_path(path: object) -> str:
    """Return a path in quotes; without its middle if it has more than 200 characters.

    Examples
    --------
    >>> shown_path("runs/first"), len(shown_path("x/" * 3000))
    ("'runs/first'", 200)
    """
    text = repr(str(path))
    half = _LONGEST_REPR // 2
    return text if len(text) <= _LONGEST_REPR else f"{text[: half - 3]}...{text[-half:]}"


def told_apart(*numbers: float) -> tuple[str, ...]:
    """Return numbers with three digits, or up to six if different ones would read the same.

    Examples
    --------
    >>> told_apart(0.27612, 0.27645), told_apart(0.2, 0.3), told_apart(0.27612, 0.27612)
    (('0.2761', '0.2764'), ('0.2', '0.3'), ('0.276', '0.276'))
    """
    for digits in range(3, 7):
        texts = tuple(f"{number:.{digits}g}" for number in numbers)
        if len(set(texts)) == len(set(numbers)):
            break
    return texts
