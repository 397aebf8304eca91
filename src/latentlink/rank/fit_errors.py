"""Relative errors of a model on known entries, overall and of each column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Network

__all__ = ["column_errors", "relative_error"]

Array = NDArray[np.float64]


def relative_error(network: Network, factors: Factors) -> float:
    """Return ``|X - model| / |X|`` over known entries, weighted (equation 3 of the paper has its square)."""
    residual, squares = _column_sums(network, factors)
    total = float(squares.sum())
    return float(np.sqrt(residual.sum() / total)) if total > 0 else float("nan")


def column_errors(network: Network, factors: Factors) -> Array:
    """Return ``|X_j - model_j| / |X_j|`` of each column over known entries; NaN where ``|X_j|`` is 0."""
    residual, squares = _column_sums(network, factors)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(squares > 0, np.sqrt(residual / squares), np.nan)


def _column_sums(network: Network, factors: Factors) -> tuple[Array, Array]:
    """Return the weighted sums of squared residuals and of squared values of each column."""
    known = network.known
    rows, cols = network.rows[known], network.cols[known]
    values, weights = network.values[known], network.weights[known]
    score = factors.score(rows, cols)
    residuals, squares = weights * (values - score) ** 2, weights * values**2
    if network.symmetric:  # a pair counts for the columns of both its nodes
        off = rows != cols
        cols = np.concatenate([cols, rows[off]])
        residuals, squares = (np.concatenate([terms, terms[off]]) for terms in (residuals, squares))
    residual_sums: Array = np.bincount(cols, residuals, network.shape[1]).astype(np.float64)
    if network.background:
        residual_sums = residual_sums + network.background * _unlisted_squares(network, factors)
    return residual_sums, np.bincount(cols, squares, network.shape[1]).astype(np.float64)


def _unlisted_squares(network: Network, factors: Factors) -> Array:
    """Return the sum of squared scores over the unlisted entries of each column.

    Computed by a Gram matrix for linear models, and column by column for Boolean, logistic and symmetric
    ones.
    """
    n, m = network.shape
    listed = network.csc
    of_col = np.repeat(np.arange(m), np.diff(listed.indptr))
    known = np.bincount(of_col, factors.score(listed.indices, of_col) ** 2, m)
    if factors.logistic or factors.boolean or factors.symmetric:
        every = np.arange(n)
        total = np.array([np.sum(factors.score(every, np.full(n, j)) ** 2) for j in range(m)])
        if network.symmetric and not network.has_self_loops:
            total -= factors.score(np.arange(m), np.arange(m)) ** 2
    else:
        left, right = _extended(factors)
        total = np.einsum("jc,cd,jd->j", right, left.T @ left, right)
    return np.maximum(total - known, 0)


def _extended(factors: Factors) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return [W, b + mu, 1] and [H', 1, c]: factors with biases and offset, whose product is the score."""
    n, m = factors.shape
    row_bias = np.zeros(n) if factors.row_bias is None else factors.row_bias
    col_bias = np.zeros(m) if factors.col_bias is None else factors.col_bias
    left = np.column_stack([factors.W, row_bias + factors.offset, np.ones(n)])
    return left, np.column_stack([factors.H.T, np.ones(m), col_bias])
