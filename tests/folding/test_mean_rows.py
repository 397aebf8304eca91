"""New rows under a ridge: like the mean of the fitted rows, moved by what is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from latentlink import WNMFk
from latentlink.errors import DataWarning
from latentlink.factors import Factors
from latentlink.folding.mean_rows import MeanRows, pulled_to_mean
from latentlink.folding.regression import regressed_rows
from latentlink.network import Network
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def ratings(seed=0, rows=150, new=60, known=0.35):
    """Ratings from 1 to 5 of known rank with biases and noise: those to fit, with NaN, and new rows."""
    rng = np.random.default_rng(seed)
    Z = rng.gamma(0.8, size=(rows + new, 4)) @ rng.gamma(0.8, size=(4, 40))
    Z = 3.3 + 0.8 * (Z - Z.mean()) / Z.std() + rng.normal(0, 0.5, (rows + new, 1)) + rng.normal(0, 0.5, 40)
    X = np.clip(np.round(Z + rng.normal(0, 0.5, Z.shape)), 1, 5)
    fitted = np.where(rng.random((rows, 40)) < known, X[:rows], np.nan)
    return fitted, X[rows:], rng


@pytest.fixture(scope="module")
def rated():
    """Return a model of ratings with a chosen ridge above 0."""
    model = WNMFk((2, 3), n_perturbs=4, random_state=0).fit(ratings()[0])
    assert model.solver_.ridge > 0
    return model


def reference(model, ridge, training, row, weights):
    """Return the factors of a new row by SciPy, in the scale of equal sums of squares of both sides."""
    ratio = np.sqrt(np.sum(model.H**2, axis=1) / np.sum(model.W**2, axis=0))
    W, H = model.W * np.sqrt(ratio), model.H / np.sqrt(ratio)[:, None]
    fitted = np.nan_to_num(training - W @ H)[~np.isnan(training)]
    pull = max(ridge, np.mean(fitted**2) / np.mean(np.var(W, axis=0)))
    known = weights > 0
    root = np.sqrt(weights[known])
    left = np.vstack([(H[:, known] * root).T, np.sqrt(pull) * np.eye(len(H))])
    right = np.concatenate([root * row[known], np.sqrt(pull) * W.mean(axis=0)])
    return nnls(left, right)[0] / np.sqrt(ratio)


@pytest.mark.parametrize("ridge", [0.05, 50.0])
def test_rows_are_regressions_that_shrink_to_the_mean(ridge):
    """The smaller ridge is below the noise over the variance, the larger one above."""
    rng = np.random.default_rng(1)
    models = [Factors(rng.gamma(0.7, size=(30, 3)), scale * rng.gamma(0.7, size=(3, 12))) for scale in (1, 5)]
    training = models[0].W @ models[0].H + 0.3 * rng.random((30, 12))
    training[rng.random(training.shape) < 0.2] = np.nan
    X = np.maximum(rng.gamma(0.7, size=(8, 3)) @ models[0].H + 0.5 * rng.normal(size=(8, 12)), 0)
    weights = rng.uniform(0.2, 2.0, X.shape) * (rng.random(X.shape) < 0.7)
    weights[:, :4] = 1.0
    rows, cols = np.nonzero(weights)
    network = Network(rows, cols, X[rows, cols], weights[rows, cols], shape=X.shape)
    found = regressed_rows(WNMF(ridge=ridge), network, models, Network.from_dense(training))
    for model, new in zip(models, found, strict=True):
        expected = [reference(model, ridge, training, *row) for row in zip(X, weights, strict=True)]
        np.testing.assert_allclose(new.W, expected, atol=1e-7)
        np.testing.assert_array_equal(new.H, model.H)


def test_one_known_rating_moves_a_row_a_little_from_the_mean(rated):
    with pytest.warns(DataWarning, match="Nothing is known of 1 new row"):
        unknown = rated.fold_in(np.full((1, 40), np.nan))
    columns = np.arange(40)
    average = unknown.score(np.zeros(40, int), columns)
    for column in (0, 17, 39):
        high, low = (
            rated.fold_in({column: value}).score(np.zeros(40, int), columns).mean() for value in (5.0, 1.0)
        )
        assert low < average.mean() < high
        assert low > 1.5
        assert 2.5 < high < 5.0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_new_rows_are_predicted_better_than_by_the_means_of_columns(seed):
    """With one or two known ratings the pull towards 0 had errors of 1.7 and 1.2, the means have .9."""
    fitted, new, rng = ratings(seed)
    model = WNMFk((2, 3), n_perturbs=4, random_state=seed).fit(fitted)
    means = np.nanmean(fitted, axis=0)
    errors = []
    for known in (1, 2, 3, 5, 10):
        shown = np.full_like(new, np.nan)
        for row in range(len(new)):
            cols = rng.choice(40, known, replace=False)
            shown[row, cols] = new[row, cols]
        rows, cols = np.nonzero(np.isnan(shown))
        error, baseline = (
            np.sqrt(np.mean((new[rows, cols] - each) ** 2))
            for each in (model.fold_in(shown).score(rows, cols), means[cols])
        )
        assert error < 1.02 * baseline
        errors.append(error / baseline)
    assert errors[-1] < errors[1] < 0.97
    assert errors[-1] < 0.85


def test_a_row_does_not_depend_on_the_other_rows_nor_on_the_batch(rated, monkeypatch):
    new = ratings()[1]
    new[:, 10:] = np.nan
    together = rated.transform(new)
    np.testing.assert_allclose(rated.transform(new[3:4])[0], together[3], atol=1e-8)
    monkeypatch.setattr("latentlink.folding.regression.MOST_VALUES", 300)
    np.testing.assert_allclose(rated.transform(new), together, atol=1e-8)


def test_rows_that_are_all_alike_have_a_finite_pull():
    model = Factors(np.ones((4, 2)), np.ones((2, 3)))
    training = Network.from_dense(np.full((4, 3), 3.0))
    prior = MeanRows.of([model], [np.ones(2)], 0.1, training)
    np.testing.assert_allclose(prior.roots, np.sqrt(1 / 1e-3))
    empty = Factors(np.zeros((4, 2)), np.zeros((2, 3)))
    assert np.isfinite(MeanRows.of([empty], [np.ones(2)], 0.1, training).roots).all()


def test_under_which_solvers_rows_are_pulled_to_the_mean():
    assert pulled_to_mean(WNMF(ridge=0.1))
    for solver in (WNMF(ridge=0.0), NMF(), BNMF(ridge=0.1), RNMF(ridge=0.1), LMF(ridge=0.1)):
        assert not pulled_to_mean(solver)
