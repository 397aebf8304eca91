"""Panels over the rank: violins of chosen ranks, and curves of measures, which share their axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

__all__ = [
    "Beyond",
    "beyond_handles",
    "draw_curve",
    "draw_rank_violin",
    "mark_true_rank",
    "share_handles",
    "tick_ranks",
]


class Beyond(NamedTuple):
    """The extreme values beyond the limits of an axis, 0 where there is none."""

    least: float = 0.0
    largest: float = 0.0

    def with_those(self, other: Beyond) -> Beyond:
        """Return the extremes of both."""
        return Beyond(min(self.least, other.least), max(self.largest, other.largest))


def draw_rank_violin(
    axes: Axes, ranks: ArrayLike, at: float, *, height: float, colour: Any, width: float = 0.9
) -> None:
    """Draw how often each rank was chosen as bars around a horizontal line, as high as the rank is frequent.

    A violin of a smoothed density would show ranks between the integers, which nothing chooses.

    Parameters
    ----------
    axes : Axes
    ranks : array
        The ranks chosen by all runs.
    at : float
        The middle of the bars on the vertical axis.
    height : float
        Of a bar that has all runs.
    colour : colour
    width : float
        Of a bar, in ranks.
    """
    chosen, counts = np.unique(np.asarray(ranks), return_counts=True)
    shares = counts / counts.sum()
    axes.bar(chosen, shares * height, width, bottom=at - shares * height / 2, color=colour, linewidth=0)


def draw_curve(
    axes: Axes, ranks: Sequence[int], values: ArrayLike, limits: tuple[float, float], **style: Any
) -> Beyond:
    """Draw a measure over the ranks, with triangles on the edges of the panel where it exceeds them.

    Returns
    -------
    Beyond
        The least value below the limits and the largest above.
    """
    numbers = np.asarray(values, np.float64)
    axes.plot(ranks, numbers, **style)
    for limit, beyond, marker in (
        (limits[0], numbers < limits[0], "v"),
        (limits[1], numbers > limits[1], "^"),
    ):
        if beyond.any():
            axes.plot(
                np.asarray(ranks)[beyond],
                np.full(beyond.sum(), limit),
                marker,
                color=style.get("color"),
                markersize=3.5,
                markeredgewidth=0,
                clip_on=False,
                zorder=5,
            )
    below, above = numbers[numbers < limits[0]], numbers[numbers > limits[1]]
    return Beyond(float(below.min(initial=0.0)), float(above.max(initial=0.0)))


def beyond_handles(beyond: Beyond) -> list[Line2D]:
    """Return the legend entries of triangles, none if nothing exceeds the axis."""
    entries = (("v", "down", beyond.least), ("^", "up", beyond.largest))
    return [
        Line2D([], [], marker=marker, linestyle="", color="0.2", label=f"off axis, {way} to {_shown(value)}")
        for marker, way, value in entries
        if value
    ]


def _shown(value: float) -> str:
    return f"{value:,.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.2g}"


def mark_true_rank(axes: Axes, rank: int) -> None:
    """Draw a dashed vertical line at the true rank, behind everything."""
    axes.axvline(rank, color="0.2", linestyle=(0, (4, 2.5)), linewidth=0.7, zorder=0.5)


def tick_ranks(axes: Axes, ranks: Sequence[int], labelled: Sequence[int]) -> None:
    """Put ticks at all ranks, with a label at some of them."""
    axes.set_xlim(min(ranks) - 0.6, max(ranks) + 0.6)
    axes.set_xticks([rank for rank in ranks if rank in labelled])
    axes.set_xticks([rank for rank in ranks if rank not in labelled], minor=True)


def share_handles(colours: Mapping[float, Any]) -> list[Line2D]:
    """Return a legend entry for each share of hidden entries."""
    return [
        Line2D([], [], color=colour, linewidth=2, label=f"{share:g}") for share, colour in colours.items()
    ]
