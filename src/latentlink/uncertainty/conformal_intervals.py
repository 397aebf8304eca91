"""Conformal prediction intervals for real values, with a given coverage on average over missing entries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from latentlink.errors import IncompatibleError, InputError, warn_user
from latentlink.strategy import Strategy, strategy
from latentlink.uncertainty.limits import CONDITIONS
from latentlink.uncertainty.rounding import ROUNDING, least_whole
from latentlink.validation.columns import Floats, number_column, probability_column, spread_column
from latentlink.validation.numbers import check_number, check_shares
from latentlink.validation.wording import counted, percent

__all__ = ["ConformalIntervals", "IntervalRule", "min_calibration_pairs"]


@dataclass(frozen=True, eq=False)
class IntervalRule:
    """Calibrated prediction intervals, as `ConformalIntervals.calibrate` returns them.

    Attributes
    ----------
    level : float
        Coverage of the intervals.
    floor : float
        Added to every spread.
    residuals : array, shape (n,)
        Absolute errors of the calibration pairs, divided by spread + floor if spreads were given, ascending.
    mass : array, shape (n,)
        Cumulative weights of the calibration pairs in that order.
    scaled : bool
        Whether spreads were given.
    weighted : bool
        Whether propensities were given.
    """

    level: float
    floor: float
    residuals: Floats
    mass: Floats
    scaled: bool
    weighted: bool

    @property
    def n(self) -> int:
        """Number of calibration pairs."""
        return len(self.residuals)

    @property
    def limits(self) -> str:
        """What is guaranteed and what is not, in sentences."""
        entries = "missing entries" if self.weighted else "entries that are missing completely at random"
        assumed = "The coverage rests on the propensities being right. " if self.weighted else ""
        return (
            f"Intervals cover the true value of {percent(self.level)} of {entries}, on average over them and "
            f"over draws of the {self.n:,} calibration pairs. {assumed}The interval of a pair is unbounded "
            f"where too few calibration pairs are like it. {CONDITIONS}"
        )

    def interval(
        self, score: ArrayLike, spread: ArrayLike | None = None, propensity: ArrayLike | None = None
    ) -> tuple[Floats, Floats]:
        """Return the lower and the upper end of the interval of each pair, infinite where it is unbounded.

        Warns if more than half of the intervals are unbounded.

        Parameters
        ----------
        score, spread, propensity : arrays, shape (pairs,)
            As given to `calibrate`: spread and propensity if, and only if, they were given there.
        """
        for column, was_given, what in (
            (spread, self.scaled, "spread"),
            (propensity, self.weighted, "propensity"),
        ):
            if (column is not None) != was_given:
                given_to, omitted_from = ("calibrate", "interval") if was_given else ("interval", "calibrate")
                raise InputError(
                    f"The {what} was given to {given_to}, but not to {omitted_from}; expected it in both "
                    "calls or in neither."
                )
        scores = number_column(score, "score")
        scale = _scale(spread, scores, self.floor)
        own_odds = _odds(propensity, scores)
        # The pair itself has a weight too, and its error counts as infinite.
        target = self.level * (self.mass[-1] + own_odds) * (1 - ROUNDING)
        quantile = np.append(self.residuals, np.inf)[np.searchsorted(self.mass, target)]
        with np.errstate(invalid="ignore"):
            half_width = np.where(np.isinf(quantile), np.inf, quantile * scale)
        self._warn_if_unbounded(int(np.count_nonzero(np.isinf(half_width))), len(half_width))
        return scores - half_width, scores + half_width

    def _warn_if_unbounded(self, unbounded: int, n: int) -> None:
        """Warn if more than half of the intervals are unbounded."""
        if 2 * unbounded <= n:
            return
        if np.isinf(self.residuals).any():
            reason = f"many of the {self.n:,} calibration pairs have an error where members agree exactly"
            remedy = "Give the rule a floor, in the unit of the values, or calibrate on more pairs."
        else:
            reason = f"the {self.n:,} calibration pairs are too few for pairs that are so seldom observed"
            remedy = (
                "Calibrate on more pairs, choose a lower level, or leave the propensity out if entries are "
                "missing completely at random."
            )
        warn_user(
            f"{unbounded:,} of {counted(n, 'interval')} {'is' if n == 1 else 'are'} unbounded, since "
            f"{reason}. {remedy}"
        )


@strategy
class ConformalIntervals(Strategy):
    """Conformal prediction intervals around scores, with a width taken from the errors of held-out pairs.

        score_ij  +-  q_ij (spread_ij + floor),

    with q_ij the ``level`` quantile of ``|value - score| / (spread + floor)`` over the calibration pairs,
    each weighted by the odds (1 - p) / p of being missing, with p its probability of having been observed,
    and over the pair itself, whose error counts as infinite (conformalized matrix completion, Gui, Barber and
    Ma 2023). Without propensities all weights are equal (split conformal prediction), which is right for
    entries that are missing completely at random, such as a test part that was held out.

    Parameters
    ----------
    level : float
        Coverage of the intervals, between 0 and 1.
    floor : float or None
        Added to every spread, in the unit of the values, so that pairs on which members happen to agree get
        no interval of width 0. It must not be chosen by the calibration pairs. None means the mean spread of
        the training entries in ``model.calibrate(...).intervals``, and 0 in `calibrate` of this class. It has
        no effect without spreads.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> rule = ConformalIntervals(0.9).calibrate(np.zeros(999), rng.normal(size=999))
    >>> low, high = rule.interval([0.0, 5.0])
    >>> low.round(2), high.round(2)
    (array([-1.56,  3.44]), array([1.56, 6.56]))
    """

    level: float
    floor: float | None

    def __init__(self, level: float = 0.9, *, floor: float | None = None) -> None:
        self.level = level
        self.floor = floor

    def calibrate(
        self,
        score: ArrayLike,
        value: ArrayLike,
        spread: ArrayLike | None = None,
        propensity: ArrayLike | None = None,
    ) -> IntervalRule:
        """Compute the quantiles from pairs that were not used in fitting.

        Parameters
        ----------
        score, value : arrays, shape (pairs,)
            Scores of the model, and true values.
        spread : array, shape (pairs,), optional
            Standard deviation of the members' scores; widths are proportional to spread + floor. With None
            all widths are equal, unless propensities are given.
        propensity : array, shape (pairs,), optional
            Probability of having been observed, as `RowColumn` and `LowRank` estimate it.

        Returns
        -------
        IntervalRule
        """
        check_shares(self, "level")
        floor = self._checked_floor()
        scores = number_column(score, "score")
        errors = np.abs(number_column(value, "value", scores) - scores)
        scale, odds = _scale(spread, errors, floor), _odds(propensity, errors)
        least = min_calibration_pairs(self.level)
        if len(errors) < least:
            raise IncompatibleError(
                f"{self!r} has {counted(len(errors), 'calibration pair')}; expected at least {least:,}, "
                "since with fewer every interval is unbounded. Hold out more pairs, or choose a lower level."
            )
        if not np.isfinite(odds).all():
            raise InputError(
                f"The propensity of calibration pair {int(np.argmax(np.isinf(odds)))} is 0; expected more "
                "than 0, since it was observed. Estimate propensities from the network as it was before "
                "pairs were held out."
            )
        if not odds.any():
            raise InputError(
                f"The propensity is 1 for all {len(odds):,} calibration pairs; expected less than 1 for "
                "some, since otherwise no entry would be missing. Leave it out for entries held out at "
                "random."
            )
        # An error of 0 has the residual 0 for every spread; any other an infinite one where the scale is 0.
        with np.errstate(divide="ignore", invalid="ignore"):
            residuals = np.where(errors == 0, 0.0, errors / scale)
        order = np.argsort(residuals, kind="stable")
        mass = np.cumsum(odds[order])
        return IntervalRule(
            float(self.level),
            floor,
            residuals[order],
            mass,
            spread is not None,
            propensity is not None,
        )

    def _checked_floor(self) -> float:
        if self.floor is None:
            return 0.0
        check_number(self, "floor", 0)
        return float(self.floor)


def min_calibration_pairs(level: float) -> int:
    """Return the least number n of calibration pairs for bounded intervals and sets: ``level (n + 1) <= n``.

    Examples
    --------
    >>> min_calibration_pairs(0.9), min_calibration_pairs(0.95)
    (9, 19)
    """
    return least_whole(level / (1 - level))


def _scale(spread: ArrayLike | None, like: Floats, floor: float) -> Floats:
    return np.ones(len(like)) if spread is None else spread_column(spread, like) + floor


def _odds(propensity: ArrayLike | None, like: Floats) -> Floats:
    """Return the odds of being missing; infinite where a pair is never observed."""
    if propensity is None:
        return np.ones(len(like))
    observed = probability_column(propensity, "propensity", like, expected="a probability, from 0 to 1")
    with np.errstate(divide="ignore"):
        return (1 - observed) / observed
