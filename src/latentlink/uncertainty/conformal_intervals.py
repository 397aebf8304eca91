"""Intervals for real values that hold the truth as often as they say, on average over missing entries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from latentlink.errors import IncompatibleError, InputError, warn_user
from latentlink.strategy import Strategy, strategy
from latentlink.uncertainty.limits import VOID
from latentlink.uncertainty.rounding import ROUNDING, least_whole
from latentlink.validation.columns import Floats, number_column, probability_column, spread_column
from latentlink.validation.numbers import check_number, check_shares
from latentlink.validation.wording import counted, percent

__all__ = ["ConformalIntervals", "IntervalRule", "least_for"]


@dataclass(frozen=True, eq=False)
class IntervalRule:
    """How wide intervals must be.

    Attributes
    ----------
    level : float
        How often they hold the truth.
    floor : float
        What is added to every spread.
    residuals : array, shape (n,)
        Errors of the calibration pairs in units of their spread, ascending.
    mass : array, shape (n,)
        Weight of all calibration pairs up to each of them.
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
        """How many calibration pairs it rests on."""
        return len(self.residuals)

    @property
    def limits(self) -> str:
        """What is promised and what is not, in sentences."""
        which = "missing entries" if self.weighted else "entries that are missing by chance alone"
        rests = "It rests on the propensities being right. " if self.weighted else ""
        return (
            f"Intervals hold the truth of {percent(self.level)} of {which}, on average over them and over "
            f"draws of the {self.n:,} calibration pairs. {rests}Where the pairs that are like a pair are too "
            f"few, its interval is unbounded. {VOID}"
        )

    def interval(
        self, score: ArrayLike, spread: ArrayLike | None = None, propensity: ArrayLike | None = None
    ) -> tuple[Floats, Floats]:
        """Return the lower and the upper end for each pair, minus and plus infinity where nothing is known.

        That more than half of them are infinite is told by a warning.

        Parameters
        ----------
        score, spread, propensity : arrays, shape (pairs,)
            As given to calibrate: spread and propensity if, and only if, they were given there.
        """
        for given, expected, what in (
            (spread, self.scaled, "spread"),
            (propensity, self.weighted, "propensity"),
        ):
            if (given is not None) != expected:
                raise InputError(
                    f"The {what} was {'' if expected else 'not '}given to calibrate, but is "
                    f"{'not ' if expected else ''}given now; expected the same of both."
                )
        middle = number_column(score, "score")
        scale = _scale(spread, middle, self.floor)
        own = _odds(propensity, middle)
        # The pair itself counts too, as if its error were infinite.
        target = self.level * (self.mass[-1] + own) * (1 - ROUNDING)
        place = np.searchsorted(self.mass, target)
        quantile = np.append(self.residuals, np.inf)[place]
        with np.errstate(invalid="ignore"):
            half = np.where(np.isinf(quantile), np.inf, quantile * scale)
        self._tell(int(np.count_nonzero(np.isinf(half))), len(half))
        return middle - half, middle + half

    def _tell(self, unbounded: int, n: int) -> None:
        """Warn if most intervals say nothing."""
        if 2 * unbounded <= n:
            return
        if np.isinf(self.residuals).any():
            why = f"many of the {self.n:,} calibration pairs have an error where members agree exactly"
            way_out = "Give the rule a floor, in the unit of the values, or calibrate on more pairs."
        else:
            why = f"the {self.n:,} calibration pairs are too few for pairs that are so seldom observed"
            way_out = (
                "Calibrate on more pairs, ask for a lower level, or leave the propensity out where entries "
                "are missing by chance alone."
            )
        warn_user(
            f"{unbounded:,} of {counted(n, 'interval')} {'is' if n == 1 else 'are'} unbounded, since {why}. "
            f"{way_out}"
        )


@strategy
class ConformalIntervals(Strategy):
    """Intervals around scores, as wide as held-out errors say.

        score_ij  +-  q_ij (spread_ij + floor),

    with q_ij the ``level`` quantile of ``|value - score| / (spread + floor)`` over the calibration pairs,
    each weighed by the odds (1 - p) / p of being missing, p its chance of having been observed, and over the
    pair itself, whose error counts as infinite (conformalized matrix completion, Gui, Barber and Ma 2023).
    Without propensities all weights are equal (split conformal): right for entries that are missing by chance
    alone, such as a test part that was held out.

    Parameters
    ----------
    level : float
        How often intervals shall hold the truth.
    floor : float or None
        Added to every spread, in the unit of the values, so that pairs on which members happen to agree get
        no interval of width 0. It must not be chosen by the calibration pairs. None is the mean spread of the
        training entries where a fitted model is asked (``model.calibrate(...).intervals``), and 0 where there
        are arrays alone. Without spreads it has no say.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> rule = ConformalIntervals(0.9).calibrate(np.zeros(999), rng.normal(size=999))
    >>> low, high = rule.interval([0.0, 5.0])
    >>> low.round(2), high.round(2)
    (array([-1.56,  3.44]), array([1.56, 6.56]))
    """

    level: float = 0.9
    floor: float | None = None

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
        """Learn from pairs that had no say in the fit.

        Parameters
        ----------
        score, value : arrays, shape (pairs,)
            What the model says, and what is.
        spread : array, shape (pairs,), optional
            Standard deviation of the members' scores; intervals are as wide as it is large. None makes all
            intervals equally wide.
        propensity : array, shape (pairs,), optional
            Chance of having been observed, as `RowColumn` and `LowRank` estimate it.
        """
        check_shares(self, "level")
        floor = self._checked_floor()
        said = number_column(score, "score")
        errors = np.abs(number_column(value, "value", said) - said)
        scale, odds = _scale(spread, errors, floor), _odds(propensity, errors)
        least = least_for(self.level)
        if len(errors) < least:
            raise IncompatibleError(
                f"{self!r} has {counted(len(errors), 'calibration pair')}; expected at least {least:,}, "
                "since with fewer every interval is unbounded. Hold out more pairs, or ask for a lower level."
            )
        if not np.isfinite(odds).all():
            raise InputError(
                f"The propensity of calibration pair {int(np.argmax(np.isinf(odds)))} is 0; expected more, "
                "since it was observed. Estimate propensities from the network as it was before pairs were "
                "held out."
            )
        if not odds.any():
            raise InputError(
                f"The propensity is 1 for all {len(odds):,} calibration pairs; expected less for some, or "
                "nothing would be missing. Leave it out for entries held out by chance."
            )
        # An error of 0 is no surprise whatever the spread; any other is one where members agree exactly.
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


def least_for(level: float) -> int:
    """Return how many calibration pairs an interval or set needs to be bounded: ``level (n + 1) <= n``.

    Examples
    --------
    >>> least_for(0.9), least_for(0.95)
    (9, 19)
    """
    return least_whole(level / (1 - level))


def _scale(spread: ArrayLike | None, like: Floats, floor: float) -> Floats:
    return np.ones(len(like)) if spread is None else spread_column(spread, like) + floor


def _odds(propensity: ArrayLike | None, like: Floats) -> Floats:
    """Return the odds of being missing; infinite where a pair is never observed."""
    if propensity is None:
        return np.ones(len(like))
    chance = probability_column(propensity, "propensity", like, expected="a chance, from 0 to 1")
    with np.errstate(divide="ignore"):
        return (1 - chance) / chance
