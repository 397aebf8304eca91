"""Held-out pairs of a calibrated model: their values, scores and calibrated probabilities."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from latentlink.errors import DataWarning
from latentlink.scoring import Calibrated, CrossCalibrated
from latentlink.uncertainty import confidence_of

__all__ = ["THRESHOLD", "HeldOutPairs"]

Array = NDArray[Any]

_FOLDS = 5
THRESHOLD = 0.5  # scores above it are predicted to be links, as in `Calibrated.answers`


@dataclass(frozen=True, eq=False)
class HeldOutPairs:
    """Pairs that the model was not fitted to, with their known values and its predictions.

    Attributes
    ----------
    calibrated : Calibrated
        The calibration that the pairs belong to.
    binary : bool
        Whether the values are links and non-links, 1 and 0.
    """

    calibrated: Calibrated
    binary: bool

    @classmethod
    def of(cls, calibrated: Calibrated) -> HeldOutPairs:
        """Return the calibration pairs of a calibrated model."""
        return cls(calibrated, bool(np.isin(calibrated.values, (0, 1)).all()))

    @property
    def unit(self) -> str:
        """What a risk is: the name of the mean error."""
        return "share of wrong answers" if self.binary else "mean absolute error"

    @property
    def by_folds(self) -> bool:
        """Whether each pair was scored by a model of a fold, and the model itself was fitted to all pairs."""
        return isinstance(self.calibrated, CrossCalibrated)

    @property
    def has_both_labels(self) -> bool:
        """Whether there are links and non-links, without which nothing about links can be measured."""
        return self.binary and 0 < self.calibrated.values.sum() < len(self.calibrated)

    def probabilities(self) -> Array:
        """Return the calibrated probability of each pair, by a curve that was fitted to other pairs of them.

        The curve that `Calibrated.probabilities` fits to all of them would look better than it is.
        """
        calibrated, labels = self.calibrated, self.calibrated.values == 1
        votes = calibrated.votes(calibrated.score)
        folds = min(_FOLDS, int(labels.sum()), int((~labels).sum()))
        if folds < 2:
            return np.full(len(labels), np.nan)
        probabilities = np.empty(len(labels))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)  # of reversed scores, whose metrics say so
            for train, test in StratifiedKFold(folds, shuffle=True, random_state=0).split(votes, labels):
                curve = calibrated.default_curve().fit(votes[train], labels[train])
                probabilities[test] = curve(votes[test])
        return probabilities

    def errors(self) -> Array:
        """Return the error of each answer: 1 for a wrong label, or the absolute error of a value."""
        score, values = self.calibrated.score, self.calibrated.values
        if self.binary:
            return ((score > THRESHOLD) != (values == 1)).astype(np.float64)
        return np.abs(score - values)

    def confidence(self, score: Array | None = None, spread: Array | None = None) -> Array:
        """Return the confidence in each answer, by default for the held-out pairs themselves.

        For links it is the distance of the score from the threshold, for values minus the spread.
        """
        score = self.calibrated.score if score is None else score
        spread = self.calibrated.spread if spread is None else spread
        by = "margin" if self.binary else "spread"
        return confidence_of(score, spread, by, THRESHOLD)
