"""Rank chosen for products of non-negative factors, with entries hidden and noise added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import WNMFk, datasets
from latentlink.experiments.case_lines import Lines, grouped
from latentlink.rank import HeldOut, LStatistic, SilhouetteCutoff
from latentlink.splitting import holdout
from studies.findings import Finding, rate
from studies.study import Study

__all__ = ["bumps", "gaussian"]

KINDS = {"gaussian": datasets.gaussian, "bumps": datasets.bumps}
# (noise, hidden): least share of exact ranks, least share within one of the true rank
REQUIRED = {
    (0.0, 0.1): (0.98, None),
    (0.0, 0.3): (0.98, None),
    (0.0, 0.5): (0.95, None),
    (0.0, 0.7): (0.85, None),
    (0.05, 0.1): (0.95, 1.0),
    (0.2, 0.1): (0.90, 1.0),
}
LARGEST_RMSE = {(0.0, 0.1): 0.01, (0.0, 0.5): 0.01}
# Other selection rules, applied to the same rank paths
RULES = {"held_out": HeldOut(), "silhouettes": SilhouetteCutoff(), "l_statistic": LStatistic()}


def run(kind: str, noise: float, hidden: float, columns: int, rank: int, seed: int) -> dict[str, Any]:
    """Hide some entries, search ranks 1 to 9 by WNMFk with default settings, and predict what was hidden."""
    data = KINDS[kind](columns, rank, seed, noise=noise)
    split = holdout(data.network, hidden, seed)
    model = WNMFk(range(1, 10), random_state=seed).fit(split.train)
    record = model.path_[rank]
    scores = record.model.score(split.test.rows, split.test.cols)
    by_rule = {f"rank_by_{name}": rule.choose(model.path_).rank for name, rule in RULES.items()}
    return {
        "chosen_rank": model.rank_,
        **by_rule,
        "status": model.choice_.status,
        "runners_up": " ".join(map(str, model.choice_.runners_up)),
        "ridge": f"{model.solver_.ridge:.4g}",
        "stability_at_true_rank": f"{record.stability:.3f}",
        "rmse_at_true_rank": f"{np.sqrt(np.mean((scores - split.test.values) ** 2)):.6f}",
    }


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield shares of exact ranks and held-out errors; criteria are set for gaussian factors alone."""
    for (kind, noise, hidden), group in grouped(lines, "kind", "noise", "hidden"):
        design = f"{kind}, noise {noise}, {hidden} hidden"
        key = (float(noise), float(hidden)) if kind == "gaussian" else None
        exact, within = REQUIRED.get(key, (None, None))
        distance = np.array([abs(int(line["chosen_rank"]) - int(line["rank"])) for line in group])
        yield _share(f"{design}: exact rank", distance == 0, exact)
        yield _share(f"{design}: within one of the true rank", distance <= 1, within)
        others = (
            f"{name.replace('_', ' ')} {sum(line[f'rank_by_{name}'] == line['rank'] for line in group)}"
            for name in RULES
        )
        yield Finding(f"{design}: exact rank by other selection rules, of {len(group)}", ", ".join(others))
        yield _errors(design, group, LARGEST_RMSE.get(key))


def _share(quantity: str, hits: np.ndarray, least: float | None) -> Finding:
    result = rate(int(hits.sum()), len(hits))
    if least is None:
        return Finding(quantity, result)
    return Finding(quantity, result, f"at least {least}", bool(hits.mean() >= least))


def _errors(design: str, group: Lines, limit: float | None) -> Finding:
    errors = np.array([float(line["rmse_at_true_rank"]) for line in group])
    quantity = f"{design}: held-out RMSE at the true rank"
    result = (
        f"mean {errors.mean():.4f}, median {np.median(errors):.4f}, largest {errors.max():.4f}, "
        f"above 0.01 in {(errors > 0.01).sum()} of {len(group)}"
    )
    if limit is None:
        return Finding(quantity, result)
    return Finding(quantity, result, f"mean at most {limit}", bool(errors.mean() <= limit))


def _cases(kind: str, settings: Any) -> list[dict[str, Any]]:
    return [
        {"kind": kind, "noise": noise, "hidden": hidden, "columns": m, "rank": k, "seed": seed}
        for noise, hidden in settings
        for m, k, seed in datasets.gaussian_cases()
    ]


gaussian = Study("gaussian", _cases("gaussian", REQUIRED), run, findings)
bumps = Study("bumps", _cases("bumps", [(0.0, 0.1), (0.05, 0.1), (0.2, 0.1)]), run, findings)
