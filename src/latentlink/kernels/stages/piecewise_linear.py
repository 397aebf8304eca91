"""Sums of piecewise linear functions, one of each column."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import EDITION, kernel, mode

__all__ = ["piecewise_linear_sum"]

Array = NDArray[Any]


@cache
def compiled_piecewise_linear_sum() -> Any:
    """Return the kernel that adds the function of each column to the total of each point."""
    edition = EDITION

    @kernel
    def piecewise_linear_sum(columns, knots, heights, total):
        _ = edition
        count, points = columns.shape
        last = knots.shape[1] - 1
        for f in range(count):
            for p in range(points):
                x = min(max(columns[f, p], knots[f, 0]), knots[f, last])
                right = 1
                while right < last and knots[f, right] <= x:
                    right += 1
                width = knots[f, right] - knots[f, right - 1]
                share = (x - knots[f, right - 1]) / width if width > 0 else 1.0
                total[p] += (1 - share) * heights[f, right - 1] + share * heights[f, right]

    return piecewise_linear_sum


def piecewise_linear_sum(columns: Array, knots: Array, heights: Array) -> Array:
    """Return the sum of the functions of all columns at each point, shape (points,).

    A function is linear between its knots and constant beyond the outermost ones; where knots are equal, the
    last of them counts.

    Parameters
    ----------
    columns : array, shape (columns, points)
    knots, heights : array, shape (columns, knots)
        Knots of each function in ascending order, at least two, and its values there.
    """
    if mode() == "reference":
        return reference.piecewise_linear_sum(columns, knots, heights)
    total = np.zeros(columns.shape[1])
    compiled_piecewise_linear_sum()(np.ascontiguousarray(columns, np.float64), knots, heights, total)
    return total
