"""Rank for components and rank for prediction of planted data, found by the automatic search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import WNMFk, datasets
from latentlink.experiments.case_lines import Lines, grouped
from latentlink.rank import BestPrediction
from latentlink.splitting import holdout
from studies.findings import Finding, rate
from studies.study import Study

__all__ = ["two_ranks"]

DESIGNS = ((0.0, 0.1), (0.0, 0.5), (0.05, 0.1), (0.2, 0.1))  # noise, hidden
CASES = [
    {"noise": noise, "hidden": hidden, "columns": columns, "rank": rank, "seed": seed}
    for noise, hidden in DESIGNS
    for columns in (100, 300)
    for rank in range(2, 7)
    for seed in range(3)
]


def run(noise: float, hidden: float, columns: int, rank: int, seed: int) -> dict[str, Any]:
    """Hide some entries, and search the rank with ``ranks=None`` by either rule."""
    data = datasets.gaussian(columns, rank, seed, noise=noise)
    split = holdout(data.network, hidden, seed)
    components = WNMFk(random_state=seed).fit(split.train)
    prediction = WNMFk(random_state=seed, selection=BestPrediction()).fit(split.train)
    pairs = np.column_stack([split.test.rows, split.test.cols])
    errors = {
        f"rmse_{name}": f"{np.sqrt(np.mean((model.predict_links(pairs) - split.test.values) ** 2)):.6f}"
        for name, model in (("components", components), ("prediction", prediction))
    }
    return {
        "rank_components": components.rank_,
        "rank_prediction": prediction.rank_,
        "visited_components": len(components.path_),
        "visited_prediction": len(prediction.path_),
        **errors,
    }


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield the shares of exact ranks by both rules; a rank that is planted also predicts best."""
    for (noise, hidden), group in grouped(lines, "noise", "hidden"):
        for question in ("components", "prediction"):
            exact = [line[f"rank_{question}"] == line["rank"] for line in group]
            yield Finding(
                f"noise {noise}, {hidden} hidden: exact rank for {question}",
                rate(sum(exact), len(exact)),
                "at least 0.95",
                bool(np.mean(exact) >= 0.95),
            )


two_ranks = Study("two_ranks", CASES, run, findings)
