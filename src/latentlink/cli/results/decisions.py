"""Probabilities and decisions for pairs, by rules that were calibrated in the run and are saved with it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.cli.results.share_of_links import SupposedShare
from latentlink.errors import DataWarning, InputError, LatentLinkError
from latentlink.network.lookup import positions_among
from latentlink.saving import load_file, save_file
from latentlink.scoring import Calibrated
from latentlink.tables import Table
from latentlink.uncertainty import (
    BetaCurve,
    ConformalIntervals,
    IntervalRule,
    RiskControl,
    RiskRule,
    SigmoidCurve,
    StepCurve,
    SupportedCurve,
    confidence_of,
)

__all__ = ["Decisions", "calibrated_decisions", "load_decisions", "quiet", "save_decisions"]

Array = NDArray[Any]

_THRESHOLD = 0.5  # scores above it are predicted to be links
_RECORDS = (SupportedCurve, SigmoidCurve, BetaCurve, StepCurve, RiskRule, IntervalRule)
_KIND = "calibration"


@dataclass(frozen=True, eq=False)
class Decisions:
    """What was calibrated: probabilities and decisions of links, or intervals of values.

    Attributes
    ----------
    by : str or None
        Whether scores are those of the central model or of the ensemble, as for `predict_links`.
    voters : int
        Members that vote, for a Boolean model; else 0.
    curve : SupportedCurve or None
    risk : RiskRule or None
    intervals : IntervalRule or None
    bounds : (float, float) or None
        The scale of the values, to which intervals are clipped.
    units : array, shape (columns,), or None
        Units of columns that differ in unit, in which intervals were calibrated.
    selected : array of int, or None
        Keys of the pairs that were selected at a false discovery rate, ascending (see `Network.pair_keys`);
        None if decisions are by risk.
    limits : tuple of str
        What is guaranteed and what is not.
    supposed : float or None
        The share of links among unknown pairs that decisions suppose, where probabilities suppose another:
        that of listed links among all pairs. None if a share was stated, if the unknown pairs are supposed to
        be like the known ones, or if decisions are not by risk.
    """

    by: str | None = None
    voters: int = 0
    curve: SupportedCurve | None = None
    risk: RiskRule | None = None
    intervals: IntervalRule | None = None
    bounds: tuple[float, float] | None = None
    units: Array | None = None
    selected: NDArray[np.int64] | None = None
    limits: tuple[str, ...] = ()
    supposed: float | None = None

    @property
    def calibrated(self) -> bool:
        """Whether the calibration pairs were enough for probabilities or intervals."""
        return self.curve is not None or self.intervals is not None

    def probabilities(self, score: Array) -> Array:
        """Return the probability of a link for each score; NaN without a calibration."""
        if self.curve is None:
            return np.full(len(score), np.nan)
        known = ~np.isnan(score)
        votes = (score * self.voters + 0.5) / (self.voters + 1) if self.voters else score
        result = np.full(len(score), np.nan)
        result[known] = self.curve(votes[known])
        return result

    def decided(self, keys: Array, score: Array, spread: Array) -> Array:
        """Return "link", "no link" or "abstain" for each pair; nothing for values other than 0 and 1."""
        decision = np.full(len(score), "abstain", dtype="<U7")
        if self.selected is not None:
            decision[positions_among(self.selected, keys) >= 0] = "link"
            return decision
        if self.risk is None:
            return decision if self.intervals is None else np.full(len(score), "", dtype="<U7")
        known = ~np.isnan(score)
        answered = np.zeros(len(score), bool)
        answered[known] = self.risk.answers(confidence_of(score[known], spread[known], "margin", _THRESHOLD))
        if self.curve is not None and (self.supposed, self.curve.base_rate) != (None, None):
            answered &= self._is_probable(score, 1 - self.risk.alpha)
        decision[answered] = np.where(score[answered] > _THRESHOLD, "link", "no link")
        return decision

    def _is_probable(self, score: Array, least: float) -> Array:
        """Return whether a decision is right with at least this probability.

        The rule was calibrated at the share of links among the known pairs; at the stated or supposed
        share of links it answers only where the probabilities at that share agree.
        """
        probability = self._at_supposed_share(score)
        right = np.where(score > _THRESHOLD, probability, 1 - probability)
        return np.asarray(right >= least)

    def _at_supposed_share(self, score: Array) -> Array:
        """Return the probabilities by which decisions are made."""
        if self.supposed is None or self.curve is None:
            return self.probabilities(score)
        return replace(self, curve=replace(self.curve, base_rate=self.supposed)).probabilities(score)

    def columns(self, keys: Array, score: Array, spread: Array) -> dict[str, Array]:
        """Return the columns probability, spread and decision, and low and high of values.

        Where decisions suppose another share of links than the probabilities do, the probability at that
        share is the column decision_probability: .995 beside "abstain" would be a riddle without it.

        Parameters
        ----------
        keys : array of int
            Of the pairs, as `Network.pair_keys` returns them.
        score, spread : arrays
            NaN for pairs that cannot be scored.
        """
        added = {
            "probability": self.probabilities(score),
            "spread": spread,
            "decision": self.decided(keys, score, spread),
        }
        if self.supposed is not None:
            added["decision_probability"] = self._at_supposed_share(score)
        if self.intervals is not None:
            known = ~np.isnan(score)
            low, high = np.full(len(score), np.nan), np.full(len(score), np.nan)
            with quiet():
                units = 1.0 if self.units is None else self.units[keys[known] % len(self.units)]
                ends = self.intervals.interval(score[known] / units, spread[known] / units)
                low[known], high[known] = (end * units for end in ends)
            if self.bounds is not None:
                low, high = np.clip(low, *self.bounds), np.clip(high, *self.bounds)
            added |= {"low": low, "high": high}
        return added


def calibrated_decisions(
    calibrated: Calibrated,
    pairs: Table,
    risk: float,
    fdr: float | None,
    supposed: SupposedShare | None,
    base_rate: float | None = None,
    level: float | None = None,
) -> Decisions:
    """Return the rules that a calibration gives.

    Parameters
    ----------
    calibrated : Calibrated
    pairs : Table
        Unknown pairs, at least one.
    risk : float
        Largest share of wrong decisions.
    fdr : float or None
        Largest share of non-links among the links that are selected; decisions are then by it.
    supposed : SupposedShare or None
        The share of links among unknown pairs that decisions suppose where none is stated; None is that in
        the calibration.
    base_rate : float or None
        The share that probabilities and decisions suppose; None if none is stated.
    level : float or None
        The coverage of intervals of values; None is that of `ConformalIntervals`.
    """
    boolean = calibrated.scorer.model.boolean
    common: dict[str, Any] = {
        "by": calibrated.by,
        "voters": len(calibrated.scorer.models(calibrated.by)) if boolean else 0,
    }
    with quiet():
        if not np.isin(calibrated.values, (0, 1)).all():
            rule, limits = _intervals(calibrated, level)
            bounds = calibrated.scorer.value_range(calibrated.values)
            units = getattr(calibrated.scorer.model, "units", None)
            scales = None if units is None or units.shared else units.scales
            return Decisions(**common, intervals=rule, bounds=bounds, units=scales, limits=limits)
        table = calibrated.probabilities(pairs, base_rate=base_rate)
        common |= {"curve": table.rule, "limits": (table.limits,)}
        if fdr is None:
            return _by_risk(calibrated, pairs, risk, common, supposed)
        found = calibrated.discover(fdr=fdr)
        common["limits"] = (*common["limits"], found.limits)
        keys = calibrated.network.pair_keys(found["row"], found["column"])
        return Decisions(**common, selected=np.sort(keys))


def _by_risk(
    calibrated: Calibrated, pairs: Table, risk: float, common: dict[str, Any], supposed: SupposedShare | None
) -> Decisions:
    try:
        answers = calibrated.answers(pairs, RiskControl(alpha=risk))
    except LatentLinkError as error:
        return Decisions(**{**common, "limits": (*common["limits"], f"No decision is made: {error}")})
    curve, other = common["curve"], None
    limits = (*common["limits"], answers.limits)
    if curve.base_rate is not None:
        limits += (
            f"As a share of links is stated, a pair is called a link only if its probability is {1 - risk:g} "
            f"or more, and a non-link only if it is {risk:g} or less.",
        )
    elif supposed is not None and supposed.like_known:
        limits += (f"{supposed.sentence} Give base_rate if you know better.",)
    elif supposed is not None and supposed.share < curve.calibration_rate:
        other = supposed.share
        limits += (
            f"{supposed.sentence} So a pair is called a link only if it would be one with a probability of "
            f"{1 - risk:g} or more at that share. Give base_rate if you know better: probabilities and "
            "decisions then suppose it. In links.csv that probability is the column decision_probability.",
        )
    return Decisions(**{**common, "risk": answers.rule, "limits": limits, "supposed": other})


def _intervals(calibrated: Calibrated, level: float | None) -> tuple[IntervalRule | None, tuple[str, ...]]:
    floor = calibrated.training.mean
    if not floor > 0:
        return None, ("There are no intervals, since all members of the ensemble agree.",)
    try:
        units = calibrated.scorer.units(calibrated.cols)
        parts = (part / units for part in (calibrated.score, calibrated.values, calibrated.spread))
        intervals = ConformalIntervals(floor=floor)
        rule = (intervals if level is None else intervals.set_params(level=level)).calibrate(*parts)
    except LatentLinkError as error:
        return None, (f"There are no intervals: {error}",)
    return rule, (rule.limits,)


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress warnings about the data: what they say is part of the limits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        yield


def save_decisions(path: Path, decisions: Decisions) -> None:
    """Save rules as a file of arrays and JSON."""
    save_file(path, _KIND, decisions)


def load_decisions(path: Path) -> Decisions:
    """Load rules; none were saved for a run without a calibration."""
    if not path.is_file():
        return Decisions()
    loaded = load_file(path, _KIND, {cls.__name__: cls for cls in (Decisions, *_RECORDS)})
    if not isinstance(loaded, Decisions):
        raise InputError(f"{path} has no rules of a calibration; it is damaged. Fit again.")
    return loaded
