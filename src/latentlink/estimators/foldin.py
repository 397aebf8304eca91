"""New rows, found by regression on what a model knows of the columns.

Given H, the column biases and the offset, the factors of a new row minimise the solver's own loss on what is
known of that row: a small convex problem, and no row's answer depends on another's. `Solver.refit` solves it
for the transposed matrix.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import DataWarning, warn_user
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers import LMF, NMF, RNMF, WNMF, Solver, SymLMF

__all__ = ["average_row", "folding_solver", "known_rows", "regressed_rows"]

Array = NDArray[Any]

_SWEEPS, _ROUNDS, _STILL = 50, 100, 1e-9


def folding_solver(solver: Solver) -> Solver:
    """Return the solver of new rows: of the transposed problem, where rows' penalties are columns'.

    Every row goes on until it stands still itself, so that a row's factors do not depend on its company.
    """
    row, col = _penalties(solver)
    if isinstance(solver, NMF):  # the same loss, with weights
        found: Solver = WNMF(precision=solver.precision)
    elif isinstance(solver, SymLMF):  # a new node's links to known nodes: neither is the other's mirror
        shared = LMF().get_params().keys() & solver.get_params().keys()
        found = LMF(**{name: getattr(solver, name) for name in shared})
    else:
        found = clone(solver)
    wanted: dict[str, Any] = {
        "max_iter": _SWEEPS,
        "tol": 0.0,
        "precision": "float64",
        "extrapolate": False,
        "updates": "descent",
        "ridge": col,
        "ridge_cols": row,
    }
    if isinstance(solver, RNMF):
        wanted["ridge_row_bias"] = row if solver.ridge_col_bias is None else solver.ridge_col_bias
        wanted["ridge_col_bias"] = row if solver.ridge_row_bias is None else solver.ridge_row_bias
    names = found.get_params()
    return found.set_params(**{name: value for name, value in wanted.items() if name in names})


def _penalties(solver: Solver) -> tuple[float, float]:
    """Return the penalties of W and of H."""
    # One number in a solver as it was used; only a search for the ridge has one for each member.
    row = 0.0 if isinstance(solver, NMF) else float(np.median(solver.ridge_used))
    col = getattr(solver, "ridge_cols", None)
    return row, row if col is None else float(col)


def known_rows(network: Network) -> NDArray[np.bool_]:
    """Tell of which rows anything is known.

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


def average_row(model: Factors, cut: bool) -> tuple[Array, float]:
    """Return factors and bias of the average row, which stands for one of which nothing is known."""
    W = model.W.mean(axis=0)
    bias = 0.0 if model.row_bias is None else float(model.row_bias.mean())
    return (np.where(W > 0.5, 1, 0).astype(W.dtype) if cut else W), bias


def regressed_rows(solver: Solver, network: Network, models: Sequence[Factors]) -> list[Factors]:
    """Return each model with the network's rows in place of its own.

    A row of which nothing is known gets the average of the model's own rows.

    Parameters
    ----------
    solver : Solver
        What the models were fitted with; its ridge is a number.
    network : Network
        What is known of the new rows; its columns are the models'.
    models : sequence of Factors
    """
    how = folding_solver(solver)
    scales = [_scale(model, *_penalties(solver)) for model in models]
    rows = [_begin(model, scale, network.shape[0]) for model, scale in zip(models, scales, strict=True)]
    left = 0
    for part in _parts(np.flatnonzero(known_rows(network)), network, how):
        left += _settle(how, network, part, rows)
    if left:
        warn_user(
            f"{left:,} of {network.shape[0]:,} new rows still moved after {_SWEEPS * _ROUNDS:,} sweeps: the "
            "factors are near the best, not at it. A ridge makes them settle sooner.",
            ConvergenceWarning,
        )
    return [
        replace(model, W=each.W / scale, row_bias=each.row_bias, symmetric=False)
        for model, each, scale in zip(models, rows, scales, strict=True)
    ]


