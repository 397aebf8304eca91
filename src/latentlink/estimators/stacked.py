"""Several models and the neighbourhood of a pair as one logistic model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.estimators.neighbourhood import FEATURES, Neighbourhood
from latentlink.estimators.toplinks import block_scores
from latentlink.factors import Factors, sigmoid

__all__ = ["Stacked", "StackedMembers"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Stacked:
    """A weighted sum of scores, as a probability.

        score(i, j) = sigmoid( sum_m a_m model_m(i, j) + sum_f b_f feature_f(i, j) + c )

    Attributes
    ----------
    models : tuple of Factors
        Their scores are taken before any link.
    names : tuple of str
        What to call them.
    around : Neighbourhood
    weights : array, shape (models + features + 1,)
        a, b and c.
    """

    models: tuple[Factors, ...]
    names: tuple[str, ...]
    around: Neighbourhood
    weights: Array

    boolean = False

    def score(self, rows: Any, cols: Any) -> Array:
        """Score pairs of row and column indices."""
        i, j = np.broadcast_arrays(np.atleast_1d(rows), np.atleast_1d(cols))
        return self.beside(self.side(i, j), i, j)

    def side(self, rows: Array, cols: Array) -> Array:
        """Return what the neighbourhood and the constant have in the logit: the same for all members."""
        count = len(self.models)
        side: Array = self.around.columns(rows, cols) @ self.weights[count:-1] + self.weights[-1]
        return side

    def beside(self, side: Array, rows: Array, cols: Array) -> Array:
        """Score pairs, given what the neighbourhood has in their logits."""
        return self._linked(side, [model.score(rows, cols) for model in self.models])

    def block(self, begin: int, end: int, first: int = 0) -> Array:
        """Return scores of rows ``begin`` to ``end`` with all columns from ``first`` on."""
        return self.block_beside(self.side_block(begin, end, first), begin, end, first)

    def side_block(self, begin: int, end: int, first: int) -> Array:
        """Return `side` of a block."""
        rows, cols = np.arange(begin, end), np.arange(first, self.models[0].shape[1])
        side = self.side(np.repeat(rows, len(cols)), np.tile(cols, len(rows)))
        return side.reshape(len(rows), len(cols))

    def block_beside(self, side: Array, begin: int, end: int, first: int) -> Array:
        """Return the scores of a block, given what the neighbourhood has in its logits."""
        return self._linked(side, [block_scores(model, begin, end, first) for model in self.models])

    def _linked(self, side: Array, parts: Sequence[Array]) -> Array:
        total = side.copy()
        for weight, part in zip(self.weights, parts, strict=False):
            total += weight * part
        return sigmoid(total)

    def contributions(self, row: int, col: int) -> tuple[list[str], Array]:
        """Return the parts of a pair's logit."""
        i, j = np.array([row]), np.array([col])
        values = np.concatenate([*(model.score(i, j) for model in self.models), self.around.columns(i, j)[0]])
        return [*self.names, *FEATURES, "constant"], self.weights * np.append(values, 1.0)


class StackedMembers(tuple[Stacked, ...]):
    """Members that differ in their models alone: what the neighbourhood says is found once for all."""

    __slots__ = ()

    def scores(self, rows: Array, cols: Array) -> Iterator[Array]:
        """Yield the scores of each member."""
        side = self[0].side(rows, cols)
        return (each.beside(side, rows, cols) for each in self)

    def blocks(self, begin: int, end: int, first: int) -> Iterator[Array]:
        """Yield the scores of a block by each member."""
        side = self[0].side_block(begin, end, first)
        return (each.block_beside(side, begin, end, first) for each in self)
