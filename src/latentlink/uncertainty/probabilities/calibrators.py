"""Calibration of scores to probabilities on held-out pairs with known labels: Platt, beta, isotonic."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit
from sklearn.isotonic import IsotonicRegression

from latentlink.errors import IncompatibleError, warn_user
from latentlink.strategy import Strategy, strategy
from latentlink.uncertainty.probabilities.curves import (
    BetaCurve,
    Calibrator,
    SigmoidCurve,
    StepCurve,
    unit_scores,
)
from latentlink.uncertainty.probabilities.logistic_regression import logistic_weights
from latentlink.validation.choices import check_choice
from latentlink.validation.columns import Floats, binary_column, number_column
from latentlink.validation.wording import counted

__all__ = ["Beta", "Calibration", "Isotonic", "Platt"]

_LEAST = 10  # links, and as many non-links: with fewer even two parameters mostly fit noise


@strategy
class Calibration(Strategy):
    """Base class of calibration methods, which fit a curve from scores to probabilities.

    Probabilities are calibrated only for pairs drawn like the calibration pairs: if these are held out at
    random from the listed links and non-links, for that mixture, not for all pairs of the network. Pairs that
    a curve was fitted to cannot be used again to calibrate a guarantee on its probabilities (`RiskControl`):
    keep separate pairs for each.

    Every curve needs at least ten links and ten non-links. These are no recommendation: the share of links
    among n pairs is known to about 0.5 / sqrt(n).
    """

    def fit(self, scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None) -> Calibrator:
        """Fit the curve to scores and labels.

        Parameters
        ----------
        scores : array, shape (pairs,)
            Of pairs that were not used in fitting the model.
        labels : array of 0 and 1, shape (pairs,)
            1 for links; at least ten of each class.
        weights : array, shape (pairs,), optional
            Weight of each pair: 2 counts as two equal pairs, 0 as none.

        Returns
        -------
        Calibrator
            A record that returns probabilities when called with scores.
        """
        self.check_settings()
        score = number_column(scores, "score")
        links = binary_column(labels, "label", score)
        weight = np.ones(len(score)) if weights is None else number_column(weights, "weight", score)
        used = weight > 0
        for of_class, what in ((links, "link"), (~links, "non-link")):
            count = int(np.count_nonzero(used & of_class))
            if count < _LEAST:
                raise IncompatibleError(
                    f"{self!r} has {counted(count, f'calibration {what}')} of positive weight; expected at "
                    f"least {_LEAST} of them, since fewer determine no probability. Hold out more pairs."
                )
        return self._fitted(score[used], links[used], weight[used])

    def check_settings(self) -> None:
        """Raise IncompatibleError if a parameter is out of range."""

    @abstractmethod
    def _fitted(self, scores: Floats, links: NDArray[np.bool_], weights: Floats) -> Calibrator:
        """Return the curve fitted to checked arrays with positive weights."""


@strategy
class Platt(Calibration):
    """Platt scaling: a sigmoid of the score, with two parameters, so that few pairs suffice (Platt 1999).

        p = sigmoid(slope * f(score) + intercept),

    by maximum likelihood with Platt's targets, (links + 1) / (links + 2) for a link and 1 / (non-links + 2)
    for a non-link, which keep the slope finite where scores separate the classes.

    Parameters
    ----------
    on : {"score", "logit"}
        f is the score itself, or its logit, for scores that are probabilities already (a slope of 1 and an
        intercept of 0 then leave them unchanged).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(size=1000)
    >>> links = rng.random(1000) < 1 / (1 + np.exp(1 - 2 * scores))
    >>> curve = Platt().fit(scores, links)
    >>> round(curve.slope, 1), round(curve.intercept, 1)
    (1.9, -1.0)
    >>> curve([-1.0, 0.5, 2.0]).round(2)
    array([0.05, 0.49, 0.94])
    """

    on: str = "score"

    def check_settings(self) -> None:
        """Raise IncompatibleError if a parameter is out of range."""
        check_choice(self, "on", ("score", "logit"))

    def _fitted(self, scores: Floats, links: NDArray[np.bool_], weights: Floats) -> SigmoidCurve:
        on_logit = self.on == "logit"
        feature = logit(unit_scores(scores)) if on_logit else scores
        (slope,), intercept = _logistic([feature], links, weights)
        if slope < 0:
            warn_user(
                f"{self!r} has a fitted slope of {slope:.3g}; expected a positive one. Among {len(scores):,} "
                "calibration pairs higher scores mean fewer links, so that its probabilities reverse the "
                "order of the scores. Check the model first."
            )
        return SigmoidCurve(slope, intercept, on_logit)


@strategy
class Beta(Calibration):
    """Beta calibration of scores from 0 to 1, which can leave them unchanged (Kull et al. 2017).

        p = sigmoid(a log(score) - b log(1 - score) + c),   a, b >= 0,

    by maximum likelihood with Platt's targets (Kull, Silva Filho and Flach 2017). With a = b it is Platt's
    curve on the logit; otherwise the two ends bend separately.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.random(2000)
    >>> links = rng.random(2000) < scores  # probabilities already
    >>> Beta().fit(scores, links)([0.2, 0.9]).round(1)
    array([0.2, 0.9])
    """

    def _fitted(self, scores: Floats, links: NDArray[np.bool_], weights: Floats) -> BetaCurve:
        inside = unit_scores(scores)
        parts = [np.log(inside), -np.log1p(-inside)]
        (a, b), c = _logistic(parts, links, weights)
        # With a negative coefficient the curve would fall at one end: refit without that term.
        if a < 0 or b < 0:
            remaining = 1 if a < b else 0
            (slope,), c = _logistic(parts[remaining : remaining + 1], links, weights)
            if slope < 0:
                # Neither term rises: the best curve that does not fall is constant.
                (slope,), c = (0.0,), _constant_logit(links, weights)
            a, b = (slope, 0.0) if remaining == 0 else (0.0, slope)
        return BetaCurve(a, b, c)


@strategy
class Isotonic(Calibration):
    """Isotonic regression: a non-decreasing curve of any shape, which needs some hundreds of pairs.

        minimise  sum over pairs  w (p(score) - label)^2   over all non-decreasing p

    Its ends may be exactly 0 and 1, for which the log loss of a single pair of the other class is unbounded.

    Examples
    --------
    >>> scores, links = np.repeat([0.1, 0.2, 0.3, 0.4], 10), np.repeat([0, 1, 0, 1], 10)
    >>> Isotonic().fit(scores, links)([0.1, 0.25, 0.4])
    array([0. , 0.5, 1. ])
    """

    def _fitted(self, scores: Floats, links: NDArray[np.bool_], weights: Floats) -> StepCurve:
        model = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
        model.fit(scores, links.astype(np.float64), sample_weight=weights)
        return StepCurve(np.array(model.X_thresholds_), np.array(model.y_thresholds_))


def _targets(links: NDArray[np.bool_], weights: Floats) -> Floats:
    """Return Platt's targets: a link is a little less than 1, a non-link a little more than 0."""
    yes, no = weights[links].sum(), weights[~links].sum()
    return np.where(links, (yes + 1) / (yes + 2), 1 / (no + 2))


def _constant_logit(links: NDArray[np.bool_], weights: Floats) -> float:
    """Return the logit of the weighted mean of Platt's targets."""
    share = float(np.average(_targets(links, weights), weights=weights))
    return float(logit(share))


def _logistic(
    parts: list[Floats], links: NDArray[np.bool_], weights: Floats
) -> tuple[tuple[float, ...], float]:
    """Return the coefficients and the intercept of a logistic regression on Platt's targets."""
    *slopes, intercept = logistic_weights(np.column_stack(parts), _targets(links, weights), weights).tolist()
    return tuple(slopes), intercept