def _scale(model: Factors, row: float, col: float) -> Array:
    """Return the scale of each component under which its rows and columns are penalised alike.

    The ridge is meant for that scale, in which the solver leaves its factors; members have another one, with
    columns of W of unit length.
    """
    weights = [row * np.sum(model.W**2, axis=0), col * np.sum(model.H**2, axis=1)]
    both = (weights[0] > 0) & (weights[1] > 0)
    ratio = np.divide(weights[1], weights[0], out=np.ones(model.rank), where=both)
    return np.sqrt(np.sqrt(ratio)).astype(model.W.dtype)


def _begin(model: Factors, scale: Array, count: int) -> Factors:
    """Return the model with so many average rows, in the given scale."""
    W, bias = average_row(model, cut=False)
    biased = model.row_bias is not None or model.col_bias is not None
    return replace(
        model,
        W=np.tile(W * scale, (count, 1)),
        H=model.H / scale[:, None],
        row_bias=np.full(count, bias, model.W.dtype) if biased else None,
        boolean=False,
        symmetric=False,
    )


def _parts(rows: Array, network: Network, how: Solver) -> list[Array]:
    """Return rows in groups so small that a solver which has to list unlisted pairs lists all of them."""
    step = max(1, len(rows))
    if network.background and isinstance(how, LMF):
        how.background_sample = max(how.background_sample, 3 * network.shape[1])
        step = how.background_sample // network.shape[1] - 2  # `_turned` adds two rows
    return [rows[begin : begin + step] for begin in range(0, len(rows), step)]


def _settle(how: Solver, network: Network, active: Array, rows: list[Factors]) -> int:
    """Improve the active rows of all models, in place, until each stands still; return how many do not."""
    for _ in range(_ROUNDS):
        data = Ensemble.of(_turned(network, active), len(rows))
        begin = [_turned_start(each, active) for each in rows]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.simplefilter("ignore", DataWarning)
            found = how.refit(data, begin).members
        moved = np.zeros(len(active), bool)
        for each, new in zip(rows, found, strict=True):
            moved |= _replace_rows(each, new, active)
        active = active[moved]
        if not len(active):
            break
    return len(active)


def _turned(network: Network, active: Array) -> Network:
    """Return the transposed network of some rows, and two more whose only entries are a 0 and a 1.

    Those two keep a solver from refusing rows that hold nothing but links, or nothing but zeros, which in a
    whole network would leave nothing to learn.
    """
    place = np.full(network.shape[0], -1)
    place[active] = np.arange(len(active))
    listed = place[network.rows] >= 0
    count = len(active)
    return Network(
        np.concatenate([network.cols[listed], [0, 0]]),
        np.concatenate([place[network.rows[listed]], [count, count + 1]]),
        np.concatenate([network.values[listed], [0.0, 1.0]]),
        np.concatenate([network.weights[listed], [1.0, 1.0]]),
        shape=(network.shape[1], count + 2),
        background=network.background,
    )


def _turned_start(rows: Factors, active: Array) -> Factors:
    W = np.concatenate([rows.W[active], rows.W[[0, 0]]])
    bias = None if rows.row_bias is None else np.concatenate([rows.row_bias[active], rows.row_bias[[0, 0]]])
    return replace(rows, W=W, row_bias=bias).transposed()


def _replace_rows(rows: Factors, new: Factors, active: Array) -> NDArray[np.bool_]:
    """Write what was found into the rows; tell which of them moved."""
    W = new.H.T[: len(active)]
    step = np.abs(W - rows.W[active]).max(axis=1)
    size = np.abs(W).max(axis=1)
    rows.W[active] = W
    if rows.row_bias is not None and new.col_bias is not None:
        bias = new.col_bias[: len(active)]
        step = np.maximum(step, np.abs(bias - rows.row_bias[active]))
        size = np.maximum(size, np.abs(bias))
        rows.row_bias[active] = bias
    still = max(_STILL, 4 * float(np.finfo(rows.W.dtype).eps))
    moved: NDArray[np.bool_] = step > still * np.maximum(size, np.finfo(rows.W.dtype).tiny)
    return moved
