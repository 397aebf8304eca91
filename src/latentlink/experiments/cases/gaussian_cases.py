"""The paper's study of 400 Gaussian matrices: ranks, errors and uncertainty of WNMFk and RNMFk."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from latentlink import datasets
from latentlink.evaluation.rendering import as_markdown
from latentlink.experiments.by_rank import measured_by_rank
from latentlink.experiments.case_lines import Lines
from latentlink.experiments.case_runner import Case
from latentlink.experiments.method_lines import MethodLines
from latentlink.experiments.methods import MODES, factorizer
from latentlink.splitting import holdout

__all__ = ["METHODS", "RANKS", "cases", "run", "tables", "with_true_rank"]

METHODS = ("WNMFk", "RNMFk")
RANKS = range(1, 9)
MEMBERS = 8
SHARES = tuple(round(0.1 * step, 1) for step in range(1, 10))
DEFAULT_SEEDS = 2  # of ten for each size and rank: the default mode stands beside the paper's for comparison
MEASURES = ("rmse", "correlation", "relative_correlation", "smr")


def cases(quick: bool) -> Sequence[Case]:
    """Return all runs: 9 shares, 2 methods; 400 matrices in the paper's mode, 80 of them by default.

    The quick form has 5 matrices and 3 shares in both modes.
    """
    matrices = [
        case for case in datasets.gaussian_cases() if not quick or (case.columns, case.seed) == (100, 0)
    ]
    return [
        {"mode": mode, "method": method, "hidden": hidden, **case._asdict()}
        for hidden in ((0.1, 0.5, 0.9) if quick else SHARES)
        for case in matrices
        for mode in MODES
        if mode == "paper" or case.seed < DEFAULT_SEEDS
        for method in METHODS
    ]


def run(mode: str, method: str, hidden: float, columns: int, rank: int, seed: int) -> dict[str, Any]:
    """Search ranks 1 to 8 with a share of the entries hidden."""
    split = holdout(datasets.gaussian(columns, rank, seed).network, hidden, seed)
    begin = time.process_time()
    model = factorizer(method, mode, RANKS, n_perturbs=MEMBERS, random_state=seed).fit(split.train)
    seconds = time.process_time() - begin
    by_ensemble = mode == "default" and method == "RNMFk"
    return {
        "chosen_rank": model.rank_,
        "status": model.choice_.status,
        "seconds": f"{seconds:.2f}",
        **measured_by_rank(model, split, MEASURES, by_ensemble=by_ensemble),
    }


def with_true_rank(lines: Lines, rank: int) -> Lines:
    """Return the lines of matrices of one true rank."""
    return [line for line in lines if line["rank"] == str(rank)]


def tables(lines: Lines) -> str:
    """Return how often the true rank is chosen, and the mean chosen rank, by true rank and share."""
    ranks = sorted({int(line["rank"]) for line in lines})
    rows, errors = [], []
    for method in METHODS:
        for mode in MODES:
            for rank in ranks:
                of = MethodLines(with_true_rank(lines, rank), mode, rank)
                exact = (
                    f"{of.exact(method, share):.2f} ({of.ranks(method, share).mean():.1f})"
                    for share in of.shares
                )
                rows.append([method, mode, str(rank), *exact])
                medians = (_median(of, method, share) for share in of.shares)
                errors.append([method, mode, str(rank), *(f"{median:.2g}" for median in medians)])
    header = ["method", "mode", "true rank", *(f"{share:g} hidden" for share in of.shares)]
    return (
        "## How often the true rank is chosen (mean of the ranks chosen)\n\n"
        + as_markdown(header, rows)
        + "\n\n## RMSE at the true rank, median over matrices\n\n"
        + as_markdown(header, errors)
    )


def _median(of: MethodLines, method: str, share: float) -> float:
    return float(np.median(of.at(method, "rmse", share)))
