"""Comparison of the fields of a record with their type hints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from latentlink.saving.encode import SAFE_INTEGER

__all__ = ["fits", "wrong_field"]

_PLAIN = (bool, int, str, NoneType)
_FAMILIES = (np.floating, np.complexfloating, np.bool_, np.integer, np.str_)


def wrong_field(cls: type, values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the name and the type hint of the first field whose value is of another type, or None.

    Hints that are not understood, such as those of a class in a function, fit every value.

    Examples
    --------
    >>> from latentlink.factors import Factors
    >>> wrong_field(Factors, {"W": np.ones((2, 1)), "H": np.ones((1, 2)), "offset": "0"})
    ('offset', 'float')
    """
    hints = _hints(cls)
    for field in fields(cls):
        hint = hints.get(field.name, Any)
        if field.name in values and not fits(values[field.name], hint):
            text = field.type if isinstance(field.type, str) else getattr(hint, "__name__", str(hint))
            return field.name, text
    return None


@cache
def _hints(cls: type) -> dict[str, Any]:
    try:
        return get_type_hints(cls)
    except (NameError, TypeError):
        return {}


def fits(value: Any, hint: Any) -> bool:
    """Return whether a value has the type of a hint: plain types, arrays, tuples, unions and classes.

    Examples
    --------
    >>> fits((1, 2), tuple[int, ...]), fits(True, int), fits(1, float), fits(None, float | None)
    (True, False, True, True)
    """
    origin = get_origin(hint)
    if origin in {Union, UnionType}:
        return any(fits(value, each) for each in get_args(hint))
    if origin is Literal:
        return any(type(value) is type(each) and value == each for each in get_args(hint))
    if origin is tuple:
        return _fits_tuple(value, get_args(hint))
    if origin is np.ndarray:
        return _fits_array(value, get_args(hint))
    return _fits_class(value, NoneType if hint is None else hint)


def _fits_class(value: Any, hint: Any) -> bool:
    if hint is float:
        # Larger integers lose digits as a float, or are none.
        return type(value) is float or (type(value) is int and abs(value) <= SAFE_INTEGER)
    if hint in _PLAIN:
        return type(value) is hint
    if hint is Any or not isinstance(hint, type) or getattr(hint, "_is_protocol", False):
        return True
    return isinstance(value, hint)


def _fits_tuple(value: Any, hints: tuple[Any, ...]) -> bool:
    if type(value) is not tuple:
        return False
    if len(hints) == 2 and hints[1] is Ellipsis:
        return all(fits(each, hints[0]) for each in value)
    return len(value) == len(hints) and all(map(fits, value, hints))


def _fits_array(value: Any, hints: tuple[Any, ...]) -> bool:
    """Return whether a value is an array of numbers of the same family: floats, integers, bools or text."""
    if not isinstance(value, np.ndarray):
        return False
    number = next(iter(get_args(hints[1])), Any) if len(hints) == 2 else Any
    number = get_origin(number) or number
    family = next((each for each in _FAMILIES if isinstance(number, type) and issubclass(number, each)), None)
    return family is None or issubclass(value.dtype.type, family)
