"""How well members agree on each component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["silhouettes"]


def silhouettes(sides: Sequence[NDArray[Any]], boolean: bool) -> NDArray[np.float64]:
    """Return the mean silhouette of each component over aligned members.

    A component of one member has the mean distance a to its likes in other members, and b to the nearest
    other component; its silhouette is (b - a) / max(a, b): 1 where members agree, below 0 where a component
    is nearer to another one's. A single component has none to be taken for, and a silhouette of 1. One that
    holds nothing has a silhouette of 0: it is no component, however well members agree on it. One member
    alone shows no agreement: NaN.

    Parameters
    ----------
    sides : sequence of arrays, shape (nodes, rank)
        W of each member, or H transposed, its components in one order.
    boolean : bool
        Distances are shares of cells that differ; else 1 - cosine.

    Examples
    --------
    >>> one = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> silhouettes([one, 2 * one], boolean=False)
    array([1., 1.])
    """
    members, rank = len(sides), sides[0].shape[1]
    if rank == 1 or members == 1:
        return np.full(rank, np.nan if members == 1 else 1.0)
    points = np.concatenate([np.asarray(side, np.float64).T for side in sides])
    distance = _differing(points) if boolean else _angles(points)
    # Sums over the members of each component: points stand by member, then component.
    table = distance.reshape(members * rank, members, rank).sum(axis=1)
    own = np.tile(np.arange(rank), members)
    lines = np.arange(members * rank)
    within = table[lines, own] / (members - 1)
    others = table / members
    others[lines, own] = np.inf
    nearest = others.min(axis=1)
    larger = np.maximum(within, nearest)
    # On a component that is empty there is nothing to agree.
    meant = (larger > 0) & points.any(axis=1)
    score = np.divide(nearest - within, larger, out=np.zeros(len(lines)), where=meant)
    return score.reshape(members, rank).mean(axis=0)


def _angles(points: NDArray[np.float64]) -> NDArray[np.float64]:
    size = np.linalg.norm(points, axis=1, keepdims=True)
    unit = np.divide(points, size, out=np.zeros_like(points), where=size > 0)
    distance = np.clip(1 - unit @ unit.T, 0, None)
    np.fill_diagonal(distance, 0)
    return distance


def _differing(points: NDArray[np.float64]) -> NDArray[np.float64]:
    ones = points.sum(axis=1)
    return (ones[:, None] + ones - 2 * points @ points.T) / points.shape[1]
