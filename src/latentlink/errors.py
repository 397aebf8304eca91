"""Errors and warnings of the package; messages say what was found, what was expected and what to do."""

from __future__ import annotations

import sys
import warnings

__all__ = [
    "DataWarning",
    "IncompatibleError",
    "InputError",
    "InputTypeError",
    "LatentLinkError",
    "RankWarning",
    "StorageError",
    "warn_user",
]


_LONGEST = 700


class LatentLinkError(Exception):
    """Base class of the errors that this package raises.

    A message of more than 700 characters, such as one with a value of a million, loses its middle.
    """

    def __init__(self, *args: object) -> None:
        super().__init__(*(_brief(arg) if isinstance(arg, str) else arg for arg in args))


def _brief(message: str) -> str:
    """Return a message without its middle if it is long.

    Examples
    --------
    >>> _brief("found " + "x" * 10**6 + "; expected less")[-26:]
    'xxxxxxxxxxx; expected less'
    """
    if len(message) <= _LONGEST:
        return message
    half = _LONGEST // 2
    return f"{message[: half - 5]} ... {message[-half:]}"


class InputError(LatentLinkError, ValueError):
    """Data or an argument that is invalid; the message has the value and where it is."""


class InputTypeError(InputError, TypeError):
    """Data of a type that no number has; a TypeError too, which scikit-learn expects of them."""


class IncompatibleError(LatentLinkError, ValueError):
    """A setting that is invalid or does not fit the data or another setting; the message names both."""


class StorageError(LatentLinkError, OSError):
    """A disk that is full, a folder that cannot be written; the message has the folder and the cause."""


class DataWarning(UserWarning):
    """Data that are valid but probably do not mean what the user expects."""


class RankWarning(DataWarning):
    """A chosen rank that is not stable or not confirmed; its components may be unreliable."""


def warn_user(sentence: str, category: type[Warning] = DataWarning) -> None:
    """Issue a warning at the line outside this package that called into it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("latentlink."):
        frame, level = frame.f_back, level + 1
    warnings.warn(_brief(sentence), category, stacklevel=level)
