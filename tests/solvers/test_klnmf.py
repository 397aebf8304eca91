"""Factorization of counts under the Kullback-Leibler divergence, against scikit-learn, SciPy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import kl_div
from sklearn import decomposition
from sklearn.metrics import mean_poisson_deviance

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.folding import fold_rows
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import KLNMF, NMF
from tests.helpers.cases import Case, solved, unfinished
from tests.helpers.oracle import all_scores, dense_objective, dense_problem

UPDATES = ["descent", "multiplicative"]
every_update = pytest.mark.parametrize("updates", UPDATES)


def poisson(shape=(25, 18), rank=3, mean=3.0, seed=0):
    """Return planted means of low rank, and counts of them."""
    rng = np.random.default_rng(seed)
    means = rng.gamma(0.7, 1, (shape[0], rank)) @ rng.gamma(0.7, 1, (rank, shape[1]))
    means *= mean / means.mean()
    return means, rng.poisson(means).astype(float)


def positive_start(shape, rank, seed=1):
    rng = np.random.default_rng(seed)
    return Factors(rng.random((shape[0], rank)) + 0.1, rng.random((rank, shape[1])) + 0.1)


# -------------------------------------------------------------------- multiplicative updates


@pytest.mark.parametrize("sweeps", [1, 2, 20])
@pytest.mark.parametrize("stored", ["dense", "sparse"])
def test_multiplicative_sweeps_are_those_of_scikit_learn(sweeps, stored):
    X = poisson()[1]
    start = positive_start(X.shape, 4)
    theirs = decomposition.non_negative_factorization(
        X, start.W.copy(), start.H.copy(), n_components=4, init="custom",
        solver="mu", beta_loss="kullback-leibler", max_iter=sweeps, tol=0,
    )  # fmt: skip
    network = Network.from_dense(X)
    if stored == "sparse":
        network = Network.from_sparse(sparse.csr_array(X), unstored="zero")
    solver = KLNMF(updates="multiplicative", max_iter=sweeps, tol=0.0)
    result = solved(solver, network, 4, start=[start])
    np.testing.assert_allclose(result.members[0].W, theirs[0], rtol=1e-10)
    np.testing.assert_allclose(result.members[0].H, theirs[1], rtol=1e-10)
    assert result.records[0].loss[-1] == pytest.approx(kl_div(X, theirs[0] @ theirs[1]).sum())


@pytest.mark.parametrize("background", [0.0, 0.1, 1.0])
def test_multiplicative_sweeps_by_hand(background):
    """With weights, hidden entries and a background of any weight."""
    network = Case(KLNMF(), False, background).network()
    weights = network.weights * np.random.default_rng(0).uniform(0.5, 2, network.n_listed)
    network = network.with_weights(weights)
    start = positive_start(network.shape, 3)
    result = solved(KLNMF(updates="multiplicative", max_iter=4, tol=0.0), network, 3, start=[start])
    x, w = dense_problem(network)
    W, H = start.W, start.H
    for _ in range(4):
        W = W * ((w * x / (W @ H)) @ H.T) / (w @ H.T)
        H = H * (W.T @ (w * x / (W @ H))) / (W.T @ w)
    np.testing.assert_allclose(result.members[0].W, W, rtol=1e-9)
    np.testing.assert_allclose(result.members[0].H, H, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "rank"), [(0, 3), (1, 5)])
def test_the_loss_is_as_low_as_scikit_learns(seed, rank):
    """On fully known counts, best of five starts each."""
    X = poisson((30, 20), rank, 2.0, seed)[1]
    theirs = []
    for start in range(5):
        model = decomposition.NMF(
            rank, init="random", random_state=start, max_iter=5000, tol=1e-8,
            solver="mu", beta_loss="kullback-leibler",
        )  # fmt: skip
        W = model.fit_transform(X)
        theirs.append(kl_div(X, W @ model.components_).sum())
    with unfinished():
        solver = KLNMF(max_iter=3000, tol=1e-7)
        result = solver.solve(Ensemble.of(Network.from_dense(X), 5), rank, member_rngs(0, rank, 5))
    assert min(record.loss[-1] for record in result.records) <= 1.001 * min(theirs)


# -------------------------------------------------------------------- descent


@st.composite
def problems(draw):
    """Draw a small network of counts with weights, hidden and unlisted entries, and a start with zeros."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n, m = draw(st.tuples(st.integers(1, 7), st.integers(1, 7)))
    rank = draw(st.integers(1, 4))
    X = rng.poisson(rng.gamma(0.5, draw(st.sampled_from([0.1, 1.0, 100.0])), (n, m))).astype(float)
    listed = rng.random((n, m)) < draw(st.sampled_from([0.4, 1.0]))
    listed[0, 0] = True
    X[0, 0] += 1
    rows, cols = np.nonzero(listed)
    weights = rng.uniform(0.1, 2, len(rows)) * (rng.random(len(rows)) < 0.9)
    weights[0] = 1.0
    background = draw(st.sampled_from([0.01, 0.3, 1.0]))
    network = Network(rows, cols, X[rows, cols], weights, shape=(n, m), background=background)
    zeros = draw(st.sampled_from([0.0, 0.3]))
    W, H = (rng.random(size) * (rng.random(size) >= zeros) for size in ((n, rank), (rank, m)))
    return network, Factors(W, H)


