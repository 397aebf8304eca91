"""The paper's settings, each replaced by the default alone: ranks chosen and errors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from sklearn.base import clone

from latentlink import Network, datasets
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.experiments.methods import factorizer
from latentlink.rank import Agreement
from latentlink.regime import BooleanFlip
from latentlink.splitting import holdout
from studies.findings import Finding
from studies.study import Study

__all__ = ["paper_mode"]

SEEDS = 10
# Data, share hidden, true rank and ranks searched.
DATA = {
    "Dog": (0.3, 4, range(1, 9)),
    "Gaussian": (0.3, 4, range(1, 8)),
    "Gaussian with 10 % noise": (0.3, 4, range(1, 8)),
}
_SHARED: dict[str, dict[str, Any]] = {
    "none": {},
    "two starts": {"regime__starts": 2},
    "a tenth held out of each member": {"regime__speckle": 0.1},
    "poor members set aside": {"regime__set_aside": True},
    "polish": {"regime__polish": True},
    "Agreement, with a tenth held out": {"regime__speckle": 0.1, "selection": Agreement()},
}
_REAL = {**_SHARED, "silhouettes by the cosine": {"regime__align__silhouettes": "cosine"}}
_RIDGE = {"ridge chosen, with a tenth held out": {"regime__speckle": 0.1, "solver__ridge": "auto"}}
_DESCENT = {"exact descent": {"solver__updates": "descent"}}
_BOOLEAN: dict[str, dict[str, Any]] = {
    "as many zeros as ones flipped": {"regime__perturb": BooleanFlip()},
    "Boolean product": {"regime__product": "boolean"},
    "Boolean product and polish": {"regime__product": "boolean", "regime__polish": True},
}
SWITCHES = {
    ("Dog", "NMFk"): {**_REAL, **_DESCENT, "unknown entries ignored": {"solver__missing": "ignore"}},
    ("Dog", "WNMFk"): {**_REAL, **_RIDGE, "one NNDSVD start for all": {"solver__init": "nndsvd"}},
    ("Dog", "BNMFk kmeans"): {**_SHARED, **_DESCENT, **_RIDGE, **_BOOLEAN},
    ("Gaussian", "WNMFk"): {
        **_REAL,
        **_RIDGE,
        "plain steps": {"solver__cycles": 1, "solver__extrapolate": False},
        "one NNDSVD start for all": {"solver__init": "nndsvd"},
    },
    ("Gaussian", "RNMFk"): {
        **_REAL,
        **_DESCENT,
        **_RIDGE,
        "penalty by known entries": {"solver__ridge_counts": "auto"},
        "1,000 sweeps": {"solver__max_iter": 1000},
        "3,000 sweeps": {"solver__max_iter": 3000},
    },
    ("Gaussian with 10 % noise", "WNMFk"): {**_REAL, **_RIDGE},
}


@cache
def _network(data: str, seed: int) -> Network:
    if data == "Dog":
        return datasets.dog().network
    noise = 0.1 if "noise" in data else 0.0
    return datasets.gaussian(100, DATA[data][1], seed, noise=noise).network


def run(data: str, method: str, switch: str, seed: int) -> dict[str, Any]:
    """Fit with the paper's settings but one, or with all defaults."""
    hidden, true_rank, ranks = DATA[data]
    split = holdout(_network(data, seed), hidden, seed)
    mode = "default" if switch == "all defaults" else "paper"
    model = factorizer(method, mode, ranks, random_state=seed)
    if mode == "paper":
        model = clone(model).set_params(**SWITCHES[data, method][switch])
    model.fit(split.train)
    test = split.test
    error = np.sqrt(np.mean((model.path_[true_rank].model.score(test.rows, test.cols) - test.values) ** 2))
    return {
        "chosen_rank": model.rank_,
        "rmse_at_true_rank": f"{error:.6f}",
        "stability_at_true_rank": f"{model.path_[true_rank].stability:.4f}",
    }


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield ranks and errors with every switch; nothing is required of them."""
    for (data, method, switch), group in grouped(lines, "data", "method", "switch"):
        true_rank = DATA[data][1]
        column = columns(group, "chosen_rank", "rmse_at_true_rank", "stability_at_true_rank")
        ranks, error, silhouette = column.values()
        label = "the paper's settings" if switch == "none" else switch
        yield Finding(
            f"{data}, {method}: {label}",
            f"rank {true_rank} in {np.count_nonzero(ranks == true_rank)} of {len(group)} (mean "
            f"{ranks.mean():.1f}); there least silhouette {silhouette.mean():.2f}, RMSE {error.mean():.4f}",
        )


paper_mode = Study(
    "paper_mode",
    [
        {"data": data, "method": method, "switch": switch, "seed": seed}
        for (data, method), switches in SWITCHES.items()
        for switch in (*switches, "all defaults")
        for seed in range(SEEDS)
    ],
    run,
    findings,
)
