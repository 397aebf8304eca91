"""Plot of one metric of all methods, with intervals, for each kind of non-links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from latentlink.errors import InputError

if TYPE_CHECKING:
    from latentlink.evaluation.record import Evaluation

__all__ = ["draw_intervals"]


def draw_intervals(evaluation: Evaluation, metric: str, pairs: str, axes: Any = None) -> Any:
    """Plot the mean of a metric with its interval, one line for each method."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise InputError('Plots need matplotlib: pip install "latentlink[plots]".') from None
    models = evaluation.models + evaluation.baselines
    height = 1 + 0.3 * len(models)
    ax = pyplot.subplots(figsize=(7, height), layout="constrained")[1] if axes is None else axes
    place = np.arange(len(models))
    kinds = evaluation.negatives
    for number, negatives in enumerate(kinds):
        intervals = [evaluation.interval(model, metric, negatives, pairs) for model in models]
        mean, low, high = (
            np.array([getattr(each, name) for each in intervals]) for name in ("mean", "low", "high")
        )
        errors = np.nan_to_num(np.stack([mean - low, high - mean]))
        shift = (number - (len(kinds) - 1) / 2) * 0.6 / len(kinds)
        ax.errorbar(mean, place + shift, xerr=errors, fmt="o", markersize=4, capsize=2, label=negatives)
    ax.axhline(len(evaluation.models) - 0.5, color="0.7", linewidth=0.8)
    ax.set_yticks(place, [model.replace("$", r"\$") for model in models])  # no formulas
    ax.invert_yaxis()
    ax.legend(title="non-links", fontsize="small", frameon=False)
    return ax
