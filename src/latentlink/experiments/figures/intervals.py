"""Means over runs with confidence intervals, for whole curves at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import t

__all__ = ["mean_and_margin"]

Array = NDArray[np.float64]


def mean_and_margin(runs: ArrayLike, level: float = 0.95) -> tuple[Array, Array]:
    """Return the means over runs, and the half widths of their intervals by the t distribution.

    Parameters
    ----------
    runs : array, shape (runs, ...)
        NaN is left out.
    level : float
        Confidence level.

    Returns
    -------
    means : array, shape (...)
        NaN where no run has a number.
    margins : array, shape (...)
        0 where a single run has one: there is no interval.

    Examples
    --------
    >>> mean, margin = mean_and_margin([0.91, 0.93, 0.92, 0.94])
    >>> print(f"{mean:.3f} +- {margin:.4f}")
    0.925 +- 0.0205
    """
    values = np.asarray(runs, np.float64)
    known = np.isfinite(values)
    count = known.sum(axis=0)
    least = np.maximum(count, 1)
    mean = np.where(count, np.where(known, values, 0).sum(axis=0) / least, np.nan)
    squares = (np.where(known, values - np.where(count, mean, 0), 0) ** 2).sum(axis=0)
    freedom = np.maximum(count - 1, 1)
    margin = t.ppf((1 + level) / 2, freedom) * np.sqrt(squares / freedom / least)
    return mean, np.where(count > 1, margin, 0.0)
