"""Cross-conformal intervals and sets: every pair calibrates a model that was not fitted to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.uncertainty.conformal_intervals import ConformalIntervals, min_calibration_pairs
from latentlink.uncertainty.conformal_sets import ConformalSets
from latentlink.uncertainty.limits import CROSS_CONDITIONS
from latentlink.uncertainty.rounding import ROUNDING
from latentlink.validation.columns import Floats
from latentlink.validation.numbers import check_shares
from latentlink.validation.wording import counted, percent

__all__ = ["CrossIntervalRule", "CrossSetRule", "cross_intervals", "cross_sets"]

_HALVINGS = 60


@dataclass(frozen=True, eq=False)
class CrossIntervalRule:
    """Cross-conformal prediction intervals, as `cross_intervals` returns them.

    With the scores s_k and scales c_k = spread_k + floor of a pair by the model of fold k, and the residuals
    r_i of the n_k pairs of that fold, the upper end is the largest y with

        mean over k of  (1 + #{i in fold k : r_i >= (y - s_k) / c_k}) / (n_k + 1)  >  1 - level,

    and the lower end its mirror image. Each term is a conformal p-value; twice their mean is one too, however
    they depend on each other (Vovk and Wang 2020), so that the coverage is at least 1 - 2 (1 - level). It is
    about ``level`` where the models of the folds resemble each other (compare CV+; Barber, Candes, Ramdas and
    Tibshirani 2021).

    Attributes
    ----------
    level : float
    floor : float
        Added to every spread.
    residuals : tuple of arrays
        Of each fold, ascending.
    """

    level: float
    floor: float
    residuals: tuple[Floats, ...]

    @property
    def n(self) -> int:
        """Number of calibration pairs."""
        return sum(map(len, self.residuals))

    @property
    def limits(self) -> str:
        """What is guaranteed and what is not, in sentences."""
        return (
            f"Intervals cover the true value of at least {percent(2 * self.level - 1)} of the entries that "
            f"are missing completely at random, on average over them, and of about {percent(self.level)} "
            f"where the models of the {len(self.residuals)} folds resemble each other. {CROSS_CONDITIONS}"
        )

    def interval(self, scores: Floats, spreads: Floats) -> tuple[Floats, Floats]:
        """Return both ends of the interval of each pair; infinite where it is unbounded.

        Parameters
        ----------
        scores, spreads : arrays, shape (folds, pairs)
            By the model of each fold.
        """
        scales = spreads + self.floor
        return -self._upper(-scores, scales), self._upper(scores, scales)

    def _upper(self, scores: Floats, scales: Floats) -> Floats:
        largest = [float(each[np.isfinite(each)].max(initial=0.0)) for each in self.residuals]
        low = scores.min(axis=0)
        high = np.max(scores + scales * np.array(largest)[:, None], axis=0)
        unbounded = self._p_value(np.full(len(high), np.inf), scores, scales) > self._alpha
        for _ in range(_HALVINGS):
            middle = low + (high - low) / 2
            inside = self._p_value(middle, scores, scales) > self._alpha
            low, high = np.where(inside, middle, low), np.where(inside, high, middle)
        return np.where(unbounded, np.inf, high)

    @property
    def _alpha(self) -> float:
        return (1 - self.level) * (1 - ROUNDING)

    def _p_value(self, values: Floats, scores: Floats, scales: Floats) -> Floats:
        total = np.zeros(len(values))
        for residuals, score, scale in zip(self.residuals, scores, scales, strict=True):
            with np.errstate(divide="ignore", invalid="ignore"):
                bound = np.where(values <= score, 0.0, (values - score) / scale)
            at_least = len(residuals) - np.searchsorted(residuals, bound, side="left")
            total += (1 + at_least) / (1 + len(residuals))
        return total / len(self.residuals)


def cross_intervals(
    rule: ConformalIntervals, errors: Floats, spreads: Floats, fold: NDArray[np.int64]
) -> CrossIntervalRule:
    """Return cross-conformal intervals from held-out errors.

    Parameters
    ----------
    rule : ConformalIntervals
        With the level and a floor.
    errors, spreads : arrays, shape (pairs,)
        Absolute errors of pairs by a model that was not fitted to them, and its spreads.
    fold : array of int, shape (pairs,)
        The fold of each pair: 0, 1, ...

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> fold = np.arange(1000) % 5
    >>> errors = np.abs(rng.normal(size=1000))
    >>> intervals = cross_intervals(ConformalIntervals(0.9, floor=1.0), errors, np.zeros(1000), fold)
    >>> low, high = intervals.interval(np.zeros((5, 1)), np.zeros((5, 1)))
    >>> low.round(1), high.round(1)
    (array([-1.6]), array([1.6]))
    """
    check_shares(rule, "level")
    floor = 0.0 if rule.floor is None else float(rule.floor)
    with np.errstate(divide="ignore", invalid="ignore"):
        residuals = np.where(errors == 0, 0.0, errors / (spreads + floor))
    parts = tuple(np.sort(residuals[fold == k]) for k in range(int(fold.max(initial=-1)) + 1))
    _require_enough(rule, [len(part) for part in parts], "pair", rule.level)
    return CrossIntervalRule(float(rule.level), floor, parts)


@dataclass(frozen=True, eq=False)
class CrossSetRule:
    """Class-conditional cross-conformal prediction sets, as `cross_sets` returns them.

    A label belongs to the set of a pair if the mean over the folds of its conformal p-values exceeds
    1 - level. Twice that mean is a p-value, so that the coverage is at least 1 - 2 (1 - level) in each class.

    Attributes
    ----------
    level : float
    links, nonlinks : tuple of arrays
        Held-out scores of each fold, ascending.
    """

    level: float
    links: tuple[Floats, ...]
    nonlinks: tuple[Floats, ...]

    @property
    def limits(self) -> str:
        """What is guaranteed and what is not, in sentences."""
        return (
            f"Prediction sets contain the true label of at least {percent(2 * self.level - 1)} of the links "
            f"and of the non-links on average, and of about {percent(self.level)} where the models of the "
            f"{len(self.links)} folds resemble each other. {CROSS_CONDITIONS}"
        )

    def sets(self, scores: Floats) -> NDArray[np.bool_]:
        """Return whether each set contains "non-link", and whether "link", shape (pairs, 2).

        Parameters
        ----------
        scores : array, shape (folds, pairs)
            By the model of each fold.
        """
        nonlink = _mean_p_value([-part[::-1] for part in self.nonlinks], -scores)
        link = _mean_p_value(self.links, scores)
        return np.column_stack([nonlink, link]) > (1 - self.level) * (1 - ROUNDING)


def cross_sets(
    rule: ConformalSets, scores: Floats, links: NDArray[np.bool_], fold: NDArray[np.int64]
) -> CrossSetRule:
    """Return cross-conformal sets from held-out scores.

    Parameters
    ----------
    rule : ConformalSets
    scores : array, shape (pairs,)
        Of pairs by a model that was not fitted to them.
    links : array of bool, shape (pairs,)
    fold : array of int, shape (pairs,)
        The fold of each pair: 0, 1, ...

    Examples
    --------
    >>> fold, links = np.arange(100) % 5, np.arange(100) >= 50
    >>> cross_sets(ConformalSets(0.8), np.linspace(0, 1, 100), links, fold).sets(np.full((5, 1), 0.9))
    array([[False,  True]])
    """
    check_shares(rule, "level")
    folds = range(int(fold.max(initial=-1)) + 1)
    parts = []
    for of_class, what in ((links, "link"), (~links, "non-link")):
        parts.append(tuple(np.sort(scores[of_class & (fold == k)]) for k in folds))
        _require_enough(rule, [len(part) for part in parts[-1]], what, rule.level)
    return CrossSetRule(float(rule.level), *parts)


def _mean_p_value(parts: Sequence[Floats], scores: Floats) -> Floats:
    """Return the mean over folds of the p-values of scores, small where they are low; parts are ascending."""
    total = np.zeros(scores.shape[1])
    for part, score in zip(parts, scores, strict=True):
        total += (1 + np.searchsorted(part, score, side="right")) / (1 + len(part))
    return total / len(parts)


def _require_enough(rule: object, counts: Sequence[int], what: str, level: float) -> None:
    """Raise IncompatibleError if no p-value can be as small as 1 - level."""
    least = np.mean([1 / (1 + count) for count in counts]) if counts else 1.0
    if least > (1 - level) * (1 + ROUNDING):
        raise IncompatibleError(
            f"{rule!r} has {counted(sum(counts), f'calibration {what}')} in {counted(len(counts), 'fold')}; "
            f"expected at least {min_calibration_pairs(level):,} in each, since with fewer nothing is "
            "excluded. Choose a lower level or fewer folds."
        )
