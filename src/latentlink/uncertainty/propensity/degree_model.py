"""A logistic model of rows and columns, fitted to all pairs at the cost of the listed ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

__all__ = ["Grouped", "fit_degrees"]

Array = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Grouped:
    """Rows and columns put together by how many observed entries they have.

    Attributes
    ----------
    rows, cols : arrays of int
        Group of each row and of each column.
    row_degrees, col_degrees : arrays, shape (groups,)
        Observed entries of one row or column of each group.
    pairs : array, shape (groups of rows, groups of columns)
        How many pairs there are between groups.
    """

    rows: Integers
    cols: Integers
    row_degrees: Array
    col_degrees: Array
    pairs: Array

    @classmethod
    def of(cls, row_degrees: Integers, col_degrees: Integers, without_diagonal: bool) -> Grouped:
        """Put lines of equal degree together; a sum of N has at most sqrt(2 N) different terms."""
        first, rows = np.unique(row_degrees, return_inverse=True)
        second, cols = np.unique(col_degrees, return_inverse=True)
        pairs = np.outer(np.bincount(rows), np.bincount(cols)).astype(np.float64)
        if without_diagonal:
            np.subtract.at(pairs, (rows, cols), 1.0)
        return cls(rows, cols, first.astype(np.float64), second.astype(np.float64), pairs)


def fit_degrees(grouped: Grouped, ridge: float) -> tuple[float, Array, Array]:
    """Return offset, row and column biases of the logistic model of being observed.

        minimise  - sum over all pairs  [ o_ij log p_ij + (1 - o_ij) log(1 - p_ij) ]
                  + ridge / 2 (|a|^2 + |b|^2),      p_ij = sigmoid(mu + a_i + b_j)

    Lines of equal degree have equal biases, since the loss is convex and knows nothing else of them: the sum
    over all pairs is one over groups, of which there are no more than twice the listed entries. Of a directed
    network that is exact but for its missing diagonal, which rows of equal degree share evenly.
    """
    loss = _Loss(grouped, ridge)
    # Slopes are in units of standard errors: a ten thousandth of one is more than the data can tell.
    options = {"gtol": 1e-4, "maxiter": 200}
    found = minimize(loss.value, loss.start, jac=True, hessp=loss.curved, method="trust-ncg", options=options)
    mu, a, b = loss.parts(found.x)
    return float(mu), a[grouped.rows], b[grouped.cols]


class _Loss:
    """The loss with its slope and curvature, in units that make large and small groups equally curved."""

    def __init__(self, grouped: Grouped, ridge: float) -> None:
        self.pairs = grouped.pairs
        n, m = (np.bincount(lines).astype(np.float64) for lines in (grouped.rows, grouped.cols))
        self.sizes = len(n), len(m)
        seen = [n * grouped.row_degrees, m * grouped.col_degrees]
        self.observed = np.concatenate([[seen[0].sum()], *seen])
        self.penalty = ridge * np.concatenate([[0.0], n, m])
        share = (self.observed[0] + 0.5) / (self.pairs.sum() + 1)
        # One over the root of the curvature at the start: about a standard error of each number.
        self.unit = 1 / np.sqrt(np.maximum(share * (1 - share) * self._sums(self.pairs), 1) + self.penalty)
        self.start = np.zeros(len(self.unit))
        self.start[0] = np.log(share / (1 - share)) / self.unit[0]
        self._at: Array | None = None
        self._variance = self.pairs

    def parts(self, scaled: Array) -> tuple[Any, Array, Array]:
        """Return offset, biases of rows and biases of columns."""
        theta = scaled * self.unit
        return theta[0], theta[1 : 1 + self.sizes[0]], theta[1 + self.sizes[0] :]

    def value(self, scaled: Array) -> tuple[float, Array]:
        """Return the loss and its slope."""
        mu, a, b = self.parts(scaled)
        theta, z = scaled * self.unit, mu + a[:, None] + b
        loss = np.sum(self.pairs * np.logaddexp(0, z)) - self.observed @ theta + self.penalty @ theta**2 / 2
        slope = self._sums(self.pairs * expit(z)) - self.observed + self.penalty * theta
        return float(loss), slope * self.unit

    def curved(self, scaled: Array, along: Array) -> Array:
        """Return the curvature times a direction."""
        if self._at is None or not np.array_equal(self._at, scaled):
            mu, a, b = self.parts(scaled)
            chance = expit(mu + a[:, None] + b)
            self._at, self._variance = scaled.copy(), self.pairs * chance * (1 - chance)
        mu, a, b = self.parts(along)
        moved = self._variance * (mu + a[:, None] + b)
        return (self._sums(moved) + self.penalty * along * self.unit) * self.unit

    @staticmethod
    def _sums(each: Array) -> Array:
        return np.concatenate([[each.sum()], each.sum(axis=1), each.sum(axis=0)])
