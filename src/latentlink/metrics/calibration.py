"""Calibration metrics of probabilities: reliability curve, calibration error, Brier score and log loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata
from sklearn import metrics

from latentlink.metrics.inputs import label_input, probability_input
from latentlink.validation.columns import Floats
from latentlink.validation.numbers import checked_count

__all__ = [
    "BrierParts",
    "Reliability",
    "brier_parts",
    "brier_score",
    "expected_calibration_error",
    "log_loss",
    "probability_metrics",
    "reliability_curve",
]


@dataclass(frozen=True, eq=False)
class Reliability:
    """A reliability curve: predicted probability and observed share of links, in bins of equal mass.

    Attributes
    ----------
    predicted : array, shape (bins,)
        Mean probability of the pairs in each bin, ascending.
    observed : array, shape (bins,)
        Share of links in each bin.
    count : array of int, shape (bins,)
        Number of pairs in each bin.
    """

    predicted: Floats
    observed: Floats
    count: np.typing.NDArray[np.int64]


@dataclass(frozen=True)
class BrierParts:
    """Decomposition of the Brier score: ``score = reliability - resolution + uncertainty + within``.

    Attributes
    ----------
    score : float
        Mean of (probability - label)^2.
    reliability : float
        Mean squared distance of the bins from the diagonal; 0 if calibrated.
    resolution : float
        Mean squared distance of the bins' shares of links from the overall share; higher is better.
    uncertainty : float
        Score of predicting the overall share of links for every pair.
    within : float
        Contribution of differences within bins; 0 where all probabilities of a bin are equal.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def reliability_curve(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> Reliability:
    """Return predicted probabilities and observed shares of links, in bins of equal mass.

    Parameters
    ----------
    labels : array of 0 and 1, shape (pairs,)
    probabilities : array, shape (pairs,)
    bins : int
        Largest number of bins. Equal probabilities are always in one bin, so that there may be fewer.

    Examples
    --------
    >>> curve = reliability_curve([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.8], bins=2)
    >>> curve.predicted, curve.observed, curve.count
    (array([0.2, 0.7]), array([0., 1.]), array([2, 2]))
    """
    truth = label_input(labels)
    predicted = probability_input(probabilities, truth)
    bin_of = _bin_indices(predicted, bins)
    count = np.bincount(bin_of)
    return Reliability(np.bincount(bin_of, predicted) / count, np.bincount(bin_of, truth) / count, count)


def expected_calibration_error(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> float:
    """Return the expected calibration error (ECE) in bins of equal mass; 0 is calibrated.

    ECE = sum over bins of (n_b / n) |mean probability_b - share of links_b|. It is above 0 even for
    calibrated probabilities, by chance, and the more so the fewer pairs are in a bin.

    Parameters
    ----------
    labels, probabilities, bins
        As for `reliability_curve`.

    Examples
    --------
    >>> round(expected_calibration_error([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.8], bins=2), 6)
    0.25
    """
    curve = reliability_curve(labels, probabilities, bins)
    return float(np.average(np.abs(curve.predicted - curve.observed), weights=curve.count))


def brier_score(labels: ArrayLike, probabilities: ArrayLike) -> float:
    """Return the Brier score, the mean of (probability - label)^2.

    Examples
    --------
    >>> round(brier_score([0, 1], [0.2, 0.6]), 6)
    0.1
    """
    truth = label_input(labels)
    return float(metrics.brier_score_loss(truth, probability_input(probabilities, truth), pos_label=1))


def brier_parts(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> BrierParts:
    """Decompose the Brier score into reliability, resolution and uncertainty.

        reliability = sum (n_b / n) (p_b - o_b)^2,   resolution = sum (n_b / n) (o_b - o)^2,
        uncertainty = o (1 - o),

    with p_b the mean probability and o_b the share of links in bin b, and o the overall share (Murphy 1973).
    The effect of unequal probabilities in one bin is returned as ``within`` (Stephenson, Coelho and Jolliffe
    2008), so that the parts always add up to the score.

    Parameters
    ----------
    labels, probabilities, bins
        As for `reliability_curve`.

    Examples
    --------
    >>> parts = brier_parts([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75])
    >>> parts.reliability, parts.resolution, parts.uncertainty, parts.within
    (0.0625, 0.0625, 0.1875, 0.0)
    """
    curve = reliability_curve(labels, probabilities, bins)
    score, share = brier_score(labels, probabilities), float(label_input(labels).mean())
    reliability = float(np.average((curve.predicted - curve.observed) ** 2, weights=curve.count))
    resolution = float(np.average((curve.observed - share) ** 2, weights=curve.count))
    uncertainty = share * (1 - share)
    return BrierParts(
        score, reliability, resolution, uncertainty, score - (reliability - resolution + uncertainty)
    )


def log_loss(labels: ArrayLike, probabilities: ArrayLike) -> float:
    """Return the log loss, the mean of -log of the probability of the true label.

    A probability of 0 for the true label counts as 2e-16, as in scikit-learn: a loss of 36, not infinity.

    Examples
    --------
    >>> round(log_loss([0, 1], [0.5, 0.5]), 4)
    0.6931
    """
    truth = label_input(labels)
    return float(metrics.log_loss(truth, probability_input(probabilities, truth), labels=[0, 1]))


def probability_metrics(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> dict[str, float]:
    """Return all calibration metrics of this module by name.

    Parameters
    ----------
    labels, probabilities, bins
        As for `reliability_curve`.

    Returns
    -------
    dict
        ``brier`` and its parts ``brier_reliability``, ``brier_resolution``, ``brier_uncertainty`` and
        ``brier_within``; ``ece``; ``log_loss``.

    Examples
    --------
    >>> result = probability_metrics([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75])
    >>> {name: round(result[name], 3) for name in ("brier", "ece", "log_loss")}
    {'brier': 0.188, 'ece': 0.25, 'log_loss': 0.562}
    """
    parts = brier_parts(labels, probabilities, bins)
    return {
        "brier": parts.score,
        "brier_reliability": parts.reliability,
        "brier_resolution": parts.resolution,
        "brier_uncertainty": parts.uncertainty,
        "brier_within": parts.within,
        "ece": expected_calibration_error(labels, probabilities, bins),
        "log_loss": log_loss(labels, probabilities),
    }


def _bin_indices(probabilities: Floats, bins: int) -> np.typing.NDArray[np.int64]:
    """Return the bin of each probability by its rank, which ties share; empty bins are not numbered."""
    most = checked_count(bins, "bins")
    with_empty = np.floor(most * (rankdata(probabilities) - 0.5) / len(probabilities))
    return np.unique(with_empty, return_inverse=True)[1]
