"""New rows with no more known entries than components, without a ridge: the fitted rows decide the rest.

The loss of such a row is 0 for many factors, or for factors that follow the noise of every value. A single
known value in a column that hardly has a component may be met by thousandfold factors of it. So factors are
those that are most probable among rows like the fitted ones, given the known values:

    minimise  sum_j weight_j (x_j - w h_j)^2 + noise (w - mean) inverse-covariance (w - mean)',  w >= 0,

with the mean and covariance of the fitted rows, and the mean squared error of the fit as the noise. Without
noise it is the nearest of all rows that have the known values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.solvers import Solver

__all__ = ["fit_sparse_rows", "noise_of", "sparse_rows"]

Array = NDArray[Any]

_LEAST_NOISE = 1e-6  # of the mean square of the values, for data without noise
_EMPTY = 1e-9
_SLACK = 0.25  # of the range of the known values, by which scores may leave it
_LEAST_VARIANCE = 1e-3  # of the mean square of a component, for those that hardly differ between rows


def sparse_rows(solver: Solver, network: Network, rank: int) -> NDArray[np.bool_]:
    """Mark the rows whose loss does not determine their factors, since few entries are known.

    None under a ridge, which determines them, under a logistic loss, whose scores are probabilities, and
    where unlisted or unknown entries count as zeros.
    """
    count = np.bincount(network.rows[network.known], minlength=network.shape[0])
    if solver.logistic or solver.penalties[0] or solver.unknown_is_zero or network.background:
        count[:] = 0
    few: NDArray[np.bool_] = (count > 0) & (count <= rank + solver.biased)
    return few


def fit_sparse_rows(
    network: Network, numbers: Array, model: Factors, rows: Factors, training: Network
) -> None:
    """Fit some new rows, and write their factors into ``rows``.

    Their scores leave the range of all known values, of the training network and of the row itself, by a
    quarter of its width at most: otherwise the row is moved towards the average row until they do not.

    Parameters
    ----------
    network : Network
        Known entries of the new rows.
    numbers : array of int
        The rows to fit.
    model, rows : Factors
        The fitted model, and the same with the new rows in place of its own.
    training : Network
        The network that the model was fitted to.
    """
    prior = _FittedRows(model, training)
    known = network.known
    indptr, indices, position = network.csr.indptr, network.csr.indices, network.csr.position
    for number in numbers:
        of_row = slice(indptr[number], indptr[number + 1])
        at = position[of_row][known[position[of_row]]]
        cols = indices[of_row][known[position[of_row]]]
        new = prior.nearest(cols, network.values[at], network.weights[at])
        rows.W[number] = new[: model.rank]
        if rows.row_bias is not None:
            rows.row_bias[number] = new[-1]


def noise_of(model: Factors, training: Network) -> float:
    """Return the mean squared error of a model on the known entries, at least a little of their square.

    Examples
    --------
    >>> round(noise_of(Factors(np.ones((2, 1)), np.ones((1, 2))), Network.from_dense([[1, 1], [1, 3]])), 6)
    1.0
    """
    known = training.known
    values, weights = training.values[known], training.weights[known]
    errors = values - model.score(training.rows[known], training.cols[known])
    error, square = (float(np.average(each**2, weights=weights)) for each in (errors, values))
    return max(error, _LEAST_NOISE * square)


class _FittedRows:
    """What the fitted rows of a model say of a new one; a bias is one more coordinate, of either sign."""

    def __init__(self, model: Factors, training: Network) -> None:
        n, m = model.shape
        values = training.values[training.known]
        own, self.design = model.W.astype(np.float64), model.H.astype(np.float64)
        self.signed = bool((own < 0).any() or (self.design < 0).any())
        self.biased = model.row_bias is not None or model.col_bias is not None
        if self.biased:
            bias = np.zeros(n) if model.row_bias is None else model.row_bias
            own, self.design = np.column_stack([own, bias]), np.vstack([self.design, np.ones(m)])
        self.shift = model.offset + (np.zeros(m) if model.col_bias is None else model.col_bias)
        self.mean = own.mean(axis=0)
        spread = (own - self.mean) / np.sqrt(n)
        squares = np.mean(own**2, axis=0)
        # An empty component gets a little of the largest, so that the covariance can be inverted.
        variance = _LEAST_VARIANCE * squares + _EMPTY * (squares.max() or 1.0)
        precision = np.linalg.inv(spread.T @ spread + np.diag(variance))
        self.root = np.sqrt(noise_of(model, training)) * np.linalg.cholesky(precision).T
        self.range = float(values.min()), float(values.max())

    def nearest(self, cols: Array, values: Array, weights: Array) -> Array:
        """Return the most probable coordinates of a row with some known entries."""
        scale = np.sqrt(weights)
        left = np.vstack([scale[:, None] * self.design[:, cols].T, self.root])
        right = np.concatenate([scale * (values - self.shift[cols]), self.root @ self.mean])
        if self.signed:
            found = np.linalg.lstsq(left, right, rcond=None)[0]
        elif self.biased:  # either sign, as the difference of two numbers >= 0
            found = _non_negative(np.column_stack([left, -left[:, -1]]), right)
            found = np.append(found[:-2], found[-2] - found[-1])
        else:
            found = _non_negative(left, right)
        if len(cols) == len(self.mean):
            return found
        return self._within_range(found, min(self.range[0], values.min()), max(self.range[1], values.max()))

    def _within_range(self, found: Array, low: float, high: float) -> Array:
        """Return coordinates between the given ones and their mean whose scores are near a range."""
        start, end = (self.shift + each @ self.design for each in (self.mean, found))
        low, high = min(low, start.min()), max(high, start.max())
        slack = _SLACK * (high - low)
        room = np.where(end > start, high + slack - start, low - slack - start)
        beyond = np.abs(end - start) > np.abs(room)
        share = np.min(room[beyond] / (end - start)[beyond], initial=1.0)
        moved: Array = self.mean + share * (found - self.mean)
        return moved


def _non_negative(left: Array, right: Array) -> Array:
    """Return the non-negative least squares solution."""
    found: Array = nnls(left, right, maxiter=100 * left.shape[1])[0]
    return found
