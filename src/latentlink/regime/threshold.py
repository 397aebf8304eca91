"""Thresholds that binarize real factors: two-means, Otsu, and a search for the fewest errors."""

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
from latentlink.validation.bounds import MOST_BINS, MOST_ROUNDS
from latentlink.validation.numbers import check_number

__all__ = ["ByValue", "KMeans", "Otsu", "Search", "Threshold", "two_means"]

Array = NDArray[Any]


@strategy
class Threshold(Strategy):
    """Base class of rules that binarize the components of W and H."""

    def check_settings(self) -> None:
        """Raise IncompatibleError for parameters out of range."""

    @abstractmethod
    def binarize(self, factors: Factors, cells: Cells) -> Factors:
        """Return the model with factors of 0 and 1; ``cells`` are the known cells."""


@strategy
class ByValue(Threshold):
    """Base class of thresholds that depend only on the values of each component.

    Positive values at or above the threshold become 1, all others 0. A component whose values are all equal
    becomes 1 if they are positive, else 0.
    """

    @abstractmethod
    def at(self, values: Array) -> float:
        """Return the threshold of some values: those at or above it become 1."""

    def binarize(self, factors: Factors, cells: Cells) -> Factors:
        """Binarize every column of W and every row of H at its own threshold."""
        del cells
        W, Ht = (
            # In double precision, since a threshold may lie between adjacent numbers of single precision.
            np.stack([_above(column, self.at(column)) for column in side.T.astype(np.float64)], axis=1)
            for side in (factors.W, factors.H.T)
        )
        return _boolean(factors, W, Ht.T)


@strategy
class KMeans(ByValue):
    """Threshold half-way between the centres of two clusters, by k-means (equation 33 of the paper).

    In one dimension the optimal two clusters are found exactly: the values are sorted, and all splits are
    compared.

    Examples
    --------
    >>> float(KMeans().at(np.array([0.0, 0.1, 0.9, 1.0])))
    0.5
    """

    def at(self, values: Array) -> float:
        """Return the midpoint between the two means."""
        ordered = np.sort(values)
        size = _lower_cluster_size(ordered)
        midpoint = sum(two_means(values)) / 2
        # Between adjacent floating-point numbers the midpoint may be rounded onto the wrong side.
        if size and not ordered[size - 1] < midpoint <= ordered[size]:
            return float(ordered[size])
        return midpoint


@strategy
class Otsu(ByValue):
    """Threshold with the largest variance between the two classes of a histogram (equation 31 of the paper).

    The threshold lies half-way between the two classes, never on a value of the lower class, so that a
    component of two values keeps both. Of several optimal thresholds the lowest is taken.

    Parameters
    ----------
    bins : int, default=256
        Number of bins of the histogram, from the smallest value to the largest.

    Examples
    --------
    >>> Otsu().at(np.array([0.25, 0.25, 0.75]))
    0.5
    """

    bins: int = 256

    def check_settings(self) -> None:
        """Raise IncompatibleError unless there are from 2 to a million bins."""
        check_number(self, "bins", 2, MOST_BINS, whole=True)

    def at(self, values: Array) -> float:
        """Return the midpoint between the largest value of the lower class and the smallest of the upper."""
        self.check_settings()
        unit = _unit_range(values)
        bin_of_value = np.minimum((unit * self.bins).astype(np.int64), self.bins - 1)
        counts = np.bincount(bin_of_value, minlength=self.bins)
        # Indices of bins instead of their centres: the optimum does not depend on shift and scale.
        sums = np.cumsum(counts * np.arange(self.bins))
        below = np.cumsum(counts)[:-1]
        above = len(values) - below
        means = [sums[:-1] / below, (sums[-1] - sums[:-1]) / np.maximum(above, 1)]
        between = below * above * (means[1] - means[0]) ** 2
        upper = bin_of_value > np.argmax(between >= between.max() * (1 - ROUNDING))
        if not upper.any():  # all values are equal
            return float(np.min(values))
        return _midpoint(float(np.max(values[~upper])), float(np.min(values[upper])))


