"""Stratification: classes of values, and allocation of a total to the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network.compressed import ascending_unique

__all__ = ["allocated", "value_classes"]

_MAX_DISTINCT = 20
_BINS = 10


def value_classes(values: NDArray[np.float64]) -> NDArray[np.integer[Any]]:
    """Return the class of each value: one for each distinct value if there are at most 20, else its decile.

    Examples
    --------
    >>> import numpy as np
    >>> value_classes(np.array([0.0, 1.0, 0.0, 5.0]))
    array([0, 1, 0, 2])
    """
    distinct = ascending_unique(values)
    if len(distinct) > _MAX_DISTINCT:
        inner = np.arange(1, _BINS) / _BINS
        distinct = np.unique(np.quantile(values, inner))
        return np.searchsorted(distinct, values, side="left")
    return np.searchsorted(distinct, values)


def allocated(
    sizes: NDArray[np.integer[Any]], total: int, room: NDArray[np.integer[Any]]
) -> NDArray[np.integer[Any]]:
    """Allocate a total to classes in proportion to their sizes, by largest remainder.

    Parameters
    ----------
    sizes : array of int, shape (classes,)
        Size of each class.
    total : int
        The number to allocate, at most the sum of ``room``.
    room : array of int, shape (classes,)
        The largest number that each class can get.

    Returns
    -------
    array of int, shape (classes,)
        Number for each class, with the sum ``total``. Where there is room, each differs by less than 1 from
        its exact share.

    Examples
    --------
    >>> import numpy as np
    >>> allocated(np.array([5, 3, 2]), 5, np.array([5, 3, 2]))
    array([3, 1, 1])
    """
    # Integers, because total * size may reach 10^14, where floats round the remainders.
    shares = [divmod(total * int(size), int(sizes.sum())) for size in sizes]
    counts: NDArray[np.integer[Any]] = np.minimum([whole for whole, _ in shares], room)
    largest_first = np.argsort([-rest for _, rest in shares], kind="stable")
    while counts.sum() < total:
        open_classes = largest_first[counts[largest_first] < room[largest_first]]
        counts[open_classes[: total - int(counts.sum())]] += 1
    return counts
