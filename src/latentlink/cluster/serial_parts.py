"""Objects that are called all at once, and sums of what they return in a fixed tree.

The tree depends on the number of the objects alone, so that the bits of a sum depend neither on timing nor on
which process computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

__all__ = ["Call", "LostPartError", "Parts", "SerialParts", "added", "tree_sum", "unchanged"]


class LostPartError(Exception):
    """An object is not there any more, since its process has ended."""


def unchanged(total: Any) -> Any:
    """Return a sum as it is."""
    return total


class Call(NamedTuple):
    """A call of a method of all objects, whose results are summed.

    Attributes
    ----------
    method : str
    args : tuple
        The arguments, the same for all.
    then : callable
        What is made of the sum, where the sum is.
    """

    method: str
    args: tuple[Any, ...]
    then: Callable[[Any], Any] = unchanged


class Parts(Protocol):
    """Objects of one kind, wherever they are."""

    def each(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of each object returns."""

    def summed(self, calls: Sequence[Call]) -> list[Any]:
        """Return what is made of the sums of the results of some calls."""


class SerialParts:
    """Objects in this process, one after the other.

    Parameters
    ----------
    parts : sequence of objects
    """

    def __init__(self, parts: Sequence[Any]) -> None:
        self._parts = list(parts)

    def each(self, method: str, *args: Any) -> list[Any]:
        """Return what a method of each object returns."""
        return [getattr(part, method)(*args) for part in self._parts]

    def summed(self, calls: Sequence[Call]) -> list[Any]:
        """Return what is made of the sums of the results of some calls."""
        return [call.then(tree_sum(self.each(call.method, *call.args))) for call in calls]


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
