"""Curves from scores to probabilities, as calibrations find them; all can be saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from latentlink.validation.columns import Floats, number_column, probability_column

__all__ = ["LEAST", "BetaCurve", "Calibrator", "SigmoidCurve", "StepCurve", "unit_scores"]

# Scores of 0 and 1 have no logarithm: those of an ensemble that agrees are taken as this far from it.
LEAST = 1e-6


class Calibrator(Protocol):
    """Turns scores into probabilities."""

    def __call__(self, scores: ArrayLike) -> Floats:
        """Return the probability of a link for each score, shape (pairs,)."""
        ...


@dataclass(frozen=True)
class SigmoidCurve:
    """``p = sigmoid(slope * f(score) + intercept)``, with f the score itself or its logit.

    Examples
    --------
    >>> SigmoidCurve(2.0, -1.0)([0.5])
    array([0.5])
    """

    slope: float
    intercept: float
    on_logit: bool = False

    def __call__(self, scores: ArrayLike) -> Floats:
        """Return the probability of a link for each score."""
        found = logit(unit_scores(scores)) if self.on_logit else number_column(scores, "score")
        return expit(self.slope * found + self.intercept)


@dataclass(frozen=True)
class BetaCurve:
    """``p = sigmoid(a log(score) - b log(1 - score) + c)``.

    Examples
    --------
    >>> BetaCurve(1.0, 1.0, 0.0)([0.25]).round(6)
    array([0.25])
    """

    a: float
    b: float
    c: float

    def __call__(self, scores: ArrayLike) -> Floats:
        """Return the probability of a link for each score."""
        found = unit_scores(scores)
        return expit(self.a * np.log(found) - self.b * np.log1p(-found) + self.c)


@dataclass(frozen=True, eq=False)
class StepCurve:
    """Probabilities at ascending scores, straight lines between them, and flat beyond.

    Examples
    --------
    >>> StepCurve(np.array([0.0, 1.0]), np.array([0.1, 0.9]))([0.5, 7.0])
    array([0.5, 0.9])
    """

    scores: Floats
    probabilities: Floats

    def __call__(self, scores: ArrayLike) -> Floats:
        """Return the probability of a link for each score."""
        return np.interp(number_column(scores, "score"), self.scores, self.probabilities)


def unit_scores(scores: ArrayLike) -> Floats:
    """Return scores between 0 and 1, those at the ends a little inside; refuse others."""
    expected = "a number from 0 to 1. Scores of any size are calibrated by Platt() or Isotonic()"
    return np.clip(probability_column(scores, "score", expected=expected), LEAST, 1 - LEAST)
