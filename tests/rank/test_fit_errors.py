"""Relative errors on known entries, compared with dense sums."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.rank.fit_errors import column_errors, relative_error


def dense(network):
    """Values and weights of all entries, with both directions of a symmetric pair."""
    n, m = network.shape
    X, w = np.zeros((n, m)), np.full((n, m), network.background)
    X[network.rows, network.cols], w[network.rows, network.cols] = network.values, network.weights
    if network.symmetric:
        X[network.cols, network.rows], w[network.cols, network.rows] = network.values, network.weights
        if not network.has_self_loops:
            np.fill_diagonal(w, 0)
    return X, w


@pytest.mark.parametrize("background", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("kind", ["plain", "biased", "logistic", "boolean", "symmetric"])
def test_errors_equal_dense_sums(kind, background):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((7, 7)) < 0.5, (rng.random((7, 7)) < 0.5) * 1.0, np.nan)
    symmetric = kind == "symmetric"
    if symmetric:
        X = np.where(np.tri(7, k=-1, dtype=bool).T, X, X.T)
        np.fill_diagonal(X, np.nan)
    network = Network.from_dense(X, symmetric=symmetric).with_background(background)
    network = network.with_weights(rng.random(network.n_listed)).hide([0])
    model = Factors(rng.random((7, 2)), rng.random((2, 7)), symmetric=symmetric)
    if kind in {"biased", "logistic"}:
        biases = {"row_bias": rng.normal(size=7), "col_bias": rng.normal(size=7), "offset": 0.3}
        model = replace(model, logistic=kind == "logistic", **biases)
    if kind == "boolean":
        model = Factors((rng.random((7, 2)) < 0.5) * 1.0, (rng.random((2, 7)) < 0.5) * 1.0, boolean=True)
    values, weights = dense(network)
    i, j = np.indices((7, 7))
    score = model.score(i.ravel(), j.ravel()).reshape(7, 7)
    residuals, squares = weights * (values - score) ** 2, weights * values**2
    assert relative_error(network, model) == pytest.approx(np.sqrt(residuals.sum() / squares.sum()))
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = np.where(squares.sum(0) > 0, np.sqrt(residuals.sum(0) / squares.sum(0)), np.nan)
    np.testing.assert_allclose(column_errors(network, model), expected, atol=1e-12)


def test_hidden_entries_have_zero_weight():
    """Column errors use known entries only (the reference implementation used all)."""
    network = Network.from_dense([[1.0, 2.0], [3.0, 4.0]])
    model = Factors(np.ones((2, 1)), np.ones((1, 2)))
    changed = network.with_values([1.0, 99.0, 3.0, 4.0]).hide([1])
    np.testing.assert_array_equal(column_errors(network.hide([1]), model), column_errors(changed, model))


def test_the_relative_error_of_zeros_is_nan():
    network = Network.from_dense([[0.0, 0.0]])
    model = Factors(np.ones((1, 1)), np.ones((1, 2)))
    assert np.isnan(relative_error(network, model))
    assert np.isnan(column_errors(network, model)).all()


@pytest.mark.parametrize("background", [0.0, 0.7])
@pytest.mark.parametrize("symmetric", [False, True])
def test_errors_of_values_beyond_0_and_1(symmetric, background):
    """Values from -3 to 5, unequal weights and a model of another size, compared with loops."""
    rng = np.random.default_rng(3)
    X = np.where(rng.random((6, 6)) < 0.6, rng.uniform(-3, 5, (6, 6)), np.nan)
    if symmetric:
        X = np.where(np.tri(6, dtype=bool).T, X, X.T)
    network = Network.from_dense(X, symmetric=symmetric).with_background(background)
    network = network.with_weights(rng.uniform(0.5, 4, network.n_listed)).hide([1])
    side = rng.normal(size=(6, 2))
    model = Factors(side, np.ascontiguousarray(side.T) if symmetric else rng.normal(size=(2, 6)))
    model = replace(model, symmetric=symmetric)
    values, weights = dense(network)
    residual, total = np.zeros(6), np.zeros(6)
    for i in range(6):
        for j in range(6):
            residual[j] += weights[i, j] * (values[i, j] - model.score([i], [j])[0]) ** 2
            total[j] += weights[i, j] * values[i, j] ** 2
    np.testing.assert_allclose(column_errors(network, model), np.sqrt(residual / total))
    assert relative_error(network, model) == pytest.approx(np.sqrt(residual.sum() / total.sum()))


def test_errors_do_not_depend_on_the_scale_of_values_and_weights():
    rng = np.random.default_rng(0)
    X, model = rng.random((5, 4)), Factors(rng.random((5, 2)), rng.random((2, 4)))
    small = replace(model, W=model.W / 64)
    network, tiny = Network.from_dense(X), Network.from_dense(X / 64)
    np.testing.assert_array_equal(column_errors(tiny, small), column_errors(network, model))
    assert relative_error(tiny, small) == relative_error(network, model)


@pytest.mark.parametrize("background", [0.0, 0.3])
def test_errors_do_not_depend_on_the_unit_of_values(background):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((6, 5)) < 0.6, rng.random((6, 5)), np.nan)
    W, H = rng.random((6, 2)), rng.random((2, 5))
    errors = []
    for unit in (1.0, 1e-6):
        network = Network.from_dense(X * unit).with_background(background)
        model = Factors(W * unit, H)
        errors.append([relative_error(network, model), *column_errors(network, model)])
    np.testing.assert_allclose(errors[0], errors[1])
