"""What the spread of the members knows of the error, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import WNMFk, datasets
from latentlink.metrics import selective_metrics
from latentlink.splitting import holdout
from statistical.splits import pairs
from statistical.study import Promise, Study, groups, numbers

__all__ = ["spread"]

FOUND = {"correlation": 4, "rmse": 5, "rmse_answered": 5, "coverage": 4}


def run(noise: float, hidden: float, seed: int) -> dict[str, Any]:
    """Compare spread and error of hidden entries; what cannot be measured (no answer) is nan."""
    rank = 2 + seed % 5
    split = holdout(datasets.gaussian(100, rank, seed, noise=noise).network, hidden, seed)
    found = WNMFk((rank,), random_state=seed).fit(split.train).assess(pairs(split.test))
    measured = selective_metrics(split.test.values, found.score, found.spread, found.abstained)
    return {name: f"{measured[name]:.{digits}f}" for name, digits in FOUND.items()}


def promises(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Report them as they are."""
    for (noise, hidden), part in groups(lines, "noise", "hidden"):
        get = numbers(part, *FOUND)
        low, middle, high = np.nanquantile(get["correlation"], (0.25, 0.5, 0.75))
        silent = int((get["coverage"] == 0).sum())
        yield Promise(
            f"gaussian, noise {noise}, {hidden} hidden: correlation of spread and error",
            f"median {middle:.3f} (quartiles {low:.3f} to {high:.3f}) over {len(part)} runs; RMSE "
            f"{np.median(get['rmse']):.4f}, among the {np.median(get['coverage']):.2f} answered "
            f"{np.nanmedian(get['rmse_answered']):.4f} (medians; {silent} runs answer nothing)",
            "reported",
            None,
        )


spread = Study(
    "spread",
    [
        {"noise": noise, "hidden": hidden, "seed": seed}
        for noise, hidden in ((0.0, 0.1), (0.0, 0.5), (0.2, 0.1), (0.2, 0.5))
        for seed in range(100)
    ],
    run,
    promises,
)
