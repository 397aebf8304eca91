"""Features by measures of both ends of a pair: degrees, cores, clustering, neighbours and components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.proximity import LinkGraph, clustering, component_sizes, core_numbers, neighbour_degrees
from latentlink.stacking.features.feature_group import both_ends, names_of_ends

__all__ = ["NodeFeatures"]

Array = NDArray[Any]

_LEAST_DEVIATION = 0.5  # of the logarithms of degrees, where a node has few neighbours


@dataclass(frozen=True, eq=False)
class NodeFeatures:
    """Measures of both ends of a pair.

    - degree: log(1 + number of links); in a directed graph out-degrees and in-degrees of both ends;
    - core number, as log(1 + k), and clustering (not in a bipartite graph);
    - mean of log(1 + degree) over the neighbours, and how usual the degree of the partner is among them:
      its distance from that mean in standard deviations, to which 0.5 is added;
    - log of the size of the smaller component of both, and whether it is the same component.

    Attributes
    ----------
    graph : LinkGraph
    measures : dict of (array, array)
        Of each measure the values of rows and of columns.
    usual : (array, array, array)
        Of each node log(1 + degree), and mean and deviation of that of its neighbours.
    component : (array, array)
        Of each node the number and the log of the size of its component.
    """

    graph: LinkGraph
    measures: dict[str, tuple[Array, Array]]
    usual: tuple[Array, Array, Array]
    component: tuple[Array, Array]

    @classmethod
    def of(cls, graph: LinkGraph) -> NodeFeatures:
        """Measure the nodes of a graph."""
        n = graph.links.shape[0]
        rows, cols = slice(n), slice(0 if graph.square else n, None)
        mean, deviation = neighbour_degrees(graph)
        measures = {
            "core number": np.log1p(core_numbers(graph)),
            "mean degree of neighbours": mean,
        }
        if graph.square:
            measures["clustering"] = clustering(graph)
        ends = {name: (each[rows], each[cols]) for name, each in measures.items()}
        logs = tuple(np.log1p(each) for each in graph.degrees)
        ends["degree"] = logs[0], logs[1]
        if graph.square and not graph.symmetric:
            ends["degree against the direction"] = logs[1], logs[0]
        own = np.log1p(np.diff(graph.neighbours[0]))
        sizes = np.log(component_sizes(graph))
        return cls(graph, ends, (own, mean, deviation), (graph.components, sizes))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        names = [name for measure in self.measures for name in names_of_ends(self.graph, measure)]
        return (
            *names,
            *names_of_ends(self.graph, "unusual degree of the partner"),
            "size of the smaller component",
            "same component",
        )

    def columns(self, rows: Array, cols: Array) -> list[Array]:
        """Return the columns for pairs."""
        columns = [
            each
            for row, col in self.measures.values()
            for each in both_ends(self.graph, row[rows], col[cols])
        ]
        one, other = self.graph.node_pairs(rows, cols)
        own, mean, deviation = self.usual
        first, second = (
            np.abs(mean[a] - own[b]) / (deviation[a] + _LEAST_DEVIATION)
            for a, b in ((one, other), (other, one))
        )
        number, size = self.component
        return [
            *columns,
            *both_ends(self.graph, first, second),
            np.minimum(size[one], size[other]),
            (number[one] == number[other]).astype(np.float64),
        ]
