"""The range of values that are bounded by a scale, as ratings from 1 to 5, or at one end, as counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import poisson

from latentlink.network.network import Network

__all__ = ["bounded_range"]

_LEAST_SHARE, _LEAST_COUNT = 0.02, 5  # of the known values, at either end of a range without steps
_PILED_SHARE, _PILED_TIMES, _NEXT = 0.01, 3, 3  # of the values, at one end: times each of the next three
_EXPECTED, _OF_AMOUNTS = 5.0, 8.0  # values expected one step beyond an end, of which none is there
_FEW, _SHORT = 10, 21  # values of a short scale; 0 to 10 by halves are 21
_LEAST_ZEROS = 0.01  # share of the values of counts
# Of few whole numbers: values expected one step beyond the end, those of counts with this mean beyond it, and
# both together. Chosen on simulated counts and ratings, see docs/decisions.md.
_MOST_OF_FEW, _OF_FEW, _OF_COUNTS, _TOGETHER = 200, 1.0, 1.7, 4.0

Levels = NDArray[np.float64]
Counts = NDArray[np.int64]


def bounded_range(network: Network) -> tuple[float, float] | None:
    """Return the ends at which the known values are bounded, the other end being infinite; None without any.

    Links and non-links, 0 and 1, are bounded. Values on even steps end where more of them would be expected
    one step further: as many as at the end, times the ratio of the end to the value before it. In the tails
    of counts and of rounded measurements few values are expected there. A short scale (at most 21 values)
    with one such end has another: however few ratings are 1, a scale that ends at 5 has another end. Few
    whole numbers on a scale of at most ten steps end where counts with the same mean would go on.

    Values that pile up at an end bound that side: one in a hundred of the known values, five times, and three
    times as many as any of the next three values. Both ends do, if each has two in a hundred of values that
    are no counts. Whole numbers of which none is negative and some are 0 are counts, and end at 0; another
    least value of theirs is no end, since what is not listed may be less. Beside a background, pairs that are
    not listed are known zeros.

    Examples
    --------
    >>> bounded_range(Network.from_dense([[1.0, 2.0, 5.0], [5.0, 1.0, 3.0]] * 5))
    (1.0, 5.0)
    >>> bounded_range(Network.from_dense([[0.0, 1.0], [1.0, 0.0]]))
    (0.0, 1.0)
    >>> bounded_range(Network.from_dense([[0.0, 1.0, 3.0, 0.0, 17.0]]))
    (0.0, inf)
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
    bottom, top = _bounded_ends(levels, counts)
    low, high = float(levels[0]) if bottom else -np.inf, float(levels[-1]) if top else np.inf
    return (low, high) if bottom or top else None


def _bounded_ends(levels: Levels, counts: Counts) -> tuple[bool, bool]:
    """Return whether different values, ascending, with their counts end at a least and at a greatest one."""
    if len(levels) == 2 and levels[0] == 0 and levels[1] == 1:
        return True, True
    if levels[-1] <= 0:  # debts end as amounts do, on the other side
        top, bottom = _bounded_ends(-levels[::-1], counts[::-1])
        return bottom, top
    amounts = bool(levels[0] >= 0 and (levels == np.rint(levels)).all())  # may be counts
    if _is_scale(levels, counts, amounts):
        return True, True
    bottom, top = _ends_of_steps(levels, counts, amounts)
    bottom, top = bottom or _piles_up(counts), top or _piles_up(counts[::-1])
    if amounts and levels[0] > 0:
        bottom = bottom and top
    elif amounts:
        bottom = bottom or bool(counts[0] >= _LEAST_ZEROS * counts.sum())
    return bottom, top


def _is_scale(levels: Levels, counts: Counts, amounts: bool) -> bool:
    """Return whether one end, or both together, show that the values are on a scale with two ends."""
    steps = _Steps.of(levels)
    if steps is not None:
        bottom, top = _ends_of_steps(levels, counts, amounts)
        if 2 < len(levels) <= steps.number <= _SHORT and (top or (bottom and not amounts)):
            return True
        if amounts and steps.unit == 1 and _goes_on_as_counts(levels, counts, steps):
            return True
        # Few at the bottom and none at 0: counts like these have a mean of 4 and more, and a longer tail.
        rare_bottom = levels[0] > 0 and 2 * counts[0] <= counts[1] and steps.number <= _FEW
        if amounts and not rare_bottom:
            return False
    return bool(min(counts[0], counts[-1]) >= max(_LEAST_COUNT, _LEAST_SHARE * counts.sum()))


def _ends_of_steps(levels: Levels, counts: Counts, amounts: bool) -> tuple[bool, bool]:
    """Return whether more values on even steps would be expected below the least and beyond the greatest."""
    steps = _Steps.of(levels)
    if steps is None:
        return False, False
    least = _OF_AMOUNTS if amounts else _EXPECTED
    below = _expected_beyond(counts[0], counts[1] if steps.first == 1 else 0)
    beyond = _expected_beyond(counts[-1], counts[-2] if steps.last == 1 else 0)
    return below >= least, beyond >= least


def _expected_beyond(end: int, before: int) -> float:
    """Return how many values a tail would have one step beyond its end, at most.

    Ratios of neighbours decrease along the tails of Poisson, binomial and normal distributions, and stay
    the same along an exponential one.
    """
    return float(end * min(1.0, end / max(before, 1)))


def _goes_on_as_counts(levels: Levels, counts: Counts, steps: _Steps) -> bool:
    """Return whether few whole numbers end where counts with their mean would go on: they are on a scale.

    Counts are taken for Poisson distributed, without zeros if there are none here; counts of several means
    go on further.
    """
    total = int(counts.sum())
    beyond = _expected_beyond(counts[-1], counts[-2] if steps.last == 1 else 0)
    if total > _MOST_OF_FEW or len(levels) < 3 or steps.number > _FEW + 1 or beyond < _OF_FEW:
        return False
    mean, some = float(levels @ counts) / total, 1.0
    if levels[0] > 0:  # mean of the counts with the zeros: that of the others is mean / (1 - exp(-mean))
        mean = float(brentq(lambda rate: rate / -np.expm1(-rate) - mean, 1e-9, mean))
        some = float(-np.expm1(-mean))
    of_counts = float(total * poisson.sf(levels[-1], mean) / some)
    return of_counts >= _OF_COUNTS and of_counts * beyond >= _TOGETHER


def _piles_up(counts: Counts) -> bool:
    """Return whether the first of some values is far more frequent than those after it."""
    least = max(_LEAST_COUNT, _PILED_SHARE * counts.sum(), _PILED_TIMES * counts[1 : 1 + _NEXT].max())
    return bool(counts[0] >= least)


@dataclass(frozen=True)
class _Steps:
    """Even steps between values, of which at least half are taken.

    Attributes
    ----------
    number : int
        Of values from the least to the greatest, taken or not.
    first, last : int
        Steps from the least value to the next one, and to the greatest from that before it.
    unit : float
        The size of a step.
    """

    number: int
    first: int
    last: int
    unit: float

    @classmethod
    def of(cls, levels: Levels) -> _Steps | None:
        """Return the steps of different values, ascending; None if these are uneven."""
        gaps = np.diff(levels)
        steps = gaps / gaps.min()
        if steps.sum() + 1 > 2 * len(levels) or np.abs(steps - np.rint(steps)).max() > 1e-6:
            return None
        number = int(np.rint(steps.sum())) + 1
        return cls(number, int(np.rint(steps[0])), int(np.rint(steps[-1])), float(gaps.min()))
