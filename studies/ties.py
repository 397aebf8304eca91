"""Whether RiskControl keeps its promise where many pairs are equally sure: its proof is for no ties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink.uncertainty import RiskControl
from statistical.study import Promise, Study, groups, not_above, numbers, share

__all__ = ["ties"]

ALPHA, DELTA, DRAWS = 0.05, 0.1, 3000
SHAPES = {
    "bad": "an error just above alpha at every threshold",
    "late": "half of alpha down to the middle level, just above alpha from there on",
    "rising": "errors of levels rise evenly from 0 to 0.3",
}


def _risks(shape: str, levels: int) -> np.ndarray:
    """Return the error among pairs of at least each level, the surest first; all levels are as frequent."""
    bad = np.full(levels, 1.001 * ALPHA)
    if shape == "late":
        return np.where(np.arange(levels) < levels // 2, ALPHA / 2, bad)
    if shape == "rising":
        return np.cumsum(np.linspace(0, 0.3, levels)) / np.arange(1, levels + 1)
    return bad


def run(shape: str, levels: int, n: int) -> dict[str, Any]:
    """Calibrate on draws of n pairs whose confidences have so many levels; count those with a broken promise.

    The error of what is answered is known exactly, since the population is.
    """
    risks = _risks(shape, levels)
    up_to = risks * np.arange(1, levels + 1)
    errors = np.diff(up_to, prepend=0.0)
    rng = np.random.default_rng([levels, n])
    rule = RiskControl(ALPHA, DELTA)
    broken = silent = 0
    for _ in range(DRAWS):
        level = rng.integers(levels, size=n)
        learned = rule.calibrate(-level, rng.random(n) < errors[level])
        answered = int(learned.answers(-np.arange(levels)).sum())
        silent += not answered
        broken += bool(answered and risks[answered - 1] > ALPHA)
    return {"draws": DRAWS, "broken": broken, "silent": silent}


def promises(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Expect no design in which the promise breaks more often than delta."""
    for (shape,), part in groups(lines, "shape"):
        draws, broken = (found.astype(int) for found in numbers(part, "draws", "broken").values())
        worst = int(np.argmax(broken / draws))
        where = f"{part[worst]['levels']} levels, n = {part[worst]['n']}"
        yield Promise(
            f"RiskControl({ALPHA}, {DELTA}) with ties, {SHAPES[shape]}, {len(part)} designs: broken",
            f"{(broken / draws).mean():.3f} on average; at the most {share(broken[worst], draws[worst])}, "
            f"{where}",
            f"at most {DELTA} in each: its interval begins no higher",
            all(not_above(*each, DELTA) for each in zip(broken, draws, strict=True)),
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
    promises,
)
