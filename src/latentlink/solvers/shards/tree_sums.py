"""Sums of parts in a fixed tree, so that their bits depend neither on timing nor on who computes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

__all__ = ["Call", "SerialShards", "Shards", "added", "tree_sum"]

Call = tuple[str, tuple[Any, ...], Callable[[Any], Any]]
"""The name of a method, its arguments, and what is done with the sum of its results."""


def added(one: Any, other: Any) -> Any:
    """Return the sum of two arrays, or tuples of the sums of their parts.

    Examples
    --------
    >>> added((1, 2.5), (3, 4.0))
    (4, 6.5)
    """
    if isinstance(one, tuple):
        sums = [added(*pair) for pair in zip(one, other, strict=True)]
        return type(one)(*sums) if hasattr(one, "_fields") else tuple(sums)
    return one + other


def tree_sum(parts: Sequence[Any], add: Callable[[Any, Any], Any] = added) -> Any:
    """Return the sum of parts: of neighbours, then of these sums, and so on.

    Examples
    --------
    >>> tree_sum(["a", "b", "c", "d", "e"], lambda one, other: f"({one}+{other})")
    '(((a+b)+(c+d))+e)'
    """
    level = list(parts)
    while len(level) > 1:
        pairs = [add(*level[at : at + 2]) for at in range(0, len(level) - 1, 2)]
        level = pairs + level[2 * len(pairs) :]
    return level[0]


class Shards(Protocol):
    """Parts of a network with methods that are called for all of them at once."""

    def each(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of each part returns."""

    def summed(self, calls: Sequence[Call]) -> list[Any]:
        """Return, for several calls, what is made of the sum of the results of all parts."""


class SerialShards:
    """Parts in this process, one after the other.

    Parameters
    ----------
    parts : sequence of objects
    """

    def __init__(self, parts: Sequence[Any]) -> None:
        self._parts = list(parts)

    def each(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of each part returns."""
        return [getattr(part, method)(*args) for part in self._parts]

    def summed(self, calls: Sequence[Call]) -> list[Any]:
        """Return, for several calls, what is made of the sum of the results of all parts."""
        return [then(tree_sum(self.each(method, *args))) for method, args, then in calls]
