"""Means of known values: of all, of a row, of a column."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.network.transforms.symmetry import as_matrix
from latentlink.strategy import Strategy, strategy

__all__ = ["ColumnMean", "GlobalMean", "RowMean"]

Array = NDArray[Any]


@strategy
class GlobalMean(Strategy):
    """Weighted mean of all known values, for every pair."""

    def fit(self, network: Network) -> Self:
        """Compute the mean."""
        self.mean_ = _mean(network)
        return self

    def predict_links(self, pairs: Array) -> Array:
        """Return the mean for each pair, shape (pairs,)."""
        return np.full(len(pairs), self.mean_)


@strategy
class RowMean(Strategy):
    """Weighted mean of the known values of the pair's row; of all values, if it has none.

    Examples
    --------
    >>> ratings = Network.from_dense([[5.0, 4.0, np.nan], [np.nan, 1.0, 2.0]])
    >>> RowMean().fit(ratings).predict_links(np.array([[0, 2], [1, 0]]))
    array([4.5, 1.5])
    """

    def fit(self, network: Network) -> Self:
        """Compute the means."""
        matrix = as_matrix(network)
        self.means_ = _line_means(matrix.rows, matrix, matrix.shape[0])
        return self

    def predict_links(self, pairs: Array) -> Array:
        """Return the mean of the row of each pair, shape (pairs,)."""
        return self.means_[pairs[:, 0]]


@strategy
class ColumnMean(Strategy):
    """Weighted mean of the known values of the pair's column (item); of all values, if it has none."""

    def fit(self, network: Network) -> Self:
        """Compute the means."""
        matrix = as_matrix(network)
        self.means_ = _line_means(matrix.cols, matrix, matrix.shape[1])
        return self

    def predict_links(self, pairs: Array) -> Array:
        """Return the mean of the column of each pair, shape (pairs,)."""
        return self.means_[pairs[:, 1]]


def _mean(network: Network) -> float:
    return float(np.average(network.values, weights=network.weights))


def _line_means(lines: Array, network: Network, size: int) -> Array:
    weights = np.bincount(lines, network.weights, minlength=size)
    sums = np.bincount(lines, network.weights * network.values, minlength=size)
    return np.divide(sums, weights, out=np.full(size, _mean(network)), where=weights > 0)
