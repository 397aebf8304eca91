"""Progress of a fit: what a callback receives, and what its answer means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["Callback", "Progress", "cancels", "share_and_rest"]

_REST = 1e-3  # share of the time that is thought to be left before the last call
_LEAST = 1e-6  # seconds, where the clock is too coarse to measure any


@dataclass(frozen=True)
class Progress:
    """Progress of a fit, as a callback receives it.

    Attributes
    ----------
    done, total : int
        Number of tasks finished, and of all tasks expected: trials of ridges, blocks of members, and the
        summary of each rank. An automatic search corrects the total on its way, up or down. A fit of several
        models, such as that of a `LinkStack`, counts thousandths of its expected time: its total is 1,000. In
        the last call both are equal, unless the fit was cancelled.
    rank : int or None
        The choice among the ranks finished so far; None before the first.
    seconds_left : float or None
        Estimated time of the remaining work; 0 in the last call alone. None before two tasks of a kind were
        computed, since the first one may load code. Each kind of task is expected to take what it took at the
        nearest ranks. Time in which code was compiled or loaded tells nothing of the work to come, and is
        left out; a `LinkStack` that had to compile expects its later stages to compile as well.
    share : float
        Share of the expected time of the whole work that is done, from 0 to 1, without that of compiling and
        loading code; it never decreases during a fit, and is below 1 before the last call. With a
        ``time_limit`` it is at least the share of that. In the last call it is 1, unless the fit was
        cancelled. Of a search that doubles the rank it counts one doubling more than is announced, and
        therefore may rise at once when the doubling ends.
    model : str
        The model that is being fitted, for an estimator of several models; else an empty string.
    finished : bool
        Whether this is the last call.
    open_ended : bool
        Whether the search may go on for longer than is foreseen, since it doubles the rank as long as that
        lowers the error. ``seconds_left`` is a least time then: that of a search which doubles no further.
    """

    done: int
    total: int
    rank: int | None
    seconds_left: float | None
    share: float = 0.0
    model: str = ""
    finished: bool = False
    open_ended: bool = False


Callback = Callable[[Progress], object]


def cancels(answer: object) -> bool:
    """Return whether the answer of a callback cancels the fit: False does, None and all others do not."""
    return isinstance(answer, bool | np.bool_) and not answer


def share_and_rest(spent: float, left: float) -> tuple[float, float]:
    """Return the share of the time that is spent, and the time left, before the last call.

    Some time is always left then: the share is below 1, and the time left above 0.

    Examples
    --------
    >>> share_and_rest(3.0, 1.0)
    (0.75, 1.0)
    >>> share_and_rest(999.0, 0.0)[0] < 1
    True
    """
    left = max(left, _REST * spent, _LEAST)
    return spent / (spent + left), left
