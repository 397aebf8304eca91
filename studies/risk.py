"""Violations of the RiskControl guarantee on planted Boolean data, and coverage gained by the margin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import BNMFk, RankedFactorizer
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.solvers import LMF
from latentlink.uncertainty import RiskControl
from studies.abstention_comparison import COMPARISON_COLUMNS, compare_abstention, paired_gain
from studies.findings import Finding, rate, rate_within
from studies.planted_splits import listed_pairs, planted_split
from studies.study import Study

__all__ = ["risk"]

QUICK = {"max_iter": 100, "tol": 1e-4, "precision": "float32"}
# Members of the first are binary, those of the second give probabilities.
MODELS = {
    "BNMFk": lambda rank, seed: BNMFk((rank,), random_state=seed),
    "LMF": lambda rank, seed: RankedFactorizer((rank,), solver=LMF(**QUICK), random_state=seed),
}
# (rank, share known, share of cells flipped)
DESIGNS = ((4, 0.2, 0.02), (4, 0.15, 0.02), (4, 0.2, 0.0), (4, 0.15, 0.0), (6, 0.2, 0.0))


def run(model: str, rank: int, known: float, flips: float, seed: int) -> dict[str, Any]:
    """Answer held-out cells under RiskControl(0.05, 0.1), and by the paper's rule."""
    split = planted_split(rank, known, flips, seed)
    fitted = MODELS[model](rank, seed).fit(split.train)
    pairs, links = listed_pairs(split.test), split.test.values == 1
    answers = fitted.calibrate(split.calibration).answers(pairs, RiskControl(0.05, 0.1))
    paper = fitted.assess(pairs, by="ensemble")
    wrong = (answers["answer"] == 1) != links
    return compare_abstention(wrong, answers["score"], answers["spread"], answers["answered"], paper.answered)


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield violations of the guarantee in every design; compare the rules in each, and over all of them."""
    for (model, rank, known, flips), group in grouped(lines, "model", "rank", "known", "flips"):
        design = f"{model}, rank {rank}, {known} known, {100 * float(flips):g} % flipped"
        yield from _of_design(design, group)
    for (model,), group in grouped(lines, "model"):
        yield _over_all(model, group)


def _of_design(design: str, group: Lines) -> Iterator[Finding]:
    column = columns(group, *COMPARISON_COLUMNS)
    violated = int((column["risk"] > 0.05).sum())
    yield Finding(
        f"{design}: violation rate of RiskControl(0.05, 0.1), an error above 0.05 among answered pairs",
        rate(violated, len(group)),
        "at most 0.1, judged by the lower end of the interval",
        rate_within(violated, len(group), 0.1),
    )
    abstained = column["coverage"] == 0
    error = column["risk"][~abstained].mean() if not abstained.all() else 0.0
    yield Finding(
        f"{design}: coverage, and error among answered pairs",
        f"{column['coverage'].mean():.3f}, {error:.4f} ({int(abstained.sum())} runs abstain on all pairs); "
        f"the paper's rule {column['paper_coverage'].mean():.3f}, {column['paper_risk'].mean():.4f}; "
        f"without abstention: error {column['all_risk'].mean():.4f}",
    )
    yield Finding(
        f"{design}: error at the coverage of the paper's rule, largest margins first",
        f"{column['margin_risk'].mean():.4f} against {column['paper_risk'].mean():.4f}: "
        f"{paired_gain(column['margin_risk'], column['paper_risk'])[0]}",
    )
    yield Finding(
        f"{design}: coverage at the error of the paper's rule, largest margins first", _coverages(column)
    )


def _over_all(model: str, group: Lines) -> Finding:
    """Compare coverages over all designs; the criterion is for the model whose members are not binary."""
    column = columns(group, *COMPARISON_COLUMNS)
    quantity = (
        f"{model}, all {len(group):,} runs: coverage at the error of the paper's rule, largest margins first"
    )
    if model == "BNMFk":
        tie = "; equal by construction: for binary members, spread^2 + margin^2 = 1/4"
        return Finding(quantity, _coverages(column) + tie)
    rivals = ("paper_coverage", "spread_coverage")
    met = all(paired_gain(column["margin_coverage"], column[rival])[1] for rival in rivals)
    return Finding(quantity, _coverages(column), "greater: both intervals above 0", met)


def _coverages(column: dict[str, np.ndarray]) -> str:
    margin = column["margin_coverage"]
    return (
        f"{margin.mean():.3f} against {column['paper_coverage'].mean():.3f}: "
        f"{paired_gain(margin, column['paper_coverage'])[0]}; against {column['spread_coverage'].mean():.3f} "
        f"by the spread with the same oracle's threshold: {paired_gain(margin, column['spread_coverage'])[0]}"
    )


risk = Study(
    "risk",
    [
        {"model": model, "rank": rank, "known": known, "flips": flips, "seed": seed}
        for model in MODELS
        for rank, known, flips in DESIGNS
        for seed in range(200)
    ],
    run,
    findings,
)
