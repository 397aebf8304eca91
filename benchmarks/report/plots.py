"""Plots of the results, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.report.stored import Stored
from latentlink.validation.wording import counted

__all__ = ["draw_all"]

OURS, OTHERS, GREY = "#0b6fa4", "#d1691e", "#666666"
_STYLE = {
    "svg.hashsalt": "benchmarks",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
}

Rows = Sequence[Mapping[str, Any]]


def draw_all(stored: Sequence[Stored], folder: Path) -> dict[str, Path]:
    """Draw what has a plot into a folder, and return the paths by the names of the results."""
    paths = {}
    for each in stored:
        draw = _PLOTS.get(each.study)
        with rc_context(_STYLE):
            figure = draw(each.rows) if draw else None
            if figure is not None:
                paths[each.name] = folder / f"{each.name}.svg"
                figure.savefig(paths[each.name], metadata={"Date": None}, bbox_inches="tight")
    return paths


def _whole_fits(rows: Rows) -> Figure | None:
    """Draw the CPU time of each method on each data set, with its error beside."""
    done = [row for row in rows if "error" in row]
    groups = [(data, list(group)) for data, group in groupby(done, lambda row: row["data"])]
    if not groups:
        return None
    heights = [len(group) + 2 for _, group in groups]
    figure = Figure((7, 0.2 * sum(heights)), layout="constrained")
    axes = figure.subplots(len(groups), 1, squeeze=False, height_ratios=heights)[:, 0]
    for ax, (data, group) in zip(axes, groups, strict=True):
        best = min(row["error"] for row in group)
        for place, row in enumerate(group):
            colour = OURS if row["ours"] else OTHERS
            ax.plot(row["cpu_s"], place, "o", color=colour, markersize=4)
            weight = "bold" if row["error"] <= 1.01 * best else "normal"
            at = {"transform": ax.get_yaxis_transform(), "va": "center", "weight": weight}
            ax.text(1.01, place, f"{row['error']:.4f}", **at)
        ax.set(xscale="log", ylim=(len(group) - 0.5, -0.5))
        ax.set_title(f"{data}: CPU seconds, and the error at the right", fontsize=8)
        ax.set_yticks(range(len(group)), [row["method"] for row in group])
        ax.grid(axis="x", color="#e5e5e5")
    return figure


def _ratings(rows: Rows) -> Figure | None:
    """Draw the RMSE of each method against its CPU time, one line through its budgets."""
    done = [row for row in rows if "rmse" in row]
    if not done:
        return None
    figure = Figure((7, 4), layout="constrained")
    ax = figure.subplots()
    markers = iter("osD^vP*Xhp<>" * 2)
    for method, group in groupby(done, lambda row: row["method"]):
        budgets = list(group)
        style = {"color": OURS if budgets[0]["ours"] else OTHERS, "marker": next(markers), "markersize": 4}
        cpu, errors = [row["cpu_s"] for row in budgets], [row["rmse"] for row in budgets]
        ax.plot(cpu, errors, label=method, linewidth=1, **style)
    ax.set(xscale="log", xlabel="CPU seconds", ylabel="RMSE on held-out ratings")
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def _growth(rows: Rows) -> Figure | None:
    """Draw time against size for each quantity that grows, with the fitted exponent."""
    rows = [row for row in rows if isinstance(row["sizes"], list)]
    if not rows:
        return None
    figure = Figure((8, 2 * -(-len(rows) // 3)), layout="constrained")
    axes = figure.subplots(-(-len(rows) // 3), 3, squeeze=False).ravel()
    for ax, row in zip(axes, rows, strict=False):
        ax.plot(row["sizes"], row["seconds"], "o-", color=OURS, markersize=4, linewidth=1)
        ax.set(xscale="log", yscale="log", ylabel="seconds")
        ax.set_title(f"{row['growing']}: exponent {row['exponent of time']:.2f}", fontsize=7)
        ax.set_xticks(row["sizes"], [f"{size:,}" for size in row["sizes"]], rotation=30)
        ax.minorticks_off()
    for ax in axes[len(rows) :]:
        ax.remove()
    return figure


def _roofline(rows: Rows) -> Figure | None:
    """Draw the rates of half sweeps under the bounds of bandwidth and multiply-adds, for each precision."""
    precisions = list(dict.fromkeys(row["precision"] for row in rows if row["what"] == "fma"))
    if not precisions:
        return None
    figure = Figure((7, 3.2), layout="constrained")
    for ax, precision in zip(figure.subplots(1, len(precisions), squeeze=False)[0], precisions, strict=True):
        for row in rows:
            if row["what"] == "triad" and row["precision"] == precision:
                _draw_roof(ax, rows, row, precision)
        ax.set(xscale="log", yscale="log", title=precision)
        ax.set(xlabel="operations per byte of least traffic", ylabel="GFLOP/s")
        ax.legend(frameon=False, fontsize=7)
    return figure


def _draw_roof(ax: Axes, rows: Rows, triad: Mapping[str, Any], precision: str) -> None:
    """Draw the bound of a number of threads, and the half sweeps with as many."""
    threads, memory = triad["threads"], triad["gb_per_s"]
    same = [row for row in rows if row["threads"] == threads and row.get("precision") == precision]
    peak = next(row["gflop_per_s"] for row in same if row["what"] == "fma")
    colour = OURS if threads == 1 else OTHERS
    ends = [0.5, peak / memory, 200]
    roof = [min(peak, memory * end) for end in ends]
    ax.plot(ends, roof, color=colour, linewidth=1, label=f"bound, {counted(threads, 'thread')}")
    for kind, marker in (("half sweep by sums", "o"), ("half sweep by entries", "s")):
        points = [row for row in same if row["what"] == kind]
        rates = [row["gflop_per_s"] for row in points]
        intensities = [row["operations_per_byte"] for row in points]
        ax.plot(intensities, rates, marker, color=colour, markersize=3, label=kind if threads == 1 else None)
        for row in points if threads == 1 else ():
            at = (row["operations_per_byte"], row["gflop_per_s"])
            beside = {"xytext": (3, -6), "textcoords": "offset points"}
            ax.annotate(f"{row['rank']}", at, fontsize=6, color=GREY, **beside)


def _ensemble(rows: Rows) -> Figure | None:
    """Draw the seconds of each fit as bars, by the number of threads."""
    done = [row for row in rows if "wall_s" in row]
    if not done:
        return None
    figure = Figure((7, 0.3 * len(done) + 0.6), layout="constrained")
    ax = figure.subplots()
    colours = [OTHERS if row["what"].startswith("implicit") else OURS for row in done]
    ax.barh(range(len(done)), [row["wall_s"] for row in done], color=colours, height=0.6)
    ax.set_yticks(range(len(done)), [f"{row['what']}, {counted(row['threads'], 'thread')}" for row in done])
    ax.invert_yaxis()
    ax.set_xlabel("seconds of the clock")
    return figure


_PLOTS: Mapping[str, Callable[[Rows], Figure | None]] = {
    "whole_fits": _whole_fits,
    "ratings": _ratings,
    "growth": _growth,
    "roofline": _roofline,
    "ensemble": _ensemble,
}
