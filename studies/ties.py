"""Violations of the RiskControl guarantee where many pairs are tied; its proof assumes no ties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.uncertainty import RiskControl
from studies.findings import Finding, rate, rate_within
from studies.study import Study

__all__ = ["ties"]

ALPHA, DELTA, DRAWS = 0.05, 0.1, 3000
SHAPES = {
    "bad": "an error just above alpha at every threshold",
    "late": "half of alpha down to the middle level, just above alpha from there on",
    "rising": "errors of levels rise evenly from 0 to 0.3",
}


def _risks(shape: str, levels: int) -> np.ndarray:
    """Return the error among pairs of at least each level, highest first; all levels are equally frequent."""
    bad = np.full(levels, 1.001 * ALPHA)
    if shape == "late":
        return np.where(np.arange(levels) < levels // 2, ALPHA / 2, bad)
    if shape == "rising":
        return np.cumsum(np.linspace(0, 0.3, levels)) / np.arange(1, levels + 1)
    return bad


def run(shape: str, levels: int, n: int) -> dict[str, Any]:
    """Calibrate on draws of n pairs whose confidences take few values; count violations of the guarantee.

    The error of the answered pairs is known exactly, since the population is.
    """
    risks = _risks(shape, levels)
    up_to = risks * np.arange(1, levels + 1)
    errors = np.diff(up_to, prepend=0.0)
    rng = np.random.default_rng([levels, n])
    rule = RiskControl(ALPHA, DELTA)
    violated = abstained = 0
    for _ in range(DRAWS):
        level = rng.integers(levels, size=n)
        calibrated = rule.calibrate(-level, rng.random(n) < errors[level])
        answered = int(calibrated.answers(-np.arange(levels)).sum())
        abstained += not answered
        violated += bool(answered and risks[answered - 1] > ALPHA)
    return {"draws": DRAWS, "violated": violated, "abstained": abstained}


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield how often the guarantee is violated, on average and in the worst design."""
    for (shape,), group in grouped(lines, "shape"):
        draws, violated = (column.astype(int) for column in columns(group, "draws", "violated").values())
        worst = int(np.argmax(violated / draws))
        design = f"{group[worst]['levels']} levels, n = {group[worst]['n']}"
        yield Finding(
            f"RiskControl({ALPHA}, {DELTA}) with ties, {SHAPES[shape]}, {len(group)} designs: "
            "violation rate of the guarantee",
            f"{(violated / draws).mean():.3f} on average; at the most {rate(violated[worst], draws[worst])}, "
            f"{design}",
            f"at most {DELTA} in each design, judged by the lower end of its interval",
            all(rate_within(*each, DELTA) for each in zip(violated, draws, strict=True)),
        )


ties = Study(
    "ties",
    [
        {"shape": shape, "levels": levels, "n": n}
        for shape in SHAPES
        for levels in (2, 4, 8, 16, 32)
        for n in (100, 300, 1000, 3000)
    ],
    run,
    findings,
)
