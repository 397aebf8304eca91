"""Whether probabilities mean what they say: of pairs given 0.7, seven in ten should be links."""

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
    """What was said and what was so, in bins of about equally many pairs.

    Attributes
    ----------
    predicted : array, shape (bins,)
        Mean probability of the pairs in each bin, ascending.
    observed : array, shape (bins,)
        Share of links among them.
    count : array of int, shape (bins,)
        How many they are.
    """

    predicted: Floats
    observed: Floats
    count: np.typing.NDArray[np.int64]


@dataclass(frozen=True)
class BrierParts:
    """The Brier score taken apart: ``score = reliability - resolution + uncertainty + within``.

    Attributes
    ----------
    score : float
        Mean of (probability - label)^2.
    reliability : float
        How far bins are from the diagonal, squared; 0 if calibrated.
    resolution : float
        How far the bins' shares of links are from the share of all, squared; the more the better.
    uncertainty : float
        What saying the share of links of every pair would score.
    within : float
        What differences within bins contribute; 0 where all probabilities of a bin are equal.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def reliability_curve(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> Reliability:
    """Return probabilities said against shares of links found, in bins of equal mass.

    Parameters
    ----------
    labels : array of 0 and 1, shape (pairs,)
    probabilities : array, shape (pairs,)
    bins : int
        At the most. Equal probabilities are always in one bin, so that there may be fewer.

    Examples
    --------
    >>> curve = reliability_curve([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.8], bins=2)
    >>> curve.predicted, curve.observed, curve.count
    (array([0.2, 0.7]), array([0., 1.]), array([2, 2]))
    """
    truth = label_input(labels)
    said = probability_input(probabilities, truth)
    which = _bins(said, bins)
    count = np.bincount(which)
    return Reliability(np.bincount(which, said) / count, np.bincount(which, truth) / count, count)


def expected_calibration_error(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> float:
    """Return by how much probabilities are off on average, in bins of equal mass: 0 is calibrated.

    ECE = sum over bins of (n_b / n) |mean probability_b - share of links_b|. Even calibrated probabilities
    have some, by chance: the more, the fewer pairs are in a bin.

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
    """Return the mean of (probability - label)^2.

    Examples
    --------
    >>> round(brier_score([0, 1], [0.2, 0.6]), 6)
    0.1
    """
    truth = label_input(labels)
    return float(metrics.brier_score_loss(truth, probability_input(probabilities, truth), pos_label=1))


def brier_parts(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> BrierParts:
    """Take the Brier score apart into reliability, resolution and uncertainty.

        reliability = sum (n_b / n) (p_b - o_b)^2,   resolution = sum (n_b / n) (o_b - o)^2,
        uncertainty = o (1 - o),

    with p_b the mean probability, o_b the share of links in bin b, and o that of all (Murphy 1973). Bins put
    unequal probabilities together; what that changes is kept as ``within`` (Stephenson, Coelho and Jolliffe
    2008), so that the parts always add up.

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
    """Return the mean of -log of the probability that was given to what came true.

    A probability of 0 for what came true counts as 2e-16 (scikit-learn's least): a loss of 36, no more.

    Examples
    --------
    >>> round(log_loss([0, 1], [0.5, 0.5]), 4)
    0.6931
    """
    truth = label_input(labels)
    return float(metrics.log_loss(truth, probability_input(probabilities, truth), labels=[0, 1]))


def probability_metrics(labels: ArrayLike, probabilities: ArrayLike, bins: int = 10) -> dict[str, float]:
    """Return all of the above by name.

    Examples
    --------
    >>> found = probability_metrics([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75])
    >>> {name: round(number, 3) for name, number in found.items() if name in {"brier", "ece", "log_loss"}}
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


def _bins(said: Floats, bins: int) -> np.typing.NDArray[np.int64]:
    """Return the bin of each probability by its rank, which equal ones share; empty bins have no number."""
    most = checked_count(bins, "bins")
    which = np.floor(most * (rankdata(said) - 0.5) / len(said))
    return np.unique(which, return_inverse=True)[1]
