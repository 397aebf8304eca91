"""Classes of values, and how many entries of each a part gets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network.compressed import ascending_unique

__all__ = ["allocated", "value_classes"]

_DISTINCT = 20
_BINS = 10


def value_classes(values: NDArray[np.float64]) -> NDArray[np.integer[Any]]:
    """Class of each value: itself where there are at most 20 different ones, else its tenth.

    Examples
    --------
    >>> import numpy as np
    >>> value_classes(np.array([0.0, 1.0, 0.0, 5.0]))
    array([0, 1, 0, 2])
    """
    distinct = ascending_unique(values)
    if len(distinct) > _DISTINCT:
        inner = np.arange(1, _BINS) / _BINS
        distinct = np.unique(np.quantile(values, inner))
        return np.searchsorted(distinct, values, side="left")
    return np.searchsorted(distinct, values)


def allocated(
    sizes: NDArray[np.integer[Any]], total: int, room: NDArray[np.integer[Any]]
) -> NDArray[np.integer[Any]]:
    """Share ``total`` among classes in proportion to their sizes, by largest remainder.

    Parameters
    ----------
    sizes : array of int, shape (classes,)
        Size of each class.
    total : int
        How many to share; at most the sum of ``room``.
    room : array of int, shape (classes,)
        The most that each class can give.

    Returns
    -------
    array of int, shape (classes,)
        Sums to ``total``; where there is room, each differs by less than 1 from its exact share.

    Examples
    --------
    >>> import numpy as np
    >>> allocated(np.array([5, 3, 2]), 5, np.array([5, 3, 2]))
    array([3, 1, 1])
    """
    # In whole numbers: total * size may be 10^14, and a float there would round remainders.
    shares = [divmod(total * int(size), int(sizes.sum())) for size in sizes]
    given: NDArray[np.integer[Any]] = np.minimum([whole for whole, _ in shares], room)
    largest_first = np.argsort([-rest for _, rest in shares], kind="stable")
    while given.sum() < total:
        open_classes = largest_first[given[largest_first] < room[largest_first]]
        given[open_classes[: total - int(given.sum())]] += 1
    return given
