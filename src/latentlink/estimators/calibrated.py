"""What can be promised of a model's scores, learned from pairs that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.estimators.pairs import named, pair_indices
from latentlink.estimators.promised import Promised
from latentlink.estimators.scoring import Scorer
from latentlink.estimators.settings import checked_choice, checked_object
from latentlink.estimators.trainingmean import TrainingMean, require_spread
from latentlink.network import Network
from latentlink.network.describe import counted
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
    require_apart,
)

__all__ = ["Calibrated"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class Calibrated:
    """A fitted model, and pairs that it has not seen: what `calibrate` of an estimator returns.

    Every method learns from the same pairs, and its promise stands on its own: that all of them hold at once
    is not promised. Nothing is promised of pairs that took part in the fit or in the calibration, which
    `answers`, `intervals`, `sets` and `discover` refuse; `predict_links` of the model scores them. Of a node
    with itself they say as little, where the network lists no self loop.

    Attributes
    ----------
    network : Network
        What the model was fitted to.
    scorer : Scorer
        The model and its ensemble.
    by : {"model", "ensemble"} or None
        Whose scores are meant.
    rows, cols : arrays of int, shape (n,)
        The calibration pairs.
    values : array, shape (n,)
        What is known of them.
    name : str
        What to call the model.
    mean : TrainingMean
        The mean spread of the entries that it was fitted to.
    """

    network: Network
    scorer: Scorer
    by: str | None
    rows: Array
    cols: Array
    values: Array
    name: str
    mean: TrainingMean
    score: Array = field(init=False)
    spread: Array = field(init=False)

    def __post_init__(self) -> None:
        require_apart(self.network, self.rows, self.cols)
        score, spread = self.scorer.score_and_spread(self.rows, self.cols, self.by)
        object.__setattr__(self, "score", score)
        object.__setattr__(self, "spread", spread)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        binary = np.isin(self.values, (0, 1)).all()
        known = (
            f"{int(np.count_nonzero(self.values)):,} of them links"
            if binary
            else f"values from {self.values.min():g} to {self.values.max():g}"
        )
        by = "ensemble" if self.scorer.asks(self.by) is self.scorer.members else "model"
        return f"Calibrated: {counted(len(self), 'pair')}, {known}, scored by the {by} of {self.name}"

    def probabilities(self, pairs: Any, curve: Calibration | None = None) -> Array:
        """Return the probability of a link for each pair, of values 0 and 1.

        Pairs that the model was fitted to are not refused here, but it is surer of them than it would be if
        they were new, and so are the probabilities.

        Parameters
        ----------
        pairs : as for `predict_links`
        curve : Calibration
            ``Platt()``, ``Platt(on="logit")``, ``Beta()`` or ``Isotonic()``. By default Platt's curve: on the
            logit where scores are probabilities or shares of votes (logistic and Boolean models), which it
            can leave as they are; on the score where they are not.

        Notes
        -----
        Of a Boolean model k of P votes are read as (k + 1/2) / (P + 1), since 0 and 1 have no logit.
        """
        labels = self._labels("probabilities")
        if curve is None:
            curve = Platt(on="logit" if self._says_probabilities else "score")
        learned = checked_object(self, "curve", curve, Calibration).fit(self._votes(self.score), labels)
        rows, cols = pair_indices(self.network, pairs)
        found: Array = learned(self._votes(self.scorer.score(rows, cols, self.by)))
        return found

    def answers(
        self, pairs: Any, rule: RiskControl | None = None, confidence: str = "margin", middle: float = 0.5
    ) -> Promised:
        """Answer yes or no where the error is bounded, and keep silent elsewhere.

        Parameters
        ----------
        pairs : as for `predict_links`
            None of them fitted or calibrated on.
        rule : RiskControl
            By default at most 5 % of the answers are wrong, with probability 90 %.
        confidence : {"margin", "spread", "both"}
            Which pairs are answered first.
        middle : float
            Above it the answer is yes.

        Returns
        -------
        Promised
            With the columns row, column, score, spread, answer (0 or 1) and answered.
        """
        labels = self._labels("answers")
        checked = self._rule(rule, RiskControl)
        if checked_choice(self, "confidence", confidence, tuple(CONFIDENCES)) != "margin":
            require_spread(self.scorer, f"confidence={confidence!r}", ' Or say confidence="margin".')
        sure = confidence_of(self.score, self.spread, confidence, middle)
        found = checked.calibrate(sure, (self.score > middle) != labels)
        columns = self._columns(*self._unseen(pairs))
        score, spread = columns["score"], columns["spread"]
        columns["answer"] = (score > middle).astype(np.int64)
        columns["answered"] = found.answers(confidence_of(score, spread, confidence, middle))
        return Promised(columns, found.limits, found)

    def intervals(
        self, pairs: Any, rule: ConformalIntervals | None = None, propensity: Propensity | None = None
    ) -> Promised:
        """Return intervals that hold the true values as often as they say, on average over missing entries.

        Parameters
        ----------
        pairs : as for `predict_links`
            None of them fitted or calibrated on.
        rule : ConformalIntervals
            By default 90 %. A rule without a floor of its own has the mean spread of the training entries.
        propensity : Propensity
            How the chance of being observed differs: ``RowColumn()`` or ``LowRank()``, fitted to which
            entries are known, the calibration pairs among them. None supposes that it does not.

        Returns
        -------
        Promised
            With the columns row, column, score, spread, low and high.
        """
        checked = self._with_floor(self._rule(rule, ConformalIntervals))
        chances = own = None
        if propensity is not None:
            self._refuse_background()
            chances = checked_object(self, "propensity", propensity, Propensity).fit(self._observed())
            own = chances.score(self.rows, self.cols)
        learned = checked.calibrate(self.score, self.values, self.spread, own)
        rows, cols = self._unseen(pairs)
        columns = self._columns(rows, cols)
        asked = None if chances is None else chances.score(rows, cols)
        columns["low"], columns["high"] = learned.interval(columns["score"], columns["spread"], asked)
        return Promised(columns, learned.limits, learned)

    def sets(self, pairs: Any, rule: ConformalSets | None = None) -> Promised:
        """Tell which of yes and no cannot be ruled out, with the same promise for links and for non-links.

        Parameters
        ----------
        pairs : as for `predict_links`
            None of them fitted or calibrated on.
        rule : ConformalSets
            By default 90 %.

        Returns
        -------
        Promised
            With the columns row, column, score, spread, may_be_nonlink and may_be_link.
        """
        learned = self._rule(rule, ConformalSets).calibrate(self.score, self._labels("sets"))
        columns = self._columns(*self._unseen(pairs))
        columns["may_be_nonlink"], columns["may_be_link"] = learned.sets(columns["score"]).T
        return Promised(columns, learned.limits, learned)

    def discover(self, pairs: Any, fdr: float = 0.1) -> Promised:
        """Select candidates that are links, of which at most a share ``fdr`` are none, on average.

        Known non-links among the calibration pairs stand for those among the candidates, and must be like
        them.

        Parameters
        ----------
        pairs : as for `predict_links`
            Candidates, each once, none of them fitted or calibrated on.
        fdr : float
            Share of non-links among the selected, at the most.

        Returns
        -------
        Promised
            With the columns row, column, score, spread, p_value and selected.
        """
        nonlinks = self.score[~self._labels("discover")]
        columns = self._columns(*self._unseen(pairs, "candidate", again=False))
        found = discover(columns["score"], nonlinks, fdr)
        columns["p_value"], columns["selected"] = found.p_values, found.selected
        return Promised(columns, found.limits, found)

    def _labels(self, what: str) -> NDArray[np.bool_]:
        other = ~np.isin(self.values, (0, 1))
        if other.any():
            place = int(np.argmax(other))
            raise IncompatibleError(
                f"Calibration pair {place} has the value {self.values[place]:g}; {what} are for links and "
                "non-links, values 1 and 0. Of real values there are intervals."
            )
        links: NDArray[np.bool_] = self.values == 1
        return links

    def _rule(self, rule: Any, kind: type) -> Any:
        """Return a rule, or the default of its kind; refuse what is none."""
        return kind() if rule is None else checked_object(self, "rule", rule, kind)

    def _with_floor(self, rule: ConformalIntervals) -> ConformalIntervals:
        """Return a rule whose floor is a number."""
        if not rule.floor:
            wide = " Or give the rule a floor: ConformalIntervals(floor=1.0) makes all equally wide."
            require_spread(self.scorer, "intervals", wide)
        if rule.floor is not None:
            return rule
        floored: ConformalIntervals = clone(rule).set_params(floor=self.mean.of(self.scorer, self.network))
        return floored

    @property
    def _says_probabilities(self) -> bool:
        """Whether scores are probabilities or votes."""
        return bool(self.scorer.model.boolean or self.scorer.model.logistic)

    def _votes(self, score: Array) -> Array:
        """Return scores with a logit: of a Boolean model k of P votes as (k + 1/2) / (P + 1)."""
        if not self.scorer.model.boolean:
            return score
        voters = len(self.scorer.asks(self.by))
        return (score * voters + 0.5) / (voters + 1)

    def _unseen(self, pairs: Any, what: str = "asked", again: bool = True) -> tuple[Array, Array]:
        """Return indices of pairs; refuse those of which nothing can be promised."""
        rows, cols = pair_indices(self.network, pairs)
        calibrated = (self.rows, self.cols)
        require_apart(self.network, rows, cols, what, calibrated=calibrated, again=again)
        return rows, cols

    def _columns(self, rows: Array, cols: Array) -> dict[str, Array]:
        row, column = named(self.network, rows, cols)
        score, spread = self.scorer.score_and_spread(rows, cols, self.by)
        return {"row": row, "column": column, "score": score, "spread": spread}

    def _refuse_background(self) -> None:
        if self.network.background:
            raise IncompatibleError(
                "A propensity is the chance that an entry is known, but unlisted entries are known zeros "
                f"here (background={self.network.background:g}), so that nothing tells which are missing. "
                "Leave it out, or fit a network with background=0."
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
