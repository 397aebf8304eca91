"""What can go wrong, said in full sentences: what was found, what was expected, what to do."""

from __future__ import annotations

import sys
import warnings

__all__ = ["DataWarning", "IncompatibleError", "InputError", "LatentLinkError", "RankWarning", "warn_user"]


class LatentLinkError(Exception):
    """Every error that this package raises on purpose."""


class InputError(LatentLinkError, ValueError):
    """Data that cannot be read or make no sense; the message has the place and the value."""


class IncompatibleError(LatentLinkError, ValueError):
    """A method that does not fit the data or another setting; the message names both."""


class DataWarning(UserWarning):
    """Data that can be worked on, but hardly mean what the user hopes."""


class RankWarning(DataWarning):
    """A rank that was chosen for want of a better one, and components that should not be relied upon."""


def warn_user(sentence: str, category: type[Warning] = DataWarning) -> None:
    """Warn at the line that called into this package, however deep inside the reason was found."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("latentlink."):
        frame, level = frame.f_back, level + 1
    warnings.warn(sentence, category, stacklevel=level)
