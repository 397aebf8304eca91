"""Kernel ridge regressions of every column of a filled-in table on all others, and their scores of new rows.

With the rows z of the table without column j (columns less their means, times a power of their deviation),

    x_ij = mean_j + sum_l a_l K(z_i, z_l),   K(z, z') = exp( -g |z - z'|^2 / d ),
    a    = (K + s I)^-1 (x_j - mean_j),

over the rows l that know column j, where d is the median distance. A new row needs the scaled rows z_l and
their weights a_l alone: no equations are solved for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

__all__ = [
    "CELLS",
    "MOST_TRAINED",
    "ROWS_OF_MEDIAN",
    "ColumnRegressions",
    "distances_and_scale",
    "fault_of_regressions",
    "kernel_and_rate",
]

Array = NDArray[Any]
Settings = tuple[float, float, float]

MOST_TRAINED = 2000  # rows that a regression learns from: the time grows with their cube
_ROUNDING = 1e-9  # a column that varies by no more than this share of the largest value is constant
ROWS_OF_MEDIAN = 200
CELLS = 1 << 22  # distances of new rows from fitted ones that are computed at once


@dataclass(frozen=True, eq=False)
class ColumnRegressions:
    """Regressions of each column of a table on the others.

    Attributes
    ----------
    rows : array of float32, shape (rows, columns)
        z: the filled-in table, centred and scaled.
    weights : array of float32, shape (rows, columns)
        a: those of the regression of each column, 0 for rows that it did not learn from.
    rates : array of float32, shape (columns,)
        -g / d of each column, 0 for a constant one.
    means, centres, scales : arrays, shape (columns,)
        Constant of each regression; what is subtracted from a column of the table, and multiplied with it.
    """

    rows: Array
    weights: Array
    rates: Array
    means: Array
    centres: Array
    scales: Array

    @classmethod
    def fit(cls, values: Array, table: Array, settings: Settings) -> tuple[ColumnRegressions, Array]:
        """Fit the regressions; return their predictions of all entries of the table too.

        Parameters
        ----------
        values : array, shape (rows, columns)
            With NaN where nothing is known.
        table : array, shape (rows, columns)
            The same, filled in.
        settings : tuple of float
            The power of the deviation, the bandwidth g and the ridge s.
        """
        power, bandwidth, ridge = settings
        scaled, distances, centres, scales = distances_and_scale(table, power)
        weights, rates = np.zeros(table.shape, np.float32), np.zeros(table.shape[1], np.float32)
        predicted, means = np.empty(table.shape), np.empty(table.shape[1])
        for j in range(table.shape[1]):
            known = _trained_rows(values[:, j])
            target = values[known, j]
            means[j] = target.mean() if len(known) else table[:, j].mean()
            if len(known) < 2 or np.ptp(target) == 0:
                predicted[:, j] = means[j]
                continue
            kernel, rates[j] = kernel_and_rate(scaled, distances, j, known, bandwidth)
            gram = kernel[known]
            gram[np.diag_indices(len(known))] += np.float32(ridge)
            factor = cho_factor(gram, lower=True, overwrite_a=True, check_finite=False)
            own = cho_solve(factor, (target - means[j]).astype(np.float32), check_finite=False)
            predicted[:, j] = means[j] + kernel @ own
            weights[known, j] = own
        return cls(scaled, weights, rates, means, centres, scales), predicted

    def predict(self, table: Array) -> Array:
        """Predict every column from the others for new rows of the filled-in table."""
        scaled = ((table - self.centres) * self.scales).astype(np.float32)
        predicted = np.tile(self.means, (len(table), 1))
        step = max(1, CELLS // len(self.rows))
        for begin in range(0, len(table), step):
            some = slice(begin, begin + step)
            distances = _distances(scaled[some], self.rows)
            for j in range(table.shape[1]):
                learned = np.flatnonzero(self.weights[:, j])
                kernel = _kernel(_without(distances, scaled[some], self.rows, j, learned), self.rates[j])
                predicted[some, j] += kernel @ self.weights[learned, j]
        return predicted


def fault_of_regressions(regressions: Any, shape: tuple[int, int]) -> str | None:
    """Return what is wrong with loaded regressions, None if nothing is."""
    if not isinstance(regressions, ColumnRegressions):
        return "regressions of columns without their weights"
    of_columns = shape[1:]
    expected = {
        "rows": (np.float32, shape),
        "weights": (np.float32, shape),
        "rates": (np.float32, of_columns),
        "means": (np.float64, of_columns),
        "centres": (np.float64, of_columns),
        "scales": (np.float64, of_columns),
    }
    for name, (dtype, size) in expected.items():
        array = getattr(regressions, name)
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != size:
            return f"regressions of columns whose {name} are not an array of {dtype.__name__} of shape {size}"
        if not np.isfinite(array).all():
            return f"regressions of columns with {name} that are not finite"
    if (regressions.rates > 0).any():
        return "regressions of columns with rates above 0"
    return None


def distances_and_scale(table: Array, power: float) -> tuple[Array, Array, Array, Array]:
    """Return the scaled table, the squared distances of its rows, and centres and scales of its columns."""
    deviation = table.std(axis=0)
    varies = deviation > _ROUNDING * np.abs(table).max(initial=0.0)
    scales = np.where(varies, deviation, 1.0) ** -power * varies
    centres = table.mean(axis=0)
    scaled = ((table - centres) * scales).astype(np.float32)
    return scaled, _distances(scaled, scaled), centres, scales


def kernel_and_rate(
    scaled: Array, distances: Array, j: int, known: Array, bandwidth: float
) -> tuple[Array, np.float32]:
    """Return the kernel of all rows with those that know column j, without this column, and its rate."""
    own = _without(distances, scaled, scaled, j, known)
    unit = np.median(own[known[: min(len(known), ROWS_OF_MEDIAN)]]) or 1.0
    rate = np.float32(-bandwidth / unit)
    return _kernel(own, rate), rate


def _distances(rows: Array, others: Array) -> Array:
    """Return the squared distances of rows from others."""
    squares = [np.sum(each**2, axis=1) for each in (rows, others)]
    distances: Array = np.maximum(squares[0][:, None] + squares[1] - 2 * rows @ others.T, 0)
    return distances


def _without(distances: Array, rows: Array, others: Array, j: int, some: Array) -> Array:
    """Return the squared distances of rows from some others, without column j."""
    own: Array = distances[:, some] - (rows[:, j, None] - others[some, j]) ** 2
    return own


def _kernel(distances: Array, rate: np.float32) -> Array:
    kernel: Array = np.exp(np.maximum(distances, 0) * rate)
    return kernel


def _trained_rows(column: Array) -> Array:
    """Return the rows that know a column, evenly thinned where there are many."""
    known = np.flatnonzero(~np.isnan(column))
    return known[:: max(1, -(-len(known) // MOST_TRAINED))]
