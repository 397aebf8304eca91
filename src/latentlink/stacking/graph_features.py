"""Graph features of a pair: those of the known links, and some of the known non-links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.proximity import LinkGraph, paths_of_three, resource_allocation
from latentlink.stacking.features import PairFeatures, walks_are_affordable
from latentlink.stacking.features.feature_group import both_ends, names_of_ends

__all__ = ["FeatureKinds", "GraphFeatures"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FeatureKinds:
    """Which features a stack uses: the same ones in all of its inner folds and for all pairs to come.

    Attributes
    ----------
    walks : bool
        Walks of more than three steps, in networks that are not too large for them.
    non_links : bool
        The graph of the non-links, where these are known: drawn ones carry no information.
    """

    walks: bool
    non_links: bool

    @classmethod
    def for_network(cls, network: Network, drawn: bool) -> FeatureKinds:
        """Choose the features for a network; ``drawn`` says that its non-links were not observed."""
        links = int(np.count_nonzero(network.known & (network.values != 0)))
        nodes = network.shape[0] if network.square else sum(network.shape)
        return cls(walks=walks_are_affordable(nodes, links), non_links=not drawn)


@dataclass(frozen=True, eq=False)
class GraphFeatures:
    """Features of pairs in the graph of the known links, and in that of the known non-links.

    In the second graph, with d the degrees: log(1 + d) of both ends, the root of resource allocation (0 in a
    bipartite network), and the root of paths of three; see `PairFeatures` for those of the links. The weight
    of a link is that of its entry in the network.

    Attributes
    ----------
    links : PairFeatures
    non_links : LinkGraph or None
    """

    links: PairFeatures
    non_links: LinkGraph | None

    @classmethod
    def of(cls, network: Network, kinds: FeatureKinds) -> GraphFeatures:
        """Take the known entries of a network of zeros and ones.

        Examples
        --------
        >>> path = Network.from_edges([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)], symmetric=True)
        >>> features = GraphFeatures.of(path, FeatureKinds(walks=False, non_links=True))
        >>> columns = features.features(np.array([0, 0]), np.array([3, 2]))
        >>> dict(zip(features.names, columns, strict=True))["paths of three"].round(2)
        array([0.71, 0.  ])
        """
        is_link = network.values != 0
        weights = network.weights if len(np.unique(network.weights[network.known])) > 1 else None
        links = LinkGraph.from_pairs(network, network.known & is_link, weights)
        others = LinkGraph.from_pairs(network, network.known & ~is_link) if kinds.non_links else None
        return cls(PairFeatures.of(links, kinds.walks), others)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        if self.non_links is None:
            return self.links.names
        of_others = (*names_of_ends(self.non_links, "degree"), "paths of three", "resource allocation")
        return (*self.links.names, *(f"non-links: {name}" for name in of_others))

    def features(self, rows: NDArray[Any], cols: NDArray[Any]) -> list[Array]:
        """Return the features of pairs in the order of `names`, each of shape (pairs,)."""
        columns = self.links.features(rows, cols)
        graph = self.non_links
        if graph is None:
            return columns
        logs = [np.log1p(degrees)[ends] for degrees, ends in zip(graph.degrees, (rows, cols), strict=True)]
        shared = resource_allocation(graph, rows, cols) if graph.symmetric else np.zeros(len(rows))
        paths = paths_of_three(graph, rows, cols)
        return [*columns, *both_ends(graph, *logs), np.sqrt(paths), np.sqrt(shared)]
