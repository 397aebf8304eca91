"""Values of the functions of a last stage in plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["piecewise_linear_sum", "tree_sum"]

Array = NDArray[Any]


def piecewise_linear_sum(columns: Array, knots: Array, heights: Array) -> Array:
    """Return the sum of the functions of all columns at each point, shape (points,)."""
    total = np.zeros(columns.shape[1])
    for column, places, values in zip(columns, knots, heights, strict=True):
        total += np.interp(np.clip(column, places[0], places[-1]), places, values)
    return total


def tree_sum(
    columns: Array, roots: Array, column: Array, threshold: Array, left: Array, right: Array, value: Array
) -> Array:
    """Return the sum of the trees' values at each point, shape (points,)."""
    points = np.arange(columns.shape[1])
    total = np.zeros(len(points))
    for root in roots:
        node = np.full(len(points), root)
        while (left[node] > node).any():
            below = columns[column[node], points] <= threshold[node]
            node = np.where(below, left[node], right[node])
        total += value[node]
    return total
