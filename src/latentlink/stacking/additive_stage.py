"""The last stage: a sum of piecewise linear functions of scores and features, learned from held-out pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.progress import Callback, StepProgress
from latentlink.stacking.inner_folds import cancelled_before_the_last_stage
from latentlink.stacking.score_weights import values_and_weights
from latentlink.uncertainty.probabilities.logistic_regression import logistic_weights

__all__ = ["SAMPLE_SIZE", "AdditiveStage", "fit_additive_stage", "stratified_sample"]

Array = NDArray[np.float64]

SAMPLE_SIZE = (
    50_000  # pairs to learn from, about half of each class: more improve some hundred weights little
)
_KNOTS = 5
_PENALTIES = (10.0, 30.0, 100.0, 1000.0)  # candidates
_TRIAL_SIZE, _TRIAL_GROUPS = 6000, 3  # pairs by which they are compared, and groups of parts


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

    def value(self, columns: Sequence[NDArray[Any]]) -> Array:
        """Return the value of f, for columns of any one shape."""
        total = np.full(np.shape(columns[0]), self.constant)
        for term in self.contributions(columns):
            total += term
        return total

    def contributions(self, columns: Sequence[NDArray[Any]]) -> list[Array]:
        """Return s_f of each column: its part of the value, relative to that of an average pair."""
        return [
            np.interp(column, knots, heights)
            for column, knots, heights in zip(columns, self.knots, self.heights, strict=True)
        ]


def fit_additive_stage(
    tables: Sequence[Array], tests: Sequence[Network], callback: Callback | None = None
) -> AdditiveStage:
    """Fit the sum, as the logit of a link, by penalised maximum likelihood.

    The penalty of the heights is chosen by cross-validation over the parts.

    Parameters
    ----------
    tables : sequence of arrays, shape (pairs, columns)
        Scores and features of the held-out pairs of each part.
    tests : sequence of Network
        The known values of these pairs.
    callback : callable, optional
        Receives the progress; raises LatentLinkError if it cancels the fit.
    """
    table = np.vstack(tables)
    values, weights = values_and_weights(tests)
    parts = np.repeat(np.arange(len(tables)), [len(each) for each in tables])
    sample, multiplicity = stratified_sample(values, SAMPLE_SIZE)
    pairs = Pairs(table[sample], values[sample], weights[sample] * multiplicity)
    knots = np.quantile(pairs.table, np.linspace(0, 1, _KNOTS), axis=0).T.copy()
    # With fewer of a class than parts, some sums would be fitted to one class alone.
    if min((values == 1).sum(), (values == 0).sum()) < len(tables):
        return _fitted(knots, pairs, _PENALTIES[-1])
    losses = _losses(knots, pairs, parts[sample], callback)
    return _fitted(knots, pairs, _PENALTIES[int(np.argmin(losses))])


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs to learn from.

    Attributes
    ----------
    table : array, shape (pairs, columns)
    values, weights : array, shape (pairs,)
    """

    table: Array
    values: Array
    weights: Array

    def __getitem__(self, which: NDArray[Any]) -> Pairs:
        """Return some of them."""
        return Pairs(self.table[which], self.values[which], self.weights[which])


def _losses(knots: Array, pairs: Pairs, parts: NDArray[np.intp], callback: Callback | None) -> Array:
    """Return the cross-entropy of held-out parts with each of the penalties."""
    trial, _ = stratified_sample(pairs.values, _TRIAL_SIZE)
    pairs, groups = pairs[trial], parts[trial] % _TRIAL_GROUPS
    losses = np.zeros(len(_PENALTIES))
    progress = StepProgress(callback, len(losses) * _TRIAL_GROUPS)
    for index, penalty in enumerate(_PENALTIES):
        for group in range(_TRIAL_GROUPS):
            stage = _fitted(knots, pairs[groups != group], penalty)
            losses[index] += _loss(stage, pairs[groups == group])
            if not progress.step():
                raise cancelled_before_the_last_stage()
    return losses


def stratified_sample(values: Array, size: int) -> tuple[NDArray[np.intp], Array]:
    """Return about half of ``size`` pairs of each class, and how many each stands for; few are kept whole."""
    kept, multiplicity = [], []
    for label in (0, 1):
        positions = np.flatnonzero(values == label)
        sample = positions[:: max(1, -(-2 * len(positions) // size))]
        kept.append(sample)
        multiplicity.append(np.full(len(sample), len(positions) / max(1, len(sample))))
    order = np.argsort(np.concatenate(kept), kind="stable")
    return np.concatenate(kept)[order], np.concatenate(multiplicity)[order]


def _loss(stage: AdditiveStage, pairs: Pairs) -> float:
    """Return the cross-entropy of pairs."""
    logits = stage.value(list(pairs.table.T))
    return float(pairs.weights @ (np.logaddexp(0, logits) - pairs.values * logits))


def _fitted(knots: Array, pairs: Pairs, penalty: float) -> AdditiveStage:
    hats = np.hstack([_hats(column, each) for column, each in zip(pairs.table.T, knots, strict=True)])
    coefficients = logistic_weights(hats, pairs.values, pairs.weights, penalty)
    heights = coefficients[:-1].reshape(knots.shape)
    means = [
        np.average(np.interp(column, *each), weights=pairs.weights)
        for column, *each in zip(pairs.table.T, knots, heights, strict=True)
    ]
    return AdditiveStage(knots, heights - np.array(means)[:, None], float(coefficients[-1] + np.sum(means)))


def _hats(column: Array, knots: Array) -> Array:
    """Return the weights of the heights at the knots in linear interpolation, shape (pairs, knots).

    Of equal knots the last one has the weight.
    """
    clipped = np.clip(column, knots[0], knots[-1])
    right = np.clip(np.searchsorted(knots, clipped, side="right"), 1, len(knots) - 1)
    left = right - 1
    width = knots[right] - knots[left]
    share = np.divide(clipped - knots[left], width, out=np.ones_like(clipped), where=width > 0)
    hats = np.zeros((len(column), len(knots)))
    every = np.arange(len(column))
    hats[every, left] = 1 - share
    hats[every, right] += share
    return hats
