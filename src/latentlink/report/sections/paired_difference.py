"""Whether two predictions of the same pairs differ by more than chance: a paired interval."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

__all__ = ["clear_sign", "placements"]

Array = NDArray[Any]

_LEVEL = 0.95


def clear_sign(values: Array, one: Array, other: Array, binary: bool) -> int:
    """Return 1 if the first scores are clearly better, -1 if they are clearly worse, else 0.

    The interval of 95 % is that of the difference of ROC AUC by DeLong, DeLong and Clarke-Pearson (1988), or
    of the mean difference of squared errors, both over pairs that are the same for both scores.

    Parameters
    ----------
    values : array
        Known values of the pairs; links and non-links, both present, if ``binary``.
    one, other : arrays
        Two scores of each pair.
    binary : bool
    """
    parts = placements(values == 1, one, other) if binary else [(other - values) ** 2 - (one - values) ** 2]
    difference = float(parts[0].mean())
    if any(len(part) < 2 for part in parts):
        return 0
    error = float(np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts)))
    return int(np.sign(difference)) if abs(difference) > norm.ppf((1 + _LEVEL) / 2) * error else 0


def placements(links: Array, one: Array, other: Array) -> list[Array]:
    """Return for each link, and for each non-link, the difference of the shares that it is ranked well of.

    The mean of either is the difference of ROC AUC.
    """
    shares = []
    for score in (one, other):
        ranks = rankdata(score)
        above = (ranks[links] - rankdata(score[links])) / np.count_nonzero(~links)
        below = 1 - (ranks[~links] - rankdata(score[~links])) / np.count_nonzero(links)
        shares.append((above, below))
    return [first - second for first, second in zip(*shares, strict=True)]
