"""Weights of several scores, learned from pairs that none of them has seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from latentlink.errors import IncompatibleError

__all__ = ["logistic_weights"]

Array = NDArray[np.float64]


def logistic_weights(columns: Array, values: Array, weights: Array, penalty: float = 1e-6) -> Array:
    """Return the weights of the columns, and the constant last, of the most likely logistic model.

    Parameters
    ----------
    columns : array, shape (pairs, scores)
    values : array of 0 and 1, shape (pairs,)
    weights : array, shape (pairs,)
    penalty : float
        Of the squares of the weights, halved, columns being scaled to variance 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(20000, 2))
    >>> y = (rng.random(20000) < 1 / (1 + np.exp(-(x @ [2.0, 0.5] + 1.0)))).astype(float)
    >>> logistic_weights(x, y, np.ones(20000)).round(1)
    array([2. , 0.5, 1. ])
    """
    if len(np.unique(values[weights > 0])) < 2:
        raise IncompatibleError(
            f"Among {len(values):,} entries held out there are not both links and non-links, from which the "
            "weights of the scores could be learned. List known non-links, or give the network a background."
        )
    middle, scale = columns.mean(axis=0), columns.std(axis=0)
    scale[scale <= 1e-12 * (1 + np.abs(middle))] = np.inf  # a score that is the same everywhere has no say
    fitted = LogisticRegression(C=1 / penalty, max_iter=1000).fit(
        (columns - middle) / scale, values > 0.5, sample_weight=weights
    )
    slopes = fitted.coef_[0] / scale
    return np.append(slopes, fitted.intercept_[0] - slopes @ middle)
