"""Fitted calibration curves from scores to probabilities; all can be saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from latentlink.validation.columns import Floats, number_column, probability_column

__all__ = ["BetaCurve", "Calibrator", "SigmoidCurve", "StepCurve", "unit_scores"]

_CLIP = 1e-6  # distance from 0 and 1, which have no logit; an ensemble that agrees scores exactly 0 or 1


class Calibrator(Protocol):
    """A callable that returns probabilities for scores."""

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
        feature = logit(unit_scores(scores)) if self.on_logit else number_column(scores, "score")
        return expit(self.slope * feature + self.intercept)


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
        inside = unit_scores(scores)
        return expit(self.a * np.log(inside) - self.b * np.log1p(-inside) + self.c)


@dataclass(frozen=True, eq=False)
class StepCurve:
    """Linear interpolation of probabilities at ascending scores, constant beyond the first and the last.

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
    """Return scores from 0 to 1, clipped to [1e-6, 1 - 1e-6]; raise InputError for others."""
    expected = "a number from 0 to 1. Scores of any size are calibrated by Platt() or Isotonic()"
    numbers = number_column(scores, "score")
    return np.clip(probability_column(numbers, "score", expected=expected), _CLIP, 1 - _CLIP)
