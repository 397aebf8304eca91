"""Grids of small panels of equal size, in groups of rows and columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from latentlink.experiments.figures.figure_style import PAGE

__all__ = ["Grid", "head_group", "label_row", "legend_below", "name_group", "only_outer_labels"]


@dataclass(frozen=True)
class Grid:
    """Where the panels of a figure are; lengths in inches.

    Attributes
    ----------
    rows, columns : sequence of int
        Numbers of rows and columns in each group; groups are further apart than the panels of one.
    panel_height : float
    gap, group_gap : (float, float)
        Distances of columns and of rows, within groups and between them.
    left, right, top, bottom : float
        Margins.
    width : float
        Of the figure; the panels take what the margins and gaps leave.
    """

    rows: Sequence[int]
    columns: Sequence[int]
    panel_height: float
    gap: tuple[float, float] = (0.08, 0.08)
    group_gap: tuple[float, float] = (0.2, 0.3)
    left: float = 0.45
    right: float = 0.05
    top: float = 0.4
    bottom: float = 0.6
    width: float = PAGE

    def panels(self) -> tuple[Figure, Any]:
        """Return a figure and an array of its axes, shape (rows, columns)."""
        across = np.array(list(_gaps(self.columns, self.gap[0], self.group_gap[0])))
        down = np.array(list(_gaps(self.rows, self.gap[1], self.group_gap[1])))
        panel = (self.width - self.left - self.right - across.sum()) / len(across)
        height = self.top + down.sum() + len(down) * self.panel_height + self.bottom
        figure = Figure(figsize=(self.width, height))
        axes = np.empty((len(down), len(across)), dtype=object)
        for row, above in enumerate(np.cumsum(down) + self.top):
            for column, before in enumerate(np.cumsum(across) + self.left):
                left, top = before + column * panel, above + row * self.panel_height
                axes[row, column] = figure.add_axes(
                    (
                        left / self.width,
                        1 - (top + self.panel_height) / height,
                        panel / self.width,
                        self.panel_height / height,
                    )
                )
        return figure, axes


def _gaps(groups: Sequence[int], within: float, between: float) -> Iterator[float]:
    """Yield the distance before each row or column."""
    for number, size in enumerate(groups):
        for place in range(size):
            yield 0.0 if not number and not place else within if place else between


def only_outer_labels(axes: Any, *, left: bool = True) -> None:
    """Leave tick labels at the lowest panel of each column that is drawn, and at the left column.

    Parameters
    ----------
    axes : array of Axes, shape (rows, columns)
    left : bool
        Whether columns share their vertical axis; if not, all of them keep its labels.
    """
    for panel in axes[:, 1:].flat if left else ():
        panel.tick_params(labelleft=False)
    for column in axes.T:
        shown = [panel for panel in column if panel.axison]
        for panel in shown[:-1]:
            panel.tick_params(labelbottom=False)


def head_group(axes: Sequence[Axes], text: str, *, above: float) -> None:
    """Write a heading over panels side by side, with a thin line under it, ``above`` inches over them."""
    figure: Any = axes[0].figure
    first, last = axes[0].get_position(), axes[-1].get_position()
    inch = 1 / figure.get_figheight()
    y = first.y1 + above * inch
    figure.add_artist(
        Line2D((first.x0, last.x1), (y, y), color="0.6", linewidth=0.6, transform=figure.transFigure)
    )
    figure.text(
        (first.x0 + last.x1) / 2, y + 0.03 * inch, text, ha="center", va="bottom", fontsize=8, weight="bold"
    )


def name_group(axes: Sequence[Axes], text: str, *, below: float) -> None:
    """Write the name of the horizontal axis under panels side by side, ``below`` inches under them."""
    figure: Any = axes[0].figure
    first, last = axes[0].get_position(), axes[-1].get_position()
    y = first.y0 - below / figure.get_figheight()
    figure.text((first.x0 + last.x1) / 2, y, text, ha="center", va="top")


def label_row(axes: Sequence[Axes], text: str, *, left: float) -> None:
    """Write a vertical label of several panels one over the other, ``left`` inches before them."""
    figure: Any = axes[0].figure
    top, low = axes[0].get_position(), axes[-1].get_position()
    figure.text(
        top.x0 - left / figure.get_figwidth(),
        (top.y1 + low.y0) / 2,
        text,
        rotation=90,
        ha="center",
        va="center",
        fontsize=7.5,
    )


def legend_below(figure: Figure, handles: Iterable[Any], title: str = "", *, y: float = 0.0) -> None:
    """Draw a legend in one line below the panels, its lower edge ``y`` inches over the edge of the figure."""
    entries = list(handles)
    if title:
        entries.insert(0, Patch(facecolor="none", edgecolor="none", label=title))
    figure.legend(
        handles=entries,
        loc="lower center",
        bbox_to_anchor=(0.5, y / figure.get_figheight()),
        ncols=len(entries),
        handlelength=1.5,
        handletextpad=0.4,
        columnspacing=1.0,
        borderaxespad=0,
        borderpad=0,
    )
