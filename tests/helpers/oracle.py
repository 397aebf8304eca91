"""The documented objectives of all solvers, written with dense arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import kl_div

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF


def dense_problem(network: Network) -> tuple[np.ndarray, np.ndarray]:
    """Return values and weights of all pairs; a symmetric pair has half its weight in either direction.

    Unlisted pairs are zeros with the weight of the background, and the diagonal of a symmetric network is
    hidden unless a self loop is listed.
    """
    values = np.zeros(network.shape)
    weights = np.full(network.shape, network.background)
    if network.symmetric and not np.any(network.rows == network.cols):
        np.fill_diagonal(weights, 0.0)
    for i, j, value, weight in zip(network.rows, network.cols, network.values, network.weights, strict=True):
        values[i, j], weights[i, j] = value, weight
        if network.symmetric:
            values[j, i], weights[j, i] = value, weight
    if network.symmetric:
        weights = weights * np.where(np.eye(len(weights), dtype=bool), 1.0, 0.5)
    return values, weights


def linear_scores(factors: Factors) -> np.ndarray:
    """Return W H + row bias + column bias + offset of all pairs, without the link."""
    scores = factors.W.astype(np.float64) @ factors.H.astype(np.float64) + factors.offset
    if factors.row_bias is not None:
        scores = scores + factors.row_bias[:, None]
    if factors.col_bias is not None:
        scores = scores + factors.col_bias[None, :]
    return scores


def penalty_weights(solver, network: Network) -> tuple[np.ndarray, np.ndarray]:
    """Return p and q of the docstring of RNMF: the penalties of rows and columns, relative to the ridge."""
    if solver.ridge_counts is None:
        return np.ones(network.shape[0]), np.ones(network.shape[1])
    weights = dense_problem(network)[1] * (2 if network.symmetric else 1)
    counts = weights.sum(axis=1), weights.sum(axis=0)
    typical = [each.mean() for each in counts] if solver.ridge_counts == "auto" else solver.ridge_counts
    return (1 + counts[0] / typical[0]) / 2, (1 + counts[1] / typical[1]) / 2


def penalties(solver, factors: Factors, network: Network) -> float:
    """Return the penalty in the docstring of the solver."""
    if isinstance(solver, RNMF):
        p, q = (np.sqrt(weights) for weights in penalty_weights(solver, network))
        factors = replace(factors, W=factors.W * p[:, None], H=factors.H * q)
    squares = [
        0.0 if part is None else float(np.sum(np.asarray(part, np.float64) ** 2))
        for part in (factors.W, factors.H, factors.row_bias, factors.col_bias)
    ]
    match solver:
        case SymLMF():
            return solver.ridge_used / 2 * (squares[0] + squares[2])
        case LMF():
            return solver.ridge_used / 2 * sum(squares)
        case RNMF():
            own = (solver.ridge_used, solver.ridge_cols, solver.ridge_row_bias, solver.ridge_col_bias)
            return sum(
                (solver.ridge_used if ridge is None else ridge) * square
                for ridge, square in zip(own, squares, strict=True)
            )
        case BNMF():
            ridge_cols = solver.ridge_used if solver.ridge_cols is None else solver.ridge_cols
            return solver.ridge_used * squares[0] + ridge_cols * squares[1]
        case WNMF():
            return solver.ridge_used * (squares[0] + squares[1])
        case NMF() | KLNMF():
            return 0.0
    raise AssertionError(f"add the documented penalty of {type(solver).__name__} to tests/helpers/oracle.py")


def dense_objective(network: Network, factors: Factors, solver) -> float:
    """Return the objective of a solver at given factors."""
    x, w = dense_problem(network)
    z = linear_scores(factors)
    if isinstance(solver, SymLMF):
        w = w * (1 - np.eye(len(w)))
    if isinstance(solver, LMF):
        loss = np.logaddexp(0, z) - x * z
    elif isinstance(solver, BNMF):
        upper = max(factors.rank, solver.lower) if solver.upper is None else solver.upper
        loss = (np.where(x > 0.5, np.clip(z, solver.lower, upper), 0.0) - z) ** 2
    elif isinstance(solver, KLNMF):
        loss = np.where(w > 0, kl_div(x, z), 0.0)
    else:
        loss = (x - z) ** 2
    # A symmetric pair counts once, so the penalties of its two factors are halved. SymLMF has one factor.
    share = 0.5 if network.symmetric and not isinstance(solver, SymLMF) else 1.0
    return float(np.sum(w * loss)) + share * penalties(solver, factors, network)


def member_network(ensemble: Ensemble, member: int) -> Network:
    """Return one member of an ensemble as a network, with unknown entries hidden."""
    values = ensemble.values[:, member]
    weights = ensemble.weights if ensemble.weights.ndim == 1 else ensemble.weights[:, member]
    known = ~np.isnan(values)
    network = ensemble.network.with_values(np.where(known, values, 0.0))
    return network.with_weights(np.where(known, weights, 0.0))


def all_scores(factors: Factors) -> np.ndarray:
    """Return the scores of all pairs by `Factors.score`."""
    rows, cols = (index.ravel() for index in np.indices(factors.shape))
    return factors.score(rows, cols).reshape(factors.shape)
