"""Links looked for with a bounded false discovery rate, on planted Boolean data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import BNMFk
from statistical.splits import pairs, planted
from statistical.study import Promise, Study, groups, numbers

__all__ = ["discoveries"]


def run(known: float, seed: int) -> dict[str, Any]:
    """Look for links among held-out cells, with a false discovery rate of 0.1."""
    split = planted(4, known, 0.02, seed)
    model = BNMFk((4,), random_state=seed).fit(split.train)
    found = model.calibrate(split.calibration).discover(pairs(split.test), fdr=0.1)
    links, selected = split.test.values == 1, found["selected"]
    return {
        "selected": int(selected.sum()),
        "false": f"{(selected & ~links).sum() / max(1, selected.sum()):.5f}",
        "power": f"{(selected & links).sum() / links.sum():.5f}",
    }


def promises(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Expect at most a tenth of non-links among the selected, on average."""
    for (known,), part in groups(lines, "known"):
        false, power = numbers(part, "false", "power").values()
        error = false.std(ddof=1) / np.sqrt(len(part))
        yield Promise(
            f"planted Boolean data, {known} known: share of false discoveries",
            f"{false.mean():.4f} +- {error:.4f} over {len(part)} runs; power {power.mean():.3f}",
            "at most 0.1, plus its standard error",
            bool(false.mean() <= 0.1 + error),
        )


discoveries = Study(
    "discoveries",
    [{"known": known, "seed": seed} for known in (0.2, 0.15) for seed in range(200)],
    run,
    promises,
)
