"""Checks of arguments that are a path, a function or an object of one type."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

from latentlink.errors import InputError
from latentlink.validation.wording import shown_repr

__all__ = ["checked_callable", "checked_instance", "checked_path"]

T = TypeVar("T")


def checked_path(value: Any, what: str) -> Path:
    """Return an argument as a path, or raise InputError unless it is text or a path.

    Examples
    --------
    >>> checked_path("runs/first", "folder").name
    'first'
    """
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str) or not path or "\0" in path:
        raise InputError(f"{what} is {shown_repr(value)}; expected a path, such as 'runs/first'.")
    return Path(path)


def checked_callable(value: Any, what: str, meaning: str) -> Any:
    """Return an argument, or raise InputError unless it can be called; ``meaning`` says with what."""
    if not callable(value):
        raise InputError(f"{what} is {shown_repr(value)}; expected a function {meaning}, or None.")
    return value


def checked_instance(value: Any, what: str, kind: type[T], example: str) -> T:
    """Return an argument, or raise InputError unless it is an object of a type, such as ``example``."""
    if not isinstance(value, kind):
        raise InputError(f"{what} is {shown_repr(value)}; expected {example}, or None.")
    return value
