"""From real factors to Boolean ones: where to cut each component."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.regime.boolean_fit import ROUNDING, BooleanFit
from latentlink.regime.cells import Cells
from latentlink.strategy import Strategy, strategy
from latentlink.validation.numbers import check_number

__all__ = ["ByValue", "KMeans", "Otsu", "Search", "Threshold", "two_means"]

Array = NDArray[Any]


@strategy
class Threshold(Strategy):
    """A way to cut the components of W and H into 0 and 1."""

    @abstractmethod
    def cut(self, factors: Factors, cells: Cells) -> Factors:
        """Return the model with Boolean factors; ``cells`` are what is known."""


@strategy
class ByValue(Threshold):
    """A threshold that looks at the values of each component alone.

    Values at or above the cut become 1, those at 0 or below it never do. A component of one value cannot be
    told apart: it is 1 throughout, or 0 if that value is 0.
    """

    @abstractmethod
    def at(self, values: Array) -> float:
        """Return the cut of some values: those at or above it become 1."""

    def cut(self, factors: Factors, cells: Cells) -> Factors:
        """Cut every column of W and every row of H at its own threshold."""
        del cells
        W, Ht = (
            # In double precision, since a cut may lie between neighbouring numbers of single precision.
            np.stack([_above(column, self.at(column)) for column in side.T.astype(np.float64)], axis=1)
            for side in (factors.W, factors.H.T)
        )
        return _boolean(factors, W, Ht.T)


@strategy
class KMeans(ByValue):
    """Cut half-way between the two means that the values cluster around (equation 33 of the paper).

    In one dimension the best two clusters are found exactly: the values are sorted, and every place to cut
    them is compared.

    Examples
    --------
    >>> float(KMeans().at(np.array([0.0, 0.1, 0.9, 1.0])))
    0.5
    """

    def at(self, values: Array) -> float:
        """Return the middle between the two means."""
        ranked = np.sort(values)
        below = _lower_cluster(ranked)
        middle = sum(two_means(values)) / 2
        if below and not ranked[below - 1] < middle <= ranked[below]:  # rounded, between neighbours
            return float(ranked[below])
        return middle


@strategy
class Otsu(ByValue):
    """Cut where the variance between the two classes of a histogram is largest (equation 31 of the paper).

    The cut lies half-way between the two classes, never on a value of the lower one, so a component of two
    values keeps both. Where several cuts are equally good the lowest is taken.

    Parameters
    ----------
    bins : int
        Number of bins of the histogram, from the least value to the largest.

    Examples
    --------
    >>> Otsu().at(np.array([0.25, 0.25, 0.75]))
    0.5
    """

    bins: int = 256

    def at(self, values: Array) -> float:
        """Return the middle between the largest value of the lower class and the least of the upper."""
        check_number(self, "bins", 2, whole=True)
        unit = _unit(values)
        places = np.minimum((unit * self.bins).astype(np.int64), self.bins - 1)
        counts = np.bincount(places, minlength=self.bins)
        # Bins from 0 to bins - 1 stand for their centres: the best cut knows neither shift nor scale.
        sums = np.cumsum(counts * np.arange(self.bins))
        below = np.cumsum(counts)[:-1]
        above = len(values) - below
        means = [sums[:-1] / np.maximum(below, 1), (sums[-1] - sums[:-1]) / np.maximum(above, 1)]
        between = below * above * (means[1] - means[0]) ** 2
        upper = places > np.argmax(between >= between.max() * (1 - ROUNDING))
        if not upper.any():  # one value
            return float(np.min(values))
        return _between(float(np.max(values[~upper])), float(np.min(values[upper])))


@strategy
class Search(Threshold):
    """Cut where the Boolean product has the fewest errors on known cells (the paper's coordinate descent).

    Beginning from the two-means cuts, every component's rows and then columns are cut anew while the others
    stay. Sorted by value, each row's gain adds up, and the best cut is where the sum is highest: no cut is
    left out and none is tried twice. It ends when a whole round changes nothing. Errors are those of W and H
    alone: biases, which a model may have besides, are not looked at.

    Parameters
    ----------
    max_rounds : int
        Rounds over all components at the most.

    Examples
    --------
    >>> from latentlink.network import Ensemble, Network
    >>> cells = Cells.of(Ensemble.of(Network.from_dense([[1, 0], [1, 0], [0, 0]])))
    >>> Search().cut(Factors(np.array([[0.9], [0.4], [0.3]]), np.array([[1.0, 0.1]])), cells).W[:, 0]
    array([1., 1., 0.])
    """

    max_rounds: int = 100

    def cut(self, factors: Factors, cells: Cells) -> Factors:
        """Cut by the errors that the cuts make together."""
        check_number(self, "max_rounds", 1, whole=True)
        begin = KMeans().cut(factors, cells)
        fit = BooleanFit(cells, begin.W, begin.H)
        sides = (factors.W, factors.H.T)
        orders = [np.argsort(-side, axis=0, kind="stable") for side in sides]
        for _ in range(self.max_rounds):
            changes = 0
            for c in range(fit.rank):
                for side in (0, 1):
                    gain = fit.gains(side, c)
                    held = _best_prefix(sides[side][:, c], orders[side][:, c], gain)
                    changes += fit.hold(side, c, held)
            if not changes:
                break
        return _boolean(factors, *fit.factors(np.float64))


def _best_prefix(values: Array, order: Array, gain: Array) -> NDArray[np.bool_]:
    """Return which lines to hold: those of largest value, as many as have the highest sum of gains.

    Lines of equal value stand or fall together, since one threshold cannot tell them apart; among equal sums
    the fewest lines are held, and no line at value 0 is.
    """
    ranked = values[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True) & (ranked > 0))
    sums = np.concatenate([[0.0], np.cumsum(gain[order])[ends]])  # the first holds none
    best = int(np.argmax(sums >= sums.max() - ROUNDING * np.abs(gain).sum()))
    held = np.zeros(len(values), bool)
    held[order[: ends[best - 1] + 1 if best else 0]] = True
    return held


def two_means(values: Array) -> tuple[float, float]:
    """Return the means of the two clusters with the least sum of squared distances, exactly.

    Examples
    --------
    >>> two_means(np.array([1.0, 1.0, 4.0]))
    (1.0, 4.0)
    """
    ranked = np.sort(values).astype(np.float64)
    below = _lower_cluster(ranked)
    if not below:
        return float(ranked[0]), float(ranked[0])
    return float(np.mean(ranked[:below])), float(np.mean(ranked[below:]))


def _lower_cluster(ranked: Array) -> int:
    """Return how many of some ascending values belong to the lower of two clusters; 0 if they are one."""
    if ranked[0] == ranked[-1]:
        return 0
    sums = np.cumsum(_unit(ranked))  # from 0 to 1: neither a large shift nor a large scale drowns the rest
    size, below = len(ranked), np.arange(1, len(ranked))
    gap = (sums[-1] - sums[:-1]) / (size - below) - sums[:-1] / below
    return int(np.argmax(below * (size - below) * gap**2)) + 1


def _unit(values: Array) -> Array:
    """Return the values between 0 and 1, the least and the largest; 0 if they are all the same."""
    low, high = float(np.min(values)), float(np.max(values))
    # Halved first, so that the difference cannot overflow.
    span = high / 2 - low / 2
    return (values.astype(np.float64) / 2 - low / 2) / span if span > 0 else np.zeros(len(values))


def _between(low: float, high: float) -> float:
    """Return the middle of two numbers, above the lower one even where they are neighbours."""
    middle = low / 2 + high / 2
    return middle if middle > low else high


def _above(values: Array, cut: float) -> NDArray[np.bool_]:
    """Return where a value is at or above the cut and not 0."""
    return (values >= cut) & (values > 0)


def _boolean(factors: Factors, W: Array, H: Array) -> Factors:
    """Return the model with cut factors; their product is Boolean if they are all there is to it."""
    more = factors.row_bias is not None or factors.col_bias is not None or bool(factors.offset)
    dtype = factors.W.dtype
    return replace(factors, W=W.astype(dtype), H=H.astype(dtype), boolean=not more and not factors.logistic)
