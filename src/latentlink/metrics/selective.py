"""The paper's metrics of selective prediction: errors, abstention, and the spread against the errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from latentlink.metrics.inputs import amount_input, label_input, mark_input, number_input, series_input
from latentlink.validation.columns import Floats

__all__ = ["correlation", "f_abstain", "mae", "nsmr", "rmse", "rmse_answered", "selective_metrics", "smr"]


def rmse(values: ArrayLike, scores: ArrayLike) -> float:
    """Return the root mean squared error.

    RMSE = sqrt( mean of (value - score)^2 ).

    Examples
    --------
    >>> rmse([1, 0, 1, 0], [1, 0, 0, 0])
    0.5
    """
    return float(np.sqrt(np.mean(_errors(values, scores) ** 2)))


def mae(values: ArrayLike, scores: ArrayLike) -> float:
    """Return the mean absolute error.

    Examples
    --------
    >>> mae([1, 0, 1, 0], [1, 0, 0, 0])
    0.25
    """
    return float(np.mean(np.abs(_errors(values, scores))))


def f_abstain(abstained: ArrayLike) -> float:
    """Return the share of pairs on which the model abstains; the coverage is 1 minus it.

    Examples
    --------
    >>> f_abstain([True, False, False, False])
    0.25
    """
    return float(label_input(abstained, "abstained mark").mean())


def rmse_answered(values: ArrayLike, scores: ArrayLike, abstained: ArrayLike) -> float:
    """Return the RMSE over the pairs answered; NaN if none is answered.

    Parameters
    ----------
    values, scores : arrays, shape (pairs,)
    abstained : array of bool, shape (pairs,)

    Examples
    --------
    >>> rmse_answered([1, 0, 1, 0], [1, 0, 0, 0], [False, False, True, False])
    0.0
    """
    errors = _errors(values, scores)
    answered = ~mark_input(abstained, "abstained mark", errors)
    return float(np.sqrt(np.mean(errors[answered] ** 2))) if answered.any() else float("nan")


def correlation(spread: ArrayLike, errors: ArrayLike) -> float:
    """Return Pearson's correlation of the spread with the absolute errors; 1 if linear and increasing.

    Parameters
    ----------
    spread : array, shape (pairs,)
        The standard deviation of the members' scores, U in the paper.
    errors : array, shape (pairs,)
        Of either sign; their absolute values are used.

    Returns
    -------
    float
        NaN if the spread or the absolute error is the same for all pairs.

    Examples
    --------
    >>> round(correlation([0.1, 0.2, 0.3], [0.5, -1.0, 1.5]), 6)
    1.0
    """
    spreads = amount_input(spread, "spread")
    sizes = np.abs(number_input(errors, "error", spreads))
    if np.ptp(spreads) == 0 or np.ptp(sizes) == 0:
        return float("nan")
    # Scaled to the range from 0 to 1, since squares of small differences would underflow.
    scaled = [(column - column.min()) / np.ptp(column) for column in (spreads, sizes)]
    return float(np.corrcoef(*scaled)[0, 1])


def smr(spread: ArrayLike) -> float:
    """Return the ratio of the standard deviation of the spread to its mean; near 0 if it hardly varies.

    SMR = std(U) / mean(U); NaN if every spread is 0.

    Examples
    --------
    >>> smr([1.0, 3.0])
    0.5
    """
    spreads = amount_input(spread, "spread")
    mean = spreads.mean()
    return float(spreads.std() / mean) if mean else float("nan")


def nsmr(smrs: ArrayLike, correlations: ArrayLike) -> Floats:
    """Return SMR weighted by the correlation of spread and errors, for a series of experiments.

    NSMR = SMR * r / max(r). It is high where the spread varies and predicts the errors, and falls as the
    uncertainty saturates.

    Parameters
    ----------
    smrs, correlations : arrays, shape (experiments,)
        For instance one for each size of the test set. NaN is allowed, and stays NaN.

    Returns
    -------
    array, shape (experiments,)
        All NaN if no correlation is positive.

    Examples
    --------
    >>> nsmr([0.5, 0.4], [0.8, 0.4])
    array([0.5, 0.2])
    """
    r = series_input(correlations, "correlation", "experiment")
    ratio = series_input(smrs, "SMR", "experiment", r)
    best = np.max(r, initial=0.0, where=~np.isnan(r))
    return ratio * r / best if best > 0 else np.full(len(r), np.nan)


def selective_metrics(
    values: ArrayLike, scores: ArrayLike, spread: ArrayLike, abstained: ArrayLike
) -> dict[str, float]:
    """Return the metrics of the paper's tables by name: all of this module but `mae` and `nsmr`.

    Parameters
    ----------
    values, scores, spread : arrays, shape (pairs,)
    abstained : array of bool, shape (pairs,)
        Where the model abstains, as in `latentlink.uncertainty.Prediction`.

    Returns
    -------
    dict
        ``rmse``, ``f_abstain``, ``coverage``, ``rmse_answered``, ``correlation`` (of spread and absolute
        error) and ``smr``.

    Examples
    --------
    >>> result = selective_metrics([1, 0, 1], [0.9, 0.1, 0.5], [0.1, 0.1, 0.4], [False, False, True])
    >>> {name: round(number, 2) for name, number in result.items()}
    {'rmse': 0.3, 'f_abstain': 0.33, 'coverage': 0.67, 'rmse_answered': 0.1, 'correlation': 1.0, 'smr': 0.71}
    """
    errors = _errors(values, scores)
    share_abstained = f_abstain(abstained)
    return {
        "rmse": rmse(values, scores),
        "f_abstain": share_abstained,
        "coverage": 1 - share_abstained,
        "rmse_answered": rmse_answered(values, scores, abstained),
        "correlation": correlation(spread, errors),
        "smr": smr(spread),
    }


def _errors(values: ArrayLike, scores: ArrayLike) -> Floats:
    truth = number_input(values, "value")
    return truth - number_input(scores, "score", truth)
