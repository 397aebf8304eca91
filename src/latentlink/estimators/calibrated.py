"""What can be promised of a model's scores, learned from pairs that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.estimators.pairs import named, pair_indices
from latentlink.estimators.promised import Promised
from latentlink.estimators.scoring import Scorer
from latentlink.network import Network
from latentlink.uncertainty import (
    Calibration,
    ConformalIntervals,
    ConformalSets,
    Platt,
    Propensity,
    RiskControl,
    confidence_of,
    discover,
    require_apart,
    spread_threshold,
)

__all__ = ["Calibrated"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A fitted model, and pairs that it has not seen: what `calibrate` of an estimator returns.

    Every method learns from the same pairs, and its promise stands on its own: that all of them hold at once
    is not promised.

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
    """

    network: Network
    scorer: Scorer
    by: str | None
    rows: Array
    cols: Array
    values: Array
    score: Array = field(init=False, repr=False)
    spread: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        require_apart(self.network, self.rows, self.cols)
        score, spread = self.scorer.score_and_spread(self.rows, self.cols, self.by)
        object.__setattr__(self, "score", score)
        object.__setattr__(self, "spread", spread)

    def __len__(self) -> int:
        return len(self.rows)

    def probabilities(self, pairs: Any, curve: Calibration | None = None) -> Array:
        """Return the probability of a link for each pair, of values 0 and 1.

        Parameters
        ----------
        pairs : as for `predict_links`
        curve : Calibration
            ``Platt()``, the default, ``Beta()`` or ``Isotonic()``.
        """
        labels = self._labels("probabilities")
        learned = (Platt() if curve is None else curve).fit(self.score, labels)
        rows, cols = pair_indices(self.network, pairs)
        return learned(self.scorer.score(rows, cols, self.by))

    def answers(
        self, pairs: Any, rule: RiskControl | None = None, confidence: str = "margin", middle: float = 0.5
    ) -> Promised:
        """Answer yes or no where the error is bounded, and keep silent elsewhere.

        Parameters
        ----------
        pairs : as for `predict_links`
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
        sure = confidence_of(self.score, self.spread, confidence, middle)
        found = (RiskControl() if rule is None else rule).calibrate(sure, (self.score > middle) != labels)
        columns = self._asked(pairs)
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
        rule : ConformalIntervals
            By default 90 %, with the mean spread of the training entries as its floor.
        propensity : Propensity
            How the chance of being observed differs: ``RowColumn()`` or ``LowRank()``, fitted to which
            entries are known, the calibration pairs among them. None supposes that it does not.

        Returns
        -------
        Promised
            With the columns row, column, score, spread, low and high.
        """
        if rule is None:
            rule = ConformalIntervals(floor=spread_threshold(self.scorer.training_spread(self.network)))
        chances = None if propensity is None else propensity.fit(self._observed())
        own = None if chances is None else chances.score(self.rows, self.cols)
        learned = rule.calibrate(self.values, self.score, self.spread, own)
        rows, cols = pair_indices(self.network, pairs)
        columns = self._columns(rows, cols)
        asked = None if chances is None else chances.score(rows, cols)
        columns["low"], columns["high"] = learned.interval(columns["score"], columns["spread"], asked)
        return Promised(columns, learned.limits, learned)

    def sets(self, pairs: Any, rule: ConformalSets | None = None) -> Promised:
        """Tell which of yes and no cannot be ruled out, with the same promise for links and for non-links.

        Parameters
        ----------
        pairs : as for `predict_links`
        rule : ConformalSets
            By default 90 %.

        Returns
        -------
        Promised
            With the columns row, column, score, spread, may_be_nonlink and may_be_link.
        """
        learned = (ConformalSets() if rule is None else rule).calibrate(self._labels("sets"), self.score)
        columns = self._asked(pairs)
        columns["may_be_nonlink"], columns["may_be_link"] = learned.sets(columns["score"]).T
        return Promised(columns, learned.limits, learned)

    def discover(self, pairs: Any, fdr: float = 0.1) -> Promised:
        """Select candidates that are links, of which at most a share ``fdr`` are none, on average.

        Known non-links among the calibration pairs stand for those among the candidates, and must be like
        them.

        Parameters
        ----------
        pairs : as for `predict_links`
            Candidates, none of them known already.
        fdr : float
            Share of non-links among the selected, at the most.

        Returns
        -------
        Promised
            With the columns row, column, score, spread, p_value and selected.
        """
        nonlinks = self.score[~self._labels("discover")]
        rows, cols = pair_indices(self.network, pairs)
        require_apart(self._observed(), rows, cols, "candidate")
        columns = self._columns(rows, cols)
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

    def _asked(self, pairs: Any) -> dict[str, Array]:
        return self._columns(*pair_indices(self.network, pairs))

    def _columns(self, rows: Array, cols: Array) -> dict[str, Array]:
        row, column = named(self.network, rows, cols)
        score, spread = self.scorer.score_and_spread(rows, cols, self.by)
        return {"row": row, "column": column, "score": score, "spread": spread}

    def _observed(self) -> Network:
        """Return the network with the calibration pairs as known entries."""
        fitted = self.network.subset(self.network.known)
        rows, cols = self.rows, self.cols
        if fitted.symmetric:
            rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
        parts = ((fitted.rows, rows), (fitted.cols, cols), (fitted.values, self.values))
        weights = np.concatenate([fitted.weights, np.ones(len(self))])
        return fitted.relisted(*map(np.concatenate, parts), weights)
