"""Figure of the study of protein networks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.experiments.claims.ppi_claimed import CLAIMED
from latentlink.experiments.figures.figure_style import MODE_COLOURS, MODE_TITLES, method_label, save, styled
from latentlink.experiments.figures.small_multiples import Grid, legend_below, name_group

__all__ = ["draw"]

PROTOCOL = "held out"
METRICS = {"roc_auc": "ROC AUC", "pr_auc": "PR AUC"}
NETWORKS = {
    "proteins-human-extended": "H. sapiens-\nextended",
    "proteins-brain": "Brain",
    "proteins-disease-of-metabolism": "Disease of\nMetabolism",
    "proteins-liver": "Liver",
    "proteins-neurodegenerative-disease": "Neurodegenerative\nDisease",
}
# Distance from the middle of a method's row, and mark, of each mode.
MARKS = {"paper": (-0.17, "o"), "default": (0.17, "s"), "baseline": (0.0, "o")}


def draw(lines: Lines, folder: Path) -> list[Path]:
    """Draw the figure of the protein networks and return the paths of its files.

    Parameters
    ----------
    lines : list of dict
        Results of `ppi_cases.run`; what is missing is left out of the figure.
    folder : Path
    """
    held_out = [line for line in lines if line["protocol"] == PROTOCOL]
    if not held_out:
        return []
    with styled():
        return save(_auc(held_out), folder, "ppi_auc")


def _auc(lines: Lines) -> Figure:
    """Draw means and two standard deviations over splits, a column for each network."""
    found = dict.fromkeys(line["network"] for line in lines)
    networks = [
        *(each for each in NETWORKS if each in found),
        *(each for each in found if each not in NETWORKS),
    ]
    methods = list(dict.fromkeys(line["method"] for line in lines))
    height = 0.155 * len(methods) + 0.1
    grid = Grid((1, 1), (len(networks),), height, group_gap=(0.2, 0.45), left=1.35, top=0.35, bottom=0.6)
    figure, axes = grid.panels()
    for row, (metric, name) in zip(axes, METRICS.items(), strict=True):
        for panel, network in zip(row, networks, strict=True):
            here = [line for line in lines if line["network"] == network]
            _draw_network(panel, here, methods, metric)
            _draw_claimed(panel, network, methods, metric)
        _finish(row, methods)
        name_group(row, f"{name} (mean and two standard deviations over splits)", below=0.19)
    for panel, network in zip(axes[0], networks, strict=True):
        panel.set_title(NETWORKS.get(network, network), fontsize=7)
    for panel in axes[:, 1:].flat:
        panel.tick_params(labelleft=False)
    legend_below(figure, _handles(lines, networks))
    return figure


def _draw_network(panel: Axes, lines: Lines, methods: Sequence[str], metric: str) -> None:
    for (mode, method), group in grouped(lines, "mode", "method"):
        values = columns(group, metric)[metric]
        aside, marker = MARKS[mode]
        _mark(
            panel,
            methods.index(method) + aside,
            values.mean(),
            _two_deviations(values),
            color=MODE_COLOURS[mode],
            marker=marker,
        )


def _draw_claimed(panel: Axes, network: str, methods: Sequence[str], metric: str) -> None:
    for method, claimed in CLAIMED.get(network, {}).items():
        if method in methods:
            _mark(
                panel,
                methods.index(method),
                *claimed[metric],
                color="0.15",
                marker="D",
                markerfacecolor="white",
            )


def _mark(panel: Axes, place: float, mean: float, margin: float, **style: Any) -> None:
    panel.errorbar(
        mean, place, xerr=margin, markersize=3.2, markeredgewidth=0.7, linewidth=0, elinewidth=0.8, **style
    )


def _two_deviations(values: Any) -> float:
    return 2 * float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def _finish(row: Sequence[Axes], methods: Sequence[str]) -> None:
    """Give all panels the same axes, with thin lines between methods."""
    low = min(panel.dataLim.x0 for panel in row)
    for panel in row:
        panel.set(xlim=(low - 0.03, 1.01), ylim=(len(methods) - 0.4, -0.6))
        panel.set_yticks(range(len(methods)), [method_label(method) for method in methods])
        panel.tick_params(axis="y", length=0)
        panel.hlines(np.arange(len(methods) - 1) + 0.5, 0, 1.01, color="0.92", linewidth=0.5, zorder=0.3)
        panel.grid(axis="x", color="0.92", linewidth=0.5)
        panel.set_axisbelow(True)
        panel.xaxis.set_major_locator(MaxNLocator(4, prune="both"))


def _handles(lines: Lines, networks: Sequence[str]) -> list[Line2D]:
    """Return a legend entry for each mode, and for what the paper states if there is any."""
    titles = {**MODE_TITLES, "baseline": "baselines"}
    found = {line["mode"] for line in lines}
    entries = [
        Line2D([], [], color=MODE_COLOURS[mode], marker=marker, linewidth=0.8, label=titles[mode])
        for mode, (_, marker) in MARKS.items()
        if mode in found
    ]
    stated = Line2D(
        [], [], color="0.15", marker="D", markerfacecolor="white", linewidth=0.8, label="stated in the paper"
    )
    return [*entries, *([stated] if CLAIMED.keys() & set(networks) else [])]