@strategy
class Search(Threshold):
    """Thresholds that minimise the errors of the Boolean product on known cells (coordinate descent).

    Starting from the two-means thresholds, those of each component's rows and then columns are optimized
    while all others are fixed. With the rows sorted by value, the cumulative sum of their gains gives the
    error of every threshold at once, so that the search over thresholds is exact. It ends when a round
    changes nothing. Biases, which a model may have as well, do not enter the errors.

    Parameters
    ----------
    max_rounds : int, default=100
        Largest number of rounds over all components.

    Examples
    --------
    >>> from latentlink.network import Ensemble, Network
    >>> cells = Cells.of(Ensemble.of(Network.from_dense([[1, 0], [1, 0], [0, 0]])))
    >>> Search().binarize(Factors(np.array([[0.9], [0.4], [0.3]]), np.array([[1.0, 0.1]])), cells).W[:, 0]
    array([1., 1., 0.])
    """

    max_rounds: int = 100

    def check_settings(self) -> None:
        """Raise IncompatibleError unless there are from 1 to 10,000 rounds."""
        check_number(self, "max_rounds", 1, MOST_ROUNDS, whole=True)

    def binarize(self, factors: Factors, cells: Cells) -> Factors:
        """Binarize W and H at the thresholds that minimise the errors of their Boolean product."""
        self.check_settings()
        start = KMeans().binarize(factors, cells)
        fit = BooleanFit(cells, start.W, start.H)
        sides = (factors.W, factors.H.T)
        orders = [np.argsort(-side, axis=0, kind="stable") for side in sides]
        for _ in range(self.max_rounds):
            changes = 0
            for c in range(fit.rank):
                for side in (0, 1):
                    gain = fit.gains(side, c)
                    contained = _best_prefix(sides[side][:, c], orders[side][:, c], gain)
                    changes += fit.assign(side, c, contained)
            if not changes:
                break
        return _boolean(factors, *fit.factors(np.float64))


def _best_prefix(values: Array, order: Array, gain: Array) -> NDArray[np.bool_]:
    """Return the rows or columns above the threshold with the largest sum of gains.

    Equal values are on the same side of any threshold. Of equal sums the highest threshold is taken, and no
    value of 0 is ever above it.

    Parameters
    ----------
    values : array, shape (n,)
        One column of W, or one row of H.
    order : array, shape (n,)
        Indices of the values in descending order.
    gain : array, shape (n,)
        Decrease of the error if the row or column belongs to the component.
    """
    ordered = values[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True) & (ordered > 0))
    sums = np.concatenate([[0.0], np.cumsum(gain[order])[ends]])  # the first is that of the empty component
    best = int(np.argmax(sums >= sums.max() - ROUNDING * np.abs(gain).sum()))
    contained = np.zeros(len(values), bool)
    contained[order[: ends[best - 1] + 1 if best else 0]] = True
    return contained


def two_means(values: Array) -> tuple[float, float]:
    """Return the centres of the two clusters of exact one-dimensional k-means, in ascending order.

    Examples
    --------
    >>> two_means(np.array([1.0, 1.0, 4.0]))
    (1.0, 4.0)
    """
    ordered = np.sort(values).astype(np.float64)
    size = _lower_cluster_size(ordered)
    if not size:
        return float(ordered[0]), float(ordered[0])
    return float(np.mean(ordered[:size])), float(np.mean(ordered[size:]))


def _lower_cluster_size(ordered: Array) -> int:
    """Return the size of the lower of the two clusters of ascending values; 0 if all values are equal."""
    if ordered[0] == ordered[-1]:
        return 0
    sums = np.cumsum(_unit_range(ordered))  # scaled, so that a large shift or scale loses no precision
    size, below = len(ordered), np.arange(1, len(ordered))
    gap = (sums[-1] - sums[:-1]) / (size - below) - sums[:-1] / below
    return int(np.argmax(below * (size - below) * gap**2)) + 1


def _unit_range(values: Array) -> Array:
    """Return the values scaled to the range from 0 to 1; all 0 if they are equal."""
    low, high = float(np.min(values)), float(np.max(values))
    # Halved, so that the difference cannot overflow.
    span = high / 2 - low / 2
    return (values.astype(np.float64) / 2 - low / 2) / span if span > 0 else np.zeros(len(values))


def _midpoint(low: float, high: float) -> float:
    """Return the midpoint of two numbers, but never the lower one, even where they are adjacent."""
    midpoint = low / 2 + high / 2
    return midpoint if midpoint > low else high


def _above(values: Array, threshold: float) -> NDArray[np.bool_]:
    """Return where a value is positive and at or above the threshold."""
    return (values >= threshold) & (values > 0)


def _boolean(factors: Factors, W: Array, H: Array) -> Factors:
    """Return the model with binarized factors; Boolean if it has no biases, offset or logistic link."""
    biased = factors.row_bias is not None or factors.col_bias is not None or bool(factors.offset)
    dtype = factors.W.dtype
    return replace(factors, W=W.astype(dtype), H=H.astype(dtype), boolean=not biased and not factors.logistic)
