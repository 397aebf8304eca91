"""What a stack of values knows of a pair beside its models: regressions, neighbours, numbers of entries."""

from __future__ import annotations

from dataclasses import dataclass
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
    """

    kernels: ColumnKernels | None
    neighbours: tuple[ResidualNeighbours, ...]
    known: tuple[Array, Array]
    symmetric: bool = False

    @classmethod
    def of(cls, network: Network, residuals: Array, kernels: ColumnKernels | None) -> ValueColumns:
        """Return the columns of a network, given the residuals of its listed entries."""
        neighbours = tuple(
            ResidualNeighbours.of(network, residuals, of_rows=of_rows) for of_rows in (False, True)
        )
        there = network.known
        counts = [
            np.bincount(side[there], minlength=size).astype(np.float64)
            for side, size in zip((network.rows, network.cols), network.shape, strict=True)
        ]
        if network.symmetric:
            counts = [counts[0] + counts[1]] * 2
        return cls(kernels, neighbours, (np.log1p(counts[0]), np.log1p(counts[1])), network.symmetric)

    @property
    def levels(self) -> int:
        """Number of columns that predict the value itself: they are the first."""
        return int(self.kernels is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns in explanations; the last two share one contribution."""
        regressions = ("regression on other columns",) if self.kernels is not None else ()
        return (*regressions, "similar columns", "similar rows", "numbers of known entries", "")

    def features(self, rows: Array, cols: Array) -> list[Array]:
        """Return the columns of pairs of indices."""
        predicted = [] if self.kernels is None else [self.kernels.at(rows, cols)]
        corrections = [each.correction(rows, cols) for each in self.neighbours]
        known = [self.known[0][rows], self.known[1][cols]]
        if self.symmetric:
            # Both directions are one pair: what depends on them is taken as the mean.
            corrections, known = [[np.mean(both, axis=0)] * 2 for both in (corrections, known)]
        return [*predicted, *corrections, *known]
