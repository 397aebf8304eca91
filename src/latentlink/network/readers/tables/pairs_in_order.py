"""Detection of lists of pairs by the order of their lines: by row, and within a row by column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["are_pairs_in_order", "has_named_rows"]

_FEWEST_LINES = 5  # a table of so few lines is in this order by chance once in 120
_FEWEST_REPEATS = 2  # in the first column: two pairs of lines may be in four orders, three lines in six
_LARGEST_VALUE = 10


def are_pairs_in_order(columns: Sequence[NDArray[Any]], is_value: bool) -> bool:
    """Return whether columns of whole numbers are pairs in ascending order and their values.

    Tables are sorted by one column, too: so numbers have to repeat in the first column (twice, or one of them
    three times), and those of the second one ascend beside each of them. The third column has values from 0
    to 10, or a label that says so.

    Parameters
    ----------
    columns : sequence of arrays
    is_value : bool
        The third column has the label of a value.

    Examples
    --------
    >>> ratings = np.array([[1, 2, 5], [1, 7, 3], [1, 9, 4], [2, 2, 4], [2, 3, 1]])
    >>> are_pairs_in_order(list(ratings.T), False), are_pairs_in_order(list(ratings[::-1].T), False)
    (True, False)
    """
    whole = len(columns) in (3, 4) and all(side.dtype.kind in "iu" for side in columns[:3])
    if not whole or len(columns[0]) < _FEWEST_LINES:
        return False
    first, second, third = columns[:3]
    same = first[1:] == first[:-1]
    ascending = bool(np.all((first[1:] > first[:-1]) | (same & (second[1:] > second[:-1]))))
    small = bool(third.min() >= 0 and third.max() <= _LARGEST_VALUE)
    return ascending and (small or is_value) and int(same.sum()) >= _FEWEST_REPEATS


def has_named_rows(X: Any) -> bool:
    """Return whether a frame has texts in its index, the names of the rows of a matrix."""
    index = getattr(X, "index", None)
    if index is None or callable(index):
        return False
    return any(isinstance(label, str) for label in list(index[:20]))
