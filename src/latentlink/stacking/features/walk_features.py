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
from latentlink.proximity.resolvent import Resolvent, series_weights, terms_of_series, unit_columns
from latentlink.proximity.source_blocks import entries_at_pairs, power_sums
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
_KATZ_TERMS = 20  # of the series: all others weigh 1e-6
_FAR = 50


@dataclass(frozen=True, eq=False)
class WalkFeatures:
    """Walks between both ends of a pair, as logarithms of their weights.

    Local walks of 4, 5 and 6 steps; personalized PageRank at dampings 0.5, 0.85 and 0.98, scaled by the roots
    of the degrees and as the sum of both directions (in a directed graph that from row to column alone); Katz
    at half of the critical rate; and the shortest distance, 50 beyond 50 steps and without a path. Sums over
    walks of all lengths are exact where a sparse decomposition fills little (see `Resolvent`); else they are
    series of 12 to 100 powers, which end the distances too.

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
        first = Resolvent(scaled, _DAMPINGS[0])  # all have one pattern
        return [
            first,
            *(Resolvent(scaled, damping, first.exact) for damping in _DAMPINGS[1:]),
            Resolvent(katz_matrix(self.graph), _KATZ_RATE, first.exact),
        ]

    def columns(self, rows: Array, cols: Array) -> list[Array]:
        """Return the columns for pairs."""
        one, other = ordered_ends(self.graph, rows, cols)
        exact = self._resolvents[0].exact
        entries, steps = (self._by_elimination if exact else self._by_powers)(one, other)
        walks, ranks = entries[:_STEPS], entries[_STEPS:-1]
        columns = [positive_log(walks[length - 1]) for length in _LOCAL]
        for damping, entry in zip(_DAMPINGS, ranks, strict=True):
            columns.append(positive_log(entry))
            if has_symmetric_adjacency(self.graph):
                pagerank = pagerank_of_entries(self.graph, rows, cols, damping, entry)
                columns.append(positive_log(pagerank))
        distance = np.where(steps < 0, _FAR, np.minimum(steps, _FAR)).astype(np.float64)
        return [*columns, positive_log(entries[-1] - (one == other)), distance]

    def _by_elimination(self, one: Array, other: Array) -> tuple[Array, Array]:
        """Return entries of local walks and of the resolvents, and distances, which are -1 without a path."""
        count, links = _STEPS + len(self._resolvents), scaled_adjacency(self.graph)
        entries = entries_at_pairs(self._columns_of, count, self._matrix.shape[0], one, other)
        return entries, distances(links.indptr, links.indices, one, other)

    def _by_powers(self, one: Array, other: Array) -> tuple[Array, Array]:
        """Return the same from powers, which local walks and all dampings have in common.

        In single precision: weights of walks below 1e-9 count as equal anyway. Nodes that are farther from
        each other than the largest power have no distance.
        """
        terms = terms_of_series(self._matrix)
        weights = [*np.eye(_STEPS, terms + 1, 1), *(series_weights(each, terms) for each in _DAMPINGS)]
        entries, steps = power_sums(self._matrix.astype(np.float32), np.array(weights), one, other)
        katz = katz_matrix(self.graph).T.tocsr().astype(np.float32)
        few = series_weights(_KATZ_RATE, min(terms, _KATZ_TERMS))
        return np.vstack([entries, power_sums(katz, few[None], one, other)[0]]), steps

    def _columns_of(self, nodes: Array) -> Iterator[Array]:
        yield from powers(self._matrix, unit_columns(self._matrix.shape[0], nodes), _STEPS)
        for resolvent in self._resolvents:
            yield resolvent.columns(nodes)
