"""Panels over the rank: violins of chosen ranks, and curves of measures, which share their axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

__all__ = ["beyond_handle", "draw_curve", "draw_rank_violin", "mark_true_rank", "share_handles", "tick_ranks"]


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
) -> float:
    """Draw a measure over the ranks, with triangles on the edges of the panel where it exceeds them.

    Returns
    -------
    float
        The size of the largest value beyond the limits; 0 if there is none.
    """
    numbers = np.asarray(values, np.float64)
    axes.plot(ranks, numbers, **style)
    largest = 0.0
    for limit, beyond, marker in (
        (limits[0], numbers < limits[0], "v"),
        (limits[1], numbers > limits[1], "^"),
    ):
        if beyond.any():
            largest = max(largest, np.abs(numbers[beyond]).max())
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
    return float(largest)


def beyond_handle(largest: float) -> list[Line2D]:
    """Return the legend entry of triangles, none if nothing exceeds the axis."""
    shown = f"{largest:,.0f}" if 1e3 <= largest < 1e6 else f"{largest:.2g}"
    text = f"beyond the axis, up to {shown}"
    return [Line2D([], [], marker="^", linestyle="", color="0.2", label=text)] if largest else []


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
