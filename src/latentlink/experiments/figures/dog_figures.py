"""Figures of the study of the Dog data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter
from numpy.typing import NDArray

from latentlink import datasets
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.experiments.figures.dog_panels import (
    ABSTAINED,
    ANSWERED,
    CHANGE,
    RANKS,
    RMSE,
    TRUE_RANK,
    ByMode,
    Cell,
    Measure,
    draw_cells,
)
from latentlink.experiments.figures.figure_style import (
    BASE_COLOURS,
    GREY,
    MODE_TITLES,
    method_label,
    modes_of,
    save,
    styled,
)
from latentlink.experiments.figures.image_panels import dense, show_image
from latentlink.experiments.figures.small_multiples import (
    Grid,
    head_group,
    label_row,
    name_group,
    only_outer_labels,
)
from latentlink.experiments.method_lines import MethodLines

__all__ = ["draw"]

MAIN = ("BNMFk kmeans", "NMFk", "WNMFk")
BASES = ("BNMFk", "NMFk", "WNMFk")
THRESHOLDS = ("kmeans", "otsu", "search")
SIDE = 20


def draw(lines: Lines, folder: Path) -> list[Path]:
    """Draw the figures of the Dog data and return the paths of their files.

    Parameters
    ----------
    lines : list of dict
        Results of `dog_cases.run`. What is missing is left out of the figures, and figures without any
        results are left out.
    folder : Path
    """
    by_mode = {mode: MethodLines(lines, mode, TRUE_RANK) for mode in modes_of(lines)}
    with styled():
        figures = {
            "dog_data": _data(),
            "dog_ranks_and_errors": _ranks_and_errors(by_mode),
            "dog_thresholds": _by_threshold(by_mode, (RANKS, RMSE)),
            "dog_abstention": _by_threshold(by_mode, (CHANGE, ABSTAINED)),
            "dog_time": _time(lines),
            "dog_appendix": _appendix(by_mode),
        }
        drawn = {name: figure for name, figure in figures.items() if figure is not None}
        return [path for name, figure in drawn.items() for path in save(figure, folder, name)]


def _data() -> Figure:
    """Draw the four drawings, and their 16 combinations."""
    data = datasets.dog()
    drawings: Any = data.truth
    figure = Figure(figsize=(4.8, 2.5))
    grid = figure.add_gridspec(
        4,
        9,
        width_ratios=[1] * 4 + [0.4] + [1] * 4,
        left=0.005,
        right=0.995,
        bottom=0.01,
        top=0.92,
        wspace=0.1,
        hspace=0.1,
    )
    for number, drawing in enumerate(drawings.W.T):
        down, right = divmod(number, 2)
        place = grid[2 * down : 2 * down + 2, 2 * right : 2 * right + 2]
        show_image(figure.add_subplot(place), drawing.reshape(SIDE, SIDE))
    for number, image in enumerate(dense(data.network).T):
        down, right = divmod(number, 4)
        show_image(figure.add_subplot(grid[down, 5 + right]), image.reshape(SIDE, SIDE))
    for x, text in ((0.23, "four drawings"), (0.77, "their 16 combinations")):
        figure.text(x, 0.94, text, ha="center", va="bottom")
    return figure


def _ranks_and_errors(by_mode: ByMode) -> Figure | None:
    """Draw BNMFk, NMFk and WNMFk side by side, chosen ranks over errors."""
    methods = [each for each in MAIN if _has_results(by_mode, each)]
    if not methods:
        return None
    measures = (RANKS, RMSE)
    cells = [[Cell(mode, each, measure) for mode in by_mode for each in methods] for measure in measures]
    grid = Grid((2,), [len(methods)] * len(by_mode), 1.05, top=0.45, bottom=0.55)
    figure, axes = draw_cells(by_mode, cells, grid)
    _title_methods(axes[0], cells[0])
    _label(axes, cells, by_mode)
    return figure


def _by_threshold(by_mode: ByMode, measures: tuple[Measure, Measure]) -> Figure | None:
    """Draw two measures of nine methods: thresholds side by side, factorizations one below the other."""
    found = [(base, each) for base in BASES for each in THRESHOLDS if _has_results(by_mode, f"{base} {each}")]
    bases = [base for base in BASES if base in {base for base, _ in found}]
    thresholds = [each for each in THRESHOLDS if each in {each for _, each in found}]
    if not found:
        return None
    cells = [
        [Cell(mode, f"{base} {threshold}", measure) for mode in by_mode for threshold in thresholds]
        for base in bases
        for measure in measures
    ]
    grid = Grid((2,) * len(bases), [len(thresholds)] * len(by_mode), 0.9, top=0.45, bottom=0.55)
    figure, axes = draw_cells(by_mode, cells, grid)
    for row in range(0, len(cells), 2):
        _title_methods(axes[row], cells[row])
    _label(axes, cells, by_mode)
    return figure


def _has_results(by_mode: ByMode, method: str) -> bool:
    return any(method in of.methods for of in by_mode.values())


def _appendix(by_mode: ByMode) -> Figure:
    """Draw all measures of all methods, a row for each method."""
    methods = _ordered(each for of in by_mode.values() for each in of.methods)
    groups = [len(list(group)) for _, group in groupby(methods, key=lambda each: each.split()[0])]
    measures = (RANKS, RMSE, ANSWERED, ABSTAINED)
    cells = [[Cell(mode, each, measure) for mode in by_mode for measure in measures] for each in methods]
    grid = Grid(
        groups,
        [len(measures)] * len(by_mode),
        0.46,
        (0.25, 0.07),
        (0.3, 0.16),
        left=1.05,
        top=0.57,
        bottom=0.55,
    )
    figure, axes = draw_cells(by_mode, cells, grid)
    for panel, cell in zip(axes[0], cells[0], strict=True):
        panel.set_title(cell.measure.title, fontsize=7)
    for row, method in zip(axes, methods, strict=True):
        place = row[0].get_position()
        figure.text(
            place.x0 - 0.25 / figure.get_figwidth(),
            (place.y0 + place.y1) / 2,
            method_label(method),
            ha="right",
            va="center",
        )
    _label(axes, cells, by_mode, rows=False, above=0.32)
    return figure


def _title_methods(panels: Sequence[Axes], cells: Sequence[Cell]) -> None:
    for panel, cell in zip(panels, cells, strict=True):
        panel.set_title(method_label(cell.method) if panel.axison else "")


def _label(
    axes: Any, cells: Sequence[Sequence[Cell]], by_mode: ByMode, *, rows: bool = True, above: float = 0.2
) -> None:
    """Write the modes over their columns, the names of the measures, and the name of the rank axis."""
    for row, line in zip(axes, cells, strict=True):
        if rows:
            label_row(row[:1], line[0].measure.label, left=0.36)
    for mode, panels in zip(by_mode, np.split(axes, len(by_mode), axis=1), strict=True):
        head_group(panels[0], MODE_TITLES[mode], above=above)
        name_group(panels[-1], "rank", below=0.17)


def _time(lines: Lines) -> Figure:
    """Draw the CPU time of searches by method."""
    modes = modes_of(lines)
    methods = _ordered(line["method"] for line in lines)
    figure, axes = Grid(
        (1,), (1,) * len(modes), 0.15 * len(methods) + 0.1, left=0.85, top=0.2, bottom=0.4
    ).panels()
    times = {key: columns(group, "seconds")["seconds"] for key, group in grouped(lines, "mode", "method")}
    for mode, panel in zip(modes, axes[0], strict=True):
        for place, method in enumerate(methods):
            if (mode, method) in times:
                _box(panel, times[mode, method], place, BASE_COLOURS.get(method.split()[0], GREY))
        panel.set(xscale="log", ylim=(len(methods) - 0.4, -0.6))
        panel.set_title(MODE_TITLES[mode], weight="bold")
        panel.set_yticks(range(len(methods)), [method_label(each) for each in methods])
        panel.grid(axis="x", color="0.9", linewidth=0.5)
        panel.set_axisbelow(True)
        panel.set_xlim(_around(np.concatenate(list(times.values()))))
        panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        panel.xaxis.set_minor_formatter(NullFormatter())
    only_outer_labels(axes)
    name_group(
        axes[0],
        "CPU time of a search over all ranks in seconds (mark: median, box: quartiles, line: range)",
        below=0.2,
    )
    return figure


def _box(panel: Axes, seconds: NDArray[np.float64], place: int, colour: str) -> None:
    """Draw the quartiles of times as a box, the range as a line, and the median as a mark."""
    least, low, middle, high, most = np.quantile(seconds, (0, 0.25, 0.5, 0.75, 1))
    panel.plot([least, most], [place, place], color=colour, linewidth=0.8)
    panel.barh(place, high - low, 0.55, left=low, color=colour, alpha=0.55, linewidth=0)
    panel.plot([middle], [place], "|", color="0.1", markersize=6, markeredgewidth=1.2)


def _around(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return limits of a logarithmic axis a little beyond positive values, and at least a decade apart."""
    logs = np.log10(values[values > 0])
    spare = max(0.05, (1 - np.ptp(logs)) / 2)
    return 10 ** (logs.min() - spare), 10 ** (logs.max() + spare)


def _ordered(methods: Iterable[str]) -> list[str]:
    """Return methods once each, those of one factorization together."""
    found = list(dict.fromkeys(methods))
    bases = list(dict.fromkeys(method.split()[0] for method in found))
    return sorted(found, key=lambda method: bases.index(method.split()[0]))
