"""Guarantees for the scores of a fitted model, calibrated on pairs that were not used in fitting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.scoring.discovery.calibrated_discovery import CalibratedDiscovery
from latentlink.tables import GuaranteedTable, ProbabilityTable
from latentlink.uncertainty import (
    CONFIDENCES,
    Calibration,
    ConformalIntervals,
    ConformalSets,
    Propensity,
    RiskControl,
    SupportedCurve,
    confidence_of,
)
from latentlink.validation.choices import checked_choice, checked_object
from latentlink.validation.numbers import checked_share

__all__ = ["Calibrated"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class Calibrated(CalibratedDiscovery):
    """A fitted model with calibration pairs: the result of `calibrate` of an estimator.

    Every method uses the same calibration pairs, and each guarantee holds by itself: that all of them hold at
    once is not guaranteed. Nothing is guaranteed for pairs that were used in fitting or calibration;
    `answers`, `intervals`, `sets` and `discover` raise for them, while `predict_links` of the model scores
    them. The same holds for a node with itself where the network lists no self loop.

    A guarantee holds for pairs that are drawn like the calibration pairs. Every result compares both, by
    scores and by degrees: ``table.exchangeability`` has the comparison, ``table.limits`` states it, and a
    clear difference warns.

    Attributes
    ----------
    network, training, by, rows, cols, values, name, drawn
        As for `CalibrationPairs`.
    """

    def probabilities(
        self,
        pairs: Any,
        curve: Calibration | None = None,
        *,
        base_rate: float | None = None,
        unknown: str = "error",
    ) -> ProbabilityTable:
        """Return the calibrated probability of a link for each pair; values must be 0 and 1.

        Pairs that the model was fitted to are accepted here, but their scores are more extreme than those of
        unseen pairs, and so are the probabilities.

        Parameters
        ----------
        pairs : as for `predict_links`
        curve : Calibration
            ``Platt()``, ``Platt(on="logit")``, ``Beta()`` or ``Isotonic()``. By default Platt's curve: on the
            logit where scores are probabilities or shares of votes (logistic and Boolean models), which it
            can leave as they are; on the score where they are not.
        base_rate : float
            The share of links among such pairs. None supposes that of the calibration pairs, which is far too
            high for most untested pairs.
        unknown : {"error", "nan"}
            What becomes of pairs with a node that the model does not have: raise InputError, or NaN.

        Returns
        -------
        ProbabilityTable
            With the columns row, column, score, spread and probability; ``np.asarray`` of it is the last.
            Its ``limits`` state the share of links that is supposed, and ``rule`` is a `SupportedCurve`:
            probabilities are never nearer to 0 or 1 than the number of calibration pairs supports.

        Notes
        -----
        For a Boolean model k of P votes are read as (k + 1/2) / (P + 1), since 0 and 1 have no logit.
        """
        if unknown != "error":
            return self._known_alone(
                pairs, unknown, lambda known: self.probabilities(known, curve, base_rate=base_rate)
            )
        labels = self._labels("probabilities")
        curve = self.default_curve() if curve is None else curve
        rate = None if base_rate is None else checked_share(base_rate, "base_rate")
        fitted = checked_object(self, "curve", curve, Calibration).fit(self.votes(self.score), labels)
        n_links = int(labels.sum())
        rule = SupportedCurve(fitted, n_links, len(labels) - n_links, rate, self.drawn.nonlinks)
        rows, cols = self._indices(pairs)
        columns = self._columns(rows, cols)
        columns["probability"] = rule(self.votes(columns["score"]))
        alike = self._compared(rows, cols, columns["score"], None if rate is None else labels)
        limits = f"{rule.limits} {alike.limits}{self.drawn.limits(self.network, columns)}"
        return ProbabilityTable(columns, limits, rule, alike)

    def answers(
        self,
        pairs: Any,
        rule: RiskControl | None = None,
        confidence: str = "margin",
        threshold: float = 0.5,
        *,
        unknown: str = "error",
    ) -> GuaranteedTable:
        """Predict link or non-link where the error is bounded, and abstain elsewhere.

        Parameters
        ----------
        pairs : as for `predict_links`
            None of them used in fitting or calibration.
        rule : RiskControl
            By default at most 5 % of the answers are wrong, with probability 90 %.
        confidence : {"margin", "spread", "both"}
            Which pairs are answered first.
        threshold : float
            Scores above it are predicted to be links.
        unknown : {"error", "nan"}
            What becomes of pairs with a node that the model does not have: raise InputError, or abstain,
            with the answer NaN.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, answer (0 or 1) and answered.
        """
        if unknown != "error":
            return self._known_alone(
                pairs, unknown, lambda known: self.answers(known, rule, confidence, threshold)
            )
        labels = self._labels("answers")
        control = self._rule(rule, RiskControl)
        if checked_choice(confidence, CONFIDENCES, "confidence") != "margin":
            self.scorer.require_spread(f"confidence={confidence!r}", ' Or choose confidence="margin".')
        certainty = confidence_of(self.score, self.spread, confidence, threshold)
        fitted = control.calibrate(certainty, (self.score > threshold) != labels)
        rows, cols = self._unseen(pairs)
        columns = self._columns(rows, cols)
        score, spread = columns["score"], columns["spread"]
        columns["answer"] = (score > threshold).astype(np.int64)
        columns["answered"] = fitted.answers(confidence_of(score, spread, confidence, threshold))
        return self._guaranteed(columns, fitted, self._compared(rows, cols, score))

    def intervals(
        self,
        pairs: Any,
        rule: ConformalIntervals | None = None,
        propensity: Propensity | None = None,
        *,
        unknown: str = "error",
    ) -> GuaranteedTable:
        """Return prediction intervals whose coverage holds on average over missing entries.

        Parameters
        ----------
        pairs : as for `predict_links`
            None of them used in fitting or calibration.
        rule : ConformalIntervals
            By default 90 %. A rule without a floor of its own takes the mean spread of the training entries.
            Where columns differ in unit (`ValueStack.units_`), floors, spreads and errors are in these units.
        propensity : Propensity
            How the chance of being observed differs: ``RowColumn()`` or ``LowRank()``, fitted to which
            entries are known, the calibration pairs among them. None assumes that it does not.
        unknown : {"error", "nan"}
            What becomes of pairs with a node that the model does not have: raise InputError, or NaN.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, low and high. Intervals end where the values do
            (`Regime.score_range`), beyond which no value lies.
        """
        if unknown != "error":
            return self._known_alone(pairs, unknown, lambda known: self.intervals(known, rule, propensity))
        conformal = self._with_floor(self._rule(rule, ConformalIntervals))
        chances = own = None
        if propensity is not None:
            self._raise_if_background()
            chances = checked_object(self, "propensity", propensity, Propensity).fit(self._observed())
            own = chances.score(self.rows, self.cols)
        units = self.scorer.units(self.cols)
        fitted = conformal.calibrate(self.score / units, self.values / units, self.spread / units, own)
        rows, cols = self._unseen(pairs)
        columns = self._columns(rows, cols)
        chance = None if chances is None else chances.score(rows, cols)
        units = self.scorer.units(cols)
        ends = fitted.interval(columns["score"] / units, columns["spread"] / units, chance)
        least, most = self.scorer.value_range(self.values)
        columns["low"], columns["high"] = (np.clip(end * units, least, most) for end in ends)
        odds = None if own is None else (1 - own) / own
        return self._guaranteed(columns, fitted, self._compared(rows, cols, columns["score"], weights=odds))

    def sets(
        self, pairs: Any, rule: ConformalSets | None = None, *, unknown: str = "error"
    ) -> GuaranteedTable:
        """Return class-conditional prediction sets: the same coverage for links and for non-links.

        Parameters
        ----------
        pairs : as for `predict_links`
            None of them used in fitting or calibration.
        rule : ConformalSets
            By default 90 %.
        unknown : {"error", "nan"}
            What becomes of pairs with a node that the model does not have: raise InputError, or
            exclude neither label.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, may_be_nonlink and may_be_link.
        """
        if unknown != "error":
            return self._known_alone(pairs, unknown, lambda known: self.sets(known, rule))
        labels = self._labels("sets")
        fitted = self._rule(rule, ConformalSets).calibrate(self.score, labels)
        rows, cols = self._unseen(pairs)
        columns = self._columns(rows, cols)
        columns["may_be_nonlink"], columns["may_be_link"] = fitted.sets(columns["score"]).T
        return self._guaranteed(columns, fitted, self._compared(rows, cols, columns["score"], labels))

    def _rule(self, rule: Any, kind: type) -> Any:
        """Return a rule, or the default of its kind; raise for any other object."""
        return kind() if rule is None else checked_object(self, "rule", rule, kind)

    def _with_floor(self, rule: ConformalIntervals) -> ConformalIntervals:
        """Return a rule whose floor is a number."""
        if not rule.floor:
            wide = " Or give the rule a floor: ConformalIntervals(floor=1.0) makes all equally wide."
            self.scorer.require_spread("intervals", wide)
        if rule.floor is not None:
            return rule
        floored: ConformalIntervals = clone(rule).set_params(floor=self.training.mean)
        return floored

    def _raise_if_background(self) -> None:
        if self.network.background:
            raise IncompatibleError(
                "A propensity is the chance that an entry is known, but unlisted entries are known zeros "
                f"here (background={self.network.background:g}), so that missing entries cannot be told from "
                "them. Leave it out, or fit a network with background=0."
            )
