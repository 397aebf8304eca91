"""New rows by regression, against solvers of NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize, nnls
from sklearn.exceptions import ConvergenceWarning

from latentlink import BNMFk, Network, NMFk, RNMFk, WNMFk
from latentlink.factors import Factors
from latentlink.folding.regression import average_row, known_rows, regressed_rows
from latentlink.regime import real
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.fitted import SMALL, blocks, planted, unseen_rows


def test_weighted_rows_are_non_negative_regressions():
    solver = WNMF(ridge=0.0, tol=1e-12, max_iter=5000)
    model = WNMFk((2,), solver=solver, n_perturbs=2, random_state=0).fit(planted())
    X, H = unseen_rows(), model.H_
    weights = np.random.default_rng(0).uniform(0.2, 2.0, X.shape) * ~np.isnan(X)
    W = model.transform(X, mask=weights)
    for i, row in enumerate(X):
        known = weights[i] > 0
        root = np.sqrt(weights[i][known])
        expected = nnls((H[:, known] * root).T, row[known] * root)[0]
        np.testing.assert_allclose(W[i], expected, atol=1e-7)


def test_rows_of_nmf_are_non_negative_least_squares():
    model = NMFk(**SMALL).fit(planted())
    X = unseen_rows(hidden=0.0)
    for w, row in zip(model.transform(X), X, strict=True):
        np.testing.assert_allclose(w, nnls(model.H_.T, row)[0], atol=1e-8)


def test_biased_rows_have_a_bias_and_penalties_of_their_own():
    solver = RNMF(ridge=0.3, ridge_cols=0.1, ridge_row_bias=0.7, ridge_col_bias=0.2)
    # Only converged factors have the scale that the penalties refer to.
    solver.set_params(tol=1e-13, max_iter=20000)
    model = RNMFk((2,), solver=solver, n_perturbs=2, random_state=0).fit(planted() - 0.5)
    X = unseen_rows() - 0.5
    rows, f = model.fold_in(X).factors, model.factors_
    for i, row in enumerate(X):
        known = ~np.isnan(row)
        A = np.vstack([f.H[:, known], np.ones(known.sum())]).T
        residual = row[known] - f.offset - f.col_bias[known]
        ridge = 0.3 * (1 + known.sum() / model.solver_.ridge_counts[0]) / 2

        def loss(a, A=A, residual=residual, ridge=ridge):
            return np.sum((residual - A @ a) ** 2) + ridge * np.sum(a[:2] ** 2) + 0.7 * a[2] ** 2

        best = minimize(loss, np.ones(3), bounds=[(0, None), (0, None), (None, None)], tol=1e-14)
        solution = np.append(rows.W[i], rows.row_bias[i])
        np.testing.assert_allclose(solution, best.x, atol=1e-3)
        assert loss(solution) <= best.fun + 1e-7


def test_logistic_rows_minimise_the_cross_entropy(logistic):
    X, f = blocks(seed=3)[:4], logistic.factors_
    rows = logistic.fold_in(X).factors
    for i, row in enumerate(X):

        def loss(a, row=row):
            z = a[:2] @ f.H + a[2] + f.col_bias + f.offset
            return np.sum(np.logaddexp(0, z) - row * z) + 0.25 * np.sum(a**2)

        best = minimize(loss, np.zeros(3), tol=1e-12)
        np.testing.assert_allclose(np.append(rows.W[i], rows.row_bias[i]), best.x, atol=2e-3)


def test_rows_of_a_boolean_solver_with_real_factors_are_regressed():
    solver = BNMF(ridge=0.1, ridge_cols=0.2)
    model = BNMFk((2,), solver=solver, regime=real(), n_perturbs=2, random_state=0).fit(blocks())
    assert np.abs(model.transform(blocks()) - model.W_).max() < 0.05


def test_the_regression_does_not_depend_on_the_scale_of_components():
    """Members have columns of W of unit length; the ridge refers to the scale of the solver."""
    model = WNMFk((2,), solver=WNMF(ridge=1.0), n_perturbs=2, random_state=0).fit(planted())
    f = model.factors_
    scale = np.array([10.0, 0.01])
    scaled = Factors(f.W * scale, f.H / scale[:, None])
    one, other = regressed_rows(model.solver_, Network.from_dense(unseen_rows()), [f, scaled])
    np.testing.assert_allclose(other.W, one.W * scale, rtol=1e-6)


def test_unlisted_pairs_are_folded_in_batches_where_they_must_be_listed():
    solver = LMF(ridge=0.5, background_sample=25)
    X = blocks(seed=3)
    model = Factors(
        np.ones((3, 2)), np.random.default_rng(0).random((2, 10)), np.zeros(3), np.zeros(10), logistic=True
    )
    unlisted = regressed_rows(solver, Network.from_sparse(sparse.csr_array(X), unstored="zero"), [model])[0]
    listed = regressed_rows(solver, Network.from_dense(X), [model])[0]
    np.testing.assert_allclose(unlisted.W, listed.W, atol=1e-6)


def test_rows_that_do_not_converge_warn(weighted, monkeypatch):
    monkeypatch.setattr("latentlink.folding.regression.ROUNDS", 1)
    monkeypatch.setattr("latentlink.solvers.base.NEW_ROW_SWEEPS", 1)
    with pytest.warns(ConvergenceWarning, match="6 of 6 new rows have not converged after 1 sweeps"):
        weighted.transform(unseen_rows())


def test_known_rows_and_the_average_row():
    network = Network.from_edges([(0, 0, 1.0), (2, 1, 1.0)], shape=(3, 2)).hide([1])
    assert known_rows(network).tolist() == [True, False, False]
    assert known_rows(network.with_background(1.0)).tolist() == [True, True, True]
    model = Factors(np.array([[1.0, 0.0], [2.0, 0.5]]), np.ones((2, 2)), np.array([1.0, 3.0]))
    W, bias = average_row(model, binary=False)
    assert (W.tolist(), bias) == ([1.5, 0.25], 2.0)
    assert average_row(model, binary=True)[0].tolist() == [1.0, 0.0]


# ---------------------------------------------------------------- solvers of new rows


@pytest.mark.parametrize(
    ("solver", "kind"),
    [
        (NMF(updates="multiplicative"), WNMF),
        (KLNMF(updates="multiplicative"), KLNMF),
        (SymLMF(repelling=0.5), LMF),
        (BNMF(updates="multiplicative"), BNMF),
        (RNMF(updates="paper"), RNMF),
    ],
    ids=str,
)
def test_new_rows_are_solved_by_coordinate_descent(solver, kind):
    row_solver, batch = solver.for_new_rows(Network.from_dense(np.eye(3)))
    assert batch == 3
    assert type(row_solver) is kind
    assert getattr(row_solver, "updates", "descent") == "descent"
    row_solver.check_settings()


def test_penalties_of_rows_and_columns_are_exchanged_for_the_transposed_problem():
    rows = Network.from_dense(np.eye(3))
    penalties = {"ridge": 1.0, "ridge_cols": 2.0}
    solver, _ = RNMF(ridge_row_bias=3.0, ridge_col_bias=4.0, **penalties).for_new_rows(rows)
    assert (solver.ridge, solver.ridge_cols) == (2.0, 1.0)
    assert (solver.ridge_row_bias, solver.ridge_col_bias) == (4.0, 3.0)
    solver, _ = RNMF(**penalties).for_new_rows(rows)
    assert (solver.ridge_row_bias, solver.ridge_col_bias) == (1.0, 1.0)


def test_rows_of_skewed_data_are_penalised_as_fitted_ones_were():
    """A fitted row that is folded in gets its own factors again, where all factors have converged."""
    rng = np.random.default_rng(0)
    X = 3 + rng.normal(0, 0.5, (40, 1)) + rng.gamma(0.5, 1, (40, 2)) @ rng.gamma(0.5, 1, (2, 30))
    X[rng.random(X.shape) > np.where(np.arange(40) < 4, 0.95, 0.3)[:, None]] = np.nan
    solver = RNMF(ridge=0.5, tol=1e-13, max_iter=20000)
    model = RNMFk((2,), solver=solver, n_perturbs=2, random_state=0).fit(X)
    rows = model.fold_in(X).factors
    np.testing.assert_allclose(rows.W, model.W_, atol=1e-3)
    np.testing.assert_allclose(rows.row_bias, model.factors_.row_bias, atol=1e-3)
