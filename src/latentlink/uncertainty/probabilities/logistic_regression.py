"""Weighted, penalised logistic regression, for calibration curves and stacked models."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

__all__ = ["center_and_scale", "logistic_weights"]

Array = NDArray[np.float64]

_SAME = 1e-12  # relative range up to which the numbers of a column count as equal


def logistic_weights(
    columns: Array, targets: Array, weights: Array, penalty: float | Array = 1e-8, tol: float = 1e-8
) -> Array:
    """Return the coefficients of a logistic regression by penalised maximum likelihood, the intercept last.

    Parameters
    ----------
    columns : array, shape (pairs, columns)
    targets : array of numbers from 0 to 1, shape (pairs,)
        A target of 0.9 counts as a link with nine tenths of the weight and a non-link with the rest.
    weights : array, shape (pairs,)
        Weight of each pair in the likelihood.
    penalty : float or array, shape (columns,)
        Penalty / 2 times the squared coefficient of each column, scaled to variance 1, is added to the loss.
    tol : float
        Largest gradient of the mean loss at which the fit ends.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(20000, 2))
    >>> y = (rng.random(20000) < 1 / (1 + np.exp(-(x @ [2.0, 0.5] + 1.0)))).astype(float)
    >>> logistic_weights(x, y, np.ones(20000)).round(1)
    array([2. , 0.5, 1. ])
    """
    center, scale = center_and_scale(columns)
    # A column that is scaled down has a larger coefficient, and so a larger penalty.
    least = float(np.min(penalty))
    scale = scale * np.sqrt(penalty / least)
    scaled = (columns - center) / scale
    both_weights = np.concatenate([weights * targets, weights * (1 - targets)])
    used = both_weights > 0
    # Newton's method takes few steps, but without a sizable penalty there may be no minimum to converge to.
    solver = "newton-cholesky" if least >= 1 else "lbfgs"
    model = LogisticRegression(C=1 / least, tol=tol, max_iter=1000, solver=solver)
    model.fit(
        np.concatenate([scaled, scaled])[used],
        np.repeat([1, 0], len(targets))[used],
        sample_weight=both_weights[used],
    )
    slopes = model.coef_[0] / scale
    return np.append(slopes, model.intercept_[0] - slopes @ center)


def center_and_scale(columns: Array) -> tuple[Array, Array]:
    """Return the mean and the standard deviation of each column; for a constant column its value and 1.

    Examples
    --------
    >>> center_and_scale(np.array([[1.0, 0.1], [3.0, 0.1], [2.0, 0.1]]))
    (array([2. , 0.1]), array([0.81649658, 1.        ]))
    """
    center, scale = columns.mean(axis=0), columns.std(axis=0)
    # The mean of equal numbers may differ from them by a rounding error, which must not be scaled up.
    flat = np.ptp(columns, axis=0) <= _SAME * np.abs(columns).max(axis=0)
    return np.where(flat, columns[0], center), np.where(flat, 1.0, scale)
