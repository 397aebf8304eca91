"""Guarantees for the scores of a fitted model, calibrated on pairs that were not used in fitting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.errors import IncompatibleError, InputError
from latentlink.random import rng_for
from latentlink.scoring.calibration_pairs import CalibrationPairs
from latentlink.scoring.discovery.discoveries_among_all import discover_among_all
from latentlink.scoring.discovery.given_candidates import GivenCandidates, best_untested, distinct_untrained
from latentlink.scoring.untested_pairs import UntestedPairs
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
    discover,
    require_not_chosen_by_score,
    require_several_candidates,
    require_unseen,
)
from latentlink.uncertainty.discoveries import require_enough_nonlinks
from latentlink.validation.choices import checked_choice, checked_object
from latentlink.validation.numbers import checked_share

__all__ = ["Calibrated"]

Array = NDArray[Any]

_UNTESTED = 10_000  # untested pairs that stand for all of them in comparisons
_KEY = -7 % 2**32  # keeps their draw apart from those of other purposes


@dataclass(frozen=True, eq=False, repr=False)
class Calibrated(CalibrationPairs):
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
        propensity : Propensity
            How the chance of being observed differs: ``RowColumn()`` or ``LowRank()``, fitted to which
            entries are known, the calibration pairs among them. None assumes that it does not.
        unknown : {"error", "nan"}
            What becomes of pairs with a node that the model does not have: raise InputError, or NaN.

        Returns
        -------
        GuaranteedTable
            With the columns row, column, score, spread, low and high.
        """
        if unknown != "error":
            return self._known_alone(pairs, unknown, lambda known: self.intervals(known, rule, propensity))
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

    def discover(
        self,
        pairs: Any = None,
        fdr: float = 0.1,
        *,
        exclude: Any = None,
        chosen_without_scores: bool = False,
        unknown: str = "error",
    ) -> GuaranteedTable:
        """Select links among all untested pairs, or given candidates, with a bounded false discovery rate.

        Known non-links among the calibration pairs stand for the non-links among the candidates, and must be
        drawn like them. Unlisted pairs, drawn for want of known non-links, make the bound conservative:
        some are links. As candidates all untested pairs are then like them, and next to nothing is selected.
        Candidates must not be chosen by their scores: among the best-scored pairs every non-link scores high.

        Parameters
        ----------
        pairs : None, or as for `predict_links`
            None goes over all untested pairs, block by block: all that are unknown to the model and not used
            in calibration, without those of a node with itself; under a background the hidden ones alone.
            Candidates that are given must be unseen, each once, and raise if they evidently were chosen by
            their scores: if they score higher than random untested pairs, of the same nodes if they have few,
            and than the calibration pairs; or if a few of the best pairs of all, or the best nodes, are why
            anything is selected. Fewer than 20, of which that cannot be told, raise too.
        fdr : float
            Largest expected share of non-links among the selected.
        exclude : Network or pairs
            Pairs that somebody knows though the model does not, such as a test part; only without ``pairs``.
            Pairs that are left must not have been chosen by their scores either, and raise like ``pairs``.
        chosen_without_scores : bool
            The candidates that are given were chosen by other information than scores of this model: they are
            accepted however high they score.
        unknown : {"error", "nan"}
            What becomes of candidates with a node that the model does not have: raise InputError, or select
            none of them.

        Returns
        -------
        GuaranteedTable
            With row, column, score, spread, p_value and selected; without ``pairs`` the selected alone.
        """
        if pairs is None:
            checked_choice(unknown, ("error",), "unknown without pairs")
        elif unknown != "error":
            return self._known_alone(
                pairs,
                unknown,
                lambda known: self.discover(
                    known, fdr, exclude=exclude, chosen_without_scores=chosen_without_scores
                ),
            )
        labels = self._labels("discover")
        if len(self.drawn.nulls):
            require_enough_nonlinks(int((~labels).sum()), checked_share(fdr, "fdr"), drawn=True)
        if pairs is None:
            return self._discover_among_all(labels, fdr, exclude, chosen_without_scores)
        if exclude is not None:
            raise InputError(
                "discover has both pairs and exclude; expected exclude with pairs=None alone. Leave the "
                "excluded pairs out of the candidates."
            )
        rows, cols = self._indices(pairs)
        if not chosen_without_scores:
            self._require_not_chosen(rows, cols)
        self._require_unseen(rows, cols, "candidate", repeats=False)
        columns = self._columns(rows, cols)
        evidence, discoveries = self._among_given(rows, cols, columns["score"], labels, fdr)
        if not chosen_without_scores and discoveries.selected.any():
            self._require_not_by_few((rows, cols), labels, fdr)
        discoveries = replace(discoveries, drawn=self.drawn.nonlinks)
        columns |= {**evidence, "selected": discoveries.selected}
        return self._guaranteed(columns, discoveries, self._compared(rows, cols, columns["score"], labels))

    def _require_not_chosen(self, rows: Array, cols: Array) -> None:
        """Raise InputError for candidates that scores may have chosen, before any lesser fault of them."""
        first = distinct_untrained(self.network, rows, cols)
        self._require_like_untested(rows[first], cols[first])
        require_unseen(self.network, rows, cols, "candidate")
        require_several_candidates(len(rows))

    def _given_candidates(self, rows: Array, cols: Array) -> GivenCandidates:
        return GivenCandidates(rows, cols, self._untested(), lambda *pairs: self._traits(*pairs)[0])

    def _require_like_untested(self, rows: Array, cols: Array, **message: str) -> None:
        own = (self.rows, self.cols, self.score)
        require_not_chosen_by_score(self._given_candidates(rows, cols).comparisons(own), len(rows), **message)

    def _require_not_by_few(self, pairs: tuple[Array, Array], labels: NDArray[np.bool_], fdr: float) -> None:
        """Raise InputError if a few of the best pairs, or nodes, of all are why anything is selected."""
        given = self._given_candidates(*pairs)
        given.require_nodes_not_chosen()
        score = self.scorer.score(*pairs, self.by)

        def selects(kept: Array) -> bool:
            part = (pairs[0][kept], pairs[1][kept], score[kept])
            return bool(self._among_given(*part, labels, fdr)[1].selected.any())

        given.require_more_than_the_best(
            score, best_untested(given.untested, self.scorer, self.by), fdr, selects
        )

    def _discover_among_all(
        self, labels: NDArray[np.bool_], fdr: float, exclude: Any, chosen_without_scores: bool
    ) -> GuaranteedTable:
        untested = self._untested(exclude)
        if not len(untested):
            zeros = ", and unlisted pairs were fitted as zeros" if self.network.background else ""
            raise InputError(
                f"There are no untested pairs: all are known, used in calibration or excluded{zeros}. "
                "Expected at least one. Hide the pairs in question before fitting (weight 0)."
            )
        sample = untested.sample(_UNTESTED, rng_for(0, _KEY))
        few = exclude is not None and not chosen_without_scores and len(untested) < len(self._untested())
        if few:
            instead = "Exclude pairs that somebody knows, and no others"
            self._require_like_untested(*sample, instead=instead)
            require_several_candidates(len(untested), instead)
        rows, cols, evidence, discoveries = self._among_all(untested, labels, fdr)
        if few and len(rows) and len(untested) == len(sample[0]):
            self._require_not_by_few(sample, labels, fdr)
        discoveries = replace(discoveries, drawn=self.drawn.nonlinks)
        columns = {**self._columns(rows, cols), **evidence, "selected": discoveries.selected}
        return self._guaranteed(columns, discoveries, self._compared(*sample, None, labels))

    def _among_given(
        self, rows: Array, cols: Array, score: Array, labels: NDArray[np.bool_], fdr: float
    ) -> tuple[dict[str, Array], Any]:
        """Return the evidence for each candidate as a column, and the discoveries."""
        del rows, cols
        discoveries = discover(score, self.score[~labels], fdr)
        return {"p_value": discoveries.p_values}, discoveries

    def _among_all(
        self, untested: UntestedPairs, labels: NDArray[np.bool_], fdr: float
    ) -> tuple[Array, Array, dict[str, Array], Any]:
        """Return rows and columns of the selected, the evidence for each as a column, and the discoveries."""
        nonlinks = untested.comparable_scores(self.scorer, self.by, self.rows[~labels], self.cols[~labels])
        rows, cols, discoveries = discover_among_all(
            lambda: untested.scored(self.scorer, self.by), nonlinks, fdr
        )
        return rows, cols, {"p_value": discoveries.p_values}, discoveries

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
