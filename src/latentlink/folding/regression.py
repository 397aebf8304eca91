"""New rows by regression: factors that minimise the solver's own loss, given the columns of a fitted model.

Given H, the column biases and the offset, the factors of a new row solve a small convex problem that depends
on no other row. `Solver.refit` solves it for the transposed matrix.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import DataWarning, warn_user
from latentlink.factors import Factors
from latentlink.folding.mean_rows import MeanRows, pulled_to_mean
from latentlink.folding.sparse_rows import fit_sparse_rows, sparse_rows
from latentlink.network import Ensemble, Network
from latentlink.solvers import Solver
from latentlink.solvers.needs import check_values

__all__ = ["MOST_VALUES", "ROUNDS", "average_row", "known_rows", "regressed_rows"]

Array = NDArray[Any]

ROUNDS = 100  # of refits, each of the rows that have not converged
_TOLERANCE = 1e-9
MOST_VALUES = 1 << 23  # of all models at once, where each has values of its own


def known_rows(network: Network) -> NDArray[np.bool_]:
    """Mark rows of which at least one entry is known.

    Examples
    --------
    >>> known_rows(Network.from_dense([[1.0, np.nan], [np.nan, np.nan]]))
    array([ True, False])
    """
    n, m = network.shape
    known = np.bincount(network.rows[network.known], minlength=n) > 0
    if network.background:
        known |= np.bincount(network.rows, minlength=n) < m
    return known


def average_row(model: Factors, binary: bool) -> tuple[Array, float]:
    """Return factors and bias of the average row, used for a row without known entries."""
    W = model.W.mean(axis=0)
    bias = 0.0 if model.row_bias is None else float(model.row_bias.mean())
    return (np.where(W > 0.5, 1, 0).astype(W.dtype) if binary else W), bias


def regressed_rows(
    solver: Solver, network: Network, models: Sequence[Factors], training: Network | None = None
) -> list[Factors]:
    """Return each model with the network's rows in place of its own.

    A row without known entries gets the average of the model's own rows, and one with few of them what
    `latentlink.folding.sparse_rows` finds. A ridge of a squared error pulls the others towards the average
    too, see `latentlink.folding.mean_rows`.

    Parameters
    ----------
    solver : Solver
        The solver that the models were fitted with; its ridge is a number.
    network : Network
        Known entries of the new rows; its columns are the models'.
    models : sequence of Factors
    training : Network, optional
        The network that the models were fitted to: its rows and columns may have penalties of their own, and
        its rows tell what rows are like.
    """
    check_values(solver, network)
    row_solver, batch = solver.for_new_rows(network)
    weights = (1.0, 1.0) if training is None else solver.penalty_weights(training)
    scales = [_penalty_scale(model, solver.penalties, weights) for model in models]
    rows = [
        _average_rows(model, scale, network.shape[0]) for model, scale in zip(models, scales, strict=True)
    ]
    regressed = known_rows(network)
    few = sparse_rows(solver, network, models[0].rank)
    if training is not None and few.any():
        for model, each in zip(models, rows, strict=True):
            fit_sparse_rows(network, np.flatnonzero(few), model, each, training)
        regressed &= ~few
    known = np.flatnonzero(regressed)
    row_solver.check(_transposed_rows(network, known))
    prior, fitted, data = None, rows, network
    if training is not None and pulled_to_mean(solver):
        prior = MeanRows.of(models, scales, solver.penalties[0], training)
        fitted, data = prior.design(rows), prior.known(network)
        row_solver = row_solver.with_penalties(0.0, 0.0)
        batch = min(batch, max(1, MOST_VALUES * network.shape[0] // (data.n_listed * len(models))))
    batches = [known[begin : begin + batch] for begin in range(0, len(known), batch)]
    unconverged = sum(_refit_until_converged(row_solver, data, each, fitted, prior) for each in batches)
    if unconverged:
        warn_user(
            f"{unconverged:,} of {network.shape[0]:,} new rows have not converged after "
            f"{row_solver.max_iter * ROUNDS:,} sweeps: their factors are near the optimum, not at it. A "
            "ridge makes them converge sooner.",
            ConvergenceWarning,
        )
    return [
        replace(model, W=each.W / scale, row_bias=each.row_bias, symmetric=False)
        for model, each, scale in zip(models, rows, scales, strict=True)
    ]


def _penalty_scale(
    model: Factors, penalties: tuple[float, float], weights: tuple[Array | float, Array | float]
) -> Array:
    """Return the scale of each component under which the penalties of its rows and columns are equal.

    The ridge refers to that scale, in which the solver leaves its factors; members have another one, with
    columns of W of unit length.
    """
    rows = penalties[0] * np.sum(np.atleast_1d(weights[0])[:, None] * model.W**2, axis=0)
    cols = penalties[1] * np.sum(np.atleast_1d(weights[1]) * model.H**2, axis=1)
    both = (rows > 0) & (cols > 0)
    ratio = np.divide(cols, rows, out=np.ones(model.rank), where=both)
    return np.sqrt(np.sqrt(ratio)).astype(model.W.dtype)


def _average_rows(model: Factors, scale: Array, count: int) -> Factors:
    """Return the model with ``count`` average rows, in the given scale."""
    W, bias = average_row(model, binary=False)
    biased = model.row_bias is not None or model.col_bias is not None
    return replace(
        model,
        W=np.tile(W * scale, (count, 1)),
        H=model.H / scale[:, None],
        row_bias=np.full(count, bias, model.W.dtype) if biased else None,
        boolean=False,
        symmetric=False,
    )


def _refit_until_converged(
    solver: Solver, network: Network, active: Array, rows: list[Factors], prior: MeanRows | None
) -> int:
    """Refit the active rows of all models, in place, until each has converged; return how many have not."""
    for _ in range(ROUNDS):
        transposed = _transposed_rows(network, active)
        data = (
            Ensemble.of(transposed, len(rows)) if prior is None else prior.ensemble(transposed, len(active))
        ).as_checked(solver)
        start = [_transposed_start(each, active) for each in rows]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.simplefilter("ignore", DataWarning)
            refitted = solver.refit(data, start).members
        moved = np.zeros(len(active), bool)
        for each, new in zip(rows, refitted, strict=True):
            moved |= _replace_rows(each, new, active)
        active = active[moved]
        if not len(active):
            break
    return len(active)


def _transposed_rows(network: Network, active: Array) -> Network:
    """Return the transposed network of some rows, and two more whose only entries are a 0 and a 1.

    With these two, rows that hold nothing but links, or nothing but zeros, pass the solver's checks, which
    for a whole network would mean that there is nothing to learn.
    """
    number = np.full(network.shape[0], -1)
    number[active] = np.arange(len(active))
    listed = number[network.rows] >= 0
    count = len(active)
    return Network(
        np.concatenate([network.cols[listed], [0, 0]]),
        np.concatenate([number[network.rows[listed]], [count, count + 1]]),
        np.concatenate([network.values[listed], [0.0, 1.0]]),
        np.concatenate([network.weights[listed], [1.0, 1.0]]),
        shape=(network.shape[1], count + 2),
        background=network.background,
    )


def _transposed_start(rows: Factors, active: Array) -> Factors:
    W = np.concatenate([rows.W[active], rows.W[[0, 0]]])
    bias = None if rows.row_bias is None else np.concatenate([rows.row_bias[active], rows.row_bias[[0, 0]]])
    return replace(rows, W=W, row_bias=bias).transposed()


def _replace_rows(rows: Factors, new: Factors, active: Array) -> NDArray[np.bool_]:
    """Write refitted factors into the rows; mark those that moved."""
    W = new.H.T[: len(active)]
    step = np.abs(W - rows.W[active]).max(axis=1)
    size = np.abs(W).max(axis=1)
    rows.W[active] = W
    if rows.row_bias is not None and new.col_bias is not None:
        bias = new.col_bias[: len(active)]
        step = np.maximum(step, np.abs(bias - rows.row_bias[active]))
        size = np.maximum(size, np.abs(bias))
        rows.row_bias[active] = bias
    tolerance = max(_TOLERANCE, 4 * float(np.finfo(rows.W.dtype).eps))
    moved: NDArray[np.bool_] = step > tolerance * np.maximum(size, np.finfo(rows.W.dtype).tiny)
    return moved
