"""What is gained by keeping silent: the error among the pairs answered, the most confident first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from latentlink.metrics.inputs import amount_input, number_input
from latentlink.validation.columns import Floats

__all__ = ["RiskCoverage", "aurc", "excess_aurc", "risk_coverage"]


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """Error among the pairs answered, for each place at which one may cut.

    Attributes
    ----------
    threshold : array, shape (cuts,)
        Every confidence there is, the highest first: pairs with at least that much are answered.
    coverage : array, shape (cuts,)
        Share of the pairs that are answered.
    risk : array, shape (cuts,)
        Their mean error.
    """

    threshold: Floats
    coverage: Floats
    risk: Floats


def risk_coverage(errors: ArrayLike, confidence: ArrayLike) -> RiskCoverage:
    """Return the mean error of the pairs answered, at every coverage.

    risk(t) = mean of errors where confidence >= t. Pairs of equal confidence are answered together.

    Parameters
    ----------
    errors : array, shape (pairs,)
        What each answer costs, 0 or more: 0 or 1 for right or wrong, or an absolute or squared error.
    confidence : array, shape (pairs,)
        Higher is surer; `latentlink.uncertainty.confidence_of` makes it of score and spread.

    Examples
    --------
    >>> curve = risk_coverage([0, 1, 1, 0], [0.9, 0.2, 0.4, 0.8])
    >>> curve.coverage, curve.risk.round(2)
    (array([0.25, 0.5 , 0.75, 1.  ]), array([0.  , 0.  , 0.33, 0.5 ]))
    """
    threshold, ends, sums = _groups(errors, confidence)
    return RiskCoverage(threshold, ends / ends[-1], np.cumsum(sums) / ends)


def aurc(errors: ArrayLike, confidence: ArrayLike) -> float:
    """Return the area under the risk-coverage curve: low if errors are where confidence is low.

    AURC = mean over k = 1 ... n of the mean error of the k most confident pairs. Pairs of equal confidence
    come in no order: their mean over all orders is taken, so that the result does not depend on that of the
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
    """Return how far the area lies above that of the best order there is: 0 is perfect.

    AURC minus the AURC of a confidence that knows the errors. The mean error itself is taken off by it, so
    that models of different accuracy can be compared.

    Parameters
    ----------
    errors, confidence
        As for `risk_coverage`.

    Examples
    --------
    >>> excess_aurc([0, 1], [0.9, 0.2]), excess_aurc([0, 1], [0.2, 0.9])
    (0.0, 0.5)
    """
    known = amount_input(errors, "error")
    return max(aurc(known, confidence) - aurc(known, -known), 0.0)


def _groups(errors: ArrayLike, confidence: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return each confidence, the highest first, how many have at least that, and the errors at it."""
    costs = amount_input(errors, "error")
    sure = number_input(confidence, "confidence", costs)
    order = np.argsort(-sure, kind="stable")
    sure, costs = sure[order], costs[order]
    starts = np.flatnonzero(np.concatenate([[True], sure[1:] != sure[:-1]]))
    ends = np.append(starts[1:], len(sure)).astype(np.float64)
    return sure[starts], ends, np.add.reduceat(costs, starts)


def _area(ends: Floats, sums: Floats) -> float:
    # Within a group of n after b pairs with errors E: sum over k of (E + (k - b) m) / k, m the group's mean.
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, int(ends[-1]) + 1))])
    before = np.concatenate([[0.0], ends[:-1]])
    means = sums / (ends - before)
    errors = np.cumsum(sums) - sums
    steps = harmonic[ends.astype(np.intp)] - harmonic[before.astype(np.intp)]
    return float(np.sum(sums + (errors - before * means) * steps) / ends[-1])
