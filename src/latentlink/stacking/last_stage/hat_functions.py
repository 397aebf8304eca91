"""Hat functions: the basis of piecewise linear functions with given knots."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["hat_functions"]

Array = NDArray[np.float64]


def hat_functions(table: Array, knots: Array) -> Array:
    """Return the weights of all heights in linear interpolation, shape (pairs, columns x knots).

    Of equal knots the last one has the weight; beyond the outermost knots functions are constant.

    Parameters
    ----------
    table : array, shape (pairs, columns)
    knots : array, shape (columns, knots)
        Of each column, in ascending order.

    Examples
    --------
    >>> hat_functions(np.array([[0.25], [7.0]]), np.array([[0.0, 1.0, 2.0]]))
    array([[0.75, 0.25, 0.  ],
           [0.  , 0.  , 1.  ]])
    """
    every = np.arange(len(table))
    hats = np.zeros((len(table), *knots.shape))
    for column, places, weights in zip(table.T, knots, hats.swapaxes(0, 1), strict=True):
        clipped = np.clip(column, places[0], places[-1])
        right = np.clip(np.searchsorted(places, clipped, side="right"), 1, len(places) - 1)
        width = places[right] - places[right - 1]
        share = np.divide(clipped - places[right - 1], width, out=np.ones_like(clipped), where=width > 0)
        weights[every, right - 1] = 1 - share
        weights[every, right] += share
    return hats.reshape(len(table), -1)
