"""Ridge regression towards given coefficients, under linear bounds, from sums of squares and products.

min_b  sum_e v_e (y_e - b x_e)^2 + penalty sum_k r_k (b_k - t_k)^2   subject to   bounds b >= limits
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

__all__ = ["BoundedRidge", "capped_weights", "error_of", "sums_of"]

Array = NDArray[Any]

_ROUNDING = 1e-9
_LEAST_CAP, _CAP_SHARE = 10.0, 0.01  # of squared errors, in means: see `capped_weights`
_ROUNDS_OF_CAP = 5


@dataclass(frozen=True, eq=False)
class BoundedRidge:
    """What coefficients are shrunk by, and bounded by.

    Attributes
    ----------
    units : array, shape (columns,)
        r: mean squares of a coefficient of 1, 0 for one that is free.
    bounds : array, shape (bounds, columns)
    limits : array, shape (bounds,)
    """

    units: Array
    bounds: Array
    limits: Array

    def solve(self, sums: Array, towards: Array, penalty: float) -> Array:
        """Return the coefficients, given sums of squares and products with the target in the last column."""
        ridge = penalty * self.units
        matrix, right = sums[:-1, :-1] + np.diag(ridge), sums[:-1, -1] + ridge * towards
        diagonal = np.diag(matrix)
        scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))  # a column of zeros has a coefficient of 0
        scaled = matrix / np.outer(scale, scale)
        scaled[np.diag_indices(len(scaled))] = 1.0 + _ROUNDING
        lower = np.linalg.cholesky(scaled)
        free = np.linalg.solve(lower.T, np.linalg.solve(lower, right / scale))
        bounds = self.bounds / scale
        short = self.limits - bounds @ free
        if short.max(initial=0.0) > _ROUNDING:
            # The step of least length in the norm of the matrix that ends the shortfall, by the method of
            # Lawson and Hanson (1974), chapter 23: least distance programming by non-negative least squares.
            # It is proportional to the shortfall, whose unit is that of the target: taken as 1 here.
            turned = np.linalg.solve(lower, bounds.T)
            lengths = np.sqrt(np.sum(turned**2, axis=0))
            short = np.divide(short, lengths, out=np.zeros_like(short), where=lengths > 0)
            turned = np.divide(turned, lengths, out=np.zeros_like(turned), where=lengths > 0)
            furthest = short.max()
            goal = np.append(np.zeros(len(free)), 1.0)
            system = np.vstack([turned, short / furthest])
            left = system @ nnls(system, goal)[0] - goal
            free = free - furthest * np.linalg.solve(lower.T, left[:-1] / left[-1])
        result: Array = free / scale
        return result


def sums_of(design: Array, target: Array, weights: Array) -> Array:
    """Return the sums of squares and products of the columns and the target, which is the last column."""
    columns = np.vstack([design, target])
    sums: Array = (columns * weights) @ columns.T
    return sums


def error_of(coefficients: Array, sums: Array) -> float:
    """Return the sum of squared errors of the entries of these sums."""
    joined = np.append(-coefficients, 1.0)
    return float(max(0.0, joined @ sums @ joined))


def capped_weights(errors: Array, weights: Array) -> Array:
    """Return weights by which no entry has a large share of the squared errors.

    An entry whose squared error is above both 10 means and a hundredth of the sum counts as much as one at
    this cap: of a table with heavy tails, single entries would decide on the coefficients. Of 100,000
    entries a cap of 1,000 means leaves all as they are.
    """
    squares, kept = errors**2, weights
    for _ in range(_ROUNDS_OF_CAP):
        cap = (
            max(_LEAST_CAP, _CAP_SHARE * len(errors)) * np.sum(kept * squares) / max(np.sum(weights), 1e-300)
        )
        kept = weights * np.divide(cap, squares, out=np.ones_like(squares), where=squares > cap)
    return kept
