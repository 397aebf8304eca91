"""Sums of decision trees."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import EDITION, kernel, mode

__all__ = ["tree_sum"]

Array = NDArray[Any]


@cache
def compiled_tree_sum() -> Any:
    """Return the kernel that walks down all trees for each point."""
    edition = EDITION

    @kernel
    def tree_sum(columns, roots, column, threshold, left, right, value, total):
        _ = edition
        for p in range(columns.shape[1]):
            for root in roots:
                node = root
                while left[node] > node:
                    below = columns[column[node], p] <= threshold[node]
                    node = left[node] if below else right[node]
                total[p] += value[node]

    return tree_sum


def tree_sum(
    columns: Array, roots: Array, column: Array, threshold: Array, left: Array, right: Array, value: Array
) -> Array:
    """Return the sum of the trees' values at each point, shape (points,).

    Parameters
    ----------
    columns : array, shape (columns, points)
    roots : array of int, shape (trees,)
        Numbers of the trees' first nodes.
    column, threshold : array, shape (nodes,)
        A point goes on to the left if its number in the column is at most the threshold.
    left, right : array of int, shape (nodes,)
        Numbers of the nodes below, which are larger than that of the node; of a leaf its own number.
    value : array, shape (nodes,)
        Values of the leaves; those of other nodes are not used.
    """
    nodes = roots, column, threshold, left, right, value
    if mode() == "reference":
        return reference.tree_sum(columns, *nodes)
    total = np.zeros(columns.shape[1])
    compiled_tree_sum()(np.ascontiguousarray(columns, np.float64), *nodes, total)
    return total
