"""The range of values that are bounded by their scale, such as ratings from 1 to 5."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latentlink.network.network import Network

__all__ = ["bounded_range"]

_LEAST_SHARE, _LEAST_COUNT = 0.02, 5  # of the known values, at either end of a range without steps
_EXPECTED, _OF_AMOUNTS = 5.0, 8.0  # values expected one step beyond an end, of which none is there
_FEW, _SHORT = 10, 21  # values of a short scale; 0 to 10 by halves are 21


def bounded_range(network: Network) -> tuple[float, float] | None:
    """Return the least and the greatest known value if the values are bounded by their scale, else None.

    Links and non-links, 0 and 1, are. Values on even steps end where more of them would be expected one step
    further: as many as at the end, times the ratio of the end to the value before it. In the tails of counts
    and of rounded measurements few values are expected there. Both ends are such ends, or one of a short
    scale (at most 21 values): however few ratings are 1, a scale that ends at 5 has another end. The lower
    end of whole numbers is no evidence for an upper one, since counts have it too. Other values, and few
    whole numbers of which the first is rare, are bounded if each end occurs in at least two of a hundred
    known values, and five times. Beside a background, pairs that are not
    listed are known zeros.

    Examples
    --------
    >>> bounded_range(Network.from_dense([[1.0, 2.0, 5.0], [5.0, 1.0, 3.0]] * 5))
    (1.0, 5.0)
    >>> bounded_range(Network.from_dense([[0.0, 1.0], [1.0, 0.0]]))
    (0.0, 1.0)
    >>> bounded_range(Network.from_dense([[0.1, 2.0], [1.0, 0.3]])) is None
    True
    """
    levels, counts = np.unique(network.values[network.known], return_counts=True)
    zeros = max(0, network.n_pairs - network.n_listed) if network.background else 0
    if zeros and len(levels):
        levels, index = np.unique(np.append(levels, 0.0), return_inverse=True)
        counts = np.bincount(index, np.append(counts, zeros)).astype(np.int64)
    if len(levels) < 2:
        return None
    links = len(levels) == 2 and levels[0] == 0 and levels[1] == 1
    return (float(levels[0]), float(levels[-1])) if links or _is_bounded(levels, counts) else None


def _is_bounded(levels: NDArray[np.float64], counts: NDArray[np.int64]) -> bool:
    """Return whether different values, ascending, with their counts end at a scale."""
    steps = _Steps.of(levels)
    amounts = bool(levels[0] >= 0 and (levels == np.rint(levels)).all())  # may be counts
    if steps is not None:
        least = _OF_AMOUNTS if amounts else _EXPECTED
        bottom = _expected_beyond(counts[0], counts[1] if steps.first == 1 else 0) >= least
        top = _expected_beyond(counts[-1], counts[-2] if steps.last == 1 else 0) >= least
        if top and bottom:
            return True
        if 2 < len(levels) <= steps.number <= _SHORT and (top or (bottom and not amounts)):
            return True
        # Few at the bottom and none at 0: counts like these have a mean of 4 and more, and a longer tail.
        rare_bottom = levels[0] > 0 and 2 * counts[0] <= counts[1] and steps.number <= _FEW
        if amounts and not rare_bottom:
            return False
    return bool(min(counts[0], counts[-1]) >= max(_LEAST_COUNT, _LEAST_SHARE * counts.sum()))


def _expected_beyond(end: int, before: int) -> float:
    """Return how many values a tail would have one step beyond its end, at most.

    Ratios of neighbours decrease along the tails of Poisson, binomial and normal distributions, and stay
    the same along an exponential one.
    """
    return float(end * min(1.0, end / max(before, 1)))


@dataclass(frozen=True)
class _Steps:
    """Even steps between values, of which at least half are taken.

    Attributes
    ----------
    number : int
        Of values from the least to the greatest, taken or not.
    first, last : int
        Steps from the least value to the next one, and to the greatest from that before it.
    """

    number: int
    first: int
    last: int

    @classmethod
    def of(cls, levels: NDArray[np.float64]) -> _Steps | None:
        """Return the steps of different values, ascending; None if these are uneven."""
        gaps = np.diff(levels)
        steps = gaps / gaps.min()
        if steps.sum() + 1 > 2 * len(levels) or np.abs(steps - np.rint(steps)).max() > 1e-6:
            return None
        return cls(int(np.rint(steps.sum())) + 1, int(np.rint(steps[0])), int(np.rint(steps[-1])))
