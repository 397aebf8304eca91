"""Grids of panels over methods, modes and measures, each with a curve or violin for every share hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from latentlink.experiments.by_rank import numbers
from latentlink.experiments.figures.figure_style import SHARE_TEXT, share_colours
from latentlink.experiments.figures.rank_panels import (
    Beyond,
    beyond_handles,
    draw_curve,
    draw_rank_violin,
    mark_true_rank,
    share_handles,
    tick_ranks,
)
from latentlink.experiments.figures.small_multiples import Grid, legend_below, only_outer_labels
from latentlink.experiments.method_lines import MethodLines

__all__ = [
    "ABSTAINED",
    "ANSWERED",
    "CHANGE",
    "RANKS",
    "RMSE",
    "TRUE_RANK",
    "ByMode",
    "Cell",
    "Measure",
    "draw_cells",
]

TRUE_RANK = 4
LARGEST_RMSE = 0.8  # predicting 0 everywhere has 0.53; diverged factors have up to 100,000

ByMode = Mapping[str, MethodLines]
Curve = Callable[[MethodLines, str, float], NDArray[np.float64]]


@dataclass(frozen=True)
class Measure:
    """What a panel shows: a curve over the ranks for each share hidden; without a curve, the chosen ranks."""

    label: str  # of the vertical axis
    title: str
    limits: tuple[float, float]
    ticks: tuple[float, ...]
    curve: Curve | None = None

    def draw(self, axes: Axes, of: MethodLines, method: str, colours: Mapping[float, Any]) -> Beyond:
        """Draw one method; return the extreme values beyond the axis."""
        beyond = Beyond()
        groups = {share: of.groups[method, share] for share in colours if (method, share) in of.groups}
        ranks = [int(rank) for rank in next(iter(groups.values()))[0]["ranks"].split()]
        for share in groups:
            if self.curve is None:
                draw_rank_violin(axes, of.ranks(method, share), share, height=0.095, colour=colours[share])
            else:
                values = self.curve(of, method, share)
                drawn = draw_curve(axes, ranks, values, self.limits, color=colours[share])
                beyond = beyond.with_those(drawn)
        if self.limits[0] < 0 < self.limits[1]:
            axes.axhline(0, color="0.7", linewidth=0.6, zorder=0.4)
        mark_true_rank(axes, TRUE_RANK)
        tick_ranks(axes, ranks, (1, 4, 8))
        axes.set(ylim=self.limits, yticks=self.ticks)
        return beyond


def _change(of: MethodLines, method: str, share: float) -> NDArray[np.float64]:
    """Return by how much abstaining changes the error at every rank, the mean over runs that answer."""
    group = of.groups[method, share]
    changes = np.array([numbers(line, "rmse_answered") - numbers(line, "rmse") for line in group])
    known = np.isfinite(changes)
    total = np.where(known, changes, 0).sum(axis=0)
    return np.divide(total, known.sum(axis=0), out=np.full(len(total), np.nan), where=known.any(axis=0))


def _mean(name: str) -> Curve:
    return lambda of, method, share: of.curve(method, name, share)


RANKS = Measure("share hidden", "chosen\nranks", (0.03, 0.97), (0.1, 0.5, 0.9))
RMSE = Measure("mean RMSE", "mean\nRMSE", (0, LARGEST_RMSE), (0, 0.3, 0.6), _mean("rmse"))
ANSWERED = Measure("RMSE", "RMSE of\nanswered", (0, LARGEST_RMSE), (0, 0.3, 0.6), _mean("rmse_answered"))
CHANGE = Measure("change of RMSE", "change\nof RMSE", (-0.45, 0.15), (-0.4, -0.2, 0), _change)
ABSTAINED = Measure("share abstained", "share\nabstained", (0, 1), (0, 0.4, 0.8), _mean("abstained"))


class Cell(NamedTuple):
    """A panel: one measure of one method in one mode."""

    mode: str
    method: str
    measure: Measure


def draw_cells(by_mode: ByMode, cells: Sequence[Sequence[Cell]], grid: Grid) -> tuple[Figure, Any]:
    """Draw a grid of panels with its legend; those without results stay empty.

    Returns
    -------
    Figure
    array of Axes, shape (rows, columns)
    """
    figure, axes = grid.panels()
    colours = share_colours(sorted({share for of in by_mode.values() for share in of.shares}))
    beyond = Beyond()
    for row, panels in zip(cells, axes, strict=True):
        for (mode, method, measure), panel in zip(row, panels, strict=True):
            if method in by_mode[mode].methods:
                beyond = beyond.with_those(measure.draw(panel, by_mode[mode], method, colours))
            else:
                panel.set_axis_off()
    only_outer_labels(axes, left=cells[0][0].measure is cells[0][-1].measure)
    legend_below(figure, [*share_handles(colours), *beyond_handles(beyond)], f"{SHARE_TEXT}:")
    return figure, axes
