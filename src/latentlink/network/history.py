"""Steps of a network's history: how it was read, cleaned and sampled."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """One operation in the history of a network: reading, cleaning, sampling or splitting.

    Attributes
    ----------
    name : str
        Name of the function that performed it.
    touched : int
        Number of listed entries or nodes that it read, changed, added or removed.
    sentence : str
        Description of what was done, with the numbers.

    Examples
    --------
    >>> Step("drop_duplicates", 2, "Removed 2 listed entries that repeat another one.").touched
    2
    """

    name: str
    touched: int
    sentence: str
