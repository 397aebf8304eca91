"""How far predictions can be relied on: the reliability curve and the risk-coverage curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.metrics import reliability_curve, risk_coverage
from latentlink.report.report_data import Section
from latentlink.report.sections.held_out import THRESHOLD, HeldOutPairs
from latentlink.tables import Table
from latentlink.validation.wording import counted, percent

__all__ = ["reliability_sentence", "reliability_table", "risk_section", "risk_table"]

_POINTS = 200  # of the risk-coverage curve


def risk_section(held_out: HeldOutPairs, links: Table) -> Section:
    """Return both curves of the held-out pairs, and how many ranked links remain along the second one.

    Parameters
    ----------
    held_out : HeldOutPairs
    links : Table
        All ranked links, with the columns score and spread.
    """
    facts: dict[str, Any] = {"unit": held_out.unit}
    tables = {"risk_coverage": risk_table(held_out, links)}
    facts["pairs"], facts["links"] = len(held_out.calibrated), len(links)
    facts["by_folds"] = held_out.by_folds
    reliability = reliability_table(held_out) if held_out.has_both_labels else None
    if reliability is not None:
        tables["reliability"] = reliability
        gaps = np.abs(reliability["predicted"] - reliability["observed"])
        facts["reliability"] = reliability_sentence(float(np.average(gaps, weights=reliability["count"])))
        facts["links_among_pairs"] = float(held_out.calibrated.values.mean())
        facts["share_of_links"] = percent(float(f"{held_out.calibrated.values.mean():.3g}"))
    facts["risk"] = _risk_sentence(held_out, tables["risk_coverage"])
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
    curve = risk_coverage(held_out.errors(), held_out.confidence())
    # Of few pairs the risk is mere chance; the curve begins where at least ten are answered.
    first = int(np.searchsorted(curve.coverage, min(10 / len(held_out.calibrated), 1.0)))
    last = len(curve.coverage) - 1
    kept = np.unique(np.linspace(min(first, last), last, _POINTS).round().astype(int))
    threshold = curve.threshold[kept]
    score, spread = _scores(links)
    confidence = held_out.confidence(score, spread)
    # A pair can be a confident non-link; what remains of a list of links is what is predicted to be one.
    confidence = np.sort(confidence[score > THRESHOLD] if held_out.binary else confidence)
    remaining = len(confidence) - np.searchsorted(confidence, threshold, side="left")
    return Table(
        {
            "threshold": threshold,
            "coverage": curve.coverage[kept],
            "risk": curve.risk[kept],
            "links": remaining.astype(np.int64),
        }
    )


def _scores(links: Table) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    score = np.asarray(links["score"], np.float64)
    spread = np.asarray(links.columns.get("spread", np.zeros(len(links))), np.float64)
    return np.nan_to_num(score), np.nan_to_num(spread)


def _risk_sentence(held_out: HeldOutPairs, table: Table) -> str:
    noun = ("held-out pair",) if held_out.binary else ("held-out entry", "held-out entries")
    pairs = counted(len(held_out.calibrated), *noun)
    overall = table["risk"][-1]
    if held_out.binary:
        wrong = percent(float(f"{overall:.3g}"))
        return f"If the model answers for all {pairs}, {wrong} of the answers are wrong."
    return f"Over all {pairs} the mean absolute error is {overall:.3g}."
