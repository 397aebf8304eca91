"""The rank of Boolean data: Dog and the swimmers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.io import loadmat

from latentlink import BNMFk, Network, NMFk, WNMFk, datasets
from latentlink.regime import KMeans, Otsu, boolean
from latentlink.splitting import holdout
from statistical.study import DATA, Promise, Study, share

__all__ = ["dog", "swimmer"]

METHODS = {
    "BNMFk": lambda ranks, seed: BNMFk(ranks, regime=boolean(KMeans()), random_state=seed),
    "NMFk boolean": lambda ranks, seed: NMFk(ranks, regime=boolean(KMeans()), random_state=seed),
    "WNMFk boolean": lambda ranks, seed: WNMFk(ranks, regime=boolean(KMeans()), random_state=seed),
    "WNMFk": lambda ranks, seed: WNMFk(ranks, random_state=seed),
}


@cache
def _network(name: str) -> Network:
    if name == "dog":
        return Network.from_dense(np.load(DATA / "dog.npz")["X"].astype(float))
    if name == "swimmer figures":
        return datasets.swimmer().network
    pixels = next(part for part in loadmat(DATA / "swimmer.mat").values() if getattr(part, "size", 0) > 1000)
    pixels = pixels.astype(float)
    return Network.from_dense((pixels >= Otsu().at(pixels.ravel())).astype(float))


def _run(data: str, method: str, ranks: range, hidden: float, seed: int, truth: int) -> dict[str, Any]:
    split = holdout(_network(data), hidden, seed)
    test = split.test
    model = METHODS[method](ranks, seed).fit(split.train)
    record = model.path_[truth]
    graded = np.mean([member.score(test.rows, test.cols) for member in record.members], axis=0)
    rmse = [
        np.sqrt(np.mean((scores - test.values) ** 2))
        for scores in (record.model.score(test.rows, test.cols), graded)
    ]
    return {
        "found": model.rank_,
        "status": model.choice_.status,
        "runners_up": " ".join(map(str, model.choice_.runners_up)),
        "ridge": f"{getattr(model.solver_, 'ridge', 0.0):.4g}",
        "rmse_at_truth": f"{rmse[0]:.6f}",
        "rmse_graded": f"{rmse[1]:.6f}",
    }


def run_dog(method: str, hidden: float, seed: int) -> dict[str, Any]:
    """Search ranks 1 to 8 of the 400 x 15 Dog; the truth is 4. Beside the errors, those of an oracle."""
    found = _run("dog", method, range(1, 9), hidden, seed, 4)
    oracle = _oracle_errors(hidden, seed)
    return {**found, "oracle_rmse": f"{oracle[0]:.6f}", "oracle_rmse_graded": f"{oracle[1]:.6f}"}


def _oracle_errors(hidden: float, seed: int) -> tuple[float, float]:
    """Return the errors of one who knows the true H and how often each pattern of rows occurs.

    Each row has the patterns that fit what is known of it, with their frequencies: the best 0/1 answer of a
    cell is the more probable one, the best graded answer its probability.
    """
    stored = np.load(DATA / "dog.npz")
    W, H, X = (stored[name].astype(float) for name in ("W", "H", "X"))
    split = holdout(_network("dog"), hidden, seed)
    known = np.zeros(X.shape)
    known[split.train.rows[split.train.known], split.train.cols[split.train.known]] = 1
    patterns, counts = np.unique(W, axis=0, return_counts=True)
    said = (patterns @ H > 0).astype(float)
    wrong = (known * X) @ (1 - said).T + (known * (1 - X)) @ said.T
    chance = (wrong == 0) * counts
    graded = (chance / chance.sum(axis=1, keepdims=True)) @ said
    rows, cols, values = split.test.rows, split.test.cols, split.test.values
    return tuple(
        float(np.sqrt(np.mean((answer[rows, cols] - values) ** 2))) for answer in (graded > 0.5, graded)
    )


def run_swimmer(data: str, method: str, seed: int) -> dict[str, Any]:
    """Search ranks 14 to 19 with a tenth hidden."""
    return _run(data, method, range(14, 20), 0.1, seed, 16)


def promise_dog(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Rank 4, and the errors at it."""
    least = {"0.1": 10, "0.3": 10, "0.5": 10, "0.6": 8, "0.7": 8}
    for method, hidden in dict.fromkeys((line["method"], line["hidden"]) for line in lines):
        part = [line for line in lines if (line["method"], line["hidden"]) == (method, hidden)]
        hits = sum(line["found"] == "4" for line in part)
        wanted = least[hidden] if method == "BNMFk" else 9
        yield Promise(
            f"Dog, {method}, {hidden} hidden: rank 4",
            share(hits, len(part)),
            f"at least {wanted} of 10",
            hits >= wanted,
        )
        if method == "BNMFk":
            means = {
                name: np.mean([float(line[name]) for line in part])
                for name in ("rmse_at_truth", "rmse_graded", "oracle_rmse", "oracle_rmse_graded")
            }
            limit = {"0.1": 0.01, "0.5": 0.09}.get(hidden)
            for kind, mine, oracle in (
                ("0/1 answer", means["rmse_at_truth"], means["oracle_rmse"]),
                ('graded answer (by="ensemble")', means["rmse_graded"], means["oracle_rmse_graded"]),
            ):
                yield Promise(
                    f"Dog, BNMFk, {hidden} hidden: held-out RMSE at rank 4, {kind}",
                    f"{mine:.4f}; an oracle with the true H and the frequencies of patterns: {oracle:.4f}",
                    "reported" if limit is None else f"at most {limit}",
                    None if limit is None else bool(mine <= limit),
                )


def promise_swimmer(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """16 parts, or 17 where the torso may be one of its own."""
    for data, method in dict.fromkeys((line["data"], line["method"]) for line in lines):
        part = [line for line in lines if (line["data"], line["method"]) == (data, method)]
        right, wanted = ({"16"}, 9) if data == "swimmer figures" else ({"16", "17"}, 8)
        hits = sum(line["found"] in right for line in part)
        yield Promise(
            f"{data}, {method}, of ranks 14 to 19: rank {' or '.join(sorted(right))}",
            share(hits, len(part)),
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
    promise_dog,
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
    promise_swimmer,
)
