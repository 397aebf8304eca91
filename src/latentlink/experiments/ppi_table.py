"""The paper's table of protein networks: what it prints, what was found, and the difference."""

from __future__ import annotations

import numpy as np

from latentlink.evaluation.rendering import as_markdown
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.experiments.claims.ppi_claimed import CLAIMED

__all__ = ["METRICS", "mean_of", "ppi_table"]

METRICS = {
    "roc_auc": "ROC AUC",
    "pr_auc": "PR AUC",
    "uq_roc_auc": "UQ ROC AUC",
    "uq_pr_auc": "UQ PR AUC",
    "average_precision": "average precision",
}
_PROTOCOLS = {
    "held out": "Held-out pairs, unordered",
    "as listed": "Pairs in the order of the file, in which the label can be read off",
    "seen": "Test pairs that were part of the training data: no prediction",
}


def ppi_table(lines: Lines) -> str:
    """Return a section for every network and protocol; methods in the order of the lines."""
    sections = []
    for (network, protocol), group in grouped(lines, "network", "protocol"):
        title = f"## {network}: {_PROTOCOLS[protocol]}"
        note = (
            "Mean and two standard deviations over splits; in brackets what the paper prints, and what was "
            "found minus that."
        )
        sections.append(f"{title}\n\n{note}\n\n{_section(network, group)}")
    return "\n\n".join(sections)


def _section(network: str, group: Lines) -> str:
    rows = []
    for (mode, method), each in grouped(group, "mode", "method"):
        claimed = CLAIMED.get(network, {}).get(method, {}) if mode == "paper" else {}
        cells = [_cell(each, metric, claimed.get(metric)) for metric in METRICS]
        ranks = " ".join(sorted({line["rank"] for line in each} - {"0"}, key=int))
        rows.append([method, mode, *cells, ranks])
    return as_markdown(["method", "mode", *METRICS.values(), "ranks"], rows)


def _cell(group: Lines, metric: str, claimed: tuple[float, float] | None) -> str:
    values = columns(group, metric)[metric]
    if np.isnan(values).all():
        return "" if claimed is None else f"({claimed[0]:.3f})"
    spread = f" ± {2 * values.std(ddof=1):.3f}" if len(values) > 1 else ""
    beside = "" if claimed is None else f" ({claimed[0]:.3f}, {values.mean() - claimed[0]:+.3f})"
    return f"{values.mean():.3f}{spread}{beside}"


def mean_of(lines: Lines, metric: str, **wanted: str) -> float:
    """Return the mean of a metric over the lines with these entries; NaN if there are none."""
    group = [line for line in lines if wanted.items() <= line.items()]
    return float(columns(group, metric)[metric].mean()) if group else float("nan")
