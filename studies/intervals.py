"""Intervals of missing entries that shall hold the truth of nine in ten, whatever is missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit

from latentlink import WNMFk, datasets
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from latentlink.uncertainty import RowColumn
from statistical.splits import pairs
from statistical.study import Promise, Study, groups, numbers

__all__ = ["intervals"]

# How far rows and columns differ in the chance of being observed, and how noise grows where it is low.
MISSING = {
    "uniform": (0.0, 0.0),
    "by row and column": (1.0, 0.0),
    "by row and column, noise larger where little is known": (1.0, 0.3),
}
NOISE = 0.2
KINDS = {"plain": None, "weighted": RowColumn()}
FOUND = ("coverage", "unbounded", "width")


def run(missing: str, seed: int) -> dict[str, Any]:
    """Predict missing entries of noisy products, with intervals that shall hold nine of ten.

        P(observed) = sigmoid(a_i + b_j),   a, b ~ N(0, lean^2),   noise ~ exp(-tilt (a_i + b_j)) N(0, 1)

    Intervals are plain (no propensities), or weighted by those that were fitted to rows and columns.
    """
    lean, tilt = MISSING[missing]
    whole = datasets.gaussian(100, 3, seed).network
    rng = np.random.default_rng([seed, 7])
    row, col = (rng.normal(0, lean, size) for size in whole.shape)
    effect = row[whole.rows] + col[whole.cols]
    noise = NOISE * whole.values.std() * np.exp(-tilt * effect) * rng.standard_normal(whole.n_listed)
    whole = whole.with_values(np.maximum(whole.values + noise, 0))
    seen = rng.random(whole.n_listed) < expit(effect)
    split = holdout(whole.subset(np.flatnonzero(seen)), 0.2, seed)
    model = WNMFk((3,), solver=WNMF(precision="float32", max_iter=100, tol=1e-4), random_state=seed)
    held = model.fit(split.train).calibrate(split.test)
    asked, truth = pairs(whole)[~seen], whole.values[~seen]
    line = {"spread_of_values": f"{truth.std():.4f}"}
    for kind, propensity in KINDS.items():
        found = held.intervals(asked, propensity=propensity)
        inside = (found["low"] <= truth) & (truth <= found["high"])
        bounded = np.isfinite(found["high"])
        width = (found["high"] - found["low"])[bounded]
        line |= {
            f"{kind}_coverage": f"{inside.mean():.5f}",
            f"{kind}_unbounded": f"{1 - bounded.mean():.5f}",
            f"{kind}_width": f"{np.median(width):.4f}",
        }
    return line


def promises(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Expect nine of ten missing entries inside, on average over the runs."""
    for (missing,), part in groups(lines, "missing"):
        for kind in KINDS:
            yield _promise(missing, kind, part)


def _promise(missing: str, kind: str, part: list[dict[str, str]]) -> Promise:
    covered, unbounded, width = numbers(part, *(f"{kind}_{name}" for name in FOUND)).values()
    mean, error = covered.mean(), covered.std(ddof=1) / np.sqrt(len(part))
    sd = numbers(part, "spread_of_values")["spread_of_values"].mean()
    promised, kept = "reported", None
    if missing == "uniform" and kind == "plain":
        promised, kept = "0.885 to 0.915", bool(0.885 <= mean <= 0.915)
    elif missing != "uniform" and kind == "weighted":
        promised, kept = "at least 0.88", bool(mean >= 0.88)
    how = "no propensities" if kind == "plain" else "propensities fitted to rows and columns"
    return Promise(
        f"missing {missing}; {how}: share of missing entries inside 90 % intervals",
        f"{mean:.4f} +- {error:.4f} over {len(part)} runs ({covered.min():.3f} to {covered.max():.3f}); "
        f"median width {width.mean():.2f}, values vary by {sd:.2f}, unbounded {unbounded.mean():.2%}",
        promised,
        kept,
    )


intervals = Study(
    "intervals",
    [{"missing": missing, "seed": seed} for missing in MISSING for seed in range(200)],
    run,
    promises,
)
