"""Factors of several members packed into arrays (nodes, coordinates, members).

Without biases the coordinates of a row are those of W, and those of a column are those of H. With biases two
are added, so that their product is the whole score:

    row i:     [ row_bias_i + offset / 2,  W_i1 ... W_ik,  1                       ]
    column j:  [ 1,                        H_1j ... H_kj,  col_bias_j + offset / 2 ]

Sweeps update the coordinates 0 to k of rows and 1 to k + 1 of columns, so a bias is one more coordinate for
every kernel. Half of the offset is on either side, so that rows and columns are treated alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.kernels import Coordinates, aligned

if TYPE_CHECKING:
    from latentlink.solvers.base import Solver

__all__ = ["biased_coordinates", "pack", "plain_coordinates", "unpack"]

Array = NDArray[Any]


def pack(members: Iterable[Factors], width: int, biased: bool, dtype: Any) -> tuple[Array, Array, Array]:
    """Return packed rows (n, size, width), columns (m, size, width) and offsets (width,) of members.

    Members are consumed one at a time, so that only one of them is in memory in addition to the packed
    arrays. If there are fewer members than lanes, the last one is repeated.
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


def unpack(rows: Array, cols: Array, lane: int, solver: Solver, offset: float, symmetric: bool) -> Factors:
    """Return the factors of one lane, fitted by a solver, as contiguous copies."""
    inner = slice(1, -1) if solver.biased else slice(None)
    half = rows.dtype.type(offset / 2)
    return Factors(
        rows[:, inner, lane].copy(),
        np.ascontiguousarray(cols[:, inner, lane].T),
        row_bias=rows[:, 0, lane] - half if solver.biased else None,
        col_bias=cols[:, -1, lane] - half if solver.biased else None,
        offset=offset if solver.biased else 0.0,
        logistic=solver.logistic,
        symmetric=symmetric,
    )


def plain_coordinates(rank: int, width: int, dtype: str, ridge: float | Array = 0.0) -> Coordinates:
    """Return non-negative coordinates without biases, with one ridge for all members or one for each."""
    ridges = np.full((rank, width), ridge, dtype)
    return Coordinates(0, rank, ridges, np.zeros_like(ridges), np.zeros(rank, dtype))


def biased_coordinates(
    factors: Array,
    of_rows: bool,
    ridge: tuple[float | Array, float | Array],
    lower: float,
    offsets: Array,
    relative_counts: Array | None = None,
) -> Coordinates:
    """Return coordinates with a bias, which comes first in rows and last in columns.

    The penalty of a bias is 0 at half the offset.

    Parameters
    ----------
    factors : array, shape (nodes, rank + 2, members)
        The packed factors of the rows or of the columns.
    of_rows : bool
        Whether they are rows.
    ridge : (float, float), or arrays of shape (members,)
        Penalty of the factors and of the bias.
    lower : float
        Lower bound of the factors; biases have none.
    offsets : array, shape (members,)
        Offset of each member.
    relative_counts : array, shape (nodes, members), or None
        Weight of the known entries of each node, relative to a typical node. The penalty of the factors is
        then ``ridge (1 + count) / 2``; None means that it is the same for all nodes.
    """
    size, width, dtype = factors.shape[1], factors.shape[2], factors.dtype
    ridges = np.full((size, width), ridge[0], dtype)
    centre = np.zeros((size, width), dtype)
    bounds = np.full(size, lower, dtype)
    bias = 0 if of_rows else size - 1
    ridges[bias], bounds[bias], centre[bias] = ridge[1], -np.inf, offsets / 2
    first, last = (0, size - 1) if of_rows else (1, size)
    if relative_counts is None:
        return Coordinates(first, last, ridges, centre, bounds)
    growth = ridges / 2
    growth[bias] = 0
    return Coordinates(first, last, ridges - growth, centre, bounds, growth, relative_counts.astype(dtype))
