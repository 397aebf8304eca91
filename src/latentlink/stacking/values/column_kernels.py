"""Regressions of a column on all others, for tables of few columns: kernel ridge regression.

With the rows z of the table without column j (unknown entries filled in, columns divided by a power of their
deviation),

    x_ij = mean_j + sum_l a_l K(z_i, z_l),   K(z, z') = exp( -g |z - z'|^2 / d ),
    a    = (K + s I)^-1 (x_j - mean_j),

over the rows l that know column j, where d is the median distance. First the holes are filled by a
factorization; then all columns are predicted, and the holes filled by these predictions, three times.

Bandwidth g, ridge s and the power are those with the least leave-one-out error on some columns, which has a
closed form: the error of row l is a_l divided by the l-th diagonal entry of (K + s I)^-1. A power of 1 is for
columns of different units, 0 for columns of one, such as pixels, of which some hardly vary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from latentlink.network import Network

__all__ = ["RIDGES", "ColumnKernels", "fault_of_kernels", "left_out_errors", "predicted_columns"]

Array = NDArray[Any]

_MOST_COLUMNS, _MOST_ROWS = 256, 20_000
_LEAST_KNOWN = 0.3  # share of the table: with more holes the filled-in values are most of it
_LEAST_ROWS = 30
_MOST_TRAINED = 2000  # rows that a regression learns from: the time grows with their cube
_ROUNDS = 3
_ROUNDING = 1e-9  # a column that varies by no more than this share of the largest value is constant
_POWERS, _BANDWIDTHS, RIDGES = (0.0, 0.5, 1.0), (0.3, 1.0, 3.0), (0.03, 0.1, 0.3, 1.0)
_TRIED, _TRIED_ROWS = 8, 600  # columns and rows on which these are compared


@dataclass(frozen=True, eq=False)
class ColumnKernels:
    """Predictions of all entries of a table of few columns, each column from all others.

    Attributes
    ----------
    predicted : array of float32, shape (rows, columns)
    settings : tuple of float
        The power of the deviation, the bandwidth g and the ridge s.
    """

    predicted: Array
    settings: tuple[float, float, float]

    @staticmethod
    def fit_to(network: Network) -> bool:
        """Whether a network is a table of few columns, of which enough is known."""
        n, m = network.shape
        few = 2 <= m <= _MOST_COLUMNS and _LEAST_ROWS <= n <= _MOST_ROWS
        table = not (network.symmetric or network.square or network.background)
        return few and table and network.n_known >= _LEAST_KNOWN * n * m

    @classmethod
    def of(
        cls, network: Network, filled: Array, settings: tuple[float, float, float] | None = None
    ) -> ColumnKernels:
        """Predict all entries of a table.

        Parameters
        ----------
        network : Network
        filled : array, shape (rows, columns)
            Predictions of a factorization for all entries.
        settings : tuple of float, optional
            Power, bandwidth and ridge; by default they are chosen.
        """
        known = np.zeros(network.shape, bool)
        known[network.rows[network.known], network.cols[network.known]] = True
        table = np.array(filled, np.float64)
        table[network.rows[network.known], network.cols[network.known]] = network.values[network.known]
        values = np.where(known, table, np.nan)
        used = _chosen(values, table) if settings is None else settings
        limits = np.nanmin(values), np.nanmax(values)
        predicted = np.array(filled, np.float64)
        for _ in range(_ROUNDS):
            predicted = predicted_columns(values, table, used)
            table = np.where(known, table, np.clip(predicted, *limits))
        return cls(predicted.astype(np.float32), used)

    def at(self, rows: Array, cols: Array) -> Array:
        """Return the predictions of pairs of indices."""
        return self.predicted[rows, cols].astype(np.float64)


def fault_of_kernels(kernels: Any, shape: tuple[int, int]) -> str | None:
    """Return what is wrong with loaded regressions of columns, None if nothing is."""
    predicted = getattr(kernels, "predicted", None)
    if not isinstance(predicted, np.ndarray) or predicted.shape != shape or predicted.dtype != np.float32:
        return f"regressions of columns whose predictions are not an array of float32 of shape {shape}"
    return (
        None
        if np.isfinite(predicted).all()
        else "regressions of columns with predictions that are not finite"
    )


def predicted_columns(values: Array, table: Array, settings: tuple[float, float, float]) -> Array:
    """Predict every column from the others of the filled-in table."""
    power, bandwidth, ridge = settings
    scaled, distances = _distances(table, power)
    predicted = np.empty(table.shape)
    for j in range(table.shape[1]):
        known = _trained_rows(values[:, j])
        target = values[known, j]
        if len(known) < 2 or np.ptp(target) == 0:
            predicted[:, j] = target.mean() if len(known) else table[:, j].mean()
            continue
        kernel = _kernel(scaled, distances, j, known, bandwidth)
        gram = kernel[known]
        gram[np.diag_indices(len(known))] += np.float32(ridge)
        factor = cho_factor(gram, lower=True, overwrite_a=True, check_finite=False)
        mean = target.mean()
        weights = cho_solve(factor, (target - mean).astype(np.float32), check_finite=False)
        predicted[:, j] = mean + kernel @ weights
    return predicted


def _distances(table: Array, power: float) -> tuple[Array, Array]:
    """Return the scaled table, and the squared distances of its rows."""
    deviation = table.std(axis=0)
    varies = deviation > _ROUNDING * np.abs(table).max(initial=0.0)
    scale = np.where(varies, deviation, 1.0) ** -power * varies
    scaled = ((table - table.mean(axis=0)) * scale).astype(np.float32)
    squares = np.sum(scaled**2, axis=1)
    return scaled, np.maximum(squares[:, None] + squares - 2 * scaled @ scaled.T, 0)


def _kernel(scaled: Array, distances: Array, j: int, known: Array, bandwidth: float) -> Array:
    """Return the kernel of all rows with those that know column j, without this column."""
    own = distances[:, known] - (scaled[:, j, None] - scaled[known, j]) ** 2
    unit = np.median(own[known[: min(len(known), 200)]]) or 1.0
    return np.exp(np.maximum(own, 0) * np.float32(-bandwidth / unit))


def _trained_rows(column: Array) -> Array:
    """Return the rows that know a column, evenly thinned where there are many."""
    known = np.flatnonzero(~np.isnan(column))
    return known[:: max(1, -(-len(known) // _MOST_TRAINED))]


def _chosen(values: Array, table: Array) -> tuple[float, float, float]:
    """Return the power, the bandwidth and the ridge of the least leave-one-out error over some columns."""
    step = max(1, -(-len(table) // _TRIED_ROWS))
    values, table = values[::step], table[::step]
    varying = [j for j in range(table.shape[1]) if _varies(values[:, j])]
    tried = [varying[k] for k in np.linspace(0, len(varying) - 1, min(_TRIED, len(varying))).astype(int)]
    errors = np.zeros((len(_POWERS), len(_BANDWIDTHS), len(RIDGES)))
    for p, power in enumerate(_POWERS):
        scaled, distances = _distances(table, power)
        for j in tried:
            known = np.flatnonzero(~np.isnan(values[:, j]))
            target = values[known, j] - values[known, j].mean()
            for g, bandwidth in enumerate(_BANDWIDTHS):
                gram = _kernel(scaled, distances, j, known, bandwidth)[known]
                errors[p, g] += left_out_errors(gram.astype(np.float64), target) / np.mean(target**2)
    best = np.unravel_index(np.argmin(errors), errors.shape)
    return _POWERS[best[0]], _BANDWIDTHS[best[1]], RIDGES[best[2]]


def left_out_errors(gram: Array, target: Array) -> Array:
    """Return the mean squared leave-one-out error for each ridge."""
    eigenvalues, vectors = np.linalg.eigh(gram)
    projected = vectors.T @ target
    inverses = 1 / (np.maximum(eigenvalues, 0)[:, None] + np.array(RIDGES))
    errors = (vectors @ (inverses * projected[:, None])) / (vectors**2 @ inverses)
    return np.mean(errors**2, axis=0)


def _varies(column: Array) -> bool:
    """Whether a column has two different known values."""
    known = column[~np.isnan(column)]
    return bool(len(known) > 1 and np.ptp(known) > 0)
