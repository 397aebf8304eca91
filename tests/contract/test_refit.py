"""Refit: columns are fitted to known entries, given the rows, which do not change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize, nnls

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.cases import EVERY_CASE, assert_same_factors, parts, solved, unfinished
from tests.helpers.oracle import all_scores, dense_objective, dense_problem, penalty_weights

every_case = pytest.mark.parametrize("case", EVERY_CASE, ids=str)


def refitted(solver, data, centre):
    with unfinished():
        return solver.refit(data, centre)


@every_case
def test_given_parts_do_not_change(case):
    network = case.network()
    centre = solved(case.settings(max_iter=3), network).members[0]
    result = refitted(case.settings(max_iter=50), network, centre).members[0]
    np.testing.assert_array_equal(result.W, centre.W)
    assert result.offset == centre.offset
    if isinstance(case.solver, SymLMF):  # refit fits the one bias of a node
        np.testing.assert_array_equal(result.H, centre.H)
        np.testing.assert_array_equal(result.row_bias, result.col_bias)
    elif centre.row_bias is not None:
        np.testing.assert_allclose(result.row_bias, centre.row_bias, rtol=0, atol=1e-15)
    else:
        assert result.row_bias is None


@every_case
def test_the_loss_falls_and_is_the_objective(case):
    network = case.network()
    centre = solved(case.settings(max_iter=3), network).members[0]
    result = refitted(case.settings(max_iter=30), network, centre)
    losses = result.records[0].loss
    assert losses[0] == pytest.approx(dense_objective(network, centre, case.solver), rel=1e-9)
    assert losses[-1] == pytest.approx(dense_objective(network, result.members[0], case.solver), rel=1e-9)
    assert np.all(np.diff(losses) <= 1e-12 * losses[0]) or "paper" in case.name


@every_case
def test_a_batch_equals_its_members_alone(case):
    network = case.network()
    centres = [solved(case.settings(max_iter=3), network, seed=seed).members[0] for seed in range(3)]
    short = case.settings(max_iter=8)
    together = refitted(short, Ensemble.of(network, 3), centres).members
    for centre, result in zip(centres, together, strict=True):
        assert_same_factors(result, refitted(short, network, centre).members[0])


@pytest.mark.parametrize("case", [case for case in EVERY_CASE if not case.symmetric], ids=str)
def test_rows_are_refitted_by_transposing(case):
    network = case.network()
    centre = solved(case.settings(max_iter=3), network).members[0]
    transposed = refitted(case.settings(max_iter=20), network.transposed(), centre.transposed())
    result = transposed.members[0].transposed()
    np.testing.assert_array_equal(result.H, centre.H)
    losses = transposed.records[0].loss
    assert losses[0] == pytest.approx(dense_objective(network, centre, case.solver), rel=1e-9)
    assert losses[-1] == pytest.approx(dense_objective(network, result, case.solver), rel=1e-9)


# -------------------------------------------------------------------- against other minimisers


@pytest.fixture
def network():
    """Return a network of known, hidden and unlisted entries with weights."""
    rng = np.random.default_rng(0)
    X = rng.random((9, 4)) * (rng.random((9, 4)) < 0.8)
    rows, cols = np.nonzero(rng.random((9, 4)) < 0.7)
    weights = rng.uniform(0.2, 1, len(rows)) * (rng.random(len(rows)) < 0.9)
    return Network(rows, cols, X[rows, cols], weights, shape=(9, 4))


@pytest.fixture
def centre():
    rng = np.random.default_rng(1)
    return Factors(
        rng.random((9, 2)), rng.random((2, 4)), rng.normal(0, 0.3, 9), rng.normal(0, 0.3, 4), offset=0.3
    )


PRECISE = {"max_iter": 2000, "tol": 1e-15}


@pytest.mark.parametrize("background", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_wnmf_reaches_the_least_squares_minimum(network, centre, background, ridge):
    network = network.with_background(background)
    plain = Factors(centre.W, centre.H)
    result = refitted(WNMF(ridge=ridge, **PRECISE), network, plain).members[0]
    x, w = dense_problem(network)
    for j in range(network.shape[1]):
        root = np.sqrt(w[:, j])
        design = np.vstack([root[:, None] * plain.W, np.sqrt(ridge) * np.eye(2)])
        best = nnls(design, np.concatenate([root * x[:, j], np.zeros(2)]))[0]
        np.testing.assert_allclose(result.H[:, j], best, atol=1e-6)


@pytest.mark.parametrize("updates", ["descent", "multiplicative"])
def test_nmf_reaches_the_least_squares_minimum(network, centre, updates):
    network = network.with_weights(np.where(network.known, 1.0, 0.0))
    plain = Factors(centre.W, centre.H)
    result = refitted(NMF(updates=updates, **PRECISE), network, plain).members[0]
    x, w = dense_problem(network)
    for j in range(network.shape[1]):
        root = np.sqrt(w[:, j])
        best = nnls(root[:, None] * plain.W, root * x[:, j])[0]
        np.testing.assert_allclose(result.H[:, j], best, atol=1e-4)


@pytest.mark.parametrize("background", [0.0, 0.1])
def test_rnmf_reaches_the_least_squares_minimum(network, centre, background):
    network = network.with_background(background)
    solver = RNMF(ridge=0.2, ridge_cols=0.1, ridge_col_bias=0.4, **PRECISE)
    result = refitted(solver, network, centre).members[0]
    x, w = dense_problem(network)
    penalty = 0.1 * penalty_weights(solver, network)[1]
    for j in range(network.shape[1]):
        root = np.sqrt(w[:, j])
        rest = x[:, j] - centre.row_bias - centre.offset
        design = np.vstack(
            [
                root[:, None] * np.column_stack([centre.W, np.ones(9)]),
                np.diag(np.sqrt([penalty[j], penalty[j], 0.4])),
            ]
        )
        best = lsq_linear(
            design, np.concatenate([root * rest, np.zeros(3)]), ([0, 0, -np.inf], np.inf), tol=1e-14
        ).x
        np.testing.assert_allclose([*result.H[:, j], result.col_bias[j]], best, atol=1e-5)


@pytest.mark.parametrize("background", [0.0, 0.1])
def test_lmf_reaches_the_logistic_minimum(network, centre, background):
    binary = network.with_values((network.values > 0.4).astype(float)).with_background(background)
    result = refitted(LMF(ridge=0.3, **PRECISE), binary, centre).members[0]
    x, w = dense_problem(binary)
    design = np.column_stack([centre.W, np.ones(9)])
    for j in range(binary.shape[1]):

        def loss(h, j=j):
            z = design @ h + centre.row_bias + centre.offset
            return np.sum(w[:, j] * (np.logaddexp(0, z) - x[:, j] * z)) + 0.15 * h @ h

        best = minimize(loss, np.zeros(3), tol=1e-12).x
        np.testing.assert_allclose([*result.H[:, j], result.col_bias[j]], best, atol=1e-4)


def test_lmf_reaches_scikit_learns_minimum(network, centre):
    from sklearn.linear_model import LogisticRegression

    binary = network.with_values((network.values > 0.4).astype(float)).with_background(1.0)
    plain = replace(centre, row_bias=np.zeros(9), offset=0.0)
    result = refitted(LMF(ridge=0.5, **PRECISE), binary, plain).members[0]
    x, w = dense_problem(binary)
    design = np.column_stack([centre.W, np.ones(9)])
    for j in range(binary.shape[1]):
        # The intercept of scikit-learn is not penalised; so the bias is a penalised column of ones.
        theirs = LogisticRegression(C=1 / 0.5, fit_intercept=False, tol=1e-10, max_iter=1000)
        theirs.fit(design, x[:, j], sample_weight=w[:, j])
        np.testing.assert_allclose([*result.H[:, j], result.col_bias[j]], theirs.coef_[0], atol=1e-4)


@pytest.mark.parametrize("background", [0.0, 0.1])
def test_bnmf_reaches_its_minimum(network, centre, background):
    binary = network.with_values((network.values > 0.4).astype(float)).with_background(background)
    solver = BNMF(ridge_cols=0.1, **PRECISE)
    plain = Factors(centre.W, centre.H)
    result = refitted(solver, binary, plain)

    def loss(h):
        return dense_objective(binary, replace(plain, H=h.reshape(2, 4)), solver)

    best = minimize(loss, np.full(8, 0.5), bounds=[(0, None)] * 8, tol=1e-14, options={"maxfun": 10**5})
    assert result.records[0].loss[-1] == pytest.approx(best.fun, rel=1e-6)


def test_symlmf_reaches_the_least_loss_over_biases():
    case = next(case for case in EVERY_CASE if case.name == "SymLMF()" and not case.background)
    network = case.network()
    centre = solved(case.settings(max_iter=3), network).members[0]
    result = refitted(case.settings(**PRECISE), network, centre)

    def loss(bias):
        return dense_objective(network, replace(centre, row_bias=bias, col_bias=bias), case.solver)

    best = minimize(loss, np.zeros(len(centre.W)), tol=1e-10)
    assert result.records[0].loss[-1] == pytest.approx(best.fun, rel=1e-7)
    np.testing.assert_allclose(result.members[0].row_bias, best.x, atol=1e-3)


def test_rows_without_entries_keep_their_factors(network, centre):
    empty = network.hide(network.rows == 3)
    with pytest.warns(UserWarning, match="Nothing is known of 1 row"):
        result = WNMF().refit(empty, Factors(centre.W, centre.H)).members[0]
    np.testing.assert_array_equal(result.W, centre.W)


def test_refit_does_not_need_a_good_start(network, centre):
    """The problem is convex: the columns do not depend on the start."""
    result = [
        refitted(WNMF(ridge=0.1, **PRECISE), network, Factors(centre.W, H)).members[0]
        for H in (centre.H, 10 * centre.H, np.zeros_like(centre.H))
    ]
    for other in result[1:]:
        np.testing.assert_allclose(all_scores(other), all_scores(result[0]), atol=1e-6)


def test_the_result_shares_no_memory_with_the_given_model(network, centre):
    plain = Factors(centre.W, centre.H)
    result = refitted(WNMF(), network, plain).members[0]
    for name, array in parts(result).items():
        assert not np.shares_memory(array, parts(plain)[name])
