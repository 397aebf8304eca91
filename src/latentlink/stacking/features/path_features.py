"""Features by paths of two and three links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.proximity import (
    LinkGraph,
    adamic_adar,
    common_neighbours,
    jaccard,
    paths_of_three,
    resource_allocation,
    shared_sources,
    shared_targets,
)

__all__ = ["PathFeatures"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class PathFeatures:
    """Short paths between both ends of a pair, with roots or logarithms that make them less skewed.

    Common neighbours as log(1 + number), and the roots of the Jaccard index, of Adamic-Adar, of resource
    allocation and of paths of three (L3). In a directed graph also the roots of what both ends have in common
    as targets and as sources, and the weight of the link in the other direction. In a bipartite graph all of
    them are paths of three.

    Attributes
    ----------
    graph : LinkGraph
    """

    graph: LinkGraph

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        names = ("common neighbours", "Jaccard index", "Adamic-Adar", "resource allocation", "paths of three")
        return (*names, "shared targets", "shared sources", "reverse link") if self._directed else names

    @property
    def _directed(self) -> bool:
        return self.graph.square and not self.graph.symmetric

    def columns(self, rows: Array, cols: Array) -> list[Array]:
        """Return the columns for pairs."""
        graph = self.graph
        roots = [jaccard, adamic_adar, resource_allocation, paths_of_three]
        if self._directed:
            roots += [shared_targets, shared_sources]
        columns = [
            np.log1p(common_neighbours(graph, rows, cols)),
            *(np.sqrt(score(graph, rows, cols)) for score in roots),
        ]
        if self._directed:
            columns.append(np.sqrt(_entries(graph.links, cols, rows)))
        return columns


def _entries(matrix: Any, rows: Array, cols: Array) -> Array:
    """Return entries of a sparse matrix, 0 where none is stored."""
    if not len(rows):
        return np.zeros(0)
    return np.asarray(matrix[rows, cols], np.float64).ravel()
