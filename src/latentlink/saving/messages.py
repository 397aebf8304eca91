"""How messages show what a file holds, which may be anything."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["names", "shown"]


def shown(found: object) -> str:
    """Show a text or number, but not all of a long one; of anything else its type alone."""
    text = repr(found) if isinstance(found, str | int | float | None) else f"a {type(found).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def names(found: Iterable[object]) -> str:
    """Show names in order, no more than ten of them."""
    listed = sorted(shown(name) for name in found)
    return ", ".join([*listed[:10], "..."] if len(listed) > 10 else listed)
