"""Settings and arguments that are one of a few words, a switch, or an object of one kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from latentlink.errors import IncompatibleError, InputError

__all__ = ["check_choice", "check_switch", "checked_choice", "checked_object"]

T = TypeVar("T")


def _one_of(choices: Iterable[str]) -> str:
    return f"one of {', '.join(map(repr, choices))}"


def check_choice(owner: object, name: str, choices: Iterable[str]) -> None:
    """Raise unless a setting is one of ``choices``."""
    value, known = getattr(owner, name), list(choices)
    if not isinstance(value, str) or value not in known:
        raise IncompatibleError(f"{type(owner).__name__} has {name}={value!r}; expected {_one_of(known)}.")


def checked_choice(value: Any, choices: Iterable[str], what: str) -> str:
    """Return an argument, or raise unless it is one of ``choices``."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{what} is {value!r}; expected {_one_of(known)}.")
    return value


def check_switch(owner: object, name: str) -> None:
    """Raise unless a setting is True or False."""
    value = getattr(owner, name)
    if not isinstance(value, bool | np.bool_):
        raise IncompatibleError(f"{type(owner).__name__} has {name}={value!r}; expected True or False.")


def checked_object(owner: object, name: str, value: Any, kind: type[T]) -> T:
    """Return a settings object, or raise unless it is of the kind that the parameter is for."""
    if not isinstance(value, kind):
        hint = f" Call it: {value.__name__}()." if isinstance(value, type) else ""
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={value!r}; expected an object of type {kind.__name__}, or "
            f"None for the default.{hint}"
        )
    return value
