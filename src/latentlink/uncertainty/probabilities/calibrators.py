"""From scores to probabilities, learned on held-out pairs that are known to be links or not."""

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

_LEAST = 10  # links, and as many non-links: with fewer even two numbers are mostly those of chance


@strategy
class Calibration(Strategy):
    """A way to learn a curve from scores to probabilities.

    A probability is worth its name only on pairs drawn like the calibration pairs: held out by chance from
    as many links and non-links as there are, it holds for that mixture, not for all pairs of the network.
    Pairs that a curve has learned from cannot calibrate a promise on its probabilities (`RiskControl`) any
    more: keep some for each.

    Every curve asks for ten links and ten non-links. That is where nonsense ends, not where precision begins:
    the share of links among n pairs is known to about 0.5 / sqrt(n).
    """

    def fit(self, scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None) -> Calibrator:
        """Learn the curve.

        Parameters
        ----------
        scores : array, shape (pairs,)
            Of pairs that had no say in the fit.
        labels : array of 0 and 1, shape (pairs,)
            Which of them are links: at least ten must be, and ten not.
        weights : array, shape (pairs,), optional
            What each pair counts: 2 is a pair that comes twice, 0 one that does not come.

        Returns
        -------
        Calibrator
            A record that turns scores into probabilities when called.
        """
        self.check_settings()
        found = number_column(scores, "score")
        links = binary_column(labels, "label", found)
        counts = np.ones(len(found)) if weights is None else number_column(weights, "weight", found)
        some = counts > 0
        for which, what in ((links, "link"), (~links, "non-link")):
            count = int(np.count_nonzero(some & which))
            if count < _LEAST:
                raise IncompatibleError(
                    f"{self!r} has {counted(count, f'calibration {what}')} of positive weight; expected at "
                    f"least {_LEAST} of them, since fewer tell no probability. Hold out more pairs."
                )
        return self._fitted(found[some], links[some], counts[some])

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""

    @abstractmethod
    def _fitted(self, scores: Floats, links: NDArray[np.bool_], weights: Floats) -> Calibrator:
        """Learn the curve of checked arrays."""


@strategy
class Platt(Calibration):
    """A sigmoid of the score: two numbers to learn, so that few pairs suffice (Platt 1999).

        p = sigmoid(slope * f(score) + intercept),

    by maximum likelihood with Platt's targets, (links + 1) / (links + 2) for a link and 1 / (non-links + 2)
    for a non-link, which keep the slope finite where scores tell both apart.

    Parameters
    ----------
    on : {"score", "logit"}
        What f is: the score itself, or its logit, for scores that are probabilities already (then a slope of
        1 and an intercept of 0 leave them as they are).

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
        """Refuse settings that make no sense."""
        check_choice(self, "on", ("score", "logit"))

    def _fitted(self, scores: Floats, links: NDArray[np.bool_], weights: Floats) -> SigmoidCurve:
        on_logit = self.on == "logit"
        found = logit(unit_scores(scores)) if on_logit else scores
        (slope,), intercept = _logistic([found], links, weights)
        if slope < 0:
            warn_user(
                f"{self!r} found a slope of {slope:.3g}: among {len(scores):,} calibration pairs higher "
                "scores mean fewer links, so that its probabilities turn the scores' order around. Look at "
                "the model first."
            )
        return SigmoidCurve(slope, intercept, on_logit)


@strategy
class Beta(Calibration):
    """A curve for scores from 0 to 1 that may leave them as they are (Kull, Silva Filho and Flach 2017).

        p = sigmoid(a log(score) - b log(1 - score) + c),   a, b >= 0,

    by maximum likelihood with Platt's targets. With a = b it is Platt's curve on the logit; otherwise both
    ends bend on their own.

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
        # A coefficient below 0 would make the curve turn back: leave that part out.
        if a < 0 or b < 0:
            kept = 1 if a < b else 0
            (slope,), c = _logistic(parts[kept : kept + 1], links, weights)
            if slope < 0:
                # Neither part rises: the best curve that does not fall is a flat one.
                (slope,), c = (0.0,), _flat(links, weights)
            a, b = (slope, 0.0) if kept == 0 else (0.0, slope)
        return BetaCurve(a, b, c)


@strategy
class Isotonic(Calibration):
    """The best curve that never falls: any shape, but it needs some hundreds of pairs.

        minimise  sum over pairs  w (p(score) - label)^2   over all p that do not fall

    Its ends may say 0 and 1, which the log loss punishes without bound if just one pair contradicts.

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


def _flat(links: NDArray[np.bool_], weights: Floats) -> float:
    share = float(np.average(_targets(links, weights), weights=weights))
    return float(logit(share))


def _logistic(
    parts: list[Floats], links: NDArray[np.bool_], weights: Floats
) -> tuple[tuple[float, ...], float]:
    """Return coefficients and intercept of a logistic regression on smoothed targets."""
    *slopes, intercept = logistic_weights(np.column_stack(parts), _targets(links, weights), weights).tolist()
    return tuple(slopes), intercept
