"""A logistic model of row and column effects, fitted to all pairs at the cost of the observed ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

__all__ = ["DegreeGroups", "DegreeLoss", "fit_degrees"]

Array = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class DegreeGroups:
    """Rows and columns grouped by degree, their number of observed entries.

    Attributes
    ----------
    rows, cols : arrays of int
        Group of each row and of each column.
    row_degrees, col_degrees : arrays, shape (groups,)
        Degree of the rows or columns of each group.
    pairs : array, shape (groups of rows, groups of columns)
        Number of pairs between groups.
    """

    rows: Integers
    cols: Integers
    row_degrees: Array
    col_degrees: Array
    pairs: Array

    @classmethod
    def from_degrees(
        cls, row_degrees: Integers, col_degrees: Integers, without_diagonal: bool
    ) -> DegreeGroups:
        """Group lines of equal degree; N entries make no more than about sqrt(2 N) groups."""
        distinct_rows, rows = np.unique(row_degrees, return_inverse=True)
        distinct_cols, cols = np.unique(col_degrees, return_inverse=True)
        pairs = np.outer(np.bincount(rows), np.bincount(cols)).astype(np.float64)
        if without_diagonal:
            np.subtract.at(pairs, (rows, cols), 1.0)
        return cls(rows, cols, distinct_rows.astype(np.float64), distinct_cols.astype(np.float64), pairs)


def fit_degrees(groups: DegreeGroups, ridge: float) -> tuple[float, Array, Array]:
    """Return the offset, row biases and column biases of the logistic model of being observed.

        minimise  - sum over all pairs  [ o_ij log p_ij + (1 - o_ij) log(1 - p_ij) ]
                  + ridge / 2 (|a|^2 + |b|^2),      p_ij = sigmoid(mu + a_i + b_j)

    Lines of equal degree have equal biases, since the loss is convex and depends on a line by its degree
    alone: the sum over all pairs is one over pairs of groups, of which there are no more than about twice the
    observed entries. For a directed network this is exact but for the missing diagonal, which is shared
    evenly by rows of equal degree.
    """
    loss = DegreeLoss(groups, ridge)
    # Parameters are in units of about a standard error: a gradient of 1e-4 is far below the noise.
    options = {"gtol": 1e-4, "maxiter": 200}
    result = minimize(
        loss.value_and_gradient,
        loss.start,
        jac=True,
        hessp=loss.hessian_product,
        method="trust-ncg",
        options=options,
    )
    mu, a, b = loss.parameters(result.x)
    return float(mu), a[groups.rows], b[groups.cols]


class DegreeLoss:
    """The loss of `fit_degrees` over groups, with gradient and Hessian, in scaled parameters.

    Parameters are scaled such that the loss has about the same curvature for large and small groups.

    Parameters
    ----------
    groups : DegreeGroups
    ridge : float

    Attributes
    ----------
    start : array, shape (parameters,)
        Scaled parameters to start from: biases of 0.
    """

    def __init__(self, groups: DegreeGroups, ridge: float) -> None:
        self.pairs = groups.pairs
        n, m = (np.bincount(lines).astype(np.float64) for lines in (groups.rows, groups.cols))
        self.sizes = len(n), len(m)
        observed = [n * groups.row_degrees, m * groups.col_degrees]
        self.observed = np.concatenate([[observed[0].sum()], *observed])
        self.penalty = ridge * np.concatenate([[0.0], n, m])
        share = (self.observed[0] + 0.5) / (self.pairs.sum() + 1)
        # One over the root of the curvature at the start: about a standard error of each parameter.
        self.unit = 1 / np.sqrt(np.maximum(share * (1 - share) * self._sums(self.pairs), 1) + self.penalty)
        self.start = np.zeros(len(self.unit))
        self.start[0] = np.log(share / (1 - share)) / self.unit[0]
        self._variance_at: Array | None = None
        self._variance = self.pairs

    def parameters(self, scaled: Array) -> tuple[Any, Array, Array]:
        """Return the offset, the biases of row groups and the biases of column groups."""
        theta = scaled * self.unit
        return theta[0], theta[1 : 1 + self.sizes[0]], theta[1 + self.sizes[0] :]

    def value_and_gradient(self, scaled: Array) -> tuple[float, Array]:
        """Return the loss and its gradient."""
        mu, a, b = self.parameters(scaled)
        theta, z = scaled * self.unit, mu + a[:, None] + b
        loss = np.sum(self.pairs * np.logaddexp(0, z)) - self.observed @ theta + self.penalty @ theta**2 / 2
        gradient = self._sums(self.pairs * expit(z)) - self.observed + self.penalty * theta
        return float(loss), gradient * self.unit

    def hessian_product(self, scaled: Array, direction: Array) -> Array:
        """Return the Hessian at a point, times a direction."""
        if self._variance_at is None or not np.array_equal(self._variance_at, scaled):
            mu, a, b = self.parameters(scaled)
            p = expit(mu + a[:, None] + b)
            self._variance_at, self._variance = scaled.copy(), self.pairs * p * (1 - p)
        mu, a, b = self.parameters(direction)
        change = self._variance * (mu + a[:, None] + b)
        return (self._sums(change) + self.penalty * direction * self.unit) * self.unit

    @staticmethod
    def _sums(table: Array) -> Array:
        """Return the sums over all pairs of groups, over each row and over each column."""
        return np.concatenate([[table.sum()], table.sum(axis=1), table.sum(axis=0)])
