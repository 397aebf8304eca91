"""What a stack of values knows of a pair beside its models: regressions, neighbours, numbers of entries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.stacking.values.column_kernels import ColumnKernels
from latentlink.stacking.values.residual_neighbours import ResidualNeighbours

__all__ = ["ValueColumns"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ValueColumns:
    """Columns of a stack of values, for pairs of a network.

    Attributes
    ----------
    kernels : ColumnKernels or None
        Regressions of each column on the others, for tables of few columns.
    neighbours : tuple of ResidualNeighbours
        Of columns, and of rows.
    known : two arrays, shapes (rows,) and (columns,)
        log(1 + number of known entries).
    symmetric : bool
        Whether pairs are unordered.
    ranges : two arrays, shape (columns,), or None
        Least and greatest score of each column, infinite where there is none; None if they are the same.
    """

    kernels: ColumnKernels | None
    neighbours: tuple[ResidualNeighbours, ...]
    known: tuple[Array, Array]
    symmetric: bool = False
    ranges: tuple[Array, Array] | None = None

    @classmethod
    def of(cls, network: Network, residuals: Array, kernels: ColumnKernels | None) -> ValueColumns:
        """Return the columns of a network, given the residuals of its listed entries."""
        neighbours = tuple(
            ResidualNeighbours.of(network, residuals, of_rows=of_rows) for of_rows in (False, True)
        )
        counts = _counts(network)
        if network.symmetric:
            counts = [counts[0] + counts[1]] * 2
        return cls(kernels, neighbours, (np.log1p(counts[0]), np.log1p(counts[1])), network.symmetric)

    def for_rows(self, network: Network, residuals: Array, filled: Array | None) -> ValueColumns:
        """Return the columns of new rows, whose weights were learned from rows like the fitted ones.

        Numbers of known entries below the least or above the greatest of the fitted rows count as these, and
        below the least, regressions of columns count in proportion to the number.

        Parameters
        ----------
        network : Network
            Known entries of the new rows.
        residuals : array, shape (listed,)
            What the models leave of them.
        filled : array, shape (new rows, columns), or None
            The models' predictions of all entries; None if there are no regressions of columns.
        """
        of_rows, of_columns = self.known
        count = _counts(network)[0]
        kernels = None
        if self.kernels is not None and filled is not None:
            least = max(1.0, float(np.rint(np.expm1(of_rows.min()))))
            kernels = self.kernels.for_rows(network, filled, np.minimum(1.0, count / least))
        known = np.clip(np.log1p(count), of_rows.min(), of_rows.max())
        neighbours = tuple(each.for_rows(network, residuals) for each in self.neighbours)
        return replace(self, kernels=kernels, neighbours=neighbours, known=(known, of_columns))

    @property
    def levels(self) -> int:
        """Number of columns that predict the value itself: they are the first."""
        return int(self.kernels is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns in explanations; the last two share one contribution."""
        regressions = ("regression on other columns",) if self.kernels is not None else ()
        return (*regressions, "similar columns", "similar rows", "numbers of known entries", "")

    def centre(self, rows: Array, cols: Array) -> Array | None:
        """Return the mean score of pairs by all members and models; None without regressions."""
        return None if self.kernels is None else self.kernels.filled[rows, cols].astype(np.float64)

    def features(self, rows: Array, cols: Array) -> list[Array]:
        """Return the columns of pairs of indices."""
        predicted = [] if self.kernels is None else [self.kernels.at(rows, cols)]
        corrections = [each.correction(rows, cols) for each in self.neighbours]
        known = [self.known[0][rows], self.known[1][cols]]
        if self.symmetric:
            # Both directions are one pair: what depends on them is taken as the mean.
            corrections, known = [[np.mean(both, axis=0)] * 2 for both in (corrections, known)]
        return [*predicted, *corrections, *known]


def _counts(network: Network) -> list[Array]:
    """Return the numbers of known entries of rows and of columns."""
    there = network.known
    return [
        np.bincount(side[there], minlength=size).astype(np.float64)
        for side, size in zip((network.rows, network.cols), network.shape, strict=True)
    ]
