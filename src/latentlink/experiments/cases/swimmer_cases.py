"""The paper's study of the Swimmer data: ranks, errors and abstention of all methods, a tenth hidden."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import Any

from latentlink import Network, datasets
from latentlink.errors import InputError
from latentlink.experiments.by_rank import measured_by_rank
from latentlink.experiments.case_lines import Lines
from latentlink.experiments.case_runner import Case
from latentlink.experiments.method_table import rank_table
from latentlink.experiments.methods import MODES, factorizer
from latentlink.splitting import holdout

__all__ = ["METHODS", "cases", "run", "tables"]

TRUE_RANK = 16
METHODS = (
    "NMFk", "NMFk kmeans", "NMFk otsu",
    "WNMFk", "WNMFk kmeans", "WNMFk otsu",
    "BNMFk uniform", "BNMFk kmeans", "BNMFk otsu",
)  # fmt: skip
RANKS = "1 4 8 12 14 15 16 17 18 20"
QUICK_RANKS = "14 16 18"


def cases(quick: bool) -> Sequence[Case]:
    """Return all runs: 9 methods in both modes and 10 samplings; in the quick form 1, of fewer ranks."""
    seeds, ranks, members = (1, QUICK_RANKS, 4) if quick else (10, RANKS, 8)
    data = published_or_generated()
    return [
        {
            "data": data,
            "mode": mode,
            "method": method,
            "hidden": 0.1,
            "seed": seed,
            "visit": ranks,
            "members": members,
        }
        for mode in MODES
        for method in METHODS
        for seed in range(seeds)
    ]


def published_or_generated() -> str:
    """Return "published" if the file that the paper uses is at hand, else "generated"."""
    try:
        _network("published")
    except InputError:
        return "generated"
    return "published"


@cache
def _network(data: str) -> Network:
    if data == "published":
        return datasets.fetch("swimmer-original", download=False).network
    return datasets.swimmer(pixels="splashed").network


def run(
    data: str, mode: str, method: str, hidden: float, seed: int, visit: str, members: int
) -> dict[str, Any]:
    """Search the ranks with a tenth of the pixels hidden, stratified by their value."""
    split = holdout(_network(data), hidden, seed)
    begin = time.process_time()
    ranks = tuple(map(int, visit.split()))
    model = factorizer(method, mode, ranks, n_perturbs=members, random_state=seed).fit(split.train)
    seconds = time.process_time() - begin
    return {
        "chosen_rank": model.rank_,
        "status": model.choice_.status,
        "seconds": f"{seconds:.3f}",
        **measured_by_rank(model, split, ("rmse", "rmse_answered", "abstained"), by_ensemble=False),
    }


def tables(lines: Lines) -> str:
    """Return chosen ranks, errors and abstention by method."""
    kinds = {line["data"] for line in lines}
    source = (
        "the published file, after Otsu's threshold" if kinds == {"published"} else "generated with splashes"
    )
    return f"Data: {source}.\n\n" + rank_table(lines, TRUE_RANK)
