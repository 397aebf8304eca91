"""Comparison of given candidates with untested pairs: whether scores chose them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.network.lookup import positions_among
from latentlink.random import rng_for
from latentlink.scoring.discovery.few_nodes import ends_of, few_nodes
from latentlink.scoring.untested_pairs import UntestedPairs
from latentlink.uncertainty.discovery.chosen_nodes import ChosenNodes
from latentlink.uncertainty.discovery.score_selection import Comparison

__all__ = ["GivenCandidates", "distinct_untrained"]

Array = NDArray[Any]
Score = Callable[[Array, Array], Array]

_UNTESTED = 10_000  # untested pairs that stand for all of them
_NARROW = 0.75  # nodes of one side, as a share of all, to those of the other
_MOST = 1_000  # candidates that are compared with pairs of their nodes
_UNIFORM = (np.arange(10_000) + 0.5) / 10_000  # percentiles of pairs that were not chosen
_PARTNERS = 100  # untested pairs of its node that a candidate is compared with
_KEY = -8 % 2**32  # keeps these draws apart from those of other purposes
_ROUNDING = 2e-15  # a score differs in the last bits by how many are computed at once


@dataclass(frozen=True, eq=False)
class GivenCandidates:
    """Candidates, beside the untested pairs of the same nodes.

    Attributes
    ----------
    rows, cols : arrays of int
    untested : UntestedPairs
    score : function of rows and columns
        As the calibration pairs are scored.
    """

    rows: Array
    cols: Array
    untested: UntestedPairs
    score: Score

    @cached_property
    def _narrow(self) -> int | None:
        """The side, 0 for rows, on which the candidates have few nodes: they are pairs of some nodes."""
        shares = [
            len(np.unique(end)) / size
            for end, size in zip(self._ends, self.untested.network.shape, strict=True)
        ]
        side = int(np.argmin(shares))
        return side if shares[side] <= _NARROW * shares[1 - side] else None

    def comparisons(self, own: tuple[Array, Array, Array]) -> list[Comparison]:
        """Compare candidates and calibration pairs with untested pairs.

        Pairs of some nodes may all score high, or low, and are compared with untested pairs of the same
        rows, and of the same columns.

        Parameters
        ----------
        own : (rows, columns, scores)
            Of the calibration pairs.
        """
        if self._narrow is None:
            sample = self.untested.sample(_UNTESTED, rng_for(0, _KEY))
            return [Comparison(self.score(self.rows, self.cols), self.score(*sample), own[2])]
        chosen, used = _some(len(self.rows)), _some(len(own[0]))
        ends = [end[chosen] for end in self._ends]
        scores = self.score(self.rows[chosen], self.cols[chosen])
        return [
            Comparison(
                self._percentiles(ends[side], ends[1 - side], scores, side),
                _UNIFORM,
                self._percentiles(own[side][used], own[1 - side][used], own[2][used], side),
                alone=side == self._narrow,
            )
            for side in (0, 1)
        ]

    def few_nodes(self, own: tuple[Array, Array]) -> ChosenNodes | None:
        """Return the nodes of the candidates, if these are fewer than random pairs have; else None.

        Parameters
        ----------
        own : (rows, columns)
            Of the calibration pairs; candidates that are drawn like them may have as few nodes as they have.
        """
        network = self.untested.network
        sample = self.untested.sample(_UNTESTED, rng_for(0, _KEY))
        return few_nodes((self.rows, self.cols), [sample, own], network.shape, network.symmetric)

    @cached_property
    def _ends(self) -> tuple[Array, Array]:
        return ends_of(self.rows, self.cols, self.untested.network.symmetric)

    def _percentiles(self, nodes: Array, partners: Array, scores: Array, side: int) -> Array:
        """Return for each pair the share of other untested pairs of its node that score lower."""
        distinct, inverse = np.unique(nodes, return_inverse=True)
        drawn, others = self._beside(distinct, side)
        found = np.empty(len(nodes))
        for position, node in enumerate(inverse.tolist()):
            beside = others[node, drawn[node] != partners[position]]
            beside = beside[~np.isnan(beside)]
            lower = np.count_nonzero(beside < scores[position] - _ROUNDING * max(1.0, abs(scores[position])))
            found[position] = lower / (len(beside) + 1)
        return found

    def _beside(self, nodes: Array, side: int) -> tuple[Array, Array]:
        """Return partners of each node, and the scores of its pairs with them; NaN if not untested."""
        size = self.untested.network.shape[1 - side]
        if size <= _PARTNERS:
            drawn = np.tile(np.arange(size), (len(nodes), 1))
        else:
            drawn = rng_for(0, _KEY, side).integers(0, size, (len(nodes), _PARTNERS))
        ends = (np.repeat(nodes, drawn.shape[1]), drawn.ravel())
        kept = self.untested.contains(*(ends if side == 0 else ends[::-1]))
        scores = np.full(kept.shape, np.nan)
        pairs = [end[kept] for end in ends]
        scores[kept] = self.score(*(pairs if side == 0 else pairs[::-1]))
        return drawn, scores.reshape(drawn.shape)


def distinct_untrained(network: Network, rows: Array, cols: Array) -> Array:
    """Return the positions of the pairs to compare: of repeats the first, of known pairs none.

    The model was fitted to known pairs, so that they score high by themselves.
    """
    keys = network.pair_keys(rows, cols)
    known = network.pair_keys(network.rows, network.cols)[network.known]
    first = np.sort(np.unique(keys, return_index=True)[1])
    return first[positions_among(known, keys[first]) < 0]


def _some(count: int) -> Array:
    """Return the positions of all, or of a random 1,000, always the same."""
    if count <= _MOST:
        return np.arange(count)
    return np.sort(rng_for(0, _KEY).choice(count, _MOST, replace=False))
