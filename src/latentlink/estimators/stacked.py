"""Several models and the neighbourhood of a pair as one logistic model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.estimators.neighbourhood import FEATURES, Neighbourhood
from latentlink.estimators.toplinks import block_scores
from latentlink.factors import Factors, sigmoid

__all__ = ["Stacked"]

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
        parts = [model.score(i, j) for model in self.models]
        return sigmoid(
            np.column_stack([*parts, self.around.columns(i, j)]) @ self.weights[:-1] + self.weights[-1]
        )

    def block(self, begin: int, end: int, first: int = 0) -> Array:
        """Return scores of rows ``begin`` to ``end`` with all columns from ``first`` on."""
        total = np.full((end - begin, self.models[0].shape[1] - first), self.weights[-1])
        parts = (block_scores(model, begin, end, first) for model in self.models)
        count = len(self.models)
        for weight, part in zip(self.weights[:count], parts, strict=True):
            total += weight * part
        for weight, part in zip(self.weights[count:-1], self.around.block(begin, end, first), strict=True):
            total += weight * part
        return sigmoid(total)

    def contributions(self, row: int, col: int) -> tuple[list[str], Array]:
        """Return the parts of a pair's logit."""
        i, j = np.array([row]), np.array([col])
        values = np.concatenate([*(model.score(i, j) for model in self.models), self.around.columns(i, j)[0]])
        return [*self.names, *FEATURES, "constant"], self.weights * np.append(values, 1.0)
