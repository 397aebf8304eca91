"""Pairs from which a last stage learns: their columns, values, weights and inner folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.stacking.inner_folds import stratified_positions
from latentlink.stacking.score_weights import values_and_weights

__all__ = ["TrainingPairs"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TrainingPairs:
    """Pairs whose values were hidden from the models that scored them.

    Attributes
    ----------
    table : array, shape (pairs, columns)
        Scores and features.
    values, weights : array, shape (pairs,)
        1 for a link and 0 for a non-link, and how much each counts.
    folds : array of int, shape (pairs,)
        Number of the inner fold that hid each pair.
    """

    table: Array
    values: Array
    weights: Array
    folds: NDArray[np.intp]

    @classmethod
    def of(cls, tables: Sequence[Array], tests: Sequence[Network]) -> TrainingPairs:
        """Join the hidden pairs of all inner folds."""
        folds = np.repeat(np.arange(len(tables)), [len(each) for each in tables])
        return cls(np.vstack(tables), *values_and_weights(tests), folds)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.values)

    def __getitem__(self, which: NDArray[Any]) -> TrainingPairs:
        """Return some of the pairs."""
        return TrainingPairs(self.table[which], self.values[which], self.weights[which], self.folds[which])

    @property
    def have_both_classes_in_folds(self) -> bool:
        """Whether there are as many links, and as many non-links, as folds."""
        links = np.count_nonzero(self.values)
        return bool(min(links, len(self) - links) >= len(np.unique(self.folds)))

    def sample(self, size: int) -> TrainingPairs:
        """Return about half of ``size`` pairs of each class, weighted by how many each stands for."""
        kept, counts = stratified_positions(self.values, size)
        some = self[kept]
        weights = some.weights * counts
        return TrainingPairs(some.table, some.values, weights, some.folds)

    def split(self, groups: int) -> Iterator[tuple[TrainingPairs, NDArray[np.bool_]]]:
        """Yield the pairs outside of each of several groups of folds, and which pairs are inside."""
        of_pairs = self.folds % groups
        for group in range(groups):
            inside = of_pairs == group
            yield self[~inside], inside

    def cross_entropy(self, logits: Array) -> float:
        """Return the mean cross-entropy of the values under logits."""
        losses = np.logaddexp(0, logits) - self.values * logits
        return float(np.average(losses, weights=self.weights))
