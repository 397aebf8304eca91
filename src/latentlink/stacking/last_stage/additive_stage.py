"""A sum of piecewise linear functions of scores and features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.special import expit

from latentlink.kernels import piecewise_linear_sum
from latentlink.stacking.last_stage.hat_functions import hat_functions
from latentlink.stacking.last_stage.training_pairs import TrainingPairs
from latentlink.uncertainty.probabilities.logistic_regression import center_and_scale, logistic_weights

__all__ = ["AdditiveStage"]

Array = NDArray[np.float64]

_KNOTS = 5


@dataclass(frozen=True, eq=False)
class AdditiveStage:
    """A sum of piecewise linear functions, one of each column (a generalized additive model).

        f(x) = c + sum_f s_f(x_f),    s_f linear between its knots, and constant beyond the outermost ones

    Attributes
    ----------
    knots : array, shape (columns, knots)
        Quantiles of each column in training, in ascending order; equal ones count once.
    heights : array, shape (columns, knots)
        s_f at its knots; over the training pairs the mean of each s_f is 0.
    constant : float
        c.
    """

    knots: Array
    heights: Array
    constant: float

    @classmethod
    def fit(cls, pairs: TrainingPairs, penalty: float, tol: float = 1e-8) -> AdditiveStage:
        """Fit the sum, as the logit of a link, by penalised maximum likelihood."""
        knots = np.quantile(pairs.table, np.linspace(0, 1, _KNOTS), axis=0).T.copy()
        coefficients = logistic_weights(
            hat_functions(pairs.table, knots), pairs.values, pairs.weights, penalty, tol
        )
        return cls._centred(pairs, knots, coefficients[:-1].reshape(knots.shape), float(coefficients[-1]))

    @classmethod
    def _centred(cls, pairs: TrainingPairs, knots: Array, heights: Array, constant: float) -> AdditiveStage:
        """Move the mean of each function over the training pairs into the constant."""
        functions = cls(knots, heights, 0.0).contributions(list(pairs.table.T))
        means = np.array([np.average(each, weights=pairs.weights) for each in functions])
        return cls(knots, heights - means[:, None], constant + float(means.sum()))

    def value(self, table: Array) -> Array:
        """Return f at points, whose columns are the rows of a table of shape (columns, points)."""
        return piecewise_linear_sum(table, self.knots, self.heights) + self.constant

    def contributions(self, columns: Sequence[NDArray[Any]]) -> list[Array]:
        """Return s_f of each column: its part of the value, relative to that of an average pair."""
        return [
            np.interp(np.clip(column, knots[0], knots[-1]), knots, heights)
            for column, knots, heights in zip(columns, self.knots, self.heights, strict=True)
        ]

    def redrawn(
        self, pairs: TrainingPairs, penalty: float, count: int, seed: Any
    ) -> tuple[AdditiveStage, ...]:
        """Return what other training pairs might have given, by the score bootstrap (Kline and Santos 2012).

        Each draw weights the pairs anew, by exponential weights, and takes one Newton step from the fit. The
        draws are centred: their mean is the fit, whose predictions they do not blur.
        """
        hats = hat_functions(pairs.table, self.knots)
        center, scale = center_and_scale(hats)
        columns = np.column_stack([(hats - center) / scale, np.ones(len(pairs))])
        probability = expit(self.value(pairs.table.T))
        hessian = columns.T @ (columns * (pairs.weights * probability * (1 - probability))[:, None])
        hessian[np.diag_indices_from(hessian)] += np.append(np.full(hats.shape[1], penalty), 1e-6)
        draws = np.random.default_rng(seed).exponential(size=(len(pairs), count))
        draws -= draws.mean(axis=1, keepdims=True)
        draws *= np.sqrt(count / max(1, count - 1))
        residuals = (pairs.weights * (pairs.values - probability))[:, None] * draws
        steps = linalg.solve(hessian, columns.T @ residuals, assume_a="pos")
        slopes = steps[:-1] / scale[:, None]
        constants = steps[-1] - center @ slopes
        return tuple(
            AdditiveStage(
                self.knots, self.heights + slope.reshape(self.knots.shape), self.constant + float(constant)
            )
            for slope, constant in zip(slopes.T, constants, strict=True)
        )
