"""Figures of the study of Gaussian matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter
from numpy.typing import ArrayLike

from latentlink.experiments.case_lines import Lines
from latentlink.experiments.figures.figure_style import (
    MODE_TITLES,
    RANK_STYLES,
    SHARE_TEXT,
    save,
    styled,
)
from latentlink.experiments.figures.gaussian_correlations import correlation_appendix, correlation_figure
from latentlink.experiments.figures.gaussian_series import Place, Series
from latentlink.experiments.figures.intervals import mean_and_margin
from latentlink.experiments.figures.small_multiples import (
    Grid,
    head_group,
    label_row,
    legend_below,
    name_group,
    only_outer_labels,
)

__all__ = ["draw"]

SHARE_COLOURS = {0.1: "#C1272D", 0.5: "#0072B2"}
DrawPanel = Callable[[Axes, Series, Place], None]


def draw(lines: Lines, folder: Path) -> list[Path]:
    """Draw the figures of the Gaussian matrices and return the paths of their files.

    Parameters
    ----------
    lines : list of dict
        Results of `gaussian_cases.run`; what is missing is left out of the figures.
    folder : Path
    """
    series = Series(lines)
    with styled():
        figures = {
            "gaussian_ranks": _ranks(series),
            "gaussian_errors": _errors(series),
            "gaussian_correlation": correlation_figure(series),
            "gaussian_correlation_appendix": correlation_appendix(series),
            "gaussian_smr": _smr(series),
        }
        return [path for name, figure in figures.items() for path in save(figure, folder, name)]


def _ranks(series: Series) -> Figure:
    """Draw the mean chosen rank with its interval against the share hidden."""

    def panel(axes: Axes, series: Series, place: Place) -> None:
        for rank in series.true_ranks:
            shares = series.shares_of(place, rank)
            found = [mean_and_margin(series.chosen(place, rank, share)) for share in shares]
            _draw_line(axes, rank, shares, [mean for mean, _ in found], [margin for _, margin in found])
        axes.set(ylim=(0.5, 8.5), yticks=series.visited)
        for rank in series.true_ranks:
            axes.axhline(rank, color=_style(rank)[0], linewidth=0.4, alpha=0.6, zorder=0.4)
        _share_axis(axes)

    return _by_place(series, {"mean chosen rank": panel}, SHARE_TEXT, 1.7)


def _errors(series: Series) -> Figure:
    """Draw the median RMSE by rank; marks are full at the true rank."""
    colours = {share: colour for share, colour in SHARE_COLOURS.items() if share in series.shares}

    def panel(axes: Axes, series: Series, place: Place) -> None:
        for share in colours:
            for rank in series.true_ranks:
                if (place, rank, share) in series.groups:
                    _draw_errors(axes, series, place, rank, share)
        axes.set(yscale="log", xlim=(0.6, 8.4), xticks=series.visited)
        axes.yaxis.set_minor_formatter(NullFormatter())

    handles = [
        *(Line2D([], [], color=colour, label=f"{share:g} hidden") for share, colour in colours.items()),
        Line2D([], [], color="none", label="true rank (mark full there):"),
        *(
            Line2D([], [], color="0.3", linestyle="", marker=_style(rank)[1], label=str(rank))
            for rank in series.true_ranks
        ),
    ]
    return _by_place(series, {"median RMSE": panel}, "rank", 2.0, same_limits=True, handles=handles)


def _draw_errors(axes: Axes, series: Series, place: Place, rank: int, share: float) -> None:
    curve = np.median(series.by_rank(place, rank, share, "rmse"), axis=0)
    colour, marker = SHARE_COLOURS[share], _style(rank)[1]
    hollow: dict[str, Any] = {
        "marker": marker,
        "markerfacecolor": "white",
        "markeredgewidth": 0.7,
        "markersize": 3,
    }
    axes.plot(series.visited, curve, color=colour, linewidth=0.8, **hollow)
    if rank in series.visited:
        at = series.visited.index(rank)
        axes.plot(rank, curve[at], marker, color=colour, markersize=5, markeredgewidth=0, zorder=4)


def _smr(series: Series) -> Figure:
    """Draw SMR and NSMR at the true rank against the share hidden; NSMR by both kinds of error."""

    def ratio(axes: Axes, series: Series, place: Place) -> None:
        for rank in series.true_ranks:
            found = [mean_and_margin(each) for each in series.at_true_rank(place, rank, "smr")]
            shares = series.shares_of(place, rank)
            _draw_line(axes, rank, shares, [mean for mean, _ in found], [margin for _, margin in found])
        _share_axis(axes)

    def weighted(correlation: str) -> DrawPanel:
        def panel(axes: Axes, series: Series, place: Place) -> None:
            for rank in series.true_ranks:
                values = series.nsmr(place, rank, correlation)
                _draw_line(axes, rank, series.shares_of(place, rank), values)
            axes.axhline(0, color="0.7", linewidth=0.6, zorder=0.4)
            _share_axis(axes)

        return panel

    rows = {
        "SMR": ratio,
        "NSMR by\nrelative error": weighted("relative_correlation"),
        "NSMR by\nabsolute error": weighted("correlation"),
    }
    return _by_place(series, rows, SHARE_TEXT, 1.1, same_limits=True, left=0.6)


def _by_place(
    series: Series,
    rows: dict[str, DrawPanel],
    name: str,
    height: float,
    *,
    same_limits: bool = False,
    handles: Sequence[Any] = (),
    left: float = 0.5,
) -> Figure:
    """Draw a column for each method and mode, a row for each measure, and a legend of true ranks."""
    counts = [sum(place.mode == mode for place in series.places) for mode in series.modes]
    figure, axes = Grid(
        (len(rows),), counts, height, gap=(0.1, 0.12), left=left, top=0.45, bottom=0.6
    ).panels()
    for row, (label, panel) in zip(axes, rows.items(), strict=True):
        for each, place in zip(row, series.places, strict=True):
            panel(each, series, place)
        if same_limits:
            _share_limits(row)
        label_row(row[:1], label, left=left - 0.14)
    for each, place in zip(axes[0], series.places, strict=True):
        each.set_title(place.method)
    starts = np.cumsum([0, *counts])
    for mode, start, end in zip(series.modes, starts, starts[1:], strict=False):
        head_group(axes[0, start:end], MODE_TITLES[mode], above=0.2)
        name_group(axes[-1, start:end], name, below=0.19)
    only_outer_labels(axes)
    legend_below(figure, handles or _rank_handles(series))
    return figure


def _draw_line(
    axes: Axes,
    rank: int,
    shares: Sequence[float],
    means: ArrayLike,
    margins: ArrayLike | None = None,
) -> None:
    """Draw means of one true rank, with bars for their intervals."""
    colour, marker = _style(rank)
    axes.errorbar(
        shares,
        means,
        yerr=margins,
        color=colour,
        marker=marker,
        markersize=3.5,
        capsize=1.5,
        linewidth=0.9,
        elinewidth=0.6,
        capthick=0.6,
        markeredgewidth=0,
    )


def _style(rank: int) -> tuple[str, str]:
    return RANK_STYLES.get(rank, ("0.45", "v"))


def _share_axis(axes: Axes) -> None:
    axes.set(xlim=(0.05, 0.95), xticks=(0.1, 0.3, 0.5, 0.7, 0.9))


def _share_limits(row: Sequence[Axes]) -> None:
    """Give all panels of a row the limits that show everything in each of them."""
    limits = np.array([panel.get_ylim() for panel in row if panel.has_data()])
    if len(limits):
        for panel in row:
            panel.set_ylim(limits[:, 0].min(), limits[:, 1].max())


def _rank_handles(series: Series) -> list[Line2D]:
    """Return a legend entry for each true rank."""
    heading = Line2D([], [], color="none", label="true rank:")
    styles = {rank: _style(rank) for rank in series.true_ranks}
    return [
        heading,
        *(
            Line2D([], [], color=colour, marker=marker, markeredgewidth=0, label=str(rank))
            for rank, (colour, marker) in styles.items()
        ),
    ]
