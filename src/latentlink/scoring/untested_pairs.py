"""All untested pairs of a network, sampled or scored block by block: never held in memory at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.network.lookup import positions_among
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes
from latentlink.scoring.best_pairs import Candidates, score_blocks
from latentlink.scoring.scorer import Scorer

__all__ = ["ScoredPairs", "UntestedPairs"]

Array = NDArray[Any]

_CHUNK = 1 << 18  # pairs that are scored at once where they are listed one by one


class ScoredPairs(NamedTuple):
    """Some pairs with their scores."""

    rows: Array
    cols: Array
    scores: Array


@dataclass(frozen=True, eq=False)
class UntestedPairs:
    """The pairs that nobody knows: not used in fitting, and not excluded.

    With a background unlisted pairs were fitted as zeros, so that hidden pairs alone are untested. A node
    with itself is never among them.

    Attributes
    ----------
    network : Network
        The training network.
    excluded : array of int
        Ascending keys of further pairs that are known, as from `excluded_keys`.
    """

    network: Network
    excluded: Array

    def __len__(self) -> int:
        if self.network.background:
            return len(self._hidden)
        return self._codes.total - len(self._tested)

    def sample(self, count: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw rows and columns of distinct pairs at random; all of them if there are no more."""
        count = min(count, len(self))
        ranks = distinct_numbers(len(self), count, rng)
        if self.network.background:
            return np.divmod(self._hidden[ranks], self.network.shape[1])
        return self._codes.pairs(unlisted_codes(ranks, self._tested))

    def contains(self, rows: Array, cols: Array) -> NDArray[np.bool_]:
        """Return which of some pairs are untested."""
        network = self.network
        keys = network.pair_keys(rows, cols)
        if network.background:
            return positions_among(self._hidden, keys) >= 0
        known = network.pair_keys(network.rows, network.cols)[network.known]
        inside = (positions_among(known, keys) < 0) & (positions_among(self.excluded, keys) < 0)
        return inside & (rows != cols) if network.square else inside

    def scored(self, scorer: Scorer, by: str | None) -> Iterator[ScoredPairs]:
        """Yield all pairs with their scores, part by part."""
        if self.network.background:
            for begin in range(0, len(self._hidden), _CHUNK):
                rows, cols = np.divmod(self._hidden[begin : begin + _CHUNK], self.network.shape[1])
                yield ScoredPairs(rows, cols, scorer.score(rows, cols, by))
            return
        for block in score_blocks(self.network, scorer.models(by), Candidates(excluded=self.excluded)):
            flat = block.scores.ravel()
            untested = np.flatnonzero(flat > -np.inf)
            rows, cols = np.divmod(untested, block.scores.shape[1])
            yield ScoredPairs(rows + block.begin, cols + block.first, flat[untested])

    def comparable_scores(self, scorer: Scorer, by: str | None, rows: Array, cols: Array) -> Array:
        """Score other pairs as `scored` does, so that what ties there ties here, to the last bit."""
        if self.network.background:
            return scorer.score(rows, cols, by)
        if self.network.symmetric:
            rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
        scores = np.empty(len(rows))
        for block in score_blocks(self.network, scorer.models(by), Candidates(known=True, self_loops=True)):
            inside = (rows >= block.begin) & (rows < block.begin + len(block.scores))
            scores[inside] = block.scores[rows[inside] - block.begin, cols[inside] - block.first]
        return scores

    @cached_property
    def _codes(self) -> PairCodes:
        return PairCodes(self.network.shape, self.network.symmetric, self.network.square)

    @cached_property
    def _tested(self) -> Array:
        """Ascending numbers of known and excluded pairs."""
        network = self.network
        rows, cols = np.divmod(self.excluded, network.shape[1])
        if network.symmetric:  # both directions are among the excluded
            rows, cols = rows[rows <= cols], cols[rows <= cols]
        known = self._codes.of_listed(network.rows[network.known], network.cols[network.known])
        return np.unique(np.concatenate([known, self._codes.of_listed(rows, cols)]))

    @cached_property
    def _hidden(self) -> Array:
        """Ascending keys of listed pairs of weight 0 that are not excluded."""
        network = self.network
        keys = network.pair_keys(network.rows, network.cols)
        hidden = np.setdiff1d(keys[~network.known], keys[network.known])
        rows, cols = np.divmod(hidden, network.shape[1])
        unknown = positions_among(self.excluded, hidden) < 0
        return hidden[unknown & (rows != cols)] if network.square else hidden[unknown]
