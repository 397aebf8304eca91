"""The last stage of a stack of values: a ridge regression whose weights depend on how much is known.

    score = s_1 + c(l_i, l_j) + sum_p (w_p0 + w_p1 l_i + w_p2 l_j) d_p

where s_1 is the score of the first model, l_i and l_j are the logarithms of the numbers of known entries of
row and column (less their means), c = c_0 + c_1 l_i + c_2 l_j + c_3 l_i l_j, and the parts d_p are s_1, the
differences of other predictions of the value from it, and corrections such as those of neighbours. All
weights are shrunk towards 0, which is the first model alone. The score is linear in the models' scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["LinearStage"]

Array = NDArray[Any]

_PENALTIES = (1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0)  # in pairs, for columns of unit deviation


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
    means : array, shape (parts + 1,)
        Mean contribution of each part, and of the numbers of known entries.
    penalty : float
        With the least error on inner folds that were left out.
    errors : tuple of float
        Root mean squared error of the first model and of the stack on inner folds that were left out.
    """

    levels: int
    weights: Array
    of_counts: Array
    centres: Array
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
        centres = np.mean(np.hstack([table[-2:] for table in tables]), axis=1)
        designs = [_design(table, levels, centres) for table in tables]
        targets = [value - table[0] for value, table in zip(values, tables, strict=True)]
        sums = [_sums(*each) for each in zip(designs, targets, weights, strict=True)]
        trials = [[_left_out(sums, fold, penalty) for penalty in _PENALTIES] for fold in range(len(sums))]
        of_penalties = np.mean(trials, axis=0)
        best = int(np.argmin(of_penalties))
        first = np.average(np.concatenate(targets) ** 2, weights=np.concatenate(weights))
        used = first if len(sums) < 2 else of_penalties[best]
        coefficients = _solved(sum(sums), _PENALTIES[best])  # type: ignore[arg-type]
        parts = len(tables[0]) - 2
        result = cls(
            levels,
            coefficients[4:].reshape(parts, 3),
            coefficients[:4],
            centres,
            np.zeros(parts + 1),
            _PENALTIES[best],
            (float(np.sqrt(first)), float(np.sqrt(used))),
        )
        means = np.mean(np.hstack([result._terms(table) for table in tables]), axis=1)
        return replace(result, means=means)

    def value(self, columns: Sequence[Array]) -> Array:
        """Return the score, for columns of any one shape."""
        constant, slopes = self.affine(columns[self.levels :], len(columns) - len(columns[self.levels :]))
        for slope, column in zip(slopes, columns[: self.levels], strict=True):
            constant = constant + slope * column
        return constant

    def affine(self, others: Sequence[Array], models: int) -> tuple[Array, list[Array]]:
        """Return constant and slopes of the score as a function of the first predictions of the value.

        Parameters
        ----------
        others : sequence of arrays
            The other columns.
        models : int
            Number of predictions that the score is a function of: the models, whose members differ.
        """
        l_i, l_j = (column - centre for column, centre in zip(others[-2:], self.centres, strict=True))
        weights = [w[0] + w[1] * l_i + w[2] * l_j for w in self.weights]
        c = self.of_counts
        constant = c[0] + c[1] * l_i + c[2] * l_j + c[3] * l_i * l_j
        for weight, column in zip(weights[models:], others[:-2], strict=True):
            constant = constant + weight * column
        slopes = [1.0 + weights[0] - sum(weights[1 : self.levels], np.zeros_like(l_i)), *weights[1:models]]
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
        design = _design(table, self.levels, self.centres)
        parts = np.einsum("pk,pke->pe", self.weights, design[4:].reshape(*self.weights.shape, -1))
        parts[0] += table[0]
        return np.vstack([parts, self.of_counts @ design[:4]])


def _design(table: Array, levels: int, centres: Array) -> Array:
    """Return the columns of the regression: four of counts, and three of each part."""
    l_i, l_j = table[-2:] - centres[:, None]
    parts = np.array(table[:-2], np.float64)
    parts[1:levels] -= parts[0]
    ones = np.ones_like(l_i)
    by_counts = np.stack([ones, l_i, l_j])
    return np.vstack([ones, l_i, l_j, l_i * l_j, (parts[:, None] * by_counts).reshape(-1, len(l_i))])


def _sums(design: Array, target: Array, weights: Array) -> Array:
    """Return the sums of squares and products of the columns and the target, which is the last column."""
    columns = np.vstack([design, target])
    sums: Array = (columns * weights) @ columns.T
    return sums


def _solved(sums: Array, penalty: float) -> Array:
    """Return the coefficients, shrunk in units of the deviation of each column; the constant is free."""
    squares, products = sums[:-1, :-1], sums[:-1, -1]
    total, linear = squares[0, 0], squares[0]
    spread = np.diag(squares) / total - (linear / total) ** 2
    ridge = penalty * np.maximum(spread, 1e-12 * np.diag(squares) / total)
    ridge[0] = 0.0
    scale = np.sqrt(np.maximum(np.diag(squares) + ridge, np.finfo(np.float64).tiny))
    scaled = (squares + np.diag(ridge)) / np.outer(scale, scale)
    solution: Array = np.linalg.lstsq(scaled, products / scale, rcond=1e-12)[0] / scale
    return solution


def _left_out(sums: Sequence[Array], fold: int, penalty: float) -> float:
    """Return the mean squared error on a fold, with weights fitted to the others."""
    own = sums[fold]
    others = sum(each for number, each in enumerate(sums) if number != fold) if len(sums) > 1 else own
    joined = np.append(-_solved(others, penalty), 1.0)  # type: ignore[arg-type]
    return float(joined @ own @ joined / own[0, 0])
