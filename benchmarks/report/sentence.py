"""A sentence of the page."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Sentence"]


class Sentence(NamedTuple):
    """What a table says, and whether it says that this library is behind or that a target is missed."""

    text: str
    behind: bool = False
