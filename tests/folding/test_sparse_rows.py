"""New rows with few known entries and no ridge: on the scale of the data, and like the fitted rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import NMFk, RankedFactorizer, WNMFk
from latentlink.factors import Factors
from latentlink.folding.sparse_rows import fit_sparse_rows, sparse_rows
from latentlink.network import Network
from latentlink.solvers import KLNMF, LMF, NMF, RNMF, WNMF

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def ratings(seed=0):
    """A product of rank 4 with a little noise, 30 % unknown: many columns hardly have some components."""
    rng = np.random.default_rng(seed)
    X = rng.gamma(0.5, size=(60, 4)) @ rng.gamma(0.5, size=(4, 30)) + 0.05 * rng.random((60, 30))
    X[rng.random(X.shape) < 0.3] = np.nan
    return X


MODELS = {
    "WNMF": lambda: WNMFk((4,), solver=WNMF(ridge=0.0), n_perturbs=2, random_state=0),
    "NMF": lambda: NMFk((4,), n_perturbs=2, random_state=0),
    "KLNMF": lambda: NMFk((4,), solver=KLNMF(), n_perturbs=2, random_state=0),
    "RNMF": lambda: RankedFactorizer((4,), solver=RNMF(ridge=0.0), n_perturbs=2, random_state=0),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_one_known_value_gives_scores_on_the_scale_of_the_data(name):
    X = ratings(5)
    model = MODELS[name]().fit(np.round(3 * X) if name == "KLNMF" else X)
    largest = np.nanmax(model.network_.values)
    for value in (0.0, largest / 4, largest):
        for column in range(30):
            rows = model.fold_in({column: value})
            for factors in (rows.factors, *rows.members):
                scores = factors.score(np.zeros(30, int), np.arange(30))
                assert -0.26 * largest <= scores.min()
                assert scores.max() <= 1.26 * largest


@pytest.mark.slow
def test_rows_with_few_known_entries_are_predicted_better_than_by_the_average_row():
    """Held-out entries of new rows; the exact solution of their equations was ten times as far off."""
    rng = np.random.default_rng(1)
    H = rng.gamma(0.5, size=(4, 30))
    training, new = (rng.gamma(0.5, size=(n, 4)) @ H + 0.05 * rng.random((n, 30)) for n in (80, 60))
    model = MODELS["WNMF"]().fit(training)
    average = model.predict_links([(i, j) for i in range(80) for j in range(30)]).reshape(80, 30).mean(axis=0)
    baseline = np.sqrt(np.mean((new - average) ** 2))
    errors = []
    for known in (1, 2, 3, 4):
        masked = np.full_like(new, np.nan)
        for row in range(len(new)):
            cols = rng.choice(30, known, replace=False)
            masked[row, cols] = new[row, cols]
        scores = model.fold_in(masked).factors
        predicted = scores.W @ scores.H
        errors.append(np.sqrt(np.mean((predicted - new)[np.isnan(masked)] ** 2)))
    assert errors == sorted(errors, reverse=True)
    assert errors[0] < baseline
    assert errors[3] < 0.5 * baseline


def test_without_noise_it_is_the_nearest_row_with_the_known_values():
    """Rows about (1, 1) of the same variance in both components, a value in a column that has both."""
    W = np.array([[0.0, 1.0], [2.0, 1.0], [1.0, 0.0], [1.0, 2.0]])
    H = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    model = Factors(W, H)
    training = Network.from_dense(W @ H)
    row = Network([0], [2], [3.0], shape=(1, 3))
    rows = replace(model, W=np.zeros((1, 2)))
    fit_sparse_rows(row, np.array([0]), model, rows, training)
    np.testing.assert_allclose(rows.W, [[1.5, 1.5]], rtol=1e-5)


def test_weights_hidden_entries_and_biases_count():
    rng = np.random.default_rng(0)
    W, H = rng.random((20, 2)), rng.random((2, 8))
    model = Factors(W, H, rng.normal(size=20), rng.normal(size=8), 3.0)
    scores = model.score(np.repeat(np.arange(20), 8), np.tile(np.arange(8), 20)).reshape(20, 8)
    training = Network.from_dense(scores + 0.5 * rng.normal(size=scores.shape))
    known = Network([0, 0, 0], [1, 4, 6], [2.0, 3.0, 99.0], [1.0, 3.0, 0.0], shape=(1, 8))
    rows = replace(model, W=np.zeros((1, 2)), row_bias=np.zeros(1))
    fit_sparse_rows(known, np.array([0]), model, rows, training)
    own = np.column_stack([W, model.row_bias])
    noise = np.mean((training.values - model.score(training.rows, training.cols)) ** 2)
    covariance = np.cov(own.T, bias=True) + 1e-3 * np.diag(np.mean(own**2, axis=0))

    def loss(w):
        score = 3.0 + model.col_bias[[1, 4]] + w[2] + w[:2] @ H[:, [1, 4]]
        from_mean = w - own.mean(axis=0)
        residual = np.array([2.0, 3.0]) - score
        return np.sum([1.0, 3.0] * residual**2) + noise * from_mean @ np.linalg.solve(covariance, from_mean)

    found = np.append(rows.W[0], rows.row_bias[0])
    assert (rows.W > 0).all()
    for step in 1e-3 * np.vstack([np.eye(3), -np.eye(3)]):
        assert loss(found) < loss(found + step)


def test_signed_factors_stay_signed():
    W, H = np.array([[-1.0], [1.0], [2.0]]), np.array([[1.0, -2.0, 0.5]])
    rows = replace(Factors(W, H), W=np.zeros((1, 1)))
    fit_sparse_rows(
        Network([0], [0], [-0.9], shape=(1, 3)), np.array([0]), Factors(W, H), rows, Network.from_dense(W @ H)
    )
    np.testing.assert_allclose(rows.W, [[-0.9]], rtol=1e-4)


def test_an_empty_component_stays_empty():
    W, H = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]), np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    rows = replace(Factors(W, H), W=np.zeros((1, 2)))
    training = Network.from_dense(W @ H)
    fit_sparse_rows(Network([0], [1], [3.0], shape=(1, 3)), np.array([0]), Factors(W, H), rows, training)
    np.testing.assert_allclose(rows.W, [[1.5, 0.0]], rtol=1e-4, atol=1e-12)


def test_which_rows_are_sparse():
    X = np.full((5, 6), np.nan)
    for row, count in enumerate((0, 1, 3, 4, 6)):
        X[row, :count] = 1.0
    network = Network.from_dense(X)
    np.testing.assert_array_equal(sparse_rows(WNMF(ridge=0.0), network, 3), [False, True, True, False, False])
    np.testing.assert_array_equal(sparse_rows(RNMF(ridge=0.0), network, 3), [False, True, True, True, False])
    for solver in (WNMF(ridge=0.1), LMF(ridge=0.0), NMF(missing="zero")):
        assert not sparse_rows(solver, network, 3).any()
    assert not sparse_rows(WNMF(ridge=0.0), network.with_background(0.5), 3).any()


def test_a_row_does_not_depend_on_the_other_rows():
    model = MODELS["WNMF"]().fit(ratings())
    alone = model.transform([[np.nan, 1.0, *[np.nan] * 28]])
    both = model.transform([[0.5] * 30, [np.nan, 1.0, *[np.nan] * 28]])
    np.testing.assert_array_equal(alone[0], both[1])
