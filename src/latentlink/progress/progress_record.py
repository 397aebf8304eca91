"""Progress of a fit: what a callback receives, and what its answer means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["Callback", "Progress", "cancels"]


@dataclass(frozen=True)
class Progress:
    """Progress of a fit, as a callback receives it.

    Attributes
    ----------
    done, total : int
        Number of tasks finished, and of all tasks expected: trials of ridges, blocks of members, and the
        summary of each rank. An automatic search corrects the total on its way, up or down.
    rank : int or None
        The choice among the ranks finished so far; None before the first.
    seconds_left : float or None
        Estimated time of the remaining tasks; None before a first task was computed.
    share : float
        Share of the expected time of the whole work that is done, from 0 to 1; it never decreases during a
        fit.
    model : str
        The model that is being fitted, for an estimator of several models; else an empty string.
    finished : bool
        Whether this is the last call.
    """

    done: int
    total: int
    rank: int | None
    seconds_left: float | None
    share: float = 0.0
    model: str = ""
    finished: bool = False


Callback = Callable[[Progress], object]


def cancels(answer: object) -> bool:
    """Return whether the answer of a callback cancels the fit: False does, None and all others do not."""
    return isinstance(answer, bool | np.bool_) and not answer
