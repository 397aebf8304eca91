"""The paper's study of the Dog data: ranks, errors and abstention of all methods by the share hidden."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from latentlink import datasets
from latentlink.experiments.by_rank import measured_by_rank
from latentlink.experiments.case_lines import Lines
from latentlink.experiments.case_runner import Case
from latentlink.experiments.method_table import method_table
from latentlink.experiments.methods import MODES, factorizer
from latentlink.splitting import holdout

__all__ = ["METHODS", "RANKS", "cases", "run", "tables"]

TRUE_RANK = 4
RANKS = range(1, 9)
THRESHOLDS = ("kmeans", "otsu", "search")
METHODS = (
    "NMFk", *(f"NMFk {each}" for each in THRESHOLDS),
    "WNMFk", *(f"WNMFk {each}" for each in THRESHOLDS),
    "BNMFk uniform", *(f"BNMFk {each}" for each in THRESHOLDS),
    "RNMFk",
)  # fmt: skip
NNDSVD = ("NMFk nndsvd", "WNMFk nndsvd")  # all members from the same start
SHARES = tuple(round(0.1 * step, 1) for step in range(1, 10))


def cases(quick: bool) -> Sequence[Case]:
    """Return all runs: 15 methods, most in both modes, 9 shares, 10 samplings; in the quick form 3 and 1."""
    shares, samplings = ((0.1, 0.5, 0.8), 1) if quick else (SHARES, 10)
    return [
        {"mode": mode, "method": method, "hidden": hidden, "seed": seed}
        for mode in MODES
        for method in (*METHODS, *(NNDSVD if mode == "paper" else ()))
        for hidden in shares
        for seed in range(samplings)
    ]


def run(mode: str, method: str, hidden: float, seed: int) -> dict[str, Any]:
    """Search ranks 1 to 8 with a share of the entries hidden, stratified by their value."""
    split = holdout(datasets.dog().network, hidden, seed)
    begin = time.process_time()
    model = factorizer(method, mode, RANKS, random_state=seed).fit(split.train)
    seconds = time.process_time() - begin
    by_ensemble = mode == "default" and method == "RNMFk"
    return {
        "chosen_rank": model.rank_,
        "status": model.choice_.status,
        "seconds": f"{seconds:.3f}",
        **measured_by_rank(model, split, ("rmse", "rmse_answered", "abstained"), by_ensemble=by_ensemble),
    }


def tables(lines: Lines) -> str:
    """Return how often rank 4 is chosen, and the error at rank 4, by method and share."""
    return "\n\n".join(
        f"## {title}\n\n{method_table(lines, TRUE_RANK, entry)}"
        for title, entry in (
            ("How often rank 4 is chosen", lambda of, method, share: f"{of.exact(method, share):.2f}"),
            ("RMSE at rank 4", lambda of, method, share: f"{of.mean(method, 'rmse', share):.3g}"),
            (
                "Share abstained at rank 4",
                lambda of, method, share: f"{of.mean(method, 'abstained', share):.2f}",
            ),
        )
    )
