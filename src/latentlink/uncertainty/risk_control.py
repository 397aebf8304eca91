"""Selective prediction with a bounded error among the pairs answered, with high probability."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binom

from latentlink.errors import IncompatibleError
from latentlink.strategy import Strategy, strategy
from latentlink.uncertainty.limits import CONDITIONS
from latentlink.validation.columns import Floats, binary_column, number_column
from latentlink.validation.numbers import check_number, check_shares
from latentlink.validation.wording import counted, percent

__all__ = ["RiskControl", "RiskRule"]


@dataclass(frozen=True)
class RiskRule:
    """A calibrated threshold of confidence, as `RiskControl.calibrate` returns it.

    Attributes
    ----------
    threshold : float
        Pairs of higher confidence are answered; infinity if none may be, minus infinity if all may.
    alpha, delta : float
        The guarantee: an error of at most alpha, with probability 1 - delta.
    n : int
        Number of calibration pairs.
    answered, wrong : int
        Numbers of calibration pairs that are answered, and of those answered wrongly.
    p_value : float
        Of the hypothesis that the error exceeds alpha; NaN if nothing is answered.
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
        """Share of wrong answers among the calibration pairs answered; NaN if none is answered."""
        return self.wrong / self.answered if self.answered else float("nan")

    @property
    def limits(self) -> str:
        """What is guaranteed and what is not, in sentences."""
        if not self.answered:
            return (
                f"No pair may be answered: among the most confident of {self.n:,} calibration pairs too many "
                f"answers are wrong to guarantee an error of at most {percent(self.alpha)}. Allow a larger "
                "alpha or delta, calibrate on more pairs, or rank them by another confidence."
            )
        return (
            f"Among the pairs answered at most {percent(self.alpha)} are wrong in the long run, with "
            f"probability {percent(1 - self.delta)} over the draw of the {self.n:,} calibration pairs "
            f"({self.wrong:,} of {self.answered:,} answered were wrong). A short list may do worse by "
            f"chance. {CONDITIONS}"
        )

    def answers(self, confidence: ArrayLike) -> NDArray[np.bool_]:
        """Return which pairs are answered; the confidence must be of the same kind as in calibration."""
        answered: NDArray[np.bool_] = number_column(confidence, "confidence") > self.threshold
        return answered


@strategy
class RiskControl(Strategy):
    """Selective prediction with an error of at most alpha among the answers, with probability 1 - delta.

    As many pairs as possible are answered, the most confident first. The method is Learn-then-Test
    (Angelopoulos, Bates, Candes, Jordan and Lei 2021) with a fixed sequence of tests. The a most confident
    calibration pairs are answered, for numbers a on a grid that depends on n and the parameters alone. With e
    of them wrong,

        p_a = P( Binomial(a, alpha) <= e )

    is the p-value of the hypothesis that the error exceeds alpha. The sequence goes from few to all pairs as
    long as p_a <= delta, and the last such a sets the threshold: the confidence of the next pair, which is
    not answered itself.

    Parameters
    ----------
    alpha : float
        Largest error among the pairs answered.
    delta : float
        Largest probability that the guarantee fails, over draws of the calibration pairs.
    steps : int
        Largest number of tests.
    start : int or None
        Number of pairs answered in the first test. At least log(delta) / log(1 - alpha) are needed, and with
        no more than these one wrong answer ends the sequence. None takes a quarter of the pairs, but no fewer
        than that number and no more than ten times that number.

    Notes
    -----
    Thresholds are confidences of calibration pairs, yet the level is exact for confidences without ties:
    going down, the first threshold whose error exceeds alpha lies where the error of all pairs above is
    alpha, and so is the error of every stretch left out before, so that the number of wrong answers above it
    is binomial or stochastically larger. Pairs of equal confidence are answered together or not at all. Then
    the thresholds that are tested depend a little on the draw, and that argument is no longer exact, though
    the guarantee held in all 60 cases simulated (``studies/results/ties.md``; violated in 2 to 7 % of the
    draws on average, 9.4 % at the most, for delta = 0.1).

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

    alpha: float
    delta: float
    steps: int
    start: int | None

    def __init__(
        self, alpha: float = 0.05, delta: float = 0.1, *, steps: int = 50, start: int | None = None
    ) -> None:
        self.alpha = alpha
        self.delta = delta
        self.steps = steps
        self.start = start

    @property
    def least(self) -> int:
        """The least number of calibration pairs for any guarantee, if every answer is right."""
        check_shares(self, "alpha", "delta")
        return math.ceil(math.log(self.delta) / math.log1p(-self.alpha))

    def calibrate(self, confidence: ArrayLike, wrong: ArrayLike) -> RiskRule:
        """Choose the threshold by pairs not used in fitting or in choosing the rank or kind of confidence.

        Parameters
        ----------
        confidence : array, shape (pairs,)
            Higher for answers that are more likely right, as from `confidence_of`.
        wrong : array of bool, shape (pairs,)
            Whether the answer would be wrong; for real values, whether its error exceeds a given tolerance.

        Returns
        -------
        RiskRule
        """
        self._check_settings()
        confidences = number_column(confidence, "confidence")
        errors = binary_column(wrong, "wrong mark", confidences)
        n = len(confidences)
        if n < self.least:
            raise IncompatibleError(
                f"{self!r} has {counted(n, 'calibration pair')}; expected at least {self.least:,}. With "
                "fewer nothing is guaranteed, even if every answer is right. Hold out more pairs, or allow a "
                "larger alpha or delta."
            )
        order = np.argsort(-confidences, kind="stable")
        n_errors = np.concatenate([[0], np.cumsum(errors[order])])
        answered, thresholds = self._sequence(confidences[order])
        p_values = binom.cdf(n_errors[answered], answered, self.alpha)
        n_passed = int(np.argmin(np.append(p_values <= self.delta, False)))  # tests before the first failure
        if not n_passed:
            return self._rule(n, math.inf, 0, 0, math.nan)
        last = n_passed - 1
        count = int(answered[last])
        return self._rule(n, float(thresholds[last]), count, int(n_errors[count]), float(p_values[last]))

    def _sequence(self, confidences: Floats) -> tuple[NDArray[np.int64], Floats]:
        """Return how many pairs each test answers, and its threshold; confidences are descending."""
        n, least = len(confidences), self.least
        first = min(max(n // 4, least), 10 * least) if self.start is None else self.start
        steps = min(self.steps, n)  # more would only repeat the same numbers of pairs
        grid = np.unique(np.linspace(min(first, n), n, steps).round().astype(np.int64))
        thresholds = np.append(confidences, -np.inf)[grid]
        # Pairs at the threshold itself are not answered, so that with ties there are fewer than on the grid.
        answered = np.searchsorted(-confidences, -thresholds, side="left")
        answered, positions = np.unique(answered, return_index=True)
        enough = answered >= least
        return answered[enough], thresholds[positions][enough]

    def _rule(self, n: int, threshold: float, answered: int, wrong: int, p_value: float) -> RiskRule:
        return RiskRule(threshold, float(self.alpha), float(self.delta), n, answered, wrong, p_value)

    def _check_settings(self) -> None:
        least = self.least
        check_number(self, "steps", 1, whole=True)
        if self.start is not None:
            check_number(self, "start", least, whole=True)
