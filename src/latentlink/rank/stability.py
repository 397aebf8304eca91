"""Stability of components: silhouettes over the members of an ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["silhouettes"]


def silhouettes(sides: Sequence[NDArray[Any]], distance: str = "cosine") -> NDArray[np.float64]:
    """Return the mean silhouette of each component over aligned members.

    The components of all members are the points, and component c of every member is cluster c. A point has
    the mean distance a to the others of its cluster and b to the nearest other cluster; its silhouette is
    (b - a) / max(a, b): 1 where members agree, below 0 where a point is nearer to another cluster. At rank 1
    there is no other cluster, and the silhouette is 1. An empty component has silhouette 0, however well
    members agree on it. A single member has none: NaN.

    Parameters
    ----------
    sides : sequence of arrays, shape (nodes, rank)
        W of each member, or H transposed, with the components of all members in the same order.
    distance : {"cosine", "angle", "hamming"}
        Distance of two components: 1 - cosine, the angle between them, or the share of entries in which
        they differ. Small angles are larger relative to others than small 1 - cosine, which grows with the
        square of the angle; so silhouettes by the angle are lower.

    Examples
    --------
    >>> one = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> silhouettes([one, 2 * one])
    array([1., 1.])
    """
    members, rank = len(sides), sides[0].shape[1]
    if rank == 1 or members == 1:
        return np.full(rank, np.nan if members == 1 else 1.0)
    points = np.concatenate([np.asarray(side, np.float64).T for side in sides])
    distances = _DISTANCES[distance](points)
    # Sums over the members of each component: points are ordered by member, then component.
    table = distances.reshape(members * rank, members, rank).sum(axis=1)
    own = np.tile(np.arange(rank), members)
    index = np.arange(members * rank)
    within = table[index, own] / (members - 1)
    others = table / members
    others[index, own] = np.inf
    nearest = others.min(axis=1)
    larger = np.maximum(within, nearest)
    measured = (larger > 0) & points.any(axis=1)
    score = np.divide(nearest - within, larger, out=np.zeros(len(index)), where=measured)
    return score.reshape(members, rank).mean(axis=0)


def _cosine_distances(points: NDArray[np.float64]) -> NDArray[np.float64]:
    size = np.linalg.norm(points, axis=1, keepdims=True)
    unit = np.divide(points, size, out=np.zeros_like(points), where=size > 0)
    distance = np.clip(1 - unit @ unit.T, 0, None)
    np.fill_diagonal(distance, 0)
    return distance


def _angles(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.arccos(np.clip(1 - _cosine_distances(points), -1, 1))


def _hamming_distances(points: NDArray[np.float64]) -> NDArray[np.float64]:
    ones = points.sum(axis=1)
    return (ones[:, None] + ones - 2 * points @ points.T) / points.shape[1]


_DISTANCES = {"cosine": _cosine_distances, "angle": _angles, "hamming": _hamming_distances}