@settings(max_examples=60)
@given(problems(), st.sampled_from(UPDATES), st.sampled_from(["float64", "float32"]))
@pytest.mark.filterwarnings("ignore:Nothing is known")
def test_the_loss_never_rises(problem, updates, precision):
    """From any start, also one with zeros whose loss would be infinite: a fit is at least a small number."""
    network, start = problem
    solver = KLNMF(updates=updates, max_iter=30, tol=0.0, precision=precision)
    losses = solved(solver, network, start.rank, start=[start]).records[0].loss
    assert np.all(np.isfinite(losses))
    rounding = 1e-12 if precision == "float64" else 1e-5
    assert np.all(np.diff(losses) <= rounding * losses[0])


def test_descent_needs_far_fewer_sweeps():
    network = Network.from_dense(poisson((40, 30), 4, 5.0)[1])
    sweeps, losses = {}, {}
    for updates in UPDATES:
        solver = KLNMF(updates=updates, max_iter=5000)
        result = solver.solve(Ensemble.of(network, 4), 4, 0)
        sweeps[updates] = max(record.sweeps for record in result.records)
        losses[updates] = min(record.loss[-1] for record in result.records)
    assert 3 * sweeps["descent"] < sweeps["multiplicative"]
    assert losses["descent"] <= 1.001 * losses["multiplicative"]


