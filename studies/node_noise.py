"""Posterior intervals where rows and columns differ in noise: coverage, also of the noisy ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import BayesianFactorizer, Network
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.solvers import BPMF
from studies.findings import Finding
from studies.study import Study

__all__ = ["node_noise"]

SHAPE, RANK, NOISE = (80, 60), 3, 0.5
KNOWN = 0.5
SPREAD = 0.5  # deviation of the logarithm of a row's or a column's noise
LEVEL = 0.9
PARTS = ("all", "quiet", "noisy")


def planted_values(seed: int) -> tuple[Network, np.ndarray, np.ndarray, np.ndarray]:
    """Return known entries of a planted matrix, the other pairs, their values and the noise of each.

    x_ij = 1 + b_i + c_j / 2 + sum_c W_ic H_cj + noise r_i s_j e_ij,   with log r_i and log s_j normal.
    """
    rng = np.random.default_rng([seed, 12])
    mean = rng.normal(size=(SHAPE[0], RANK)) @ rng.normal(size=(RANK, SHAPE[1]))
    mean += 1 + rng.normal(size=(SHAPE[0], 1)) + rng.normal(size=SHAPE[1]) / 2
    r, s = (np.exp(SPREAD * rng.normal(size=size)) for size in SHAPE)
    noise = NOISE * np.outer(r, s)
    X = mean + noise * rng.normal(size=SHAPE)
    there = rng.random(SHAPE) < KNOWN
    there[np.arange(SHAPE[0]), np.arange(SHAPE[0]) % SHAPE[1]] = True  # no row and no column is empty
    pairs = np.argwhere(~there)
    return Network.from_dense(np.where(there, X, np.nan)), pairs, X[~there], noise[~there]


def run(node_noise: bool, seed: int) -> dict[str, Any]:
    """Fit at the default rank, which is not the planted one, and predict all other entries."""
    network, pairs, truth, noise = planted_values(seed)
    model = BayesianFactorizer(solver=BPMF(node_noise=node_noise), random_state=seed).fit(network)
    table = model.intervals(pairs, LEVEL)
    inside = (table["low"] <= truth) & (truth <= table["high"])
    low, high = np.quantile(noise, (0.25, 0.75))
    which = {"all": np.ones(len(truth), bool), "quiet": noise < low, "noisy": noise > high}
    line: dict[str, Any] = {part: f"{inside[own].mean():.5f}" for part, own in which.items()}
    return line | {
        "rmse": f"{np.sqrt(np.mean((table['score'] - truth) ** 2)):.5f}",
        "width": f"{np.mean(table['high'] - table['low']):.4f}",
        "r_hat": f"{model.posterior_.r_hat:.3f}",
    }


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield the coverage of all entries and of those with the least and the most noise, and the errors."""
    named = {
        "all": "entries",
        "quiet": "entries of the quarter of least noise",
        "noisy": "that of most noise",
    }
    for (used,), group in grouped(lines, "node_noise"):
        own = str(used) == "True"
        kind = "a noise of each row and column" if own else "one noise"
        for part in PARTS:
            (share,) = columns(group, part).values()
            mean, error = share.mean(), share.std(ddof=1) / np.sqrt(len(group))
            quantity = f"{kind}: share of the other {named[part]} inside posterior 90 % intervals"
            result = f"{mean:.4f} +- {error:.4f} over {len(group)} runs"
            low, high = (0.88, 0.92) if part == "all" else (0.85, 0.95)
            if own:
                yield Finding(quantity, result, f"{low} to {high}", bool(low <= mean <= high))
            else:
                yield Finding(quantity, result)
        rmse, width, r_hat = columns(group, "rmse", "width", "r_hat").values()
        yield Finding(
            f"{kind}: RMSE and mean width",
            f"{rmse.mean():.4f} and {width.mean():.3f}; largest R-hat {r_hat.max():.2f}",
        )


node_noise = Study(
    "node_noise",
    [{"node_noise": own, "seed": seed} for own in (True, False) for seed in range(100)],
    run,
    findings,
)
