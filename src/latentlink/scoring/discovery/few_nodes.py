"""Candidates that are pairs of a few nodes: whether scores or links chose these nodes cannot be told."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.random import rng_for
from latentlink.uncertainty.discovery.chosen_nodes import ChosenNodes

__all__ = ["ends_of", "few_nodes"]

Array = NDArray[Any]
Ends = tuple[Array, Array]

_DRAWS = 16  # random parts of others that candidates are compared with
_MOST = 1_000  # pairs of a part
_DEVIATIONS = 4.0  # fewer nodes than on average in a part, by so many standard deviations, are few
_LEAST_DEVIATION = 0.5  # of a number of nodes
_KEY = -9 % 2**32  # keeps these draws apart from those of other purposes


def ends_of(rows: Array, cols: Array, symmetric: bool) -> Ends:
    """Return rows and columns; of an undirected pair the node that more of the pairs have is the row.

    Examples
    --------
    >>> rows, cols = ends_of(np.array([0, 2, 2]), np.array([2, 5, 7]), symmetric=True)
    >>> rows, cols
    (array([2, 2, 2]), array([0, 5, 7]))
    """
    if not symmetric:
        return rows, cols
    counts = np.bincount(np.concatenate([rows, cols]))
    swapped = counts[cols] > counts[rows]
    return np.where(swapped, cols, rows), np.where(swapped, rows, cols)


def few_nodes(
    candidates: Ends, others: list[Ends], shape: tuple[int, int], symmetric: bool
) -> ChosenNodes | None:
    """Return the nodes of candidates that have fewer than random pairs have; None if they have as many.

    Parts of the candidates are compared with as large random parts of the others, on each side.

    Parameters
    ----------
    candidates : (rows, columns)
    others : list of (rows, columns)
        Sets of pairs that scores did not choose; candidates have few nodes if they have fewer than each.
    shape : (int, int)
    symmetric : bool
    """
    whole = ends_of(*candidates, symmetric)
    few = []
    for side, name in enumerate(("row", "column")):
        counts = [_counts(candidates, beside, side, symmetric) for beside in others]
        if all(
            own < several.mean() - _DEVIATIONS * max(_LEAST_DEVIATION, several.std(ddof=1))
            for own, several in counts
        ):
            few.append(ChosenNodes(len(np.unique(whole[side])), shape[side], "node" if symmetric else name))
    return min(few, key=lambda nodes: nodes.share, default=None)


def _counts(candidates: Ends, others: Ends, side: int, symmetric: bool) -> tuple[float, Array]:
    """Return the number of nodes of one side, in a part of the candidates and in parts of others."""
    count = min(len(candidates[0]), _MOST, max(1, len(others[0]) // 2))
    own = np.mean([_number(candidates, count, draw, side, symmetric) for draw in range(_DRAWS)])
    return float(own), np.array([_number(others, count, draw, side, symmetric) for draw in range(_DRAWS)])


def _number(pairs: Ends, count: int, draw: int, side: int, symmetric: bool) -> int:
    part = rng_for(0, _KEY, draw).choice(len(pairs[0]), count, replace=False)
    return len(np.unique(ends_of(pairs[0][part], pairs[1][part], symmetric)[side]))
