"""The paper's rule of keeping silent: where members differ more than they do on average in training."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from latentlink.errors import InputError
from latentlink.network.arguments import as_number, shown
from latentlink.uncertainty.arrays import numbers_of, spreads_of
from latentlink.uncertainty.prediction import Prediction

__all__ = ["judged", "spread_threshold"]


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
    spread = spreads_of(train_spread)
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
    most = as_number(threshold)
    if not most >= 0:
        raise InputError(f"threshold is {shown(threshold)}; expected a spread, 0 or more.")
    scores = numbers_of(score, "score")
    spreads = spreads_of(spread, scores)
    return Prediction(np.asarray(rows), np.asarray(cols), scores, spreads, spreads > most, most)
