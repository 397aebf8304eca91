"""Coverage of conformal intervals for missing entries, under several ways of being missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit

from latentlink import WNMFk, datasets
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from latentlink.uncertainty import RowColumn
from studies.findings import Finding
from studies.planted_splits import listed_pairs
from studies.study import Study

__all__ = ["intervals"]

# Standard deviation of row and column effects on being observed; how fast noise grows where these are low.
MISSING = {
    "uniform": (0.0, 0.0),
    "by row and column": (1.0, 0.0),
    "by row and column, noise larger where little is known": (1.0, 0.3),
}
NOISE = 0.2
KINDS = {"plain": None, "weighted": RowColumn()}
MEASURED = ("coverage", "unbounded", "width")


def run(missing: str, seed: int) -> dict[str, Any]:
    """Predict missing entries of noisy products with 90 % intervals.

        P(observed) = sigmoid(a_i + b_j),   a, b ~ N(0, lean^2),   noise ~ exp(-tilt (a_i + b_j)) N(0, 1)

    Intervals are plain (no propensities), or weighted by propensities fitted to rows and columns.
    """
    lean, tilt = MISSING[missing]
    whole = datasets.gaussian(100, 3, seed).network
    rng = np.random.default_rng([seed, 7])
    row, col = (rng.normal(0, lean, size) for size in whole.shape)
    effect = row[whole.rows] + col[whole.cols]
    noise = NOISE * whole.values.std() * np.exp(-tilt * effect) * rng.standard_normal(whole.n_listed)
    whole = whole.with_values(np.maximum(whole.values + noise, 0))
    observed = rng.random(whole.n_listed) < expit(effect)
    split = holdout(whole.subset(np.flatnonzero(observed)), 0.2, seed)
    model = WNMFk((3,), solver=WNMF(precision="float32", max_iter=100, tol=1e-4), random_state=seed)
    calibrated = model.fit(split.train).calibrate(split.test)
    pairs, truth = listed_pairs(whole)[~observed], whole.values[~observed]
    line = {"values_std": f"{truth.std():.4f}"}
    for kind, propensity in KINDS.items():
        interval = calibrated.intervals(pairs, propensity=propensity)
        inside = (interval["low"] <= truth) & (truth <= interval["high"])
        bounded = np.isfinite(interval["high"])
        width = (interval["high"] - interval["low"])[bounded]
        line |= {
            f"{kind}_coverage": f"{inside.mean():.5f}",
            f"{kind}_unbounded": f"{1 - bounded.mean():.5f}",
            f"{kind}_width": f"{np.median(width):.4f}",
        }
    return line


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield the mean coverage of each kind of interval in each design."""
    for (missing,), group in grouped(lines, "missing"):
        for kind in KINDS:
            yield _coverage(missing, kind, group)


def _coverage(missing: str, kind: str, group: Lines) -> Finding:
    covered, unbounded, width = columns(group, *(f"{kind}_{name}" for name in MEASURED)).values()
    mean, error = covered.mean(), covered.std(ddof=1) / np.sqrt(len(group))
    std = columns(group, "values_std")["values_std"].mean()
    propensities = "no propensities" if kind == "plain" else "propensities fitted to rows and columns"
    quantity = f"missing {missing}; {propensities}: share of missing entries inside 90 % intervals"
    result = (
        f"{mean:.4f} +- {error:.4f} over {len(group)} runs ({covered.min():.3f} to {covered.max():.3f}); "
        f"median width {width.mean():.2f}, standard deviation of the values {std:.2f}, "
        f"unbounded {unbounded.mean():.2%}"
    )
    if missing == "uniform" and kind == "plain":
        return Finding(quantity, result, "0.885 to 0.915", bool(0.885 <= mean <= 0.915))
    if missing != "uniform" and kind == "weighted":
        return Finding(quantity, result, "at least 0.88", bool(mean >= 0.88))
    return Finding(quantity, result)


intervals = Study(
    "intervals",
    [{"missing": missing, "seed": seed} for missing in MISSING for seed in range(200)],
    run,
    findings,
)
