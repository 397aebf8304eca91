"""The risks among which a reader chooses: at each, what is answered and how many ranked links remain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.metrics import RiskCoverage
from latentlink.report.sections.held_out import THRESHOLD, HeldOutPairs
from latentlink.tables import Table

__all__ = ["AcceptedRisk", "RankedPairs", "risk_levels", "supposed_share"]

Array = NDArray[Any]

_LEVELS = 60  # at most about as many
_STEPS = (1.0, 2.0, 5.0, 10.0)  # times a power of ten: readers meet 2.5 % rather than 2.4713 %
_EQUAL = 1e-9


@dataclass(frozen=True, kw_only=True)
class AcceptedRisk:
    """What the decisions of the list accept and suppose.

    Attributes
    ----------
    risk : float or None
        Largest share of wrong decisions; None if there are none, or if they are not by risk.
    share : float or None
        The share of links among unknown pairs that they suppose, where it is not that of the held-out pairs.
    """

    risk: float | None = None
    share: float | None = None

    @classmethod
    def of_run(cls, run: Mapping[str, Any] | None) -> AcceptedRisk:
        """Return what a run states: its ``options`` may have risk, base_rate and fdr."""
        options = (run or {}).get("options")
        given = options if isinstance(options, Mapping) else {}
        if given.get("fdr") is not None:
            return cls()
        return cls(risk=given.get("risk"), share=supposed_share(run))


def supposed_share(run: Mapping[str, Any] | None) -> float | None:
    """Return the share of links that decisions suppose: a stated one, or that of the listed links.

    None where they suppose that of the held-out pairs.
    """
    run = run or {}
    options = run.get("options")
    stated = options.get("base_rate") if isinstance(options, Mapping) else None
    found = None if run.get("unknown_like_known") else run.get("supposed_share_of_links")
    share = found if stated is None else stated
    return None if share is None else float(share)


@dataclass(frozen=True, eq=False)
class RankedPairs:
    """The ranked pairs, by how sure the model is of them.

    Attributes
    ----------
    confidence : array
        In the answer for each pair, as for the held-out pairs.
    probability : array or None
        Of a link, at the share of links that decisions suppose; None where that is the held-out pairs'.
    """

    confidence: Array
    probability: Array | None

    @classmethod
    def of(cls, held_out: HeldOutPairs, links: Table, share: float | None = None) -> RankedPairs:
        """Take the pairs that are predicted to be links; of values, all."""
        score = np.nan_to_num(np.asarray(links["score"], np.float64))
        spread = np.nan_to_num(np.asarray(links.columns.get("spread", np.zeros(len(links))), np.float64))
        confidence = held_out.confidence(score, spread)
        # A pair can be a confident non-link; what remains of a list of links is what is predicted to be one.
        kept = score > THRESHOLD if held_out.binary else np.ones(len(score), bool)
        name = "decision_probability" if "decision_probability" in links else "probability"
        probability = None
        if held_out.binary and share is not None and name in links:
            probability = np.nan_to_num(np.asarray(links[name], np.float64))[kept]
        return cls(confidence[kept], probability)

    def remaining(self, threshold: float, risk: float) -> int:
        """Return how many are as confident as a threshold, and right with a probability of 1 - risk."""
        answered = self.confidence >= threshold
        if self.probability is not None:
            answered &= self.probability >= 1 - risk - _EQUAL
        return int(np.count_nonzero(answered))


def risk_levels(curve: RiskCoverage, ranked: RankedPairs, accepted: float | None) -> Table:
    """Return round risks at which something changes, and that of the decisions.

    Parameters
    ----------
    curve : RiskCoverage
        Of the held-out pairs.
    ranked : RankedPairs
    accepted : float or None
        The risk of the decisions.

    Returns
    -------
    Table
        With the columns risk, coverage (of the held-out pairs), links (ranked ones that remain) and accepted
        (1 at the risk of the decisions).
    """
    found: dict[str, list[Any]] = {"risk": [], "coverage": [], "links": [], "accepted": []}
    before = None
    for risk in _round_risks(curve.risk, accepted):
        row = int(np.flatnonzero(curve.risk <= risk + _EQUAL)[-1])
        here = float(curve.coverage[row]), ranked.remaining(curve.threshold[row], risk)
        if here != before or risk == accepted:
            for name, value in zip(found, (risk, *here, int(risk == accepted)), strict=True):
                found[name].append(value)
        before = here
    kinds: dict[str, Any] = {"links": np.int64, "accepted": np.int64}
    return Table({name: np.array(column, kinds.get(name, np.float64)) for name, column in found.items()})


def _round_risks(risk: Array, accepted: float | None) -> list[float]:
    """Return round risks from the least to that of answering everything, or of the decisions if larger."""
    least, top = float(risk.min()), float(risk[-1])
    if accepted is not None:
        top = max(top, accepted)
    if top - least <= _EQUAL:
        return [top]
    size = 10.0 ** np.floor(np.log10((top - least) / _LEVELS))
    step = next(each * size for each in _STEPS if (top - least) / (each * size) <= _LEVELS)
    counts = np.arange(np.ceil(least / step - _EQUAL), np.ceil(top / step - _EQUAL) + 1)
    risks = {float(f"{count * step:.6g}") for count in counts.tolist()}
    if accepted is not None and accepted >= least:
        risks.add(accepted)
    return sorted(risks)
