"""Converged solutions are stationary points; sweeps by hand; losses of other libraries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn import decomposition

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.cases import Case, parts, solved, unfinished
from tests.helpers.oracle import all_scores, dense_objective, dense_problem, penalty_weights

SOLVERS = [
    NMF(),
    NMF(updates="multiplicative"),
    KLNMF(),
    WNMF(ridge=0.1),
    RNMF(ridge=0.1, ridge_cols=0.2, ridge_row_bias=0.3, ridge_col_bias=0.4),
    BNMF(ridge=0.05),
    BNMF(ridge=0.05, ridge_cols=0.1, lower=0.8, upper=1.2, updates="multiplicative"),
    LMF(ridge=0.1),
    LMF(ridge=0.1, centred=False, cycles=1),
    SymLMF(ridge=0.1),
    SymLMF(ridge=0.1, repelling=0.5),
]
CASES = [
    Case(solver, symmetric, background)
    for solver in SOLVERS
    for symmetric, background in ((False, 0.0), (False, 0.1), (True, 0.1))
    if symmetric or not solver.needs_symmetric
]

LOOPS = np.array([[1, 1, 0, 1], [1, 0, 0, np.nan], [0, 0, 1, 1], [1, np.nan, 1, 1]])


def gradient(network, factors, solver):
    """Return the numerical gradient of the dense objective by part; W and H of SymLMF are tied."""
    tied = isinstance(solver, SymLMF)
    signs = np.sign(np.sum(factors.H * factors.W.T, axis=1)) if tied else None

    def objective(name, array):
        moved = replace(factors, **{name: array})
        if tied and name == "W":
            moved = replace(moved, H=(array * signs).T)
        if tied and name == "row_bias":
            moved = replace(moved, col_bias=array)
        return dense_objective(network, moved, solver)

    slopes = {}
    for name in ("W", "row_bias") if tied else parts(factors):
        at = parts(factors)[name]
        slope = np.zeros_like(at)
        for index in np.ndindex(at.shape):
            below, above = at.copy(), at.copy()
            above[index] += 1e-5
            # The divergence is not defined below 0.
            below[index] = max(at[index] - 1e-5, 0.0) if isinstance(solver, KLNMF) else at[index] - 1e-5
            difference = objective(name, above) - objective(name, below)
            slope[index] = difference / (above[index] - below[index])
        slopes[name] = slope
    return slopes


def projected(network, factors, solver):
    """Return the largest entry of the projected gradient: at a bound of 0 only ascent is feasible."""
    largest = 0.0
    for name, slope in gradient(network, factors, solver).items():
        if name in {"W", "H"} and not factors.logistic:
            slope = np.where(parts(factors)[name] > 1e-4, slope, np.minimum(slope, 0))
        largest = max(largest, float(np.abs(slope).max()))
    return largest


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_converged_descent_is_at_a_stationary_point(case):
    network = case.network(size=7)
    start = solved(case.settings(max_iter=1), network).members[0]
    result = solved(case.settings(max_iter=3000, tol=1e-12), network, start=[start])
    before, after = (projected(network, factors, case.solver) for factors in (start, result.members[0]))
    assert after < 2e-3 * before


@pytest.mark.parametrize("X", [[[1.0]], LOOPS], ids=["one", "some"])
@pytest.mark.parametrize(
    "solver", [BNMF(ridge=0.05), KLNMF(), WNMF(ridge=0.1), RNMF(), LMF(ridge=0.1)], ids=str
)
def test_symmetric_networks_with_self_loops_converge_to_a_stationary_point(solver, X):
    """A self loop counts as one pair, though it is listed in one direction only."""
    network = Network.from_dense(X, symmetric=True)
    patient = type(solver)(**solver.get_params() | {"max_iter": 10_000, "tol": 1e-13})
    result = solved(patient, network, rank=2)
    losses = result.records[0].loss
    assert np.all(np.diff(losses) <= 1e-12 * losses[0])
    assert losses[-1] == pytest.approx(
        dense_objective(network, result.members[0], solver), rel=1e-9, abs=1e-12
    )
    assert projected(network, result.members[0], solver) < 5e-3


# -------------------------------------------------------------------- by hand


def hals_half(x, w, W, H, ridge, cycles=1):
    """Update W by coordinate descent on dense arrays, row by row and component by component."""
    for i in range(len(W)):
        for c in list(range(W.shape[1])) * cycles:
            without = x[i] - W[i] @ H + W[i, c] * H[c]
            den = np.sum(w[i] * H[c] ** 2) + ridge
            if den > 0:
                W[i, c] = max(0.0, np.sum(w[i] * without * H[c]) / den)


def balanced(W, H, ridges):
    """Scale components such that the penalties of both sides are equal, and their sum least."""
    weights = [ridges[0] * np.sum(W**2, axis=0), ridges[1] * np.sum(H**2, axis=1)]
    both = (weights[0] > 0) & (weights[1] > 0)
    scale = np.where(both, np.divide(weights[1], weights[0], where=both, out=np.ones(len(H))), 1) ** 0.25
    return W * scale, H / scale[:, None]


@pytest.mark.parametrize("background", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("ridge", [0.0, 0.2])
@pytest.mark.parametrize("cycles", [1, 3])
def test_sweeps_of_wnmf_by_hand(background, ridge, cycles):
    network = Case(WNMF(), False, background).network()
    weights = network.weights * np.random.default_rng(0).uniform(0.5, 2, network.n_listed)
    network = network.with_weights(weights)
    rng = np.random.default_rng(1)
    start = Factors(rng.random((network.shape[0], 3)), rng.random((3, network.shape[1])))
    result = solved(
        WNMF(max_iter=4, tol=0.0, ridge=ridge, cycles=cycles, extrapolate=False), network, 3, start=[start]
    ).members[0]
    x, w = dense_problem(network)
    W, H = start.W.copy(), start.H.copy()
    for _ in range(4):
        hals_half(x, w, W, H, ridge, cycles)
        turned = H.T.copy()
        hals_half(x.T, w.T, turned, W.T, ridge, cycles)
        W, H = balanced(W, turned.T, (ridge, ridge))
    np.testing.assert_allclose(result.W, W, atol=1e-9)
    np.testing.assert_allclose(result.H, H, atol=1e-9)


def dense_bnmf_half(x, w, W, H, ridge, bounds, multiplied):
    """Make one half sweep on the dense completed matrix."""
    z = W @ H
    target = np.where(x > 0.5, np.clip(z, *bounds), 0.0)
    Y = w * target + (1 - w) * z
    if multiplied:
        den = W @ H @ H.T + ridge * W
        W *= np.divide(Y @ H.T, den, out=np.ones_like(W), where=den > 0)
        return
    P, G = Y @ H.T, H @ H.T
    for i in range(len(W)):
        for c in range(W.shape[1]):
            W[i, c] = max(0.0, (P[i, c] - W[i] @ G[c] + W[i, c] * G[c, c]) / (G[c, c] + ridge))


@pytest.mark.parametrize("background", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("updates", ["descent", "multiplicative"])
def test_low_rank_plus_sparse_equals_dense_bnmf(background, updates):
    network = Case(BNMF(), False, background).network()
    rng = np.random.default_rng(1)
    start = Factors(rng.random((network.shape[0], 3)), rng.random((3, network.shape[1])))
    solver = BNMF(
        updates=updates,
        ridge=0.1,
        ridge_cols=0.2,
        lower=0.9,
        upper=1.5,
        max_iter=10,
        tol=0.0,
        extrapolate=False,
    )
    result = solved(solver, network, 3, start=[start]).members[0]
    x, w = dense_problem(network)
    W, H = start.W.copy(), start.H.copy()
    for _ in range(10):
        dense_bnmf_half(x, w, W, H, 0.1, (0.9, 1.5), updates == "multiplicative")
        turned = H.T.copy()
        dense_bnmf_half(x.T, w.T, turned, W.T, 0.2, (0.9, 1.5), updates == "multiplicative")
        W, H = balanced(W, turned.T, (0.1, 0.2))
    np.testing.assert_allclose(result.W, W, atol=1e-10)
    np.testing.assert_allclose(result.H, H, atol=1e-10)


@pytest.mark.parametrize("symmetric", [False, True])
def test_sweeps_of_the_papers_rnmf_by_hand(symmetric):
    """Multiplicative updates and gradient steps on known entries; the rate refers to the mean error."""
    network = Case(RNMF(), symmetric, 0.0).network()
    ridges = {"ridge": 0.1, "ridge_cols": 0.2, "ridge_row_bias": 0.3, "ridge_col_bias": 0.4}
    solver = RNMF(updates="paper", rate=0.1, max_iter=3, tol=0.0, **ridges)
    rng = np.random.default_rng(1)
    start = Factors(
        rng.random((network.shape[0], 2)), rng.random((2, network.shape[1])),
        rng.normal(0, 0.1, network.shape[0]), rng.normal(0, 0.1, network.shape[1]), offset=0.2,
    )  # fmt: skip
    result = solved(solver, network, 2, start=[start]).members[0]
    x, w = dense_problem(network)
    known = (w > 0).astype(float)
    W, H, b, c = start.W.copy(), start.H.copy(), start.row_bias.copy(), start.col_bias.copy()
    p, q = penalty_weights(solver, network)
    for _ in range(3):
        z = W @ H + b[:, None] + c + 0.2
        b = b + 0.1 * ((known * (x - z)).sum(1) - 0.3 * b) / known.sum(1)
        W = W * ((known * x) @ H.T) / ((known * z) @ H.T + 0.1 * p[:, None] * W)
        z = W @ H + b[:, None] + c + 0.2
        c = c + 0.1 * ((known * (x - z)).sum(0) - 0.4 * c) / known.sum(0)
        H = H * (W.T @ (known * x)) / (W.T @ (known * z) + 0.2 * q * H)
    for name, expected in (("W", W), ("H", H), ("row_bias", b), ("col_bias", c)):
        np.testing.assert_allclose(getattr(result, name), expected, atol=1e-10, err_msg=name)


# -------------------------------------------------------------------- other libraries, planted data


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "rank"), [(0, 3), (1, 5)])
def test_nmf_is_as_good_as_scikit_learns(seed, rank):
    """On fully known data, best of five starts each."""
    rng = np.random.default_rng(seed)
    X = rng.random((30, rank)) @ rng.random((rank, 20)) + 0.2 * rng.random((30, 20))
    network = Network.from_dense(X)
    ours = {}
    for updates in ("descent", "multiplicative"):
        solver = NMF(updates=updates, max_iter=3000, tol=1e-7)
        with unfinished():
            result = solver.solve(Ensemble.of(network, 5), rank, member_rngs(0, rank, 5))
        ours[updates] = min(record.loss[-1] for record in result.records)
    theirs = [
        decomposition.NMF(rank, init="random", random_state=start, max_iter=3000, tol=1e-8)
        .fit(X)
        .reconstruction_err_
        ** 2
        for start in range(5)
    ]
    assert ours["descent"] <= 1.01 * min(theirs)
    assert ours["multiplicative"] <= 1.01 * min(theirs)


def test_wnmf_with_a_background_of_one_is_nmf_of_the_matrix():
    """From the same start and with the same penalty, the loss is that of scikit-learn."""
    rng = np.random.default_rng(3)
    X = rng.random((15, 10)) * (rng.random((15, 10)) < 0.4)
    W, H = rng.random((15, 3)), rng.random((3, 10))
    rows, cols = np.nonzero(X)
    network = Network(rows, cols, X[rows, cols], shape=X.shape, background=1.0)
    result = solved(WNMF(ridge=0.1, max_iter=5000, tol=1e-12), network, 3, start=[Factors(W, H)])
    # scikit-learn halves everything and scales the penalty by the other side.
    theirs = decomposition.non_negative_factorization(
        X, W.copy(), H.copy(), n_components=3, init="custom",
        alpha_W=0.1 / 10, alpha_H=0.1 / 15, max_iter=5000, tol=1e-12,
    )  # fmt: skip
    loss = np.sum((X - theirs[0] @ theirs[1]) ** 2) + 0.1 * (np.sum(theirs[0] ** 2) + np.sum(theirs[1] ** 2))
    assert result.records[0].loss[-1] == pytest.approx(loss, rel=0.01)


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_planted_matrix_is_completed(symmetric):
    """A matrix of rank two is recovered where a third of its entries is unknown."""
    rng = np.random.default_rng(0)
    W = rng.random((20, 2)) + 0.1
    X = W @ (W.T if symmetric else rng.random((2, 20)) + 0.1)
    mask = rng.random(X.shape) < 0.67
    if symmetric:
        mask = np.triu(mask) | np.triu(mask).T
    known = Network.from_dense(np.where(mask, X, np.nan), symmetric=symmetric)
    for solver in (WNMF(max_iter=5000, tol=1e-9), NMF(max_iter=5000, tol=1e-9)):
        scores = all_scores(solved(solver, known).members[0])
        assert np.sqrt(np.mean((scores - X)[~mask] ** 2)) < 0.01 * X.std()


def test_overlapping_blocks_are_no_error_for_bnmf():
    """A sum of 2 at a known one is an error for NMF, but not for BNMF."""
    W = np.repeat([[1.0, 0], [1, 1], [0, 1]], 3, axis=0)
    X = np.minimum(W @ W.T, 1)
    network = Network.from_dense(X)
    best = min(
        solved(BNMF(max_iter=2000, tol=1e-10), network, 2, seed).records[0].loss[-1] for seed in range(3)
    )
    plain = min(solved(NMF(max_iter=2000), network, 2, seed).records[0].loss[-1] for seed in range(3))
    assert best < 1e-4
    assert plain > 0.5
