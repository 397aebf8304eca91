"""Correlation between the ensemble spread and the error of single entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import WNMFk, datasets
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.metrics import selective_metrics
from latentlink.splitting import holdout
from studies.findings import Finding
from studies.planted_splits import listed_pairs
from studies.study import Study

__all__ = ["spread"]

DIGITS = {"correlation": 4, "rmse": 5, "rmse_answered": 5, "coverage": 4}


def run(noise: float, hidden: float, seed: int) -> dict[str, Any]:
    """Compare spread and error of hidden entries; a metric that is undefined (no answer) is nan."""
    rank = 2 + seed % 5
    split = holdout(datasets.gaussian(100, rank, seed, noise=noise).network, hidden, seed)
    prediction = WNMFk((rank,), random_state=seed).fit(split.train).assess(listed_pairs(split.test))
    metrics = selective_metrics(split.test.values, prediction.score, prediction.spread, prediction.abstained)
    return {name: f"{metrics[name]:.{digits}f}" for name, digits in DIGITS.items()}


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield the distribution of the correlation in each design."""
    for (noise, hidden), group in grouped(lines, "noise", "hidden"):
        column = columns(group, *DIGITS)
        low, middle, high = np.nanquantile(column["correlation"], (0.25, 0.5, 0.75))
        abstained = int((column["coverage"] == 0).sum())
        yield Finding(
            f"gaussian, noise {noise}, {hidden} hidden: correlation of spread and error",
            f"median {middle:.3f} (quartiles {low:.3f} to {high:.3f}) over {len(group)} runs; RMSE "
            f"{np.median(column['rmse']):.4f}, among the {np.median(column['coverage']):.2f} answered "
            f"{np.nanmedian(column['rmse_answered']):.4f} (medians; {abstained} runs abstain on all pairs)",
        )


spread = Study(
    "spread",
    [
        {"noise": noise, "hidden": hidden, "seed": seed}
        for noise, hidden in ((0.0, 0.1), (0.0, 0.5), (0.2, 0.1), (0.2, 0.5))
        for seed in range(100)
    ],
    run,
    findings,
)
