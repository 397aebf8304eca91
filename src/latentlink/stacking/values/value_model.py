"""The stacked model of values: several factorizations and what else is known of a pair, joined linearly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import kept_within
from latentlink.network import Network
from latentlink.scoring import Members, PairModel
from latentlink.stacking.values.column_units import ColumnUnits
from latentlink.stacking.values.linear_stage import LinearStage
from latentlink.stacking.values.value_columns import ValueColumns

__all__ = ["ValueMembers", "ValueModel"]

Array = NDArray[Any]
Affine = tuple[Array, list[Array]]


@dataclass(frozen=True, eq=False)
class ValueModel:
    """Values by a linear last stage on the scores of several models and on other columns.

    It fulfils `latentlink.scoring.PairModel`, as a model without components.

    Attributes
    ----------
    models : tuple of PairModel
        Their scores are not clipped.
    names : tuple of str
        Names of the models in explanations.
    columns : ValueColumns
    stage : LinearStage
    bounds : (float, float) or None
        Range to which scores are clipped, where columns have no ranges of their own.
    units : ColumnUnits or None
        Models, columns and stage are of values that were standardized by these.
    is_member : bool
        Whether it is a member of an ensemble. Regressions of columns have no members: in those of the stack
        they deviate with the models. Otherwise the members of a stack that is such a regression would all
        agree, as if nothing was unknown.
    """

    models: tuple[PairModel, ...]
    names: tuple[str, ...]
    columns: ValueColumns
    stage: LinearStage
    bounds: tuple[float, float] | None = None
    units: ColumnUnits | None = None
    is_member: bool = False

    boolean: ClassVar[bool] = False
    logistic: ClassVar[bool] = False

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
        return self.score_with(self.affine(i, j), i, j)

    def affine(self, rows: Array, cols: Array) -> Affine:
        """Return the constant of each pair, and the slope of each model's score in it."""
        centre = self.columns.centre(rows, cols) if self.is_member else None
        return self.stage.affine(self.columns.features(rows, cols), len(self.models), centre)

    def score_with(self, affine: Affine, rows: Array, cols: Array) -> Array:
        """Score pairs whose constants and slopes are given."""
        return self._joined(affine, [model.score(rows, cols) for model in self.models], cols)

    def block(self, begin: int, end: int, first: int = 0) -> Array:
        """Score rows ``begin`` to ``end`` with all columns from ``first`` on."""
        return self.block_with(self.block_affine(begin, end, first), begin, end, first)

    def block_affine(self, begin: int, end: int, first: int) -> Affine:
        """Return constants and slopes of a block of pairs."""
        rows, cols = np.arange(begin, end), np.arange(first, self.shape[1])
        shape = len(rows), len(cols)
        constant, slopes = self.affine(np.repeat(rows, len(cols)), np.tile(cols, len(rows)))
        return constant.reshape(shape), [slope.reshape(shape) for slope in slopes]

    def block_with(self, affine: Affine, begin: int, end: int, first: int) -> Array:
        """Score a block whose constants and slopes are given."""
        scores = [model.block(begin, end, first) for model in self.models]
        return self._joined(affine, scores, np.arange(first, self.shape[1]))

    def contributions(self, row: int, col: int) -> dict[str, float]:
        """Return the terms of a pair's score before it is clipped, each relative to an average pair."""
        i, j = np.array([row]), np.array([col])
        return self.contributions_with(self.columns.features(i, j), i, j)[0]

    def contributions_with(
        self, features: Sequence[Array], rows: Array, cols: Array
    ) -> list[dict[str, float]]:
        """Return the contributions of pairs whose other columns are given."""
        scores = [model.score(rows, cols) for model in self.models]
        centre = self.columns.centre(rows, cols) if self.is_member else None
        if centre is not None:
            features = [features[0] + np.mean(scores, axis=0) - centre, *features[1:]]
        terms = np.column_stack(self.stage.contributions([*scores, *features]))
        constants = np.full(len(terms), self.stage.constant)
        if self.units is not None:
            terms = terms * self.units.scales[cols, None]
            constants = self.units.scores(constants, cols)
        names = [*self.names, *self.columns.names, "constant"]
        every = np.column_stack([terms, constants]).tolist()
        named = [dict(zip(names, each, strict=True)) for each in every]
        return [{name: term for name, term in each.items() if name} for each in named]

    def _joined(self, affine: Affine, scores: Sequence[Array], cols: Array) -> Array:
        constant, slopes = affine
        joined = constant + sum(slope * score for slope, score in zip(slopes, scores, strict=True))
        if self.units is not None:
            joined = self.units.scores(joined, cols)
        if self.columns.ranges is not None:
            low, high = self.columns.ranges
            return kept_within(joined, low[cols], high[cols])
        return joined if self.bounds is None else kept_within(joined, *self.bounds)


class ValueMembers(Members):
    """Members of the same last stage, whose other columns are computed once for all of them."""

    __slots__ = ()

    def scores(self, rows: Array, cols: Array) -> Iterator[Array]:
        """Yield the scores of pairs by each member."""
        affine = self[0].affine(rows, cols)
        return (member.score_with(affine, rows, cols) for member in self)

    def blocks(self, begin: int, end: int, first: int) -> Iterator[Array]:
        """Yield the scores of a block by each member."""
        affine = self[0].block_affine(begin, end, first)
        return (member.block_with(affine, begin, end, first) for member in self)

    def contributions(self, rows: Array, cols: Array) -> Iterator[list[Mapping[str, float]]]:
        """Yield the contributions of pairs by each member."""
        features = self[0].columns.features(rows, cols)
        return (member.contributions_with(features, rows, cols) for member in self)

    def approximation(self, network: Network) -> None:
        """Return None: all pairs are scored."""
