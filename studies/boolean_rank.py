"""Rank chosen for Boolean data: Dog and the swimmers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.io import loadmat

from latentlink import BNMFk, Network, NMFk, WNMFk, datasets
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.regime import KMeans, Otsu, boolean
from latentlink.splitting import holdout
from studies.findings import Finding, rate
from studies.study import DATA, Study

__all__ = ["dog", "swimmer"]

METHODS = {
    "BNMFk": lambda ranks, seed: BNMFk(ranks, regime=boolean(KMeans()), random_state=seed),
    "NMFk boolean": lambda ranks, seed: NMFk(ranks, regime=boolean(KMeans()), random_state=seed),
    "WNMFk boolean": lambda ranks, seed: WNMFk(ranks, regime=boolean(KMeans()), random_state=seed),
    "WNMFk": lambda ranks, seed: WNMFk(ranks, random_state=seed),
}
ERRORS = (
    *("rmse_at_true_rank", "ensemble_rmse_at_true_rank"),
    *("oracle_rmse", "oracle_probability_rmse"),
)


@cache
def _network(name: str) -> Network:
    if name == "dog":
        return Network.from_dense(np.load(DATA / "dog.npz")["X"].astype(float))
    if name == "swimmer figures":
        return datasets.swimmer().network
    pixels = next(part for part in loadmat(DATA / "swimmer.mat").values() if getattr(part, "size", 0) > 1000)
    pixels = pixels.astype(float)
    return Network.from_dense((pixels >= Otsu().at(pixels.ravel())).astype(float))


def _run(data: str, method: str, ranks: range, hidden: float, seed: int, true_rank: int) -> dict[str, Any]:
    split = holdout(_network(data), hidden, seed)
    test = split.test
    model = METHODS[method](ranks, seed).fit(split.train)
    record = model.path_[true_rank]
    ensemble_mean = np.mean([member.score(test.rows, test.cols) for member in record.members], axis=0)
    rmse = [
        np.sqrt(np.mean((scores - test.values) ** 2))
        for scores in (record.model.score(test.rows, test.cols), ensemble_mean)
    ]
    return {
        "chosen_rank": model.rank_,
        "status": model.choice_.status,
        "runners_up": " ".join(map(str, model.choice_.runners_up)),
        "ridge": f"{getattr(model.solver_, 'ridge', 0.0):.4g}",
        "rmse_at_true_rank": f"{rmse[0]:.6f}",
        "ensemble_rmse_at_true_rank": f"{rmse[1]:.6f}",
    }


def run_dog(method: str, hidden: float, seed: int) -> dict[str, Any]:
    """Search ranks 1 to 8 of the 400 x 15 Dog, whose true rank is 4; add the errors of an oracle."""
    line = _run("dog", method, range(1, 9), hidden, seed, 4)
    oracle = _oracle_errors(hidden, seed)
    return {**line, "oracle_rmse": f"{oracle[0]:.6f}", "oracle_probability_rmse": f"{oracle[1]:.6f}"}


def _oracle_errors(hidden: float, seed: int) -> tuple[float, float]:
    """Return the errors of an oracle that knows the true H and how often each pattern of rows occurs.

    A row has one of the patterns that agree with its known cells, with probabilities by their frequencies.
    The best 0/1 prediction of a cell is its more probable value, the best probability that of a 1.
    """
    stored = np.load(DATA / "dog.npz")
    W, H, X = (stored[name].astype(float) for name in ("W", "H", "X"))
    split = holdout(_network("dog"), hidden, seed)
    known = np.zeros(X.shape)
    known[split.train.rows[split.train.known], split.train.cols[split.train.known]] = 1
    patterns, counts = np.unique(W, axis=0, return_counts=True)
    cells = (patterns @ H > 0).astype(float)
    contradictions = (known * X) @ (1 - cells).T + (known * (1 - X)) @ cells.T
    weights = (contradictions == 0) * counts
    probability = (weights / weights.sum(axis=1, keepdims=True)) @ cells
    rows, cols, values = split.test.rows, split.test.cols, split.test.values
    return tuple(
        float(np.sqrt(np.mean((prediction[rows, cols] - values) ** 2)))
        for prediction in (probability > 0.5, probability)
    )


def run_swimmer(data: str, method: str, seed: int) -> dict[str, Any]:
    """Search ranks 14 to 19 with a tenth hidden."""
    return _run(data, method, range(14, 20), 0.1, seed, 16)


def dog_findings(lines: Lines) -> Iterator[Finding]:
    """Yield how often rank 4 is chosen, and the errors at it."""
    least = {"0.1": 10, "0.3": 10, "0.5": 10, "0.6": 8, "0.7": 8}
    for (method, hidden), group in grouped(lines, "method", "hidden"):
        hits = sum(line["chosen_rank"] == "4" for line in group)
        wanted = least[hidden] if method == "BNMFk" else 9
        yield Finding(
            f"Dog, {method}, {hidden} hidden: rank 4",
            rate(hits, len(group)),
            f"at least {wanted} of 10",
            hits >= wanted,
        )
        if method == "BNMFk":
            yield from _dog_errors(hidden, group)


def _dog_errors(hidden: str, group: Lines) -> Iterator[Finding]:
    model, ensemble, oracle, oracle_probability = (
        column.mean() for column in columns(group, *ERRORS).values()
    )
    limit = {"0.1": 0.01, "0.5": 0.09}.get(hidden)
    for kind, error, least in (
        ("0/1 prediction of the central model", model, oracle),
        ('ensemble mean (by="ensemble")', ensemble, oracle_probability),
    ):
        quantity = f"Dog, BNMFk, {hidden} hidden: held-out RMSE at rank 4, {kind}"
        result = f"{error:.4f}; an oracle with the true H and the frequencies of patterns: {least:.4f}"
        if limit is None:
            yield Finding(quantity, result)
        else:
            yield Finding(quantity, result, f"at most {limit}", bool(error <= limit))


def swimmer_findings(lines: Lines) -> Iterator[Finding]:
    """Yield how often rank 16 is chosen, or 17 where the torso may be a part by itself."""
    for (data, method), group in grouped(lines, "data", "method"):
        right, wanted = ({"16"}, 9) if data == "swimmer figures" else ({"16", "17"}, 8)
        hits = sum(line["chosen_rank"] in right for line in group)
        yield Finding(
            f"{data}, {method}, of ranks 14 to 19: rank {' or '.join(sorted(right))}",
            rate(hits, len(group)),
            f"at least {wanted} of 10",
            hits >= wanted,
        )


dog = Study(
    "dog",
    [
        {"method": method, "hidden": hidden, "seed": seed}
        for method, shares in (
            ("BNMFk", (0.1, 0.3, 0.5, 0.6, 0.7)),
            ("NMFk boolean", (0.1,)),
            ("WNMFk boolean", (0.1,)),
        )
        for hidden in shares
        for seed in range(10)
    ],
    run_dog,
    dog_findings,
)
swimmer = Study(
    "swimmer",
    [
        {"data": data, "method": method, "seed": seed}
        for data, method in (
            ("swimmer figures", "BNMFk"),
            ("swimmer file after Otsu", "BNMFk"),
            ("swimmer file after Otsu", "WNMFk"),
        )
        for seed in range(10)
    ],
    run_swimmer,
    swimmer_findings,
)
