"""Settings as people give them: numbers, counts, seeds, networks, each with a sentence for what is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from operator import index
from typing import Any

import numpy as np

from latentlink.errors import InputError

__all__ = ["as_number", "checked_columns", "checked_count", "checked_network", "checked_rng", "shown"]


def shown(found: object) -> str:
    """Show a setting in a message: text in quotes, numbers plainly."""
    return str(found) if isinstance(found, int | float | np.number | np.bool_) else repr(found)


def as_number(found: Any) -> float:
    """Turn a setting into a float; NaN for what is no number, which every check of a range refuses.

    Examples
    --------
    >>> as_number(2), as_number("2")
    (2.0, nan)
    """
    if isinstance(found, str | bytes) or np.ndim(found):
        return np.nan
    try:
        return float(found)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def checked_count(found: Any, what: str, least: int = 1, most: int | None = None, why: str = "") -> int:
    """Return a whole number from ``least`` to ``most``, of which ``why`` tells more; refuse 2.0 and "2"."""
    try:
        count = least - 1 if isinstance(found, bool) else index(found)
    except TypeError:
        count = least - 1
    if count < least or (most is not None and count > most):
        expected = f"{least:,} or more" if most is None else f"from {least:,} to {most:,}"
        raise InputError(f"{what} is {shown(found)}; expected {expected}, a whole number{why}.")
    return count


def checked_rng(rng: Any) -> np.random.Generator:
    """Return the generator of a seed, or the generator that is given."""
    try:
        if isinstance(rng, bool):
            raise TypeError
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InputError(
            f"rng is {shown(rng)}; expected a seed (a whole number, 0 or more), a numpy.random.Generator or "
            "None."
        ) from None


def checked_network(network: Any, what: str) -> None:
    """Refuse to do ``what`` with anything but a network."""
    from latentlink.network.network import Network

    if not isinstance(network, Network):
        raise InputError(
            f"{what} was given an object of type {type(network).__name__}; expected a Network. Make one with "
            "Network.from_edges, from_dense, from_sparse or from_file."
        )


def checked_columns(columns: Any, expected: str) -> tuple[Any, ...]:
    """Return two to four different columns, in their order."""
    ordered = isinstance(columns, Iterable) and not isinstance(columns, str | bytes | Set | Mapping)
    found = tuple(columns) if ordered else ()
    if not 2 <= len(found) <= 4:
        raise InputError(f"columns is {columns!r}; expected {expected}: row, column, value, weight.")
    if any(one in found[:place] for place, one in enumerate(found)):
        raise InputError(f"columns is {columns!r}; expected a different column for each part.")
    return found
