"""What a run reports while it works: lines, and progress of its stages."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

__all__ = ["Reporter", "Silent"]


class Reporter(Protocol):
    """Receives lines and the progress of stages."""

    def say(self, label: str, text: str) -> None:
        """Report a line, such as what was read."""

    def stage(self, description: str) -> AbstractContextManager[Callable[[Any], object]]:
        """Return a context with a callback for the progress of a stage."""


class Silent:
    """A reporter that keeps the lines and shows nothing.

    Attributes
    ----------
    lines : list of (str, str)
    """

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def say(self, label: str, text: str) -> None:
        """Keep a line."""
        self.lines.append((label, text))

    def stage(self, description: str) -> AbstractContextManager[Callable[[Any], object]]:
        """Return a context whose callback does nothing."""
        del description
        return nullcontext(lambda progress: None)
