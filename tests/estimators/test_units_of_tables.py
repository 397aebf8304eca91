"""ValueStack in any unit: scores of a table in another unit are the same, in this unit."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink import BayesianFactorizer, Network, ValueStack, load
from latentlink.solvers import BPMF, BayesianNMF

pytestmark = pytest.mark.filterwarnings("ignore:The chains at rank")

SHORT = BPMF(max_iter=60, burn_in=20, draws=6)
NOISY = BPMF(max_iter=60, burn_in=20, draws=6, node_noise=True)
AFFINE = [(1e-6, 0.0), (3.0, 0.0), (1e9, 0.0), (1e12, 0.0), (1.0, 1000.0), (20.0, 1e5)]


def stack():
    models = [BayesianFactorizer((2,), solver=each, n_perturbs=2) for each in (NOISY, SHORT)]
    return ValueStack(models=models, random_state=0)


def planted(shape=(50, 20)):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(shape[0], 2)) @ rng.normal(size=(2, shape[1])) + 0.4 * rng.normal(size=shape)
    return X, rng.random(shape) < 0.4


@pytest.fixture(scope="module")
def fitted():
    X, hidden = planted()
    return stack().fit(np.where(hidden, np.nan, X)), X, hidden


@pytest.mark.parametrize(("unit", "zero"), AFFINE)
def test_scores_spreads_and_new_rows_are_the_same_in_every_unit(fitted, unit, zero):
    """At 1e9 the last stage fell back to its aim, with 726 warnings; so it did with 100 added."""
    model, X, hidden = fitted
    pairs = np.argwhere(hidden)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        again = stack().fit(np.where(hidden, np.nan, unit * X + zero))
    expected, spread = model.predict_links(pairs, return_std=True)
    score, again_spread = again.predict_links(pairs, return_std=True)
    np.testing.assert_allclose((score - zero) / unit, expected, atol=5e-6)
    np.testing.assert_allclose(again_spread / unit, spread, atol=5e-6)
    new = np.where(hidden[:4], np.nan, X[:4])
    of_new = [
        each.fold_in(given).predict_links(np.argwhere(hidden[:4]))
        for each, given in ((model, new), (again, unit * new + zero))
    ]
    np.testing.assert_allclose((of_new[1] - zero) / unit, of_new[0], atol=5e-6)
    assert again.stage_.errors == pytest.approx(np.multiply(unit, model.stage_.errors), rel=1e-4)


@pytest.mark.parametrize("unit", [1e-6, 1e9])
def test_calibrated_intervals_are_the_same_in_every_unit(fitted, unit):
    model, X, hidden = fitted
    pairs = np.argwhere(hidden)
    again = stack().fit(np.where(hidden, np.nan, unit * X))
    tables = [
        each.calibrate(pairs[::2], scale * X[hidden][::2]).intervals(pairs[1::2])
        for each, scale in ((model, 1.0), (again, unit))
    ]
    for name in ("low", "high"):
        np.testing.assert_allclose(tables[1][name] / unit, tables[0][name], atol=1e-4)


@pytest.mark.parametrize("unit", [1e-6, 1e9])
def test_models_of_values_of_at_least_0_are_scaled_alone(unit):
    X, hidden = planted()
    X = np.abs(X)
    scores = []
    for scale in (1.0, unit):
        nonnegative = BayesianNMF(max_iter=60, burn_in=20, draws=6)
        models = [BayesianFactorizer((2,), solver=each, n_perturbs=2) for each in (nonnegative, SHORT)]
        model = ValueStack(models=models, random_state=0).fit(np.where(hidden, np.nan, scale * X))
        assert not model.units_.centres.any()
        scores.append(model.predict_links(np.argwhere(hidden)) / scale)
    np.testing.assert_allclose(scores[1], scores[0], atol=1e-5)


@pytest.mark.parametrize("unit", [1000, 10**9])
def test_populations_are_counts_in_any_unit(unit):
    rng = np.random.default_rng(1)
    X = rng.poisson(np.exp(rng.normal(1, 0.7, (50, 1)) + rng.normal(0, 0.5, 12))).astype(float)
    hidden = rng.random(X.shape) < 0.2
    one, other = (stack().fit(np.where(hidden, np.nan, scale * X)) for scale in (1, unit))
    assert one.kind_.name == other.kind_.name == "counts"
    scores = [each.predict_links(np.argwhere(hidden)) for each in (one, other)]
    assert min(scores[1]) >= 0
    np.testing.assert_allclose(scores[1] / unit, scores[0], atol=2e-5)


def test_undirected_values_in_any_unit():
    X, hidden = planted((30, 30))
    i, j = np.nonzero(np.triu(~hidden, 1))
    scores = []
    for unit in (1.0, 1e9):
        network = Network(i, j, unit * X[i, j], shape=(30, 30), symmetric=True)
        scores.append(stack().fit(network).predict_links(np.argwhere(np.triu(hidden, 1))) / unit)
    np.testing.assert_allclose(scores[1], scores[0], atol=5e-6)


def test_columns_whose_means_are_far_apart_lose_nothing():
    X, hidden = planted()
    far = X + np.linspace(0, 500, X.shape[1])
    model = stack().fit(np.where(hidden, np.nan, far))
    assert not model.units_.shared
    errors = model.predict_links(np.argwhere(hidden)) - far[hidden]
    plain = stack().fit(np.where(hidden, np.nan, X))
    assert np.std(errors) < 1.05 * np.std(plain.predict_links(np.argwhere(hidden)) - X[hidden])


def test_saved_and_loaded(fitted, tmp_path):
    model, _, hidden = fitted
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert loaded.units_.shared
    assert loaded.network_ == model.network_
    np.testing.assert_array_equal(
        loaded.predict_links(np.argwhere(hidden)), model.predict_links(np.argwhere(hidden))
    )
