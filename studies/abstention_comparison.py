"""Comparison of two abstention rules at equal coverage and at equal error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from latentlink.metrics import RiskCoverage, aurc, paired_difference, risk_coverage
from latentlink.uncertainty import CONFIDENCES, confidence_of

__all__ = ["COMPARISON_COLUMNS", "compare_abstention", "paired_gain"]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
COMPARISON_COLUMNS = (
    *("coverage", "risk", "paper_coverage", "paper_risk", "all_risk"),
    *("margin_risk", "margin_coverage", "spread_coverage"),
    *("aurc_margin", "aurc_spread", "aurc_both"),
)


def compare_abstention(
    wrong: Flags, score: Array, spread: Array, answered: Flags, paper: Flags
) -> dict[str, str]:
    """Compare answers with a guarantee, answers by the paper's rule, and what the margin would give instead.

    Parameters
    ----------
    wrong : array of bool, shape (pairs,)
        Whether the answer to a test pair is wrong.
    score, spread : arrays, shape (pairs,)
    answered, paper : arrays of bool, shape (pairs,)
        Which pairs are answered with the guarantee, and which by the paper's rule.

    Returns
    -------
    dict
        Coverage and error of both rules and, for a comparison on equal terms,

        - ``margin_risk``: the error at the coverage of the paper's rule, largest margins first. No test label
          is used in the choice.
        - ``margin_coverage``, ``spread_coverage``: the largest coverage with an error no larger than that of
          the paper's rule, ranked by the margin or by the spread. Both thresholds are an oracle's, chosen
          with the test labels, so that the two are comparable with one another only.
        - ``aurc_...``: the area under the risk-coverage curve, by each confidence.
    """
    # Binary members make ties, which rounding errors must not break.
    confidences = {by: confidence_of(score, spread, by).round(12) for by in CONFIDENCES}
    curves = {by: risk_coverage(wrong, confidence) for by, confidence in confidences.items()}
    paper_risk = _risk(wrong[paper])
    return {
        "coverage": f"{answered.mean():.4f}",
        "risk": f"{_risk(wrong[answered]):.5f}",
        "paper_coverage": f"{paper.mean():.4f}",
        "paper_risk": f"{paper_risk:.5f}",
        "all_risk": f"{wrong.mean():.5f}",
        "margin_risk": f"{_risk_at(curves['margin'], float(paper.mean())):.5f}",
        "margin_coverage": f"{_coverage_at(curves['margin'], paper_risk):.4f}",
        "spread_coverage": f"{_coverage_at(curves['spread'], paper_risk):.4f}",
        **{f"aurc_{by}": f"{aurc(wrong, confidence):.5f}" for by, confidence in confidences.items()},
    }


def paired_gain(ours: Array, theirs: Array) -> tuple[str, bool]:
    """Write the mean difference over the same runs with its 95 % interval; tell whether that is above 0."""
    gain = paired_difference(ours, theirs)
    return f"{gain.mean:+.4f} (95 % interval {gain.low:+.4f} to {gain.high:+.4f})", gain.low > 0


def _risk(wrong: Flags) -> float:
    """Return the share of wrong answers, 0 without answers."""
    return float(wrong.mean()) if wrong.size else 0.0


def _risk_at(curve: RiskCoverage, coverage: float) -> float:
    """Return the error at a coverage; within a group of ties, its expectation over their order."""
    errors = np.interp(coverage, np.append(0, curve.coverage), np.append(0, curve.coverage * curve.risk))
    return float(errors / coverage) if coverage else 0.0


def _coverage_at(curve: RiskCoverage, risk: float) -> float:
    """Return the largest coverage with at most this error, up to rounding."""
    return float(curve.coverage[curve.risk <= risk + 1e-12].max(initial=0.0))
