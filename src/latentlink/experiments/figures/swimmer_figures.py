"""Figures of the study of the Swimmer data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from latentlink import datasets
from latentlink.experiments.case_lines import Lines
from latentlink.experiments.figures.figure_style import (
    BASE_COLOURS,
    GREY,
    MODE_TITLES,
    PAGE,
    method_label,
    modes_of,
    save,
    styled,
)
from latentlink.experiments.figures.image_panels import dense, show_image
from latentlink.experiments.figures.rank_panels import (
    Beyond,
    beyond_handles,
    draw_curve,
    draw_rank_violin,
    mark_true_rank,
)
from latentlink.experiments.figures.small_multiples import Grid, head_group, legend_below, name_group
from latentlink.experiments.method_lines import MethodLines

__all__ = ["draw"]

TRUE_RANK = 16
SIDE = 32
SHOWN = range(0, 256, 17)  # 16 figures in which every limb has every position
MEASURES = {"rmse": "mean RMSE", "rmse_answered": "RMSE of answered", "abstained": "share abstained"}
LINES = {"kmeans": "-", "otsu": (0, (4, 1.5)), "": (0, (1, 1.2)), "uniform": (0, (1, 1.2))}
LARGEST_RMSE = 0.2  # predicting 0 everywhere has 0.18


def draw(lines: Lines, folder: Path) -> list[Path]:
    """Draw the figures of the Swimmer data and return the paths of their files.

    Parameters
    ----------
    lines : list of dict
        Results of `swimmer_cases.run`; what is missing is left out of the figures.
    folder : Path
    """
    with styled():
        figures = {"swimmer_data": _data(), "swimmer_results": _results(lines)}
        return [path for name, figure in figures.items() for path in save(figure, folder, name)]


def _images(pixels: Literal["counts", "splashed"]) -> list[NDArray[np.float64]]:
    matrix = dense(datasets.swimmer(pixels=pixels).network)
    return [matrix[:, column].reshape(SIDE, SIDE, order="F") for column in SHOWN]


def _data() -> Figure:
    """Draw 16 figures in two rows of eight, counts over the same after Otsu's threshold."""
    figure = Figure(figsize=(PAGE, 3.3))
    grid = figure.add_gridspec(
        5,
        8,
        height_ratios=(1, 1, 0.12, 1, 1),
        left=0.045,
        right=0.92,
        bottom=0.01,
        top=0.99,
        wspace=0.06,
        hspace=0.06,
    )
    counts, binary = _images("counts"), _images("splashed")
    largest = float(np.max(counts))
    for number in range(len(SHOWN)):
        half, column = divmod(number, 8)
        above = figure.add_subplot(grid[3 * half, column])
        shown = show_image(above, counts[number], largest=largest)
        below = figure.add_subplot(grid[3 * half + 1, column])
        show_image(below, binary[number])
        if not column:
            above.set_ylabel("counts")
            below.set_ylabel("after Otsu")
    bar = figure.colorbar(shown, cax=figure.add_axes((0.935, 0.25, 0.012, 0.5)))
    bar.outline.set_linewidth(0.5)
    bar.set_label("count of a pixel")
    return figure


def _results(lines: Lines) -> Figure:
    """Draw chosen ranks by method, and errors and abstention by rank; a row for each mode."""
    by_mode = {mode: MethodLines(lines, mode, TRUE_RANK) for mode in modes_of(lines)}
    methods = list(dict.fromkeys(line["method"] for line in lines))
    grid = Grid((1,) * len(by_mode), (1, 3), 1.4, (0.36, 0.1), (0.36, 0.6), left=0.88, top=0.45)
    figure, axes = grid.panels()
    beyond = Beyond()
    for row, (mode, of) in zip(axes, by_mode.items(), strict=True):
        _draw_ranks(row[0], of, methods)
        for panel, measure in zip(row[1:], MEASURES, strict=True):
            beyond = beyond.with_those(_draw_measure(panel, of, methods, measure))
        for panel, title in zip(row, ("chosen ranks", *MEASURES.values()), strict=True):
            panel.set_title(title)
        head_group(row, MODE_TITLES[mode], above=0.2)
    for column in axes[:, 1:].T:
        top = max(panel.get_ylim()[1] for panel in column)
        for panel in column:
            panel.set_ylim(0, top)
    name_group(axes[-1], "rank", below=0.17)
    legend_below(figure, [*_handles(methods), *beyond_handles(beyond)])
    return figure


def _draw_ranks(panel: Axes, of: MethodLines, methods: Sequence[str]) -> None:
    for place, method in enumerate(methods):
        if method in of.methods:
            ranks = np.concatenate([of.ranks(method, share) for share in _shares(of, method)])
            draw_rank_violin(panel, ranks, place, height=0.85, colour=_colour(method))
    panel.set(xlim=(0.2, 20.8), ylim=(len(methods) - 0.4, -0.6), xticks=(1, 4, 8, 12, 16, 20))
    panel.set_yticks(range(len(methods)), [method_label(method) for method in methods])
    mark_true_rank(panel, TRUE_RANK)


def _draw_measure(panel: Axes, of: MethodLines, methods: Sequence[str], name: str) -> Beyond:
    """Draw a curve for each method; return the extreme values beyond the axis."""
    limit = 1.0 if name == "abstained" else LARGEST_RMSE
    most, beyond = 0.0, Beyond()
    for method in methods:
        for share in _shares(of, method):
            ranks = [int(rank) for rank in of.groups[method, share][0]["ranks"].split()]
            curve = of.curve(method, name, share)
            style = {"color": _colour(method), "linestyle": LINES.get(method.partition(" ")[2], "-")}
            beyond = beyond.with_those(draw_curve(panel, ranks, curve, (0.0, limit), **style))
            most = max(most, curve[np.isfinite(curve)].max(initial=0.0))
    panel.set(xlim=(0.2, 20.8), xticks=(1, 4, 8, 12, 16, 20), ylim=(0, min(1.08 * most, limit) or limit))
    panel.yaxis.set_major_locator(MaxNLocator(4))
    mark_true_rank(panel, TRUE_RANK)
    return beyond


def _shares(of: MethodLines, method: str) -> list[float]:
    """Return the first share of hidden entries that the method was run with; the study has one."""
    return [share for share in of.shares if (method, share) in of.groups][:1]


def _colour(method: str) -> str:
    return BASE_COLOURS.get(method.partition(" ")[0], GREY)


def _handles(methods: Sequence[str]) -> list[Any]:
    """Return a legend entry for each colour and each kind of line."""
    bases = dict.fromkeys(method.partition(" ")[0] for method in methods)
    kinds = {"real-valued factors": LINES[""], "kmeans": LINES["kmeans"], "otsu": LINES["otsu"]}
    return [
        *(Line2D([], [], color=_colour(base), linewidth=3, label=base) for base in bases),
        *(Line2D([], [], color="0.3", linestyle=style, label=kind) for kind, style in kinds.items()),
    ]
