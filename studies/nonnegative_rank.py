"""The rank of products of non-negative factors, with entries hidden and noise added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import WNMFk, datasets
from latentlink.rank import HeldOut, LStatistic, SilhouetteCutoff
from latentlink.splitting import holdout
from statistical.study import Promise, Study, share

__all__ = ["bumps", "gaussian"]

MATRICES = [(m, k, seed) for m in range(50, 401, 50) for k in range(2, 7) for seed in range(10)]
# (noise, hidden): least share of exact ranks, least share within one
PROMISED = {
    (0.0, 0.1): (0.98, None),
    (0.0, 0.3): (0.98, None),
    (0.0, 0.5): (0.95, None),
    (0.0, 0.7): (0.85, None),
    (0.05, 0.1): (0.95, 1.0),
    (0.2, 0.1): (0.90, 1.0),
}
ERRORS = {(0.0, 0.1): 0.01, (0.0, 0.5): 0.01}
# What other rules say of the same paths
RULES = {"held_out": HeldOut(), "silhouettes": SilhouetteCutoff(), "l_statistic": LStatistic()}


def run(kind: str, noise: float, hidden: float, columns: int, rank: int, seed: int) -> dict[str, Any]:
    """Hide some entries, search ranks 1 to 9 by WNMFk as it comes, and predict what was hidden."""
    data = getattr(datasets, kind)(columns, rank, seed, noise=noise)
    split = holdout(data.network, hidden, seed)
    model = WNMFk(range(1, 10), random_state=seed).fit(split.train)
    scores = model.path_[rank].model.score(split.test.rows, split.test.cols)
    at_truth = model.path_[rank]
    by_rule = {f"by_{name}": rule.choose(model.path_).rank for name, rule in RULES.items()}
    return {
        "found": model.rank_,
        **by_rule,
        "status": model.choice_.status,
        "runners_up": " ".join(map(str, model.choice_.runners_up)),
        "ridge": f"{model.solver_.ridge:.4g}",
        "stability_at_truth": f"{at_truth.stability:.3f}",
        "rmse_at_truth": f"{np.sqrt(np.mean((scores - split.test.values) ** 2)):.6f}",
    }


def promises(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Compare exact ranks and errors with what was promised."""
    for noise, hidden in dict.fromkeys((line["noise"], line["hidden"]) for line in lines):
        part = [line for line in lines if (line["noise"], line["hidden"]) == (noise, hidden)]
        away = np.array([int(line["found"]) - int(line["rank"]) for line in part])
        key = (float(noise), float(hidden))
        exact, within = PROMISED[key] if part[0]["kind"] == "gaussian" else (None, None)
        where = f"{part[0]['kind']}, noise {noise}, {hidden} hidden"
        for what, hits, least in (("exact", away == 0, exact), ("within one", np.abs(away) <= 1, within)):
            kept = None if least is None else bool(hits.mean() >= least)
            wanted = "reported" if least is None else f"at least {least}"
            yield Promise(f"{where}: {what}", share(int(hits.sum()), len(part)), wanted, kept)
        others = (
            f"{name.replace('_', ' ')} {sum(line[f'by_{name}'] == line['rank'] for line in part)}"
            for name in RULES
        )
        yield Promise(f"{where}: exact by other rules, of {len(part)}", ", ".join(others), "reported", None)
        errors = np.array([float(line["rmse_at_truth"]) for line in part])
        limit = ERRORS.get(key) if part[0]["kind"] == "gaussian" else None
        found = (
            f"mean {errors.mean():.4f}, median {np.median(errors):.4f}, largest {errors.max():.4f}, "
            f"above 0.01 in {(errors > 0.01).sum()} of {len(part)}"
        )
        kept = None if limit is None else bool(errors.mean() <= limit)
        wanted = "reported" if limit is None else f"mean at most {limit}"
        yield Promise(f"{where}: held-out RMSE at the true rank", found, wanted, kept)


def _cases(kind: str, settings: Any) -> list[dict[str, Any]]:
    return [
        {"kind": kind, "noise": noise, "hidden": hidden, "columns": m, "rank": k, "seed": seed}
        for noise, hidden in settings
        for m, k, seed in MATRICES
    ]


gaussian = Study("gaussian", _cases("gaussian", PROMISED), run, promises)
bumps = Study("bumps", _cases("bumps", [(0.0, 0.1), (0.05, 0.1), (0.2, 0.1)]), run, promises)
