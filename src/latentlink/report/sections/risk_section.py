"""How far predictions can be relied on: the reliability curve and the risk-coverage curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from latentlink.metrics import RiskCoverage, reliability_curve, risk_coverage
from latentlink.report.report_data import Section
from latentlink.report.sections.held_out import HeldOutPairs
from latentlink.report.sections.risk_levels import AcceptedRisk, RankedPairs, risk_levels
from latentlink.tables import Table
from latentlink.validation.wording import counted, percent

__all__ = ["reliability_sentence", "reliability_table", "risk_section", "risk_table"]

_POINTS = 200  # of the risk-coverage curve
_FEWEST = 3  # wrong answers: a curve of one or two steps offers no choice


def risk_section(held_out: HeldOutPairs, links: Table, run: Mapping[str, Any] | None = None) -> Section:
    """Return both curves of the held-out pairs, and how many ranked links remain along the second one.

    Parameters
    ----------
    held_out : HeldOutPairs
    links : Table
        All ranked links, with the columns score and spread, and those of probabilities.
    run : mapping, optional
        What is known of the run: the risk that its decisions accept, and the share of links they suppose.
    """
    facts: dict[str, Any] = {"unit": held_out.unit}
    tables = {}
    facts["pairs"], facts["links"] = len(held_out.calibrated), len(links)
    facts["by_folds"] = held_out.by_folds
    reliability = reliability_table(held_out) if held_out.has_both_labels else None
    if reliability is not None:
        tables["reliability"] = reliability
        gaps = np.abs(reliability["predicted"] - reliability["observed"])
        facts["reliability"] = reliability_sentence(float(np.average(gaps, weights=reliability["count"])))
        facts["links_among_pairs"] = float(held_out.calibrated.values.mean())
        facts["share_of_links"] = percent(float(f"{held_out.calibrated.values.mean():.3g}"))
    facts["risk"] = _risk_sentence(held_out)
    if held_out.binary and held_out.errors().sum() < _FEWEST:
        return {"risk": facts}, tables  # a curve of so few wrong answers is their chance
    accepted = AcceptedRisk.of_run(run) if held_out.binary else AcceptedRisk()
    ranked = RankedPairs.of(held_out, links, accepted.share)
    curve = _curve(held_out)
    tables["risk_coverage"] = _thinned(curve, ranked)
    tables["risk_levels"] = risk_levels(curve, ranked, accepted.risk)
    if ranked.probability is not None and accepted.share is not None:
        facts["supposed"] = percent(float(f"{accepted.share:.2g}"))
    if accepted.risk is not None and "decision" in links:
        facts["accepted"] = percent(accepted.risk)
        facts["called"] = int(np.count_nonzero(np.asarray(links["decision"]) == "link"))
    return {"risk": facts}, tables


def reliability_table(held_out: HeldOutPairs) -> Table | None:
    """Return predicted and observed shares of links in groups of pairs; None if there are too few pairs."""
    probabilities = held_out.probabilities()
    if np.isnan(probabilities).any():
        return None
    labels = (held_out.calibrated.values == 1).astype(np.float64)
    curve = reliability_curve(labels, probabilities)
    return Table({"predicted": curve.predicted, "observed": curve.observed, "count": curve.count})


def reliability_sentence(error: float) -> str:
    """Return what the mean distance of predicted and observed shares means for a reader."""
    if error <= 0.03:
        verdict = "for pairs like these the probabilities can be taken at their word"
    elif error <= 0.08:
        verdict = "for pairs like these the probabilities are roughly right"
    else:
        verdict = "the probabilities are only a rough guide"
    points = f"{100 * float(f'{error:.2g}'):.4g}"
    noun = "percentage point" if points == "1" else "percentage points"
    return f"On average the two differ by {points} {noun}: {verdict}."


def risk_table(held_out: HeldOutPairs, links: Table) -> Table:
    """Return the curve at up to 200 coverages, and the number of ranked links that remain at each."""
    return _thinned(_curve(held_out), RankedPairs.of(held_out, links))


def _curve(held_out: HeldOutPairs) -> RiskCoverage:
    """Return the curve from where at least ten pairs are answered: of fewer the risk is mere chance."""
    curve = risk_coverage(held_out.errors(), held_out.confidence())
    first = int(np.searchsorted(curve.coverage, min(10 / len(held_out.calibrated), 1.0)))
    kept = slice(min(first, len(curve.coverage) - 1), None)
    return RiskCoverage(curve.threshold[kept], curve.coverage[kept], curve.risk[kept])


def _thinned(curve: RiskCoverage, ranked: RankedPairs) -> Table:
    kept = np.unique(np.linspace(0, len(curve.risk) - 1, _POINTS).round().astype(int))
    threshold, risk = curve.threshold[kept], curve.risk[kept]
    remaining = [ranked.remaining(*each) for each in zip(threshold, risk, strict=True)]
    return Table(
        {
            "threshold": threshold,
            "coverage": curve.coverage[kept],
            "risk": risk,
            "links": np.array(remaining, np.int64),
        }
    )


def _risk_sentence(held_out: HeldOutPairs) -> str:
    noun = ("held-out pair",) if held_out.binary else ("held-out entry", "held-out entries")
    pairs = counted(len(held_out.calibrated), *noun)
    errors = held_out.errors()
    if not held_out.binary:
        return f"Over all {pairs} the mean absolute error is {errors.mean():.3g}."
    if errors.sum() < _FEWEST:
        wrong = "no answer is wrong"
        if errors.any():
            wrong = counted(int(errors.sum()), "answer is wrong", "answers are wrong")
        return f"If the model answers for all {pairs}, {wrong}: too few to say which pairs to abstain from."
    wrong = percent(float(f"{errors.mean():.3g}"))
    return f"If the model answers for all {pairs}, {wrong} of the answers are wrong."
