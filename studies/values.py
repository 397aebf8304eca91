"""Posterior predictive intervals on planted values: coverage and width, beside conformal ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import BayesianFactorizer, Network, RNMFk
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.uncertainty import ConformalIntervals
from studies.findings import Finding
from studies.study import Study

__all__ = ["values"]

SHAPE, RANK, NOISE = (60, 40), 3, 0.5
KNOWN = (0.5, 0.25)
CALIBRATION = 200  # held-out entries that conformal intervals learn from
LEVEL = 0.9


def planted_values(known: float, seed: int) -> tuple[Network, np.ndarray, np.ndarray]:
    """Return known entries of a planted matrix, and the pairs and values of the others, in random order.

    x_ij = 1 + b_i + c_j / 2 + sum_c W_ic H_cj + noise,   all standard normal but the noise.
    """
    rng = np.random.default_rng([seed, 11])
    mean = rng.normal(size=(SHAPE[0], RANK)) @ rng.normal(size=(RANK, SHAPE[1]))
    mean += 1 + rng.normal(size=(SHAPE[0], 1)) + rng.normal(size=SHAPE[1]) / 2
    X = mean + NOISE * rng.normal(size=SHAPE)
    there = rng.random(SHAPE) < known
    there[np.arange(SHAPE[0]), np.arange(SHAPE[0]) % SHAPE[1]] = True  # no row and no column is empty
    pairs = rng.permutation(np.argwhere(~there))
    return Network.from_dense(np.where(there, X, np.nan)), pairs, X[tuple(pairs.T)]


def run(known: float, seed: int) -> dict[str, Any]:
    """Fit at the default rank, which is not the planted one, and predict all other entries."""
    network, pairs, truth = planted_values(known, seed)
    model = BayesianFactorizer(random_state=seed).fit(network)
    calibrated = model.calibrate(pairs[:CALIBRATION], truth[:CALIBRATION])
    pairs, truth = pairs[CALIBRATION:], truth[CALIBRATION:]
    kinds = {
        "posterior": model.intervals(pairs, LEVEL),
        "conformal": calibrated.intervals(pairs, ConformalIntervals(level=LEVEL)),
    }
    line: dict[str, Any] = {}
    for kind, table in kinds.items():
        inside = (table["low"] <= truth) & (truth <= table["high"])
        line |= {
            f"{kind}_coverage": f"{inside.mean():.5f}",
            f"{kind}_width": f"{np.mean(table['high'] - table['low']):.4f}",
        }
    scores = {
        "rmse": model.predict_links(pairs),
        "rmse_draw": model.members_[0].score(*pairs.T),
        "rmse_rnmfk": RNMFk((RANK,), random_state=seed).fit(network).predict_links(pairs),
    }
    line |= {name: f"{np.sqrt(np.mean((y - truth) ** 2)):.5f}" for name, y in scores.items()}
    return line | {"noise": f"{model.noise_:.4f}", "r_hat": f"{model.posterior_.r_hat:.3f}"}


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield coverage and width of both kinds of intervals, and the errors of the predictions."""
    for (known,), group in grouped(lines, "known"):
        where = f"{float(known):.0%} of {SHAPE[0]} x {SHAPE[1]} values known"
        for kind in ("posterior", "conformal"):
            covered, width = columns(group, f"{kind}_coverage", f"{kind}_width").values()
            mean, error = covered.mean(), covered.std(ddof=1) / np.sqrt(len(group))
            quantity = f"{where}: share of the others inside {kind} 90 % intervals"
            result = f"{mean:.4f} +- {error:.4f} over {len(group)} runs; mean width {width.mean():.3f}"
            if kind == "posterior":
                yield Finding(quantity, result, "0.88 to 0.92", bool(0.88 <= mean <= 0.92))
            else:
                yield Finding(quantity, result)
        mean, draw, fit = (
            column.mean() for column in columns(group, "rmse", "rmse_draw", "rmse_rnmfk").values()
        )
        noise, r_hat = columns(group, "noise", "r_hat").values()
        yield Finding(
            f"{where}: RMSE of the mean over draws, of one draw, and of RNMFk at the planted rank",
            f"{mean:.3f}, {draw:.3f}, {fit:.3f}; learned noise {noise.mean():.3f} (planted {NOISE:g}), "
            f"largest R-hat {r_hat.max():.2f}",
            "the mean is best",
            bool(mean < min(draw, fit)),
        )


values = Study(
    "values",
    [{"known": known, "seed": seed} for known in KNOWN for seed in range(100)],
    run,
    findings,
)
