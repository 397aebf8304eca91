"""Errors among answers on planted Boolean data: how often the promise breaks, and what the margin gains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import BNMFk, RankedFactorizer
from latentlink.solvers import LMF
from latentlink.uncertainty import RiskControl
from statistical.footing import FOOTING, compared, gain
from statistical.splits import pairs, planted
from statistical.study import Promise, Study, groups, not_above, numbers, share

__all__ = ["risk"]

Lines = list[dict[str, str]]

QUICK = {"max_iter": 100, "tol": 1e-4, "precision": "float32"}
# Members of the one say yes or no, those of the other say a probability.
MODELS = {
    "BNMFk": lambda rank, seed: BNMFk((rank,), random_state=seed),
    "LMF": lambda rank, seed: RankedFactorizer((rank,), solver=LMF(**QUICK), random_state=seed),
}
# (rank, share known, share of cells flipped)
DESIGNS = ((4, 0.2, 0.02), (4, 0.15, 0.02), (4, 0.2, 0.0), (4, 0.15, 0.0), (6, 0.2, 0.0))


def run(model: str, rank: int, known: float, flips: float, seed: int) -> dict[str, Any]:
    """Answer held-out cells under RiskControl(0.05, 0.1), and by the paper's rule."""
    split = planted(rank, known, flips, seed)
    fitted = MODELS[model](rank, seed).fit(split.train)
    asked, truth = pairs(split.test), split.test.values == 1
    found = fitted.calibrate(split.calibration).answers(asked, RiskControl(0.05, 0.1))
    paper = fitted.assess(asked, by="ensemble")
    wrong = (found["answer"] == 1) != truth
    return compared(wrong, found["score"], found["spread"], found["answered"], paper.answered)


def promises(lines: Lines) -> Iterator[Promise]:
    """Count broken promises in every design; compare the rules in each, and over all of them."""
    for (model, rank, known, flips), part in groups(lines, "model", "rank", "known", "flips"):
        where = f"{model}, rank {rank}, {known} known, {100 * float(flips):g} % flipped"
        yield from _of_design(where, part)
    for (model,), part in groups(lines, "model"):
        yield _over_all(model, part)


def _of_design(where: str, part: Lines) -> Iterator[Promise]:
    get = numbers(part, *FOOTING)
    broken = int((get["risk"] > 0.05).sum())
    yield Promise(
        f"{where}: RiskControl(0.05, 0.1) broken, an error above 0.05 among the answered",
        share(broken, len(part)),
        "at most 0.1: the interval begins no higher",
        not_above(broken, len(part), 0.1),
    )
    silent = get["coverage"] == 0
    error = get["risk"][~silent].mean() if not silent.all() else 0.0
    yield Promise(
        f"{where}: coverage and error among the answered",
        f"{get['coverage'].mean():.3f}, {error:.4f} ({int(silent.sum())} runs answer nothing); the paper's "
        f"rule {get['paper_coverage'].mean():.3f}, {get['paper_risk'].mean():.4f}; everything answered: "
        f"error {get['all_risk'].mean():.4f}",
        "reported",
        None,
    )
    yield Promise(
        f"{where}: error of as many answers as the paper's rule gives, largest margins first",
        f"{get['margin_risk'].mean():.4f} against {get['paper_risk'].mean():.4f}: "
        f"{gain(get['margin_risk'], get['paper_risk'])[0]}",
        "reported",
        None,
    )
    yield Promise(
        f"{where}: coverage at the error of the paper's rule, ranked by the margin",
        _coverages(get),
        "reported",
        None,
    )


def _over_all(model: str, part: Lines) -> Promise:
    """Judge what the margin gains over all designs, where it can gain."""
    get = numbers(part, *FOOTING)
    if model == "BNMFk":
        tie = "; a tie by construction: of members that say yes or no, spread^2 + margin^2 = 1/4"
        promised, kept = "reported", None
    else:
        tie, promised = "", "greater: both intervals above 0"
        rivals = ("paper_coverage", "spread_coverage")
        kept = all(gain(get["margin_coverage"], get[rival])[1] for rival in rivals)
    what = "coverage at the error of the paper's rule, ranked by the margin"
    return Promise(f"{model}, all {len(part):,} runs: {what}", _coverages(get) + tie, promised, kept)


def _coverages(get: dict[str, np.ndarray]) -> str:
    margin = get["margin_coverage"]
    return (
        f"{margin.mean():.3f} against {get['paper_coverage'].mean():.3f}: "
        f"{gain(margin, get['paper_coverage'])[0]}; against {get['spread_coverage'].mean():.3f} of the "
        f"spread with a cut by the same oracle: {gain(margin, get['spread_coverage'])[0]}"
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
    promises,
)
