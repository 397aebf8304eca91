"""All features of a pair in a graph of known links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.proximity import LinkGraph
from latentlink.stacking.features.feature_group import FeatureGroup
from latentlink.stacking.features.node_features import NodeFeatures
from latentlink.stacking.features.path_features import PathFeatures
from latentlink.stacking.features.spectral_features import SpectralFeatures
from latentlink.stacking.features.walk_features import WalkFeatures

__all__ = ["PairFeatures", "walks_are_affordable"]

Array = NDArray[Any]

_MOST_WORK_FOR_WALKS = 10**9  # of links times nodes that walks begin from
_MOST_SOURCES = 10_000  # nodes that the last stage has pairs of


def walks_are_affordable(nodes: int, links: int) -> bool:
    """Return whether walks are among the features of a network.

    They cost a pass over the links for each node that is in a pair, so that they are left out of networks
    with more than 100,000 links, and of smaller ones than 10,000 nodes with more than 10^9 / nodes links.

    Examples
    --------
    >>> walks_are_affordable(50_000, 90_000), walks_are_affordable(11_000, 220_000)
    (True, False)
    """
    return min(nodes, _MOST_SOURCES) * links <= _MOST_WORK_FOR_WALKS


@dataclass(frozen=True, eq=False)
class PairFeatures:
    """Features of pairs in a graph, by groups: measures of nodes, short paths, walks and spectra.

    A feature of a pair is a function of the graph that is given, of which the pair itself should be no link:
    what is to be predicted is hidden first. The work is proportional to the links around the pairs, except
    for walks, which are left out of large graphs (see `walks_are_affordable`). A directed graph has short
    paths and walks of the links without their direction too.

    Attributes
    ----------
    nodes : NodeFeatures
    spectral : SpectralFeatures
    paths : tuple of FeatureGroup
        Short paths, and walks if there are any.
    """

    nodes: NodeFeatures
    spectral: SpectralFeatures
    paths: tuple[FeatureGroup, ...]

    @classmethod
    def of(cls, graph: LinkGraph, walks: bool = True) -> PairFeatures:
        """Measure a graph.

        Parameters
        ----------
        graph : LinkGraph
        walks : bool
            Whether there are features by walks of more than three steps.

        Examples
        --------
        >>> from latentlink import Network
        >>> graph = LinkGraph.of(Network.from_edges([(0, 1), (1, 2), (2, 3)], symmetric=True))
        >>> features = PairFeatures.of(graph)
        >>> columns = dict(zip(features.names, features.features(np.array([0]), np.array([3])), strict=True))
        >>> columns["distance"], columns["common neighbours"]
        (array([3.]), array([0.]))
        """
        paths: list[FeatureGroup] = []
        directed = graph.square and not graph.symmetric
        for each in (graph, graph.undirected) if directed else (graph,):
            paths.append(PathFeatures(each))
            if walks:
                paths.append(WalkFeatures(each))
        return cls(NodeFeatures.of(graph), SpectralFeatures.of(graph), tuple(paths))

    @property
    def groups(self) -> tuple[FeatureGroup, ...]:
        """All groups, in the order of their columns."""
        return self.nodes, self.spectral, *self.paths

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns, each once."""
        names: dict[str, None] = {}
        for name in (name for group in self.groups for name in group.names):
            names[name if name not in names else f"{name}, without direction"] = None
        return tuple(names)

    def features(self, rows: NDArray[Any], cols: NDArray[Any]) -> list[Array]:
        """Return all columns for pairs, each of shape (pairs,)."""
        rows, cols = np.asarray(rows), np.asarray(cols)
        return [column for group in self.groups for column in group.columns(rows, cols)]
