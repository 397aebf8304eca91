"""How far a model is from what is known, in all and column by column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Network

__all__ = ["column_errors", "relative_error"]

Array = NDArray[np.float64]


def relative_error(network: Network, factors: Factors) -> float:
    """Return |X - model| / |X| over known entries, weighted (equation 3 of the paper has its square)."""
    wrong, all_of_it = _column_squares(network, factors)
    total = float(all_of_it.sum())
    return float(np.sqrt(wrong.sum() / total)) if total > 0 else float("nan")


def column_errors(network: Network, factors: Factors) -> Array:
    """Return |X_j - model_j| / |X_j| of each column over known entries; NaN where |X_j| is 0."""
    wrong, all_of_it = _column_squares(network, factors)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(all_of_it > 0, np.sqrt(wrong / all_of_it), np.nan)


def _column_squares(network: Network, factors: Factors) -> tuple[Array, Array]:
    """Return weighted sums of squared errors and of squared values, by column."""
    known = network.known
    rows, cols = network.rows[known], network.cols[known]
    values, weights = network.values[known], network.weights[known]
    score = factors.score(rows, cols)
    wrong, right = weights * (values - score) ** 2, weights * values**2
    if network.symmetric:  # a pair is a fact of both its nodes
        off = rows != cols
        cols = np.concatenate([cols, rows[off]])
        wrong, right = (np.concatenate([each, each[off]]) for each in (wrong, right))
    wrong_sums: Array = np.bincount(cols, wrong, network.shape[1]).astype(np.float64)
    if network.background:
        wrong_sums = wrong_sums + network.background * _unlisted_squares(network, factors)
    return wrong_sums, np.bincount(cols, right, network.shape[1]).astype(np.float64)


def _unlisted_squares(network: Network, factors: Factors) -> Array:
    """Return sums of squared scores over the unlisted entries of each column.

    A linear model has them by a Gram matrix; a Boolean or logistic one column by column.
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
    """Return rows [W, b + mu, 1] and columns [H', 1, c], whose products are the scores."""
    n, m = factors.shape
    row_bias = np.zeros(n) if factors.row_bias is None else factors.row_bias
    col_bias = np.zeros(m) if factors.col_bias is None else factors.col_bias
    left = np.column_stack([factors.W, row_bias + factors.offset, np.ones(n)])
    return left, np.column_stack([factors.H.T, np.ones(m), col_bias])
