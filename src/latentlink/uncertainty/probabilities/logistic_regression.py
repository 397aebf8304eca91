"""The one logistic regression that curves and stacks of models rest on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

__all__ = ["center_and_scale", "logistic_weights"]

Array = NDArray[np.float64]

_SAME = 1e-12  # numbers that differ by no more than this share of their size differ by rounding


def logistic_weights(columns: Array, targets: Array, weights: Array, penalty: float | Array = 1e-8) -> Array:
    """Return the weights of the columns, and the constant last, of the most likely logistic model.

    Parameters
    ----------
    columns : array, shape (pairs, columns)
    targets : array of numbers from 0 to 1, shape (pairs,)
        A target of 0.9 is a link with nine tenths of the weight and a non-link with the rest.
    weights : array, shape (pairs,)
    penalty : float or array, shape (columns,)
        Of the squares of the weights, halved, columns being scaled to variance 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(20000, 2))
    >>> y = (rng.random(20000) < 1 / (1 + np.exp(-(x @ [2.0, 0.5] + 1.0)))).astype(float)
    >>> logistic_weights(x, y, np.ones(20000)).round(1)
    array([2. , 0.5, 1. ])
    """
    center, scale = center_and_scale(columns)
    # A column that is made smaller has a larger weight, and is penalised more.
    least = float(np.min(penalty))
    scale = scale * np.sqrt(penalty / least)
    scaled = (columns - center) / scale
    both = np.concatenate([weights * targets, weights * (1 - targets)])
    counts = both > 0
    # Newton's steps are few, but only a penalty makes sure that there is a minimum to step to.
    solver = "newton-cholesky" if least >= 1 else "lbfgs"
    model = LogisticRegression(C=1 / least, tol=1e-8, max_iter=1000, solver=solver)
    model.fit(
        np.concatenate([scaled, scaled])[counts],
        np.repeat([1, 0], len(targets))[counts],
        sample_weight=both[counts],
    )
    slopes = model.coef_[0] / scale
    return np.append(slopes, model.intercept_[0] - slopes @ center)


def center_and_scale(columns: Array) -> tuple[Array, Array]:
    """Return the means and standard deviations of columns; of one with a single value, that value and 1.

    Examples
    --------
    >>> center_and_scale(np.array([[1.0, 0.1], [3.0, 0.1], [2.0, 0.1]]))
    (array([2. , 0.1]), array([0.81649658, 1.        ]))
    """
    center, scale = columns.mean(axis=0), columns.std(axis=0)
    # The mean of equal numbers may miss them by a rounding error, which must not become a coordinate.
    flat = np.ptp(columns, axis=0) <= _SAME * np.abs(columns).max(axis=0)
    return np.where(flat, columns[0], center), np.where(flat, 1.0, scale)
