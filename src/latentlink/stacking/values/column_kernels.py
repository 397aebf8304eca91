"""Predictions of tables of few columns, each column by a kernel regression on all others.

First the holes of the table are filled by a factorization; then all columns are predicted
(`latentlink.stacking.values.column_regressions`), and the holes filled by these predictions, three times.
Holes of new rows are filled as often, by the regressions of the last time.

Bandwidth g, ridge s and the power are those with the least leave-one-out error on some columns, which has a
closed form: the error of row l is a_l divided by the l-th diagonal entry of (K + s I)^-1. A power of 1 is for
columns of different units, 0 for columns of one, such as pixels, of which some hardly vary. Errors of all
columns are of one unit (`latentlink.stacking.values.column_units`): relative to the variance of each, pixels
that hardly vary would decide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.stacking.values.column_regressions import (
    ColumnRegressions,
    distances_and_scale,
    fault_of_regressions,
    kernel_and_rate,
)
from latentlink.validation.wording import shortened

__all__ = ["RIDGES", "TRIED", "TRIED_ROWS", "ColumnKernels", "fault_of_kernels", "left_out_errors"]

Array = NDArray[Any]

_MOST_COLUMNS, _MOST_ROWS = 256, 20_000
_LEAST_KNOWN = 0.3  # share of the table: with more holes the filled-in values are most of it
_LEAST_ROWS = 30
_ROUNDS = 3
_POWERS, _BANDWIDTHS, RIDGES = (0.0, 0.5, 1.0), (0.3, 1.0, 3.0), (0.03, 0.1, 0.3, 1.0)
TRIED, TRIED_ROWS = 8, 600  # columns and rows on which these are compared


@dataclass(frozen=True, eq=False)
class ColumnKernels:
    """Predictions of all entries of a table of few columns, each column from all others.

    Attributes
    ----------
    predicted, filled : arrays of float32, shape (rows, columns)
        Predictions of all entries, and those of the factorization from which the holes were filled at first.
    settings : tuple of float
        The power of the deviation, the bandwidth g and the ridge s.
    limits : tuple of float
        The range of the known values, to which holes are filled.
    regressions : ColumnRegressions
        Those of the last time, for new rows.
    """

    predicted: Array
    filled: Array
    settings: tuple[float, float, float]
    limits: tuple[float, float]
    regressions: ColumnRegressions

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
        values, table = _known_and_filled(network, filled)
        used = _chosen(values, table) if settings is None else settings
        limits = float(np.nanmin(values)), float(np.nanmax(values))
        for _ in range(_ROUNDS):
            regressions, predicted = ColumnRegressions.fit(values, table, used)
            table = np.where(np.isnan(values), np.clip(predicted, *limits), table)
        return cls(predicted.astype(np.float32), filled.astype(np.float32), used, limits, regressions)

    def for_rows(self, network: Network, filled: Array, share: Array) -> ColumnKernels:
        """Predict all entries of new rows by the regressions of the fitted table.

        Regressions take holes that were filled in for known values, which is too certain where most of a row
        was filled in.

        Parameters
        ----------
        network : Network
            Known entries of the new rows; its columns are those of the table.
        filled : array, shape (new rows, columns)
            Predictions of a factorization for all entries.
        share : array, shape (new rows,)
            How much the regressions count in each row, from 0 to 1; the rest is the factorization.
        """
        values, table = _known_and_filled(network, filled)
        for _ in range(_ROUNDS):
            predicted = self.regressions.predict(table)
            table = np.where(np.isnan(values), np.clip(predicted, *self.limits), table)
        joined = filled + share[:, None] * (predicted - filled)
        return replace(self, predicted=joined.astype(np.float32), filled=filled.astype(np.float32))

    def at(self, rows: Array, cols: Array) -> Array:
        """Return the predictions of pairs of indices."""
        return self.predicted[rows, cols].astype(np.float64)


def fault_of_kernels(kernels: Any, shape: tuple[int, int]) -> str | None:
    """Return what is wrong with loaded regressions of columns, None if nothing is."""
    if not isinstance(kernels, ColumnKernels):
        return f"{shortened(kernels)} as its regressions of columns"
    for predicted in (kernels.predicted, kernels.filled):
        if not isinstance(predicted, np.ndarray) or predicted.shape != shape or predicted.dtype != np.float32:
            return f"regressions of columns whose predictions are not an array of float32 of shape {shape}"
        if not np.isfinite(predicted).all():
            return "regressions of columns with predictions that are not finite"
    if not -np.inf < kernels.limits[0] <= kernels.limits[1] < np.inf:
        return (
            f"regressions of columns with the limits {kernels.limits}; expected finite ones, the least first"
        )
    return fault_of_regressions(kernels.regressions, shape)


def _known_and_filled(network: Network, filled: Array) -> tuple[Array, Array]:
    """Return the known values with NaN elsewhere, and with predictions in the holes."""
    known = network.known
    values = np.full(network.shape, np.nan)
    values[network.rows[known], network.cols[known]] = network.values[known]
    return values, np.where(np.isnan(values), filled, values)


def _chosen(values: Array, table: Array) -> tuple[float, float, float]:
    """Return the power, the bandwidth and the ridge of the least leave-one-out error over some columns."""
    step = max(1, -(-len(table) // TRIED_ROWS))
    values, table = values[::step], table[::step]
    varying = [j for j in range(table.shape[1]) if _varies(values[:, j])]
    tried = [varying[k] for k in np.linspace(0, len(varying) - 1, min(TRIED, len(varying))).astype(int)]
    errors = np.zeros((len(_POWERS), len(_BANDWIDTHS), len(RIDGES)))
    for p, power in enumerate(_POWERS):
        scaled, distances, _, _ = distances_and_scale(table, power)
        for j in tried:
            known = np.flatnonzero(~np.isnan(values[:, j]))
            target = values[known, j] - values[known, j].mean()
            for g, bandwidth in enumerate(_BANDWIDTHS):
                gram = kernel_and_rate(scaled, distances, j, known, bandwidth)[0][known]
                errors[p, g] += left_out_errors(gram.astype(np.float64), target)
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
