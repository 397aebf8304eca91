"""Risk-coverage curves of selective prediction: the error among the most confident pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from latentlink.metrics.inputs import amount_input, number_input
from latentlink.validation.columns import Floats

__all__ = ["RiskCoverage", "aurc", "excess_aurc", "risk_coverage"]


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """A risk-coverage curve: the error among the pairs answered, for each threshold of confidence.

    Attributes
    ----------
    threshold : array, shape (thresholds,)
        The distinct confidences, descending: pairs of at least that confidence are answered.
    coverage : array, shape (thresholds,)
        Share of the pairs that are answered.
    risk : array, shape (thresholds,)
        Mean error of the pairs that are answered.
    """

    threshold: Floats
    coverage: Floats
    risk: Floats


def risk_coverage(errors: ArrayLike, confidence: ArrayLike) -> RiskCoverage:
    """Return the risk-coverage curve: the mean error of the pairs answered, at every coverage.

    risk(t) = mean of errors where confidence >= t. Pairs of equal confidence are answered together.

    Parameters
    ----------
    errors : array, shape (pairs,)
        Error of each answer, 0 or more: 0 or 1 for right or wrong, or an absolute or squared error.
    confidence : array, shape (pairs,)
        Higher is more confident; `latentlink.uncertainty.confidence_of` computes it from score and spread.

    Examples
    --------
    >>> curve = risk_coverage([0, 1, 1, 0], [0.9, 0.2, 0.4, 0.8])
    >>> curve.coverage, curve.risk.round(2)
    (array([0.25, 0.5 , 0.75, 1.  ]), array([0.  , 0.  , 0.33, 0.5 ]))
    """
    threshold, ends, sums = _groups(errors, confidence)
    return RiskCoverage(threshold, ends / ends[-1], np.cumsum(sums) / ends)


def aurc(errors: ArrayLike, confidence: ArrayLike) -> float:
    """Return the area under the risk-coverage curve (AURC): low if errors are where confidence is low.

    AURC = mean over k = 1 ... n of the mean error of the k most confident pairs. For pairs of equal
    confidence it is the mean over all their orders, so that the result does not depend on the order of the
    arrays.

    Parameters
    ----------
    errors, confidence
        As for `risk_coverage`.

    Examples
    --------
    >>> aurc([0, 1], [0.9, 0.2]), aurc([0, 1], [0.2, 0.9]), aurc([0, 1], [0.5, 0.5])
    (0.25, 0.75, 0.5)
    """
    return _area(*_groups(errors, confidence)[1:])


def excess_aurc(errors: ArrayLike, confidence: ArrayLike) -> float:
    """Return the AURC minus that of the best possible confidence: 0 is perfect.

    The best confidence orders pairs by their errors. Subtracting its AURC makes models of different accuracy
    comparable.

    Parameters
    ----------
    errors, confidence
        As for `risk_coverage`.

    Examples
    --------
    >>> excess_aurc([0, 1], [0.9, 0.2]), excess_aurc([0, 1], [0.2, 0.9])
    (0.0, 0.5)
    """
    sizes = amount_input(errors, "error")
    return max(aurc(sizes, confidence) - aurc(sizes, -sizes), 0.0)


def _groups(errors: ArrayLike, confidence: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return distinct confidences, descending, how many pairs have at least each, and its sum of errors."""
    sizes = amount_input(errors, "error")
    confidences = number_input(confidence, "confidence", sizes)
    order = np.argsort(-confidences, kind="stable")
    confidences, sizes = confidences[order], sizes[order]
    starts = np.flatnonzero(np.concatenate([[True], confidences[1:] != confidences[:-1]]))
    ends = np.append(starts[1:], len(confidences)).astype(np.float64)
    return confidences[starts], ends, np.add.reduceat(sizes, starts)


def _area(ends: Floats, sums: Floats) -> float:
    """Return the AURC of groups of equal confidence."""
    # Within a group of n after b pairs with errors E: sum over k of (E + (k - b) m) / k, m the group's mean.
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, int(ends[-1]) + 1))])
    before = np.concatenate([[0.0], ends[:-1]])
    means = sums / (ends - before)
    errors = np.cumsum(sums) - sums
    steps = harmonic[ends.astype(np.intp)] - harmonic[before.astype(np.intp)]
    return float(np.sum(sums + (errors - before * means) * steps) / ends[-1])
