"""What an update of rows needs of the entries: gradient and curvature of each row, and the loss before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["MOST_NUMBERS", "Entries", "RowTerms", "Terms", "row_parts"]

MOST_NUMBERS = 1 << 24
"""Largest number of elements of a temporary array; more rows are updated in several parts."""

Terms = Callable[[Any, Any, Any, "Any | None"], tuple[Any, Any, Any]]
"""Returns p, q and loss from fits, values, weights and surpluses, see `entry_terms`."""


@dataclass(frozen=True, slots=True, eq=False)
class RowTerms:
    """Gradient and curvature of the listed entries of some rows.

    Attributes
    ----------
    a : array, shape (members, rows, size)
        The rows as they are.
    gradient : array, shape (members, rows, size)
    curvature : array, shape (members, rows, size, size), or None
        None if it was not asked for.
    loss : array, shape (members,)
        The loss of the entries in double precision.
    span : slice
        The positions of these rows among all, in the order of the entries.
    """

    a: Any
    gradient: Any
    curvature: Any | None
    loss: Any
    span: slice


class Entries(Protocol):
    """Listed entries of the rows of one side, or of the columns, on a device."""

    @property
    def base(self) -> Any:
        """The weight of entries that are not here, shape (members, 1, 1); None if there are none."""

    @property
    def unit(self) -> bool:
        """Whether all entries of the matrix are here with weight 1."""

    @property
    def degrees(self) -> Any:
        """Number of entries of each row, in the order of the entries; None without a background."""

    def ordered(self, lines: Any) -> Any:
        """Return an array (members, rows, ...) in the order of the entries."""

    def restored(self, lines: Any) -> Any:
        """Return an array in the order of the entries in that of the rows."""

    def row_terms(self, A: Any, B: Any, terms: Terms, curved: bool) -> Iterator[RowTerms]:
        """Yield the terms of all rows, part by part, in the order of the entries."""


def row_parts(rows: int, numbers: int) -> Iterator[slice]:
    """Yield rows in parts with at most `MOST_NUMBERS` numbers, given those of a row.

    Examples
    --------
    >>> list(row_parts(5, MOST_NUMBERS // 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, MOST_NUMBERS // max(1, numbers))
    for begin in range(0, rows, step):
        yield slice(begin, min(begin + step, rows))
