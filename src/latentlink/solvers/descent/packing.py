"""Factors of members, side by side, as rows of coordinates.

Without biases a row's coordinates are those of W, and a column's those of H. With biases two are added, so
that their product is the whole score:

    row i:     [ row_bias_i + offset / 2,  W_i1 ... W_ik,  1                       ]
    column j:  [ 1,                        H_1j ... H_kj,  col_bias_j + offset / 2 ]

Rows then own the coordinates 0 to k, columns 1 to k + 1, and a bias is one more coordinate for every kernel.
The offset stands half on either side, so that rows and columns are treated alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.kernels import Coordinates, aligned

__all__ = ["biased_coordinates", "pack", "plain_coordinates", "unpack"]

Array = NDArray[Any]


def pack(members: Iterable[Factors], width: int, biased: bool, dtype: Any) -> tuple[Array, Array, Array]:
    """Lay factors side by side: rows (n, size, width), columns (m, size, width), and the offsets.

    Members are taken one at a time, so that only one of them need be in memory beside the lanes. If they are
    fewer than the lanes, the last one fills up the rest.
    """
    rows: Array = np.empty(0)
    cols: Array = rows
    offsets = np.zeros(width)
    lane = 0
    for lane, factors in enumerate(members):
        inner = slice(1, factors.rank + 1) if biased else slice(0, factors.rank)
        if not lane:
            size = factors.rank + 2 * biased
            rows, cols = (aligned((nodes, size, width), dtype) for nodes in factors.shape)
        rows[:, inner, lane] = factors.W
        cols[:, inner, lane] = factors.H.T
        if biased:
            half = factors.offset / 2
            rows[:, 0, lane] = half + (0 if factors.row_bias is None else factors.row_bias)
            cols[:, -1, lane] = half + (0 if factors.col_bias is None else factors.col_bias)
            offsets[lane] = factors.offset
    if biased:
        rows[:, -1] = 1
        cols[:, 0] = 1
    for array in (rows, cols, offsets):
        array[..., lane + 1 :] = array[..., lane : lane + 1]
    return rows, cols, offsets


def unpack(rows: Array, cols: Array, lane: int, biased: bool, offset: float) -> Factors:
    """Take one member's factors out of the lanes, as contiguous arrays of its own."""
    if not biased:
        return Factors(rows[:, :, lane].copy(), np.ascontiguousarray(cols[:, :, lane].T))
    return Factors(
        rows[:, 1:-1, lane].copy(),
        np.ascontiguousarray(cols[:, 1:-1, lane].T),
        row_bias=rows[:, 0, lane] - rows.dtype.type(offset / 2),
        col_bias=cols[:, -1, lane] - cols.dtype.type(offset / 2),
        offset=offset,
    )


def plain_coordinates(rank: int, width: int, dtype: str, ridge: float | Array = 0.0) -> Coordinates:
    """Coordinates without biases: all move, none below 0; one ridge, or one a member."""
    pull = np.full((rank, width), ridge, dtype)
    return Coordinates(0, rank, pull, np.zeros_like(pull), np.zeros(rank, dtype))


def biased_coordinates(
    factors: Array, of_rows: bool, ridge: tuple[float | Array, float | Array], lower: float, offsets: Array
) -> Coordinates:
    """Coordinates with a bias: rows begin with it, columns end with it; it is pulled to half the offset.

    Parameters
    ----------
    factors : array, shape (nodes, rank + 2, members)
        What the coordinates are of.
    of_rows : bool
        Whether they are rows.
    ridge : (float, float), or arrays of shape (members,)
        Penalty of the factors and of the bias.
    lower : float
        Least value of the factors; biases are free.
    offsets : array, shape (members,)
        What all scores of a member have in common.
    """
    size, width, dtype = factors.shape[1], factors.shape[2], factors.dtype
    pull = np.full((size, width), ridge[0], dtype)
    centre = np.zeros((size, width), dtype)
    bounds = np.full(size, lower, dtype)
    bias = 0 if of_rows else size - 1
    pull[bias], bounds[bias], centre[bias] = ridge[1], -np.inf, offsets / 2
    first, last = (0, size - 1) if of_rows else (1, size)
    return Coordinates(first, last, pull, centre, bounds)
