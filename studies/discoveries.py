"""False discovery rate of links discovered in planted Boolean data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import BNMFk
from latentlink.experiments.case_lines import Lines, columns, grouped
from studies.findings import Finding
from studies.planted_splits import listed_pairs, planted_split
from studies.study import Study

__all__ = ["discoveries"]


def run(known: float, seed: int) -> dict[str, Any]:
    """Discover links among held-out cells at a false discovery rate of 0.1."""
    split = planted_split(4, known, 0.02, seed)
    model = BNMFk((4,), random_state=seed).fit(split.train)
    discovered = model.calibrate(split.calibration).discover(listed_pairs(split.test), fdr=0.1)
    links, selected = split.test.values == 1, discovered["selected"]
    return {
        "selected": int(selected.sum()),
        "false_discovery_share": f"{(selected & ~links).sum() / max(1, selected.sum()):.5f}",
        "power": f"{(selected & links).sum() / links.sum():.5f}",
    }


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield the mean share of false discoveries in each design."""
    for (known,), group in grouped(lines, "known"):
        false, power = columns(group, "false_discovery_share", "power").values()
        error = false.std(ddof=1) / np.sqrt(len(group))
        yield Finding(
            f"planted Boolean data, {known} known: share of false discoveries",
            f"{false.mean():.4f} +- {error:.4f} over {len(group)} runs; power {power.mean():.3f}",
            "at most 0.1, plus its standard error",
            bool(false.mean() <= 0.1 + error),
        )


discoveries = Study(
    "discoveries",
    [{"known": known, "seed": seed} for known in (0.2, 0.15) for seed in range(200)],
    run,
    findings,
)
