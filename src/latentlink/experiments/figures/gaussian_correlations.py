"""Figures of the correlation of uncertainty and error of Gaussian matrices, by the rank of the factors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from latentlink.experiments.figures.figure_style import BASE_COLOURS, GREY, MODE_TITLES, SHARE_TEXT
from latentlink.experiments.figures.gaussian_series import Place, Series
from latentlink.experiments.figures.intervals import mean_and_margin
from latentlink.experiments.figures.rank_panels import mark_true_rank, tick_ranks
from latentlink.experiments.figures.small_multiples import (
    Grid,
    head_group,
    label_row,
    legend_below,
    name_group,
    only_outer_labels,
)

__all__ = ["correlation_appendix", "correlation_figure"]

MAIN_SHARES = (0.1, 0.5, 0.9)
MAIN_RANKS = (2, 3)
MARKERS = {"WNMFk": "o", "RNMFk": "s"}
LINE_STYLES: dict[str, Any] = {"relative_correlation": "-", "correlation": (0, (3, 1.5))}
KINDS = {"relative_correlation": "relative error", "correlation": "absolute error"}


def correlation_figure(series: Series) -> Figure:
    """Draw the correlations with relative and absolute errors for some shares hidden and true ranks."""
    shares = [share for share in MAIN_SHARES if share in series.shares] or series.shares[:3]
    ranks = [rank for rank in MAIN_RANKS if rank in series.true_ranks] or series.true_ranks[:2]
    grid = Grid((len(ranks),), [len(shares)] * len(series.modes), 1.15, gap=(0.08, 0.12), left=0.62, top=0.45)
    figure, axes = grid.panels()
    columns = [(mode, share) for mode in series.modes for share in shares]
    for row, rank in zip(axes, ranks, strict=True):
        for panel, (mode, share) in zip(row, columns, strict=True):
            for method in series.methods:
                _draw_points(panel, series, Place(mode, method), rank, share)
            _finish(panel, series, rank)
        label_row(row[:1], f"true rank {rank}", left=0.38)
    for panel, (_, share) in zip(axes[0], columns, strict=True):
        panel.set_title(f"{share:g} hidden")
    label_row(axes[:, 0], "correlation with the error", left=0.54)
    for number, mode in enumerate(series.modes):
        group = slice(number * len(shares), (number + 1) * len(shares))
        head_group(axes[0, group], MODE_TITLES[mode], above=0.2)
        name_group(axes[-1, group], "rank", below=0.17)
    only_outer_labels(axes)
    legend_below(figure, [*_methods(series, marks=True), *_kinds()])
    return figure


def correlation_appendix(series: Series) -> Figure:
    """Draw the correlations with absolute and relative errors for all shares hidden and true ranks."""
    ranks, shares = series.true_ranks, series.shares
    grid = Grid(
        [len(ranks)] * len(series.modes),
        (len(shares),),
        0.72,
        (0.06, 0.06),
        (0.06, 0.22),
        left=0.82,
        top=0.35,
    )
    figure, axes = grid.panels()
    rows = [(mode, rank) for mode in series.modes for rank in ranks]
    for row, (mode, rank) in zip(axes, rows, strict=True):
        for panel, share in zip(row, shares, strict=True):
            for method in series.methods:
                _draw_bands(panel, series, Place(mode, method), rank, share)
            _finish(panel, series, rank)
        label_row(row[:1], f"true rank {rank}", left=0.38)
    for panel, share in zip(axes[0], shares, strict=True):
        panel.set_title(f"{share:g}")
    for number, mode in enumerate(series.modes):
        panels = axes[number * len(ranks) : (number + 1) * len(ranks), 0]
        label_row(panels, f"{MODE_TITLES[mode]}: correlation with the error", left=0.6)
    head_group(axes[0], SHARE_TEXT, above=0.18)
    name_group(axes[-1], "rank", below=0.17)
    only_outer_labels(axes)
    legend_below(figure, [*_methods(series, marks=False), *_kinds()])
    return figure


def _draw_points(panel: Axes, series: Series, place: Place, rank: int, share: float) -> None:
    """Draw means with bars for their intervals; the methods side by side."""
    if (place, rank, share) not in series.groups:
        return
    aside = 0.12 * (2 * series.methods.index(place.method) - 1)
    for name, style in LINE_STYLES.items():
        mean, margin = mean_and_margin(series.by_rank(place, rank, share, name))
        panel.errorbar(
            [each + aside for each in series.visited],
            mean,
            yerr=margin,
            color=_colour(place.method),
            linestyle=style,
            marker=MARKERS.get(place.method, "^"),
            markersize=3,
            markeredgewidth=0,
            linewidth=0.8,
            elinewidth=0.7,
            capsize=1.3,
            capthick=0.6,
        )


def _draw_bands(panel: Axes, series: Series, place: Place, rank: int, share: float) -> None:
    """Draw means as lines in bands for their intervals, of both kinds of error."""
    if (place, rank, share) not in series.groups:
        return
    colour = _colour(place.method)
    for name, style in LINE_STYLES.items():
        mean, margin = mean_and_margin(series.by_rank(place, rank, share, name))
        panel.plot(series.visited, mean, color=colour, linestyle=style, linewidth=0.8)
        panel.fill_between(series.visited, mean - margin, mean + margin, color=colour, alpha=0.2, linewidth=0)


def _finish(panel: Axes, series: Series, rank: int) -> None:
    panel.axhline(0, color="0.7", linewidth=0.6, zorder=0.4)
    mark_true_rank(panel, rank)
    tick_ranks(panel, series.visited, (1, 4, 8))
    panel.set(ylim=(-0.5, 1), yticks=(-0.4, 0, 0.4, 0.8))


def _colour(method: str) -> str:
    return BASE_COLOURS.get(method, GREY)


def _kinds() -> Sequence[Line2D]:
    """Return a legend entry for each kind of error."""
    return [Line2D([], [], color="0.3", linestyle=LINE_STYLES[name], label=KINDS[name]) for name in KINDS]


def _methods(series: Series, *, marks: bool) -> Sequence[Line2D]:
    """Return a legend entry for each method."""
    return [
        Line2D([], [], color=_colour(each), marker=MARKERS.get(each, "^") if marks else "", label=each)
        for each in series.methods
    ]
