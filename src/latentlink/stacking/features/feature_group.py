"""What a group of features is, and how measures of both ends of a pair are combined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from latentlink.proximity import LinkGraph

__all__ = ["FeatureGroup", "both_ends", "names_of_ends", "positive_log"]

Array = NDArray[Any]

_LEAST = 1e-9  # weights of walks below count as equal


class FeatureGroup(Protocol):
    """Columns of features of pairs, as functions of a graph."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""

    def columns(self, rows: Array, cols: Array) -> list[Array]:
        """Return the columns for pairs of row and column indices, each of shape (pairs,)."""


def names_of_ends(graph: LinkGraph, measure: str) -> tuple[str, str]:
    """Return the names of the columns of `both_ends`.

    Examples
    --------
    >>> from latentlink import Network
    >>> names_of_ends(LinkGraph.of(Network([0], [1], shape=(2, 2), symmetric=True)), "degree")
    ('degree, sum', 'degree, difference')
    """
    if graph.symmetric:
        return f"{measure}, sum", f"{measure}, difference"
    return f"{measure} of the row", f"{measure} of the column"


def both_ends(graph: LinkGraph, row: Array, col: Array) -> Iterator[Array]:
    """Yield a measure of both ends: their sum and distance in an undirected graph, else each of them."""
    if graph.symmetric:
        yield row + col
        yield np.abs(row - col)
    else:
        yield row
        yield col


def positive_log(weights: Array) -> Array:
    """Return the logarithm of weights of walks, which range over many orders of magnitude; 0 stays finite."""
    return np.log(np.maximum(weights, 0.0) + _LEAST)
