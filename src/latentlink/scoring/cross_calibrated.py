"""Guarantees for a model that was fitted to all known pairs, calibrated by models of folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network
from latentlink.scoring.calibrated import Calibrated
from latentlink.scoring.discovery.discoveries_among_all import cross_discover_among_all
from latentlink.scoring.drawn_pairs import DrawnPairs, were_sampled
from latentlink.scoring.pair_degrees import PairDegrees
from latentlink.scoring.scorer import Scorer
from latentlink.scoring.training_spread import TrainingSpread
from latentlink.scoring.untested_pairs import UntestedPairs
from latentlink.tables import GuaranteedTable
from latentlink.uncertainty import (
    ConformalIntervals,
    ConformalSets,
    CrossDiscoveries,
    Propensity,
    RiskRule,
    cross_intervals,
    cross_sets,
)
from latentlink.uncertainty.discovery.cross_discoveries import fold_threshold, least_e_value
from latentlink.uncertainty.discovery.discoveries import ranks_among_nonlinks
from latentlink.validation.numbers import checked_share
from latentlink.validation.wording import counted, percent

__all__ = ["CrossCalibrated", "FoldModel"]

Array = NDArray[Any]


class FoldModel(NamedTuple):
    """A model that was fitted to all known pairs but those of one fold.

    Attributes
    ----------
    scorer : Scorer
    degrees : PairDegrees
        Of the pairs that it was fitted to.
    """

    scorer: Scorer
    degrees: PairDegrees


@dataclass(frozen=True, eq=False, repr=False)
class CrossCalibrated(Calibrated):
    """A model fitted to all known pairs, with a calibration by folds: the result of `cross_calibrate`.

    Every known pair is a calibration pair, scored by a model that was not fitted to it; the table of an
    answer has the score and spread of the model that was fitted to all of them. The methods are those of
    `Calibrated`, with other guarantees, which ``limits`` states:

    ==================  ===========================================================================
    `answers`           an estimate, no guarantee: the error of the models of the folds at this
                        confidence is bounded, and the model itself is assumed to be no worse
    `intervals`         a coverage of at least 1 - 2 (1 - level), about ``level`` as a rule
    `sets`              the same in each class
    `discover`          a false discovery rate of at most ``fdr``, by e-values
    `probabilities`     none, as in the split form
    ==================  ===========================================================================

    All of them suppose that the choice of the rank and the ridge, for which all known pairs were used, does
    not matter.

    Attributes
    ----------
    network, training, by, rows, cols, values, name
        As for `CalibrationPairs`; the pairs are all known pairs.
    folds : tuple of FoldModel
    fold : array of int, shape (n,)
        The fold of each calibration pair.
    """

    folds: tuple[FoldModel, ...]
    fold: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        network: Network,
        training: TrainingSpread,
        by: str | None,
        tests: Sequence[Network],
        folds: tuple[FoldModel, ...],
        name: str,
    ) -> Self:
        """Return the calibration by models of folds, each with the pairs that were hidden from it."""
        rows, cols, values = (
            np.concatenate([getattr(test, part) for test in tests]) for part in ("rows", "cols", "values")
        )
        fold = np.repeat(np.arange(len(tests)), [test.n_listed for test in tests])
        drawn = DrawnPairs(sampled=were_sampled(network))
        return cls(network, training, by, rows, cols, values, name, folds, fold, drawn=drawn)

    def __post_init__(self) -> None:
        score, spread = np.empty(len(self.rows)), np.empty(len(self.rows))
        for number, model in enumerate(self.folds):
            own = self.fold == number
            score[own], spread[own] = model.scorer.score_and_spread(self.rows[own], self.cols[own], self.by)
        object.__setattr__(self, "score", score)
        object.__setattr__(self, "spread", spread)

    def __repr__(self) -> str:
        return f"CrossCalibrated, {len(self.folds)} folds{super().__repr__().removeprefix('Calibrated')}"

    def intervals(
        self,
        pairs: Any,
        rule: ConformalIntervals | None = None,
        propensity: Propensity | None = None,
        *,
        unknown: str = "error",
    ) -> GuaranteedTable:
        """Return cross-conformal prediction intervals; see `latentlink.uncertainty.CrossIntervalRule`.

        Parameters
        ----------
        pairs, rule, unknown
            As for `Calibrated.intervals`.
        propensity : None
            Of the split form alone; raises.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, low and high. Intervals end where the values do. The
            score may lie outside of an interval, which rests on the scores by the models of the folds.
        """
        if propensity is not None:
            raise IncompatibleError(
                f"CrossCalibrated has propensity={propensity!r}; expected None, since weights are known for "
                "the split form alone: hold pairs out before fitting and call calibrate."
            )
        if unknown != "error":
            return self._known_alone(pairs, unknown, lambda known: self.intervals(known, rule))
        conformal = self._with_floor(self._rule(rule, ConformalIntervals))
        units = self.scorer.units(self.cols)
        errors = np.abs(self.values - self.score) / units
        fitted = cross_intervals(conformal, errors, self.spread / units, self.fold)
        rows, cols = self._unseen(pairs)
        columns = self._columns(rows, cols)
        units = self.scorer.units(cols)
        ends = fitted.interval(*(part / units for part in self._by_folds(rows, cols)))
        least, most = self.scorer.value_range(self.values)
        columns["low"], columns["high"] = (np.clip(end * units, least, most) for end in ends)
        return self._guaranteed(columns, fitted, self._compared(rows, cols))

    def sets(
        self, pairs: Any, rule: ConformalSets | None = None, *, unknown: str = "error"
    ) -> GuaranteedTable:
        """Return class-conditional cross-conformal sets; see `latentlink.uncertainty.CrossSetRule`.

        Parameters
        ----------
        pairs, rule, unknown
            As for `Calibrated.sets`.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, may_be_nonlink and may_be_link.
        """
        if unknown != "error":
            return self._known_alone(pairs, unknown, lambda known: self.sets(known, rule))
        labels = self._labels("sets")
        fitted = cross_sets(self._rule(rule, ConformalSets), self.score, labels, self.fold)
        rows, cols = self._unseen(pairs)
        columns = self._columns(rows, cols)
        columns["may_be_nonlink"], columns["may_be_link"] = fitted.sets(self._by_folds(rows, cols)[0]).T
        return self._guaranteed(columns, fitted, self._compared(rows, cols, None, labels))

    def _limits(self, rule: Any) -> str:
        if not isinstance(rule, RiskRule) or not rule.answered:
            return super()._limits(rule)
        return (
            f"Of the {counted(rule.n, 'known pair')}, each scored by a model that was not fitted to it, "
            f"{rule.answered:,} are answered, {rule.wrong:,} of them wrongly, from which an error of at most "
            f"{percent(rule.alpha)} was concluded with probability {percent(1 - rule.delta)}. This is an "
            "estimate and no guarantee: the models of the folds share most of their data, the rank and the "
            "ridge were chosen with all pairs, and the model that answers, fitted to all of them, is assumed "
            "to be no worse. It is void for pairs chosen in another way than the known pairs."
        )

    def _by_folds(self, rows: Array, cols: Array) -> tuple[Array, Array]:
        """Return scores and spreads of pairs by the model of each fold, shape (folds, pairs)."""
        results = [model.scorer.score_and_spread(rows, cols, self.by) for model in self.folds]
        scores, spreads = zip(*results, strict=True)
        return np.stack(scores).astype(np.float64), np.stack(spreads)

    def _own_traits(self) -> Array:
        degrees = np.empty(len(self.rows))
        for number, model in enumerate(self.folds):
            own = self.fold == number
            degrees[own] = model.degrees(self.rows[own], self.cols[own])
        return np.stack([self.score, degrees])

    def _traits(self, rows: Array, cols: Array, score: Array | None = None) -> Array:
        """Return score and degree of each pair by the model of one fold, as for the calibration pairs."""
        del score  # by the model that was fitted to all pairs
        traits = np.empty((2, len(rows)))
        for number, model in enumerate(self.folds):
            turn = slice(number, None, len(self.folds))
            traits[0, turn] = model.scorer.score(rows[turn], cols[turn], self.by)
            traits[1, turn] = model.degrees(rows[turn], cols[turn])
        return traits

    def _among_given(
        self, rows: Array, cols: Array, score: Array, labels: NDArray[np.bool_], fdr: float
    ) -> tuple[dict[str, Array], Any]:
        del score
        share = checked_share(fdr, "fdr")
        if not len(rows):
            raise InputError("There are no candidates; expected at least one.")
        e_values = np.zeros(len(rows))
        counts = []
        for number, scores in enumerate(self._by_folds(rows, cols)[0]):
            nonlinks = np.sort(self.score[~labels & (self.fold == number)])
            ranks = ranks_among_nonlinks(scores, nonlinks)
            threshold = fold_threshold(np.bincount(ranks, minlength=len(nonlinks) + 1), share)
            e_values += np.where(ranks <= threshold.rank, threshold.e_value, 0.0) / len(self.folds)
            counts.append(len(nonlinks))
        selected = e_values >= least_e_value(e_values, len(rows), share)
        return {"e_value": e_values}, CrossDiscoveries(selected, e_values, share, counts, len(rows))

    def _among_all(
        self, untested: UntestedPairs, labels: NDArray[np.bool_], fdr: float
    ) -> tuple[Array, Array, dict[str, Array], Any]:
        nonlinks = []
        for number, model in enumerate(self.folds):
            own = ~labels & (self.fold == number)
            scores = untested.comparable_scores(model.scorer, self.by, self.rows[own], self.cols[own])
            nonlinks.append(np.sort(scores))
        parts = [partial(untested.scored, model.scorer, self.by) for model in self.folds]
        rows, cols, discoveries = cross_discover_among_all(parts, nonlinks, fdr)
        return rows, cols, {"e_value": discoveries.e_values}, discoveries
