"""A matrix as it was read from a file, with names of its rows and columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["NamedMatrix"]


@dataclass(frozen=True, eq=False)
class NamedMatrix:
    """A matrix with names of its rows and columns.

    Attributes
    ----------
    values : array or SciPy sparse matrix
        NaN where unknown.
    row_names, col_names : list of str or None
    notes : list of str
        Sentences about what was read, for the history.
    """

    values: Any
    row_names: list[str] | None
    col_names: list[str] | None
    notes: list[str] = field(default_factory=list)
