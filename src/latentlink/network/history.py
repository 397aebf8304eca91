"""What was done to a network on its way, for the reader of a result."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done to a network on its way: a cleaning, a sampling, a reading.

    Attributes
    ----------
    name : str
        The function that did it.
    touched : int
        How many listed entries or nodes it read, changed, added or removed.
    sentence : str
        The same for a reader.

    Examples
    --------
    >>> Step("drop_duplicates", 2, "Removed 2 listed entries that repeat another one.").touched
    2
    """

    name: str
    touched: int
    sentence: str
