"""The paper's two uses of the spread: a threshold above which to abstain, and weights for metrics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from latentlink.errors import InputError
from latentlink.uncertainty.prediction import Prediction
from latentlink.validation.columns import Floats, number_column, spread_column
from latentlink.validation.numbers import checked_number

__all__ = ["abstain_above", "spread_threshold", "uq_weights"]


def spread_threshold(train_spread: ArrayLike) -> float:
    """Return the spread above which the model abstains: the mean over the training entries.

        tau = 1 / |train|  *  sum over (i, j) in train of U_ij

    This threshold guarantees nothing about errors; that of `RiskControl` does.

    Parameters
    ----------
    train_spread : array, shape (entries,)
        Standard deviation of the members' scores at the training entries.

    Examples
    --------
    >>> spread_threshold([0.25, 0.75])
    0.5
    """
    spread = spread_column(train_spread)
    if not len(spread):
        raise InputError("There are no training entries to take the mean spread of; expected at least one.")
    return float(spread.mean())


def abstain_above(rows: Any, cols: Any, score: ArrayLike, spread: ArrayLike, threshold: float) -> Prediction:
    """Return a prediction that abstains where the spread exceeds the threshold, U > tau.

    Parameters
    ----------
    rows, cols : arrays of int or str, shape (pairs,)
        The pairs, by index or by name.
    score, spread : arrays, shape (pairs,)
    threshold : float
        The largest spread that is answered, such as `spread_threshold` returns; infinity answers every pair.

    Examples
    --------
    >>> abstain_above([0, 1], [2, 2], [0.9, 0.4], [0.02, 0.3], threshold=0.1).abstained
    array([False,  True])
    """
    if threshold != math.inf:
        checked_number(threshold, "threshold", 0, meaning=", a spread, or infinity")
    scores = number_column(score, "score")
    spreads = spread_column(spread, scores)
    return Prediction(
        np.asarray(rows), np.asarray(cols), scores, spreads, spreads > threshold, float(threshold)
    )


def uq_weights(spread: ArrayLike, train_spread: ArrayLike) -> Floats:
    """Return the weight of each pair in the UQ-based metrics: 1 for a spread of 0, less for a larger one.

        w_ij = U_ij / (1 + median of U over the training entries),    weight_ij = 1 / (1 + w_ij)

    All weights are above 0. Spreads of scores between 0 and 1 are small against 1, so that their weights are
    all near 1.

    Parameters
    ----------
    spread : array, shape (pairs,)
        Standard deviation of the members' scores at the evaluated pairs.
    train_spread : array, shape (entries,)
        The same at the training entries.

    Examples
    --------
    >>> uq_weights([0.0, 1.25], [0.2, 0.25, 0.9])
    array([1. , 0.5])
    """
    in_training = spread_column(train_spread)
    if not len(in_training):
        raise InputError("There are no training entries to take the median spread of; expected at least one.")
    weights: Floats = 1 / (1 + spread_column(spread) / (1 + np.median(in_training)))
    return weights
