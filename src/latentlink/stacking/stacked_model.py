"""The stacked model: several factorizations and graph features, joined by the last stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
from latentlink.stacking.listed_links import ListedLinks, PairColumns

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
    listed : ListedLinks or None
        Links of the training network that are scored by a part of it without them; None for none.
    """

    models: tuple[Factors, ...]
    names: tuple[str, ...]
    graph: GraphFeatures
    stage: MixedStage
    listed: ListedLinks | None = None

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
        return self.score_with(self.pair_columns(i, j), i, j)

    def pair_columns(self, rows: Array, cols: Array) -> PairColumns:
        """Return the graph features of pairs."""
        features = self.graph.features(rows, cols)
        return PairColumns(features) if self.listed is None else self.listed.of_pairs(features, rows, cols)

    def score_with(self, given: PairColumns, rows: Array, cols: Array) -> Array:
        """Score pairs whose graph features are given."""
        return sigmoid(self.stage.value(self._columns((m.score(rows, cols) for m in self.models), given)))

    def block(self, begin: int, end: int, first: int = 0) -> Array:
        """Score rows ``begin`` to ``end`` with all columns from ``first`` on."""
        return self.block_with(self.block_columns(begin, end, first), begin, end, first)

    def block_columns(self, begin: int, end: int, first: int) -> PairColumns:
        """Return the graph features of a block of pairs."""
        rows, cols = np.arange(begin, end), np.arange(first, self.shape[1])
        columns = self.graph.features(np.repeat(rows, len(cols)), np.tile(cols, len(rows)))
        features = [each.reshape(len(rows), len(cols)) for each in columns]
        return (
            PairColumns(features)
            if self.listed is None
            else self.listed.of_block(features, begin, end, first)
        )

    def block_with(self, given: PairColumns, begin: int, end: int, first: int) -> Array:
        """Score a block whose graph features are given."""
        scores = (model.block(begin, end, first) for model in self.models)
        return sigmoid(self.stage.value(self._columns(scores, given)))

    def _columns(self, scores: Iterable[Array], given: PairColumns) -> list[Array]:
        """Return all columns of the last stage: the models' scores and the features."""
        own = list(scores) if self.listed is None else self.listed.replaced_scores(scores, given)
        return [*own, *given.features]

    def contributions(self, row: int, col: int) -> dict[str, float]:
        """Return the terms of a pair's logit, each relative to that of an average pair."""
        i, j = np.array([row]), np.array([col])
        return self.contributions_with(self.pair_columns(i, j), i, j)[0]

    def contributions_with(self, given: PairColumns, rows: Array, cols: Array) -> list[dict[str, float]]:
        """Return the contributions of pairs whose graph features are given."""
        columns = self._columns((model.score(rows, cols) for model in self.models), given)
        terms = np.column_stack(self.stage.contributions(columns)).tolist()
        names = [*self.names, *self.graph.names, "constant"]
        return [dict(zip(names, [*each, self.stage.constant], strict=True)) for each in terms]


class StackedMembers(Members):
    """Members of the same graph features, which are computed once for all of them."""

    __slots__ = ()

    def scores(self, rows: Array, cols: Array) -> Iterator[Array]:
        """Yield the scores of pairs by each member."""
        columns = self[0].pair_columns(rows, cols)
        return (member.score_with(columns, rows, cols) for member in self)

    def blocks(self, begin: int, end: int, first: int) -> Iterator[Array]:
        """Yield the scores of a block by each member."""
        columns = self[0].block_columns(begin, end, first)
        return (member.block_with(columns, begin, end, first) for member in self)

    def contributions(self, rows: Array, cols: Array) -> Iterator[list[Mapping[str, float]]]:
        """Yield the contributions of pairs by each member."""
        columns = self[0].pair_columns(rows, cols)
        return (member.contributions_with(columns, rows, cols) for member in self)

    def approximation(self, network: Network) -> Members | None:
        """Return the approximation of the mean score, for networks of more than a million unknown pairs."""
        pairs = PairCodes(network.shape, network.symmetric, network.square).total
        found = None if pairs - network.n_known <= MOST_SCORED else Approximation.of(self, network)
        return None if found is None else Members((found,))
