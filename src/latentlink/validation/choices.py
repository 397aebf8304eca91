"""Checks of settings and arguments that are one of a few words, a switch, or an object of one type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from latentlink.errors import IncompatibleError, InputError
from latentlink.validation.wording import shown_repr

__all__ = ["check_choice", "check_switch", "checked_choice", "checked_object", "checked_switch", "is_base"]

T = TypeVar("T")


def check_choice(owner: object, name: str, choices: Iterable[str]) -> None:
    """Raise IncompatibleError unless a setting is one of ``choices``."""
    value, known = getattr(owner, name), list(choices)
    if not _is_choice(value, known):
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={shown_repr(value)}; expected {_one_of(known)}."
        )


def checked_choice(value: Any, choices: Iterable[str], what: str) -> str:
    """Return an argument, or raise InputError unless it is one of ``choices``.

    Examples
    --------
    >>> checked_choice("csv", ("csv", "tsv"), "format")
    'csv'
    """
    known = list(choices)
    if not _is_choice(value, known):
        raise InputError(f"{what} is {shown_repr(value)}; expected {_one_of(known)}.")
    return value


def check_switch(owner: object, name: str) -> None:
    """Raise IncompatibleError unless a setting is True or False."""
    value = getattr(owner, name)
    if not _is_switch(value):
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={shown_repr(value)}; expected True or False."
        )


def checked_switch(value: Any, what: str) -> bool:
    """Return an argument as a bool, or raise InputError unless it is True or False."""
    if not _is_switch(value):
        raise InputError(f"{what} is {shown_repr(value)}; expected True or False.")
    return bool(value)


def checked_object(owner: object, name: str, value: Any, kind: type[T]) -> T:
    """Return a settings object, or raise IncompatibleError unless it is an instance of ``kind``."""
    if not isinstance(value, kind) or is_base(type(value)):
        hint = f" Call it: {value.__name__}()." if isinstance(value, type) else ""
        hint = " That class is only the base of others." if isinstance(value, kind) else hint
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={shown_repr(value)}; expected an object of type "
            f"{kind.__name__}, or None for the default.{hint}"
        )
    return value


def is_base(cls: type) -> bool:
    """Return whether a class is only the base of others: it has abstract methods of its own.

    A class of a user may leave those out that it does not need, such as a solver with a loop of its own.
    """
    return any(getattr(each, "__isabstractmethod__", False) for each in vars(cls).values())


def _is_choice(value: Any, choices: list[str]) -> bool:
    return isinstance(value, str) and value in choices


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool | np.bool_)


def _one_of(choices: Iterable[str]) -> str:
    return f"one of {', '.join(map(repr, choices))}"
