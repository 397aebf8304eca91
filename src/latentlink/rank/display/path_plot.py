"""Plot of stability and errors over the ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from latentlink.errors import InputError

if TYPE_CHECKING:
    from latentlink.rank.results import Choice, RankPath

__all__ = ["draw_path"]

_STABLE, _ERROR = "#1b6ca8", "#b5432e"


def draw_path(path: RankPath, choice: Choice | None = None, axes: Any = None) -> Any:
    """Plot stability and errors over the ranks; a cross at the bottom marks a rank that was not visited.

    All curves share one axis: silhouettes are at most 1, and held-out errors are divided by the largest.
    """
    try:
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise InputError('Plots need matplotlib: pip install "latentlink[plots]".') from None
    ax = pyplot.subplots(figsize=(7, 4), layout="constrained")[1] if axes is None else axes
    ranks = np.array(path.ranks)
    held_out = np.array([record.held_out_error for record in path])
    largest = float(np.nanmax(held_out, initial=0.0)) or 1.0  # nothing held out, or all errors are 0
    spread = np.array([record.held_out_standard_error for record in path])
    ax.plot(ranks, [record.stability for record in path], "o-", color=_STABLE, label="least silhouette, W")
    ax.plot(
        ranks,
        [float(record.stability_cols.min()) for record in path],
        "o:",
        color=_STABLE,
        alpha=0.5,
        label="least silhouette, H",
    )
    ax.errorbar(
        ranks,
        held_out / largest,
        yerr=spread / largest,
        fmt="s-",
        color=_ERROR,
        capsize=3,
        label=f"held-out error / {largest:.3g}",
    )
    ax.plot(
        ranks,
        [record.relative_error for record in path],
        "s:",
        color=_ERROR,
        alpha=0.5,
        label="relative error of the model",
    )
    _mark_unvisited(ax, ranks)
    if choice is not None:
        ax.axvline(choice.rank, color="0.3", linestyle="--", zorder=0)
        ax.set_title(f"rank {choice.rank} ({choice.status})")
    ax.set_xlabel("rank")
    ax.set_ylabel("silhouette; share of the largest error")
    ax.set_ylim(top=1.08)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.legend(fontsize="small", frameon=False)
    return ax


def _mark_unvisited(ax: Any, ranks: np.ndarray[Any, Any]) -> None:
    unvisited = np.setdiff1d(np.arange(ranks.min(), ranks.max() + 1), ranks)
    if len(unvisited):
        bottom = np.full(len(unvisited), ax.get_ylim()[0])
        ax.plot(unvisited, bottom, "x", color="0.6", clip_on=False, label="not visited")
