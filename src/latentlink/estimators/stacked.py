"""Several models and the neighbourhood of a pair as one logistic model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.estimators.neighbourhood import FEATURES, Neighbourhood
from latentlink.estimators.quadratic import Quadratic
from latentlink.estimators.toplinks import block_scores
from latentlink.factors import Factors, sigmoid

__all__ = ["Stacked", "StackedMembers"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Stacked:
    """A quadratic form of scores, as a probability.

        score(i, j) = sigmoid( f( model_1(i, j), ..., feature_1(i, j), ... ) )

    Attributes
    ----------
    models : tuple of Factors
        Their scores are taken before any link.
    names : tuple of str
        What to call them.
    around : Neighbourhood
    stage : Quadratic
        f, a form of the models' scores and the features.
    """

    models: tuple[Factors, ...]
    names: tuple[str, ...]
    around: Neighbourhood
    stage: Quadratic

    boolean = False
    logistic = True

    def score(self, rows: Any, cols: Any) -> Array:
        """Score pairs of row and column indices."""
        i, j = np.broadcast_arrays(np.atleast_1d(rows), np.atleast_1d(cols))
        return self.beside(self.side(i, j), i, j)

    def side(self, rows: Array, cols: Array) -> list[Array]:
        """Return what the neighbourhood says: the same for all members."""
        return self.around.features(rows, cols)

    def beside(self, side: Sequence[Array], rows: Array, cols: Array) -> Array:
        """Score pairs, given what the neighbourhood says of them."""
        return sigmoid(self.stage.value([*(model.score(rows, cols) for model in self.models), *side]))

    def block(self, begin: int, end: int, first: int = 0) -> Array:
        """Return scores of rows ``begin`` to ``end`` with all columns from ``first`` on."""
        return self.block_beside(self.side_block(begin, end, first), begin, end, first)

    def side_block(self, begin: int, end: int, first: int) -> list[Array]:
        """Return `side` of a block."""
        rows, cols = np.arange(begin, end), np.arange(first, self.models[0].shape[1])
        side = self.side(np.repeat(rows, len(cols)), np.tile(cols, len(rows)))
        return [each.reshape(len(rows), len(cols)) for each in side]

    def block_beside(self, side: Sequence[Array], begin: int, end: int, first: int) -> Array:
        """Return the scores of a block, given what the neighbourhood says of it."""
        scores = (block_scores(model, begin, end, first) for model in self.models)
        return sigmoid(self.stage.value([*scores, *side]))

    def contributions(self, row: int, col: int) -> tuple[list[str], Array]:
        """Return the parts of a pair's logit, each against that of an average pair."""
        i, j = np.array([row]), np.array([col])
        columns: list[Array] = [*(model.score(i, j) for model in self.models), *self.side(i, j)]
        parts = [*self.stage.parts(columns), np.array([self.stage.constant])]
        return [*self.names, *FEATURES, "constant"], np.concatenate(parts)


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
