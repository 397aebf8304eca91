"""The paper's rule of keeping silent: where members differ more than they do on average in training."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from latentlink.errors import InputError
from latentlink.uncertainty.prediction import Prediction
from latentlink.validation.columns import Floats, number_column, spread_column
from latentlink.validation.numbers import checked_number

__all__ = ["judged", "spread_threshold", "uq_weights"]


def spread_threshold(train_spread: ArrayLike) -> float:
    """Return the spread above which the model keeps silent: the mean over the training entries.

        tau = 1 / |train|  *  sum over (i, j) in train of U_ij

    It promises nothing about errors; `RiskControl` does.

    Parameters
    ----------
    train_spread : array, shape (entries,)
        Standard deviation of the members' scores at the entries that they were fitted to.

    Examples
    --------
    >>> spread_threshold([0.25, 0.75])
    0.5
    """
    spread = spread_column(train_spread)
    if not len(spread):
        raise InputError("There are no training entries to take the mean spread of; expected at least one.")
    return float(spread.mean())


def judged(rows: Any, cols: Any, score: ArrayLike, spread: ArrayLike, threshold: float) -> Prediction:
    """Return the prediction that keeps silent where the spread exceeds the threshold, U > tau.

    Parameters
    ----------
    rows, cols : arrays of int or str, shape (pairs,)
        The pairs, by index or by name.
    score, spread : arrays, shape (pairs,)
    threshold : float
        As `spread_threshold` makes it, or any other; infinity answers everything.

    Examples
    --------
    >>> judged([0, 1], [2, 2], [0.9, 0.4], [0.02, 0.3], threshold=0.1).abstained
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
    """Return the weight of each pair in the UQ-based metrics, between 0 and 1: the surer, the nearer to 1.

        w_ij = U_ij / (1 + median of U over the training entries),    weight_ij = 1 / (1 + w_ij)

    Spreads of scores between 0 and 1 are small against 1, so that these weights are all near 1.

    Parameters
    ----------
    spread : array, shape (pairs,)
        Standard deviation of the members' scores at the pairs that are judged.
    train_spread : array, shape (entries,)
        The same at the entries that they were fitted to.

    Examples
    --------
    >>> uq_weights([0.0, 1.25], [0.2, 0.25, 0.9])
    array([1. , 0.5])
    """
    known = spread_column(train_spread)
    if not len(known):
        raise InputError("There are no training entries to take the median of; expected at least one.")
    weights: Floats = 1 / (1 + spread_column(spread) / (1 + np.median(known)))
    return weights
