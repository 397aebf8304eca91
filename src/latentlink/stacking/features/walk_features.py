"""Features by walks: local ones, personalized PageRank, Katz and the distance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import distances
from latentlink.proximity import LinkGraph
from latentlink.proximity.resolvent import Resolvent, unit_columns
from latentlink.proximity.source_blocks import entries_at_pairs
from latentlink.proximity.walks import (
    has_symmetric_adjacency,
    katz_matrix,
    ordered_ends,
    pagerank_of_entries,
    powers,
    scaled_adjacency,
)
from latentlink.stacking.features.feature_group import positive_log

__all__ = ["WalkFeatures"]

Array = NDArray[Any]

_STEPS = 6
_LOCAL = (4, 5, 6)  # lengths that the paths of two and three links do not have
_DAMPINGS = (0.5, 0.85, 0.98)
_KATZ_RATE = 0.5
_FAR = 50


@dataclass(frozen=True, eq=False)
class WalkFeatures:
    """Walks between both ends of a pair, as logarithms of their weights.

    Local walks of 4, 5 and 6 steps; personalized PageRank at dampings 0.5, 0.85 and 0.98, scaled by the roots
    of the degrees and as the sum of both directions (in a directed graph that from row to column alone); Katz
    at half of the critical rate; and the shortest distance, 50 beyond 50 steps and without a path. All but
    the distance come from one pass over blocks of nodes.

    Attributes
    ----------
    graph : LinkGraph
    """

    graph: LinkGraph

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        forms = ("scaled PageRank", "PageRank") if has_symmetric_adjacency(self.graph) else ("PageRank",)
        ranks = [f"{form} {damping:g}" for damping in _DAMPINGS for form in forms]
        return (*(f"walks of {length}" for length in _LOCAL), *ranks, "Katz", "distance")

    @cached_property
    def _matrix(self) -> Any:
        return scaled_adjacency(self.graph).T.tocsr()

    @cached_property
    def _resolvents(self) -> list[Resolvent]:
        scaled = scaled_adjacency(self.graph)
        return [
            *(Resolvent(scaled, damping) for damping in _DAMPINGS),
            Resolvent(katz_matrix(self.graph), _KATZ_RATE),
        ]

    def columns(self, rows: Array, cols: Array) -> list[Array]:
        """Return the columns for pairs."""
        size = self._matrix.shape[0]
        one, other = ordered_ends(self.graph, rows, cols)
        count = _STEPS + len(self._resolvents)
        entries = entries_at_pairs(self._columns_of, count, size, one, other)
        walks, ranks = entries[:_STEPS], entries[_STEPS:-1]
        columns = [positive_log(walks[length - 1]) for length in _LOCAL]
        for damping, entry in zip(_DAMPINGS, ranks, strict=True):
            columns.append(positive_log(entry))
            if has_symmetric_adjacency(self.graph):
                pagerank = pagerank_of_entries(self.graph, rows, cols, damping, entry)
                columns.append(positive_log(pagerank))
        return [*columns, positive_log(entries[-1] - (one == other)), self._distance(one, other)]

    def _distance(self, one: Array, other: Array) -> Array:
        links = scaled_adjacency(self.graph)
        found = distances(links.indptr, links.indices, one, other)
        return np.where(found < 0, _FAR, np.minimum(found, _FAR)).astype(np.float64)

    def _columns_of(self, nodes: Array) -> Iterator[Array]:
        yield from powers(self._matrix, unit_columns(self._matrix.shape[0], nodes), _STEPS)
        for resolvent in self._resolvents:
            yield resolvent.columns(nodes)
