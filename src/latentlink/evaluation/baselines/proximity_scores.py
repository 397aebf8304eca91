"""Proximities of pairs in the graph of training links, with the interface of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.proximity import LinkGraph, resource_allocation
from latentlink.strategy import Strategy, strategy

__all__ = ["ProximityScores"]

Array = NDArray[Any]


@strategy
class ProximityScores(Strategy):
    """Scores of pairs by a function of `latentlink.proximity`; nothing is learned.

    Parameters
    ----------
    proximity : callable, default=resource_allocation
        ``proximity(graph, rows, cols)`` returns one number for each pair.

    Examples
    --------
    >>> import numpy as np
    >>> path = Network.from_edges([("a", "b"), ("b", "c"), ("c", "d")], symmetric=True)
    >>> ProximityScores().fit(path).predict_links(np.array([[0, 2], [0, 3]]))
    array([0.5, 0. ])
    """

    proximity: Callable[[LinkGraph, Array, Array], Array] = resource_allocation

    def fit(self, network: Network) -> Self:
        """Take the known links of a network."""
        self.graph_ = LinkGraph.of(network)
        return self

    def predict_links(self, pairs: Array) -> Array:
        """Score pairs of row and column indices, shape (pairs, 2)."""
        return self.proximity(self.graph_, pairs[:, 0], pairs[:, 1])