@every_update
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("power", [-40, 40])
def test_another_unit_of_the_data_gives_the_same_fit(updates, precision, power):
    """To the last bit for a power of 4, since the root of it is shared by rows and columns."""
    X = poisson()[1]
    solver = KLNMF(updates=updates, max_iter=30, tol=0.0, precision=precision)
    start = positive_start(X.shape, 3)
    plain = solved(solver, Network.from_dense(X), 3, start=[start])
    root = 2.0 ** (power // 2)
    scaled = solved(
        solver, Network.from_dense(root**2 * X), 3, start=[Factors(root * start.W, root * start.H)]
    )
    np.testing.assert_array_equal(scaled.members[0].W, root * plain.members[0].W)
    np.testing.assert_array_equal(scaled.records[0].loss, root**2 * plain.records[0].loss)


@every_update
def test_rows_and_columns_without_counts_are_predicted_as_zero(updates):
    X = poisson()[1]
    X[4], X[:, 7] = 0, 0
    scores = all_scores(solved(KLNMF(updates=updates), Network.from_dense(X), 3).members[0])
    np.testing.assert_array_equal(scores[4], 0)
    np.testing.assert_array_equal(scores[:, 7], 0)


@every_update
def test_a_matrix_of_zeros(updates):
    result = solved(KLNMF(updates=updates), Network.from_dense(np.zeros((4, 3))), 2)
    np.testing.assert_array_equal(all_scores(result.members[0]), 0)
    assert result.records[0].loss[-1] == 0


def test_totals_of_rows_and_columns_are_those_of_the_counts():
    """A property of the minimum: the slope of the scale of a row is 0."""
    X = poisson()[1]
    scores = all_scores(solved(KLNMF(max_iter=3000, tol=1e-12), Network.from_dense(X), 3).members[0])
    np.testing.assert_allclose(scores.sum(0), X.sum(0), rtol=1e-4)
    np.testing.assert_allclose(scores.sum(1), X.sum(1), rtol=1e-4)


def test_negative_values_raise():
    with pytest.raises(IncompatibleError, match=r"KLNMF\(\), which needs values >= 0"):
        KLNMF().solve(Network.from_dense([[1.0, -2.0], [3.0, 1.0]]), 1, 0)


# -------------------------------------------------------------------- refit and new rows


def least_divergence(x, w, W):
    """Return the columns of least loss, given the rows, by a general minimiser."""
    columns = []
    for j in range(x.shape[1]):

        def loss(h, j=j):
            z = np.maximum(W @ h, 1e-300)
            return np.sum(w[:, j] * kl_div(x[:, j], z)), W.T @ (w[:, j] * (1 - x[:, j] / z))

        best = minimize(
            loss, np.ones(W.shape[1]), jac=True, bounds=[(0, None)] * W.shape[1], tol=1e-15,
            method="L-BFGS-B", options={"maxiter": 10_000, "maxfun": 100_000},
        )  # fmt: skip
        columns.append(best.x)
    return np.array(columns).T


@every_update
@pytest.mark.parametrize("background", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("begin", ["given", "large", "zeros"])
def test_refit_reaches_the_minimum_from_any_start(updates, background, begin):
    """The problem is convex, and no column is stuck at 0."""
    rng = np.random.default_rng(0)
    X = poisson((12, 6), 2, 4.0)[1]
    rows, cols = np.nonzero(rng.random(X.shape) < 0.8)
    weights = rng.uniform(0.2, 1, len(rows)) * (rng.random(len(rows)) < 0.9)
    network = Network(rows, cols, X[rows, cols], weights, shape=X.shape, background=background)
    W, H = rng.random((12, 2)) + 0.05, rng.random((2, 6))
    H = {"given": H, "large": 1e3 * H, "zeros": np.zeros_like(H)}[begin]
    with unfinished():
        result = KLNMF(updates=updates, max_iter=500, tol=1e-14).refit(network, Factors(W, H))
    best = least_divergence(*dense_problem(network), W)
    np.testing.assert_array_equal(result.members[0].W, W)
    np.testing.assert_allclose(result.members[0].H, best, rtol=1e-4, atol=1e-4)
    losses = [
        dense_objective(network, Factors(W, columns), KLNMF()) for columns in (result.members[0].H, best)
    ]
    assert losses[0] <= losses[1] + 1e-9


def test_new_rows_minimise_the_divergence_too():
    means, X = poisson((14, 9), 2, 4.0)
    network = Network.from_dense(X)
    model = solved(KLNMF(max_iter=2000, tol=1e-10), network, 2).members[0]
    new = np.random.default_rng(5).poisson(means[:5]).astype(float)
    new[0, 3] = np.nan
    rows = fold_rows(KLNMF(), False, Network.from_dense(new), [model])[0].W
    known = ~np.isnan(new)
    best = least_divergence(np.where(known, new, 0).T, known.T.astype(float), model.H.T).T
    np.testing.assert_allclose(rows, best, rtol=1e-4, atol=1e-5)
    again = fold_rows(KLNMF(), False, network, [model])[0].W  # rows of a converged model are its own
    np.testing.assert_allclose(again @ model.H, model.W @ model.H, rtol=1e-3, atol=1e-3)


# -------------------------------------------------------------------- what it is for


def sized_counts(seed):
    """Return means of rank 3 whose rows and columns differ in size, and counts of them, 2 on average."""
    rng = np.random.default_rng(seed)
    means = rng.gamma(0.5, 1, (80, 3)) @ rng.gamma(0.5, 1, (3, 50))
    means *= rng.lognormal(0, 1, (80, 1)) * rng.lognormal(0, 1, 50)
    means *= 2 / means.mean()
    return means, rng.poisson(means).astype(float)


def held_out_losses(solver, seed):
    """Return the mean deviance of held-out counts and the divergence of their means, by the best of 8."""
    means, X = sized_counts(seed)
    hidden = np.random.default_rng(seed + 100).random(X.shape) < 0.2
    with unfinished():
        result = solver.solve(Ensemble.of(Network.from_dense(np.where(hidden, np.nan, X)), 8), 3, 0)
    best = min(zip(result.records, result.members, strict=True), key=lambda fit: fit[0].loss[-1])[1]
    # A count at a mean of 0 would have an infinite deviance.
    predicted = np.maximum(all_scores(best)[hidden], 0.05 * X[~hidden].mean())
    return mean_poisson_deviance(X[hidden], predicted), np.mean(kl_div(means[hidden], predicted))


@pytest.mark.slow
def test_held_out_counts_have_a_smaller_deviance_than_under_the_frobenius_norm():
    """At the true rank, on average and for nearly every seed; the planted means are closer, too."""
    ours, theirs = (
        np.array([held_out_losses(solver, seed) for seed in range(16)])
        for solver in (KLNMF(max_iter=3000), NMF(max_iter=3000))
    )
    assert np.all((ours < theirs).sum(axis=0) >= 13)
    assert np.all(ours.mean(axis=0) < 0.95 * theirs.mean(axis=0))
