"""The stacked model: several factorizations and graph features, joined by the last stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors, sigmoid
from latentlink.network import Network
from latentlink.network.pair_codes import PairCodes
from latentlink.scoring import Members
from latentlink.stacking.approximation import Approximation
from latentlink.stacking.graph_features import GraphFeatures
from latentlink.stacking.last_stage import MixedStage

__all__ = ["StackedMembers", "StackedModel"]

Array = NDArray[Any]

MOST_SCORED = 1_000_000  # pairs: they take about half a minute


@dataclass(frozen=True, eq=False)
class StackedModel:
    """Probabilities by a last stage on the scores of several models and on graph features.

        score(i, j) = sigmoid( f( model_1(i, j), ..., feature_1(i, j), ... ) )

    It fulfils `latentlink.scoring.PairModel`, as a model without components.

    Attributes
    ----------
    models : tuple of Factors
        Their scores are taken before any link function.
    names : tuple of str
        Names of the models in explanations.
    graph : GraphFeatures
        Features of pairs in the training network.
    stage : MixedStage
        f, a function of the models' scores and the features.
    """

    models: tuple[Factors, ...]
    names: tuple[str, ...]
    graph: GraphFeatures
    stage: MixedStage

    boolean: ClassVar[bool] = False
    logistic: ClassVar[bool] = True

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.models[0].shape

    @property
    def W(self) -> Array:
        """Factors of the rows: none."""
        return np.zeros((self.shape[0], 0))

    @property
    def H(self) -> Array:
        """Factors of the columns: none."""
        return np.zeros((0, self.shape[1]))

    def score(self, rows: Any, cols: Any) -> Array:
        """Score pairs of row and column indices."""
        i, j = np.broadcast_arrays(np.atleast_1d(rows), np.atleast_1d(cols))
        return self.score_with(self.graph.features(i, j), i, j)

    def score_with(self, features: Sequence[Array], rows: Array, cols: Array) -> Array:
        """Score pairs whose graph features are given."""
        return sigmoid(self.stage.value([*(model.score(rows, cols) for model in self.models), *features]))

    def block(self, begin: int, end: int, first: int = 0) -> Array:
        """Score rows ``begin`` to ``end`` with all columns from ``first`` on."""
        return self.block_with(self.block_features(begin, end, first), begin, end, first)

    def block_features(self, begin: int, end: int, first: int) -> list[Array]:
        """Return the graph features of a block of pairs."""
        rows, cols = np.arange(begin, end), np.arange(first, self.shape[1])
        features = self.graph.features(np.repeat(rows, len(cols)), np.tile(cols, len(rows)))
        return [each.reshape(len(rows), len(cols)) for each in features]

    def block_with(self, features: Sequence[Array], begin: int, end: int, first: int) -> Array:
        """Score a block whose graph features are given."""
        scores = (model.block(begin, end, first) for model in self.models)
        return sigmoid(self.stage.value([*scores, *features]))

    def contributions(self, row: int, col: int) -> dict[str, float]:
        """Return the terms of a pair's logit, each relative to that of an average pair."""
        i, j = np.array([row]), np.array([col])
        return self.contributions_with(self.graph.features(i, j), i, j)[0]

    def contributions_with(
        self, features: Sequence[Array], rows: Array, cols: Array
    ) -> list[dict[str, float]]:
        """Return the contributions of pairs whose graph features are given."""
        columns: list[Array] = [*(model.score(rows, cols) for model in self.models), *features]
        terms = np.column_stack(self.stage.contributions(columns)).tolist()
        names = [*self.names, *self.graph.names, "constant"]
        return [dict(zip(names, [*each, self.stage.constant], strict=True)) for each in terms]


class StackedMembers(Members):
    """Members of the same graph features, which are computed once for all of them."""

    __slots__ = ()

    def scores(self, rows: Array, cols: Array) -> Iterator[Array]:
        """Yield the scores of pairs by each member."""
        features = self[0].graph.features(rows, cols)
        return (member.score_with(features, rows, cols) for member in self)

    def blocks(self, begin: int, end: int, first: int) -> Iterator[Array]:
        """Yield the scores of a block by each member."""
        features = self[0].block_features(begin, end, first)
        return (member.block_with(features, begin, end, first) for member in self)

    def contributions(self, rows: Array, cols: Array) -> Iterator[list[Mapping[str, float]]]:
        """Yield the contributions of pairs by each member."""
        features = self[0].graph.features(rows, cols)
        return (member.contributions_with(features, rows, cols) for member in self)

    def approximation(self, network: Network) -> Members | None:
        """Return the approximation of the mean score, for networks of more than a million unknown pairs."""
        pairs = PairCodes(network.shape, network.symmetric, network.square).total
        found = None if pairs - network.n_known <= MOST_SCORED else Approximation.of(self, network)
        return None if found is None else Members((found,))
