"""The last stage of a stack of values: a ridge regression whose weights depend on how much is known.

    score = s_1 + c(l_i, l_j) + sum_p (w_p0 + w_p1 l_i + w_p2 l_j) d_p

where s_1 is the score of the first model, l_i and l_j are the logarithms of the numbers of known entries of
row and column (less their means), c = c_0 + c_1 l_i + c_2 l_j + c_3 l_i l_j, and the parts d_p are s_1, the
differences of other predictions of the value from it, and corrections such as those of neighbours. The score
is linear in the models' scores.

Weights are shrunk towards one prediction alone or the mean of all, and their changes with l as if l varied by
at least 1: where all counts are about the same, nothing is known of such changes. At every pair, predictions
have weights of at least 0 that add up to 3/4 to 5/4; corrections have such weights at average counts.
Counts and corrections beyond their ranges among the hidden entries count as the ends of these. So a score is
within the hull of 3/4 and 5/4 of the predictions, give or take what corrections and counts amount to among
the hidden entries. If the regression is worse than the best single prediction, or the mean of all, on hidden
entries that neither its weights nor its penalty were fitted to, the stage is this prediction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.stacking.values.bounded_ridge import BoundedRidge, capped_weights, error_of, sums_of

__all__ = ["LinearStage"]

Array = NDArray[Any]

_PENALTIES = (1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0)  # in pairs, for columns of unit deviation
_SUM = 0.25  # by which the sum of the weights of predictions may differ from 1
_COUNTS = 4  # columns of the regression that depend on counts alone


@dataclass(frozen=True, eq=False)
class LinearStage:
    """The weights of a stack of values.

    Attributes
    ----------
    levels : int
        Number of predictions of the value; the first of them is s_1, and other columns are corrections.
    weights : array, shape (parts, 3)
        w: of each part alone, times l_i and times l_j.
    of_counts : array, shape (4,)
        c.
    centres : array, shape (2,)
        Means of the logarithms of the numbers of known entries.
    ranges : array, shape (corrections + 2, 2)
        Least and greatest value of each correction and logarithm among the hidden entries.
    means : array, shape (parts + 1,)
        Mean contribution of each part, and of the numbers of known entries.
    penalty : float
        With the least error on inner folds that were left out; inf for a single prediction or the mean.
    errors : tuple of float
        Root mean squared error of the first model and of the stack on inner folds that were left out.
    """

    levels: int
    weights: Array
    of_counts: Array
    centres: Array
    ranges: Array
    means: Array
    penalty: float
    errors: tuple[float, float]

    @classmethod
    def fit(
        cls, tables: Sequence[Array], values: Sequence[Array], weights: Sequence[Array], levels: int
    ) -> LinearStage:
        """Fit the weights to entries that were hidden from the models.

        Parameters
        ----------
        tables : sequence of arrays, shape (columns, entries)
            Of each inner fold: predictions of the value, corrections, and two logarithms of counts.
        values, weights : sequences of arrays, shape (entries,)
        levels : int
            Number of columns that are predictions of the value.
        """
        joined = np.hstack(tables)
        ranges = np.stack([joined[levels:].min(axis=1), joined[levels:].max(axis=1)], axis=1)
        centres = np.mean(joined[-2:], axis=1)
        errors = [value - table[:levels].mean(axis=0) for value, table in zip(values, tables, strict=True)]
        ends = np.cumsum([len(value) for value in values])[:-1]
        capped = np.split(capped_weights(np.concatenate(errors), np.concatenate(weights)), ends)
        designs = [_design(table, levels, centres) for table in tables]
        targets = [value - table[0] for value, table in zip(values, tables, strict=True)]
        sums = [sums_of(*each) for each in zip(designs, targets, capped, strict=True)]
        plain = _plain(len(designs[0]), levels)

        def stage(coefficients: Array, penalty: float) -> LinearStage:
            parts = coefficients[_COUNTS:].reshape(-1, 3)
            means = np.zeros(len(parts) + 1)
            of_counts = coefficients[:_COUNTS]
            return cls(levels, parts, of_counts, centres, ranges, means, penalty, (0.0, 0.0))

        def squares(fitted: LinearStage, fold: int) -> Array:
            return np.square(values[fold] - fitted.value(list(tables[fold])))

        folds = range(len(tables))
        left = [[sums[other] for other in folds if other != fold] or sums for fold in folds]
        tried = [squares(stage(*_chosen(left[fold], plain, levels)), fold) for fold in folds]
        # The regression is judged by folds that neither weights nor penalty have seen. The best plain
        # prediction is chosen by the folds that judge it, so that it is kept in cases of doubt.
        alone = [sum(error_of(one, each) for each in sums) for one in plain]
        learned = sum(float(capped[fold] @ tried[fold]) for fold in folds)
        best = int(np.argmin(alone))
        result = stage(plain[best], np.inf)
        if learned <= alone[best]:
            result = stage(*_chosen(sums, plain, levels))
        else:
            tried = [squares(result, fold) for fold in folds]
        first = np.average(np.concatenate(targets) ** 2, weights=np.concatenate(weights))
        used = np.average(np.concatenate(tried), weights=np.concatenate(weights))
        means = np.mean(np.hstack([result._terms(table) for table in tables]), axis=1)
        return replace(result, means=means, errors=(float(np.sqrt(first)), float(np.sqrt(used))))

    def value(self, columns: Sequence[Array]) -> Array:
        """Return the score, for columns of any one shape."""
        constant, slopes = self.affine(columns[self.levels :], self.levels)
        for slope, column in zip(slopes, columns[: self.levels], strict=True):
            constant = constant + slope * column
        return constant

    def affine(
        self, others: Sequence[Array], models: int, centre: Array | None = None
    ) -> tuple[Array, list[Array]]:
        """Return constant and slopes of the score as a function of the first predictions of the value.

        Parameters
        ----------
        others : sequence of arrays
            The other columns.
        models : int
            Number of predictions that the score is a function of: the models, whose members differ.
        centre : array, optional
            The mean score of all members and models. The other predictions then deviate with the models, by
            as much as the mean of these does from it: they were made from such means, and have no members.
        """
        predictions = self.levels - models
        corrections, l_i, l_j = self._within_ranges(others[predictions:])
        weights = self._weights_of(l_i, l_j)
        constant = self._of_counts(l_i, l_j)
        for weight, column in zip(weights[models:], [*others[:predictions], *corrections], strict=True):
            constant = constant + weight * column
        slopes = weights[:models]
        if centre is not None:
            shared = sum(weights[models : self.levels], np.zeros_like(centre))
            constant = constant - shared * centre
            slopes = [slope + shared / models for slope in slopes]
        return constant, slopes

    @property
    def constant(self) -> float:
        """The score of an average entry."""
        return float(np.sum(self.means))

    def contributions(self, columns: Sequence[Array]) -> list[Array]:
        """Return the part of each column in the score, relative to the mean; the counts share the last one.

        With the constant they add up to the score.
        """
        terms = self._terms(np.array(columns)) - self.means[:, None]
        return [*terms[:-1], terms[-1], np.zeros_like(terms[-1])]

    def _terms(self, table: Array) -> Array:
        """Return the contribution of each part and of the counts, shape (parts + 1, entries)."""
        corrections, l_i, l_j = self._within_ranges(table[self.levels :])
        weights = self._weights_of(l_i, l_j)
        total = sum(weights[: self.levels])
        parts = [
            weight * (column - table[0])
            for weight, column in zip(weights, table[: self.levels], strict=False)
        ]
        parts[0] = total * table[0]
        added = [weight * column for weight, column in zip(weights[self.levels :], corrections, strict=True)]
        return np.array([*parts, *added, self._of_counts(l_i, l_j)])

    def _within_ranges(self, others: Sequence[Array] | Array) -> tuple[list[Array], Array, Array]:
        """Return corrections and centred logarithms of counts, within the ranges of the hidden entries."""
        *corrections, l_i, l_j = [
            np.clip(column, low, high) for column, (low, high) in zip(others, self.ranges, strict=True)
        ]
        return corrections, l_i - self.centres[0], l_j - self.centres[1]

    def _weights_of(self, l_i: Array, l_j: Array) -> list[Array]:
        """Return the weights of predictions and corrections at pairs of these counts, within their bounds."""
        free = [w[0] + w[1] * l_i + w[2] * l_j for w in self.weights]
        others = [np.maximum(weight, 0.0) for weight in free[1 : self.levels]]
        total = np.clip(1.0 + free[0], 1.0 - _SUM, 1.0 + _SUM)
        first = 1.0 + free[0] - sum(free[1 : self.levels], np.zeros_like(l_i))
        slopes = [np.maximum(first, np.finfo(np.float64).tiny), *others]  # of which one is above 0
        scale = total / sum(slopes)
        return [*(slope * scale for slope in slopes), *free[self.levels :]]

    def _of_counts(self, l_i: Array, l_j: Array) -> Array:
        c = self.of_counts
        result: Array = c[0] + c[1] * l_i + c[2] * l_j + c[3] * l_i * l_j
        return result


def _design(table: Array, levels: int, centres: Array) -> Array:
    """Return the columns of the regression: four of counts, and three of each part."""
    l_i, l_j = table[-2:] - centres[:, None]
    parts = np.array(table[:-2], np.float64)
    parts[1:levels] -= parts[0]
    ones = np.ones_like(l_i)
    by_counts = np.stack([ones, l_i, l_j])
    return np.vstack([ones, l_i, l_j, l_i * l_j, (parts[:, None] * by_counts).reshape(-1, len(l_i))])


def _plain(size: int, levels: int) -> list[Array]:
    """Return the coefficients of each prediction alone, and of the mean of all, relative to the first."""
    plain = np.zeros((levels + (levels > 1), size))
    at = _COUNTS + 3 * np.arange(1, levels)
    plain[np.arange(1, levels), at] = 1.0
    plain[levels:, at] = 1.0 / levels
    return list(plain)


def _chosen(sums: Sequence[Array], plain: Sequence[Array], levels: int) -> tuple[Array, float]:
    """Return the coefficients of the penalty and the aim of shrinkage with the least error on left-out folds.

    They are fitted to all of these folds. The penalty is returned too.
    """
    total = np.sum(sums, axis=0)
    errors = np.zeros((len(plain), len(_PENALTIES)))
    for each in sums:
        others = total - each if len(sums) > 1 else total
        ridge = _ridge(others, levels)
        for aim, towards in enumerate(plain):
            for number, penalty in enumerate(_PENALTIES):
                errors[aim, number] += error_of(ridge.solve(others, towards, penalty), each)
    aim, number = divmod(int(np.argmin(errors)), len(_PENALTIES))
    penalty = _PENALTIES[number]
    return _ridge(total, levels).solve(total, plain[aim], penalty), penalty


def _ridge(sums: Array, levels: int) -> BoundedRidge:
    """Return the units of shrinkage, and bounds of the weights at average counts."""
    size = len(sums) - 1
    squares, linear = np.diag(sums)[:size] / sums[0, 0], sums[0, :size] / sums[0, 0]
    units = np.maximum(squares - linear**2, 1e-12 * squares)
    units[1:_COUNTS] = np.maximum(units[1:_COUNTS], 1.0)
    of_parts = units[_COUNTS:].reshape(-1, 3)  # a view
    of_parts[:, 1:] = np.maximum(of_parts[:, 1:], of_parts[:, :1])
    units[0] = 0.0
    alone = np.eye(size)[_COUNTS::3]
    first = alone[0] - alone[1:levels].sum(axis=0)
    bounds = np.vstack([alone[1:], first, alone[0], -alone[0]])
    limits = np.array([*np.zeros(len(alone) - 1), -1.0, -_SUM, -_SUM])
    return BoundedRidge(units, bounds, limits)
