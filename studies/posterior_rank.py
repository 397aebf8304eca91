"""Rank that posterior chains choose for the paper's 400 Gaussian matrices, a tenth of the entries hidden."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from latentlink import BayesianFactorizer, datasets
from latentlink.experiments.case_lines import Lines, grouped
from latentlink.splitting import holdout
from studies.findings import Finding, rate
from studies.study import Study

__all__ = ["posterior_rank"]

RANKS = range(1, 9)
HIDDEN = 0.1
LEAST_EXACT = 0.98


def run(columns: int, rank: int, seed: int) -> dict[str, Any]:
    """Hide some entries, search ranks 1 to 8 with default settings, and predict what was hidden."""
    split = holdout(datasets.gaussian(columns, rank, seed).network, HIDDEN, seed)
    with warnings.catch_warnings():
        # R-hat is reported; chains of data without noise are not expected to mix at ranks that do not fit.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = BayesianFactorizer(RANKS, random_state=seed).fit(split.train)
    scores = model.predict_links(np.column_stack([split.test.rows, split.test.cols]))
    return {
        "chosen_rank": model.rank_,
        "status": model.choice_.status,
        "r_hat": f"{model.posterior_.r_hat:.3f}",
        "rmse": f"{np.sqrt(np.mean((scores - split.test.values) ** 2)):.6f}",
    }


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield the share of exact ranks, of all matrices and at each rank, and the errors."""
    exact = [line["chosen_rank"] == line["rank"] for line in lines]
    yield Finding(
        f"{HIDDEN} hidden: exact rank",
        rate(sum(exact), len(exact)),
        f"at least {LEAST_EXACT}",
        bool(np.mean(exact) >= LEAST_EXACT),
    )
    for (rank,), group in grouped(lines, "rank"):
        found = [line["chosen_rank"] == line["rank"] for line in group]
        yield Finding(f"rank {rank}: exact rank", rate(sum(found), len(found)))
    errors = np.array([float(line["rmse"]) for line in lines])
    yield Finding("RMSE of hidden entries", f"median {np.median(errors):.5f}, largest {errors.max():.5f}")
    r_hats = np.array([float(line["r_hat"]) for line in lines])
    yield Finding("R-hat at the chosen rank", f"median {np.median(r_hats):.3f}, largest {r_hats.max():.3f}")


posterior_rank = Study(
    "posterior_rank",
    [{"columns": m, "rank": k, "seed": seed} for m, k, seed in datasets.gaussian_cases()],
    run,
    findings,
)
