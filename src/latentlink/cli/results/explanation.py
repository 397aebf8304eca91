"""What is shown of an explanation: its largest parts, what the others add, and what all add up to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.scoring import PairModel

__all__ = ["shown_parts", "total_sentence"]

_SHOWN = 15
_ROUNDED = 1e-6
_NOISE = 1e-12  # spreads below it are left over from rounding


def shown_parts(parts: Mapping[str, NDArray[Any]]) -> dict[str, list[Any]]:
    """Return the first parts of an explanation as columns, and what all others add in a last line.

    Parameters
    ----------
    parts : mapping of str to array
        The columns part, contribution and spread, the largest first.
    """
    shown = {name: column[:_SHOWN].tolist() for name, column in parts.items()}
    rest = len(parts["part"]) - _SHOWN
    if rest > 0:
        shown["part"].append(f"the other {rest} parts")
        shown["contribution"].append(float(parts["contribution"][_SHOWN:].sum()))
        shown["spread"].append(float("nan"))
    shown["spread"] = [0.0 if abs(spread) < _NOISE else spread for spread in shown["spread"]]
    return shown


def total_sentence(model: PairModel, contributions: NDArray[Any], score: float) -> str:
    """Return what the parts add up to, and what that has to do with the score; nothing for Boolean models."""
    if model.boolean:
        return ""
    total = float(np.sum(contributions))
    if model.logistic:
        return f"They add up to {total:.4g} on the scale of log-odds, a score of {score:.4g}."
    if getattr(getattr(model, "columns", None), "ranges", None) is not None and abs(total - score) > _ROUNDED:
        kept = "scores are clipped to the range of the column"
        return f"They add up to {total:.4g}; {kept}, which makes the score {score:.4g}."
    bounds = getattr(model, "bounds", None)
    if bounds is not None and abs(total - score) > _ROUNDED:
        if bounds[0] <= total <= bounds[1]:
            clipped = "members beyond the known values are clipped"
            return f"They add up to {total:.4g}; {clipped}, which makes the score {score:.4g}."
        return f"They add up to {total:.4g}, beyond the known values: the score is clipped to {score:.4g}."
    return f"They add up to {total:.4g}, the score."
