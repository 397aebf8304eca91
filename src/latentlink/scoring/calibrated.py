"""Guarantees for the scores of a fitted model, calibrated on pairs that were not used in fitting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.network import Network
from latentlink.scoring.pair_input import pair_indices
from latentlink.scoring.scorer import Scorer
from latentlink.scoring.training_spread import TrainingSpread
from latentlink.tables import GuaranteedTable
from latentlink.uncertainty import (
    CONFIDENCES,
    Calibration,
    ConformalIntervals,
    ConformalSets,
    Platt,
    Propensity,
    RiskControl,
    confidence_of,
    discover,
    require_unseen,
)
from latentlink.validation.choices import checked_choice, checked_object
from latentlink.validation.wording import counted

__all__ = ["Calibrated"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class Calibrated:
    """A fitted model with calibration pairs: the result of `calibrate` of an estimator.

    Every method uses the same calibration pairs, and each guarantee holds by itself: that all of them hold at
    once is not guaranteed. Nothing is guaranteed for pairs that were used in fitting or calibration;
    `answers`, `intervals`, `sets` and `discover` raise for them, while `predict_links` of the model scores
    them. The same holds for a node with itself where the network lists no self loop.

    Attributes
    ----------
    network : Network
        The training network.
    training : TrainingSpread
        The scorer of the model, and the mean spread of the training entries.
    by : {"model", "ensemble"} or None
        Whether scores are those of the central model or means over the ensemble; None is the default.
    rows, cols : arrays of int, shape (n,)
        The calibration pairs.
    values : array, shape (n,)
        Their known values.
    name : str
        Name of the model in `repr`.
    """

    network: Network
    training: TrainingSpread
    by: str | None
    rows: Array
    cols: Array
    values: Array
    name: str
    score: Array = field(init=False)
    spread: Array = field(init=False)

    def __post_init__(self) -> None:
        require_unseen(self.network, self.rows, self.cols)
        score, spread = self.scorer.score_and_spread(self.rows, self.cols, self.by)
        object.__setattr__(self, "score", score)
        object.__setattr__(self, "spread", spread)

    @property
    def scorer(self) -> Scorer:
        """The central model and its ensemble."""
        return self.training.scorer

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        known = (
            f"{int(np.count_nonzero(self.values)):,} of them links"
            if np.isin(self.values, (0, 1)).all()
            else f"values from {self.values.min():g} to {self.values.max():g}"
        )
        by = "ensemble" if self.scorer.uses_ensemble(self.by) else "model"
        return f"Calibrated: {counted(len(self), 'pair')}, {known}, scored by the {by} of {self.name}"

    def probabilities(self, pairs: Any, curve: Calibration | None = None) -> Array:
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

        Notes
        -----
        For a Boolean model k of P votes are read as (k + 1/2) / (P + 1), since 0 and 1 have no logit.
        """
        labels = self._labels("probabilities")
        if curve is None:
            model = self.scorer.model
            curve = Platt(on="logit" if model.boolean or model.logistic else "score")
        fitted = checked_object(self, "curve", curve, Calibration).fit(self._votes(self.score), labels)
        rows, cols = pair_indices(self.network, pairs)
        probabilities: Array = fitted(self._votes(self.scorer.score(rows, cols, self.by)))
        return probabilities

    def answers(
        self, pairs: Any, rule: RiskControl | None = None, confidence: str = "margin", middle: float = 0.5
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
        middle : float
            Scores above it are predicted to be links.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, answer (0 or 1) and answered.
        """
        labels = self._labels("answers")
        control = self._rule(rule, RiskControl)
        if checked_choice(confidence, CONFIDENCES, "confidence") != "margin":
            self.scorer.require_spread(f"confidence={confidence!r}", ' Or choose confidence="margin".')
        certainty = confidence_of(self.score, self.spread, confidence, middle)
        fitted = control.calibrate(certainty, (self.score > middle) != labels)
        columns = self._columns(*self._unseen(pairs))
        score, spread = columns["score"], columns["spread"]
        columns["answer"] = (score > middle).astype(np.int64)
        columns["answered"] = fitted.answers(confidence_of(score, spread, confidence, middle))
        return GuaranteedTable(columns, fitted.limits, fitted)

    def intervals(
        self, pairs: Any, rule: ConformalIntervals | None = None, propensity: Propensity | None = None
    ) -> GuaranteedTable:
        """Return prediction intervals whose coverage holds on average over missing entries.

        Parameters
        ----------
        pairs : as for `predict_links`
            None of them used in fitting or calibration.
        rule : ConformalIntervals
            By default 90 %. A rule without a floor of its own takes the mean spread of the training entries.
        propensity : Propensity
            How the chance of being observed differs: ``RowColumn()`` or ``LowRank()``, fitted to which
            entries are known, the calibration pairs among them. None assumes that it does not.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, low and high.
        """
        conformal = self._with_floor(self._rule(rule, ConformalIntervals))
        chances = own = None
        if propensity is not None:
            self._raise_if_background()
            chances = checked_object(self, "propensity", propensity, Propensity).fit(self._observed())
            own = chances.score(self.rows, self.cols)
        fitted = conformal.calibrate(self.score, self.values, self.spread, own)
        rows, cols = self._unseen(pairs)
        columns = self._columns(rows, cols)
        chance = None if chances is None else chances.score(rows, cols)
        columns["low"], columns["high"] = fitted.interval(columns["score"], columns["spread"], chance)
        return GuaranteedTable(columns, fitted.limits, fitted)

    def sets(self, pairs: Any, rule: ConformalSets | None = None) -> GuaranteedTable:
        """Return class-conditional prediction sets: the same coverage for links and for non-links.

        Parameters
        ----------
        pairs : as for `predict_links`
            None of them used in fitting or calibration.
        rule : ConformalSets
            By default 90 %.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, may_be_nonlink and may_be_link.
        """
        fitted = self._rule(rule, ConformalSets).calibrate(self.score, self._labels("sets"))
        columns = self._columns(*self._unseen(pairs))
        columns["may_be_nonlink"], columns["may_be_link"] = fitted.sets(columns["score"]).T
        return GuaranteedTable(columns, fitted.limits, fitted)

    def discover(self, pairs: Any, fdr: float = 0.1) -> GuaranteedTable:
        """Select candidates as links with a false discovery rate of at most ``fdr``.

        The known non-links among the calibration pairs stand for the non-links among the candidates, and must
        be drawn like them.

        Parameters
        ----------
        pairs : as for `predict_links`
            Candidates, each once, none of them used in fitting or calibration.
        fdr : float
            Largest expected share of non-links among the selected.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, p_value and selected.
        """
        nonlinks = self.score[~self._labels("discover")]
        columns = self._columns(*self._unseen(pairs, "candidate", repeats=False))
        discoveries = discover(columns["score"], nonlinks, fdr)
        columns["p_value"], columns["selected"] = discoveries.p_values, discoveries.selected
        return GuaranteedTable(columns, discoveries.limits, discoveries)

    def _labels(self, what: str) -> NDArray[np.bool_]:
        other = ~np.isin(self.values, (0, 1))
        if other.any():
            position = int(np.argmax(other))
            raise IncompatibleError(
                f"Calibration pair {position} has the value {self.values[position]:g}; {what} are for links "
                "and non-links, values 1 and 0. For real values there are intervals."
            )
        links: NDArray[np.bool_] = self.values == 1
        return links

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

    def _votes(self, score: Array) -> Array:
        """Return scores with a logit: for a Boolean model k of P votes as (k + 1/2) / (P + 1)."""
        if not self.scorer.model.boolean:
            return score
        voters = len(self.scorer.models(self.by))
        return (score * voters + 0.5) / (voters + 1)

    def _unseen(self, pairs: Any, what: str = "requested", repeats: bool = True) -> tuple[Array, Array]:
        """Return the indices of pairs; raise for pairs that nothing can be guaranteed for."""
        rows, cols = pair_indices(self.network, pairs)
        calibrated = (self.rows, self.cols)
        require_unseen(self.network, rows, cols, what, calibrated=calibrated, repeats=repeats)
        return rows, cols

    def _columns(self, rows: Array, cols: Array) -> dict[str, Array]:
        row, column = self.network.node_names(rows, cols)
        score, spread = self.scorer.score_and_spread(rows, cols, self.by)
        return {"row": row, "column": column, "score": score, "spread": spread}

    def _raise_if_background(self) -> None:
        if self.network.background:
            raise IncompatibleError(
                "A propensity is the chance that an entry is known, but unlisted entries are known zeros "
                f"here (background={self.network.background:g}), so that missing entries cannot be told from "
                "them. Leave it out, or fit a network with background=0."
            )

    def _observed(self) -> Network:
        """Return the network with the calibration pairs as known entries."""
        fitted = self.network.subset(self.network.known)
        rows, cols = self.rows, self.cols
        if fitted.symmetric:
            rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
        parts = ((fitted.rows, rows), (fitted.cols, cols), (fitted.values, self.values))
        weights = np.concatenate([fitted.weights, np.ones(len(self))])
        return fitted.relisted(*map(np.concatenate, parts), weights)
