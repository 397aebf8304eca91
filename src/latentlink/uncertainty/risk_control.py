"""Keeping silent often enough: a bounded error among the pairs answered, with high probability."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binom

from latentlink.errors import IncompatibleError
from latentlink.strategy import Strategy, strategy
from latentlink.uncertainty.limits import VOID
from latentlink.validation.columns import Floats, binary_column, number_column
from latentlink.validation.numbers import check_number, check_shares
from latentlink.validation.wording import counted, percent

__all__ = ["RiskControl", "RiskRule"]


@dataclass(frozen=True)
class RiskRule:
    """Which pairs may be answered, and what is promised of them.

    Attributes
    ----------
    threshold : float
        Pairs of higher confidence are answered; infinity if none may be, minus infinity if all may.
    alpha, delta : float
        What is promised: an error of at most alpha, with probability 1 - delta.
    n : int
        How many calibration pairs it rests on.
    answered, wrong : int
        How many of them are answered, and how many of those wrongly.
    p_value : float
        Chance of so few wrong answers if the error were above alpha; NaN if nothing is answered.
    """

    threshold: float
    alpha: float
    delta: float
    n: int
    answered: int
    wrong: int
    p_value: float

    @property
    def coverage(self) -> float:
        """Share of the calibration pairs that are answered."""
        return self.answered / self.n

    @property
    def risk(self) -> float:
        """Share of wrong answers among them; NaN if there are none."""
        return self.wrong / self.answered if self.answered else float("nan")

    @property
    def limits(self) -> str:
        """What is promised and what is not, in sentences."""
        if not self.answered:
            return (
                f"No pair may be answered: among the most confident of {self.n:,} calibration pairs too many "
                f"answers are wrong to promise an error of {percent(self.alpha)}. Allow a larger alpha or "
                "delta, calibrate on more pairs, or rank them by another confidence."
            )
        return (
            f"Among the pairs answered at most {percent(self.alpha)} are wrong in the long run, with "
            f"probability {percent(1 - self.delta)} over the draw of the {self.n:,} calibration pairs "
            f"({self.wrong:,} of {self.answered:,} answered were wrong). A short list may do worse by "
            f"chance. {VOID}"
        )

    def answers(self, confidence: ArrayLike) -> NDArray[np.bool_]:
        """Tell which pairs are answered, by the same confidence as was calibrated."""
        answered: NDArray[np.bool_] = number_column(confidence, "confidence") > self.threshold
        return answered


@strategy
class RiskControl(Strategy):
    """Answer as many pairs as possible with an error of at most alpha, with probability 1 - delta.

    Learn-then-Test (Angelopoulos, Bates, Candes, Jordan and Lei 2021), by a fixed sequence of tests. The a
    most confident calibration pairs are answered, for numbers a on a grid that depends on n, alpha and delta
    alone. With e of them wrong,

        p_a = P( Binomial(a, alpha) <= e ),

    the chance of so few if the error were above alpha. The sequence goes from few to all pairs as long as
    p_a <= delta, and the last such a sets the threshold: the confidence of the next pair, which is not
    answered itself.

    Parameters
    ----------
    alpha : float
        The largest error among the pairs answered.
    delta : float
        How often the promise may fail, over draws of the calibration pairs.
    steps : int
        Tests at the most.
    start : int or None
        How many pairs the first test answers. At least log(delta) / log(1 - alpha) are needed, and if it is
        no more, one wrong answer ends it all; None takes a quarter of the pairs, from once to ten times
        that number.

    Notes
    -----
    Thresholds are confidences of calibration pairs, yet the level is exact for confidences without ties:
    going down, the first threshold whose error exceeds alpha lies where the error of all above is alpha, and
    so is that of every stretch left out before, so that the wrong answers above it are binomial or more.
    Pairs of equal confidence are answered together or not at all; then which thresholds are tested depends a
    little on the draw, and that argument is no longer exact, though the promise was kept in all 60 cases
    simulated (``statistical/results/ties.md``; broken in 2 to 7 % of the draws on average, 9.4 % at the most,
    for delta = 0.1).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> probability = rng.random(2000)
    >>> wrong = (probability > 0.5) != (rng.random(2000) < probability)
    >>> rule = RiskControl(alpha=0.1, delta=0.1).calibrate(np.abs(probability - 0.5), wrong)
    >>> rule.answered, rule.wrong
    (692, 55)
    >>> rule.answers([0.1, 0.45])
    array([False,  True])
    """

    alpha: float = 0.05
    delta: float = 0.1
    steps: int = 50
    start: int | None = None

    def __init__(
        self, alpha: float = 0.05, delta: float = 0.1, *, steps: int = 50, start: int | None = None
    ) -> None:
        self.alpha = alpha
        self.delta = delta
        self.steps = steps
        self.start = start

    @property
    def least(self) -> int:
        """How many calibration pairs are needed to promise anything, if every answer is right."""
        check_shares(self, "alpha", "delta")
        return math.ceil(math.log(self.delta) / math.log1p(-self.alpha))

    def calibrate(self, confidence: ArrayLike, wrong: ArrayLike) -> RiskRule:
        """Find the threshold on pairs that had no say in the fit, in the rank or in the kind of confidence.

        Parameters
        ----------
        confidence : array, shape (pairs,)
            Higher is surer, as `confidence_of` makes it.
        wrong : array of bool, shape (pairs,)
            Whether the answer would be wrong. Of real values: whether it is off by more than one can bear.
        """
        self._check_settings()
        sure = number_column(confidence, "confidence")
        failed = binary_column(wrong, "wrong mark", sure)
        if len(sure) < self.least:
            raise IncompatibleError(
                f"{self!r} has {counted(len(sure), 'calibration pair')}; expected at least {self.least:,}. "
                "With fewer, even right answers alone would promise nothing. Hold out more pairs, or allow a "
                "larger alpha or delta."
            )
        order = np.argsort(-sure, kind="stable")
        sure, errors = sure[order], np.concatenate([[0], np.cumsum(failed[order])])
        answered, thresholds = self._sequence(sure)
        p_values = binom.cdf(errors[answered], answered, self.alpha)
        passed = int(np.argmin(np.append(p_values <= self.delta, False)))  # how many tests before one fails
        if not passed:
            return self._rule(len(sure), math.inf, 0, 0, math.nan)
        last = passed - 1
        count = int(answered[last])
        return self._rule(
            len(sure), float(thresholds[last]), count, int(errors[count]), float(p_values[last])
        )

    def _sequence(self, sure: Floats) -> tuple[NDArray[np.int64], Floats]:
        """Return how many pairs each test answers, and the confidence that they exceed, strict first."""
        n, least = len(sure), self.least
        first = min(max(n // 4, least), 10 * least) if self.start is None else self.start
        asked = np.unique(np.linspace(min(first, n), n, self.steps).round().astype(np.int64))
        thresholds = np.append(sure, -np.inf)[asked]
        # Of equal confidences none is answered, so that there may be fewer than asked.
        answered = np.searchsorted(-sure, -thresholds, side="left")
        answered, places = np.unique(answered, return_index=True)
        enough = answered >= least
        return answered[enough], thresholds[places][enough]

    def _rule(self, n: int, threshold: float, answered: int, wrong: int, p_value: float) -> RiskRule:
        return RiskRule(threshold, float(self.alpha), float(self.delta), n, answered, wrong, p_value)

    def _check_settings(self) -> None:
        least = self.least
        check_number(self, "steps", 1, whole=True)
        if self.start is not None:
            check_number(self, "start", least, whole=True)
