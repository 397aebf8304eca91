"""Two rules of keeping silent, on an equal footing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from latentlink.metrics import RiskCoverage, aurc, paired_difference, risk_coverage
from latentlink.uncertainty import CONFIDENCES, confidence_of

__all__ = ["FOOTING", "compared", "gain"]

Array = NDArray[np.float64]
Marks = NDArray[np.bool_]
FOOTING = (
    *("coverage", "risk", "paper_coverage", "paper_risk", "all_risk"),
    *("margin_risk", "margin_coverage", "spread_coverage"),
    *("aurc_margin", "aurc_spread", "aurc_both"),
)


def compared(wrong: Marks, score: Array, spread: Array, answered: Marks, paper: Marks) -> dict[str, str]:
    """Compare answers under a promise, answers by the paper's rule, and what the margin could do instead.

    Parameters
    ----------
    wrong : array of bool, shape (pairs,)
        Whether the answer to a test pair is wrong.
    score, spread : arrays, shape (pairs,)
    answered, paper : arrays of bool, shape (pairs,)
        Which pairs are answered under the promise, and which by the paper's rule.

    Returns
    -------
    dict
        Coverage and error of both; and on an equal footing

        - ``margin_risk``: the error of as many answers as the paper's rule gives, largest margins first.
          No label has a say in which.
        - ``margin_coverage``, ``spread_coverage``: how much can be answered, surest first by one or the
          other, with no larger error than that of the paper's rule. Both cuts are an oracle's, made with the
          labels at hand: they are to be compared with one another.
        - ``aurc_...``: the area under the risk-coverage curve, by each confidence.
    """
    # Members that only say yes or no make ties, which rounding must not break.
    sure = {by: confidence_of(score, spread, by).round(12) for by in CONFIDENCES}
    curves = {by: risk_coverage(wrong, confidence) for by, confidence in sure.items()}
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
        **{f"aurc_{by}": f"{aurc(wrong, confidence):.5f}" for by, confidence in sure.items()},
    }


def gain(ours: Array, theirs: Array) -> tuple[str, bool]:
    """Write the mean difference over the same runs with its 95 % interval; tell whether that is above 0."""
    found = paired_difference(ours, theirs)
    return f"{found.mean:+.4f} (95 % interval {found.low:+.4f} to {found.high:+.4f})", found.low > 0


def _risk(wrong: Marks) -> float:
    """Return the share of wrong answers; no answer is no wrong one."""
    return float(wrong.mean()) if wrong.size else 0.0


def _risk_at(curve: RiskCoverage, coverage: float) -> float:
    """Return the error at a coverage; where it cuts through equals, on average over which are taken."""
    errors = np.interp(coverage, np.append(0, curve.coverage), np.append(0, curve.coverage * curve.risk))
    return float(errors / coverage) if coverage else 0.0


def _coverage_at(curve: RiskCoverage, risk: float) -> float:
    """Return the largest coverage with no more than this error; a rounding error is none."""
    return float(curve.coverage[curve.risk <= risk + 1e-12].max(initial=0.0))
