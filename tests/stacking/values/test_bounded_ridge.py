"""Ridge regression under bounds: against scikit-learn without bounds, against a general solver with them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import Ridge

from latentlink.stacking.values.bounded_ridge import BoundedRidge, capped_weights, error_of, sums_of


def problem(seed, size=6, entries=50):
    """Return columns, a target whose first coefficients are far from 0, weights, units and an aim."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(size, entries))
    target = rng.normal(size=entries) - X[1] + 0.3 * X[2]
    return X, target, rng.random(entries), rng.random(size), rng.normal(size=size)


def test_without_bounds_it_is_ridge_regression_towards_the_aim():
    X, target, weights, units, aim = problem(0)
    ridge = BoundedRidge(units, np.zeros((0, 6)), np.zeros(0))
    result = ridge.solve(sums_of(X, target, weights), aim, 3.0)
    scaled = Ridge(alpha=3.0, fit_intercept=False)
    scaled.fit(X.T / np.sqrt(units), target - aim @ X, sample_weight=weights)
    np.testing.assert_allclose(result, aim + scaled.coef_ / np.sqrt(units), rtol=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_within_bounds_the_sum_is_least(seed):
    X, target, weights, units, aim = problem(seed)
    bounds = np.vstack([np.eye(6)[:4], -np.eye(6)[0], np.ones(6)])
    limits = np.array([0.0, 0.1, 0.0, 0.0, -0.5, 0.5])

    def total(b):
        return float(weights @ (target - b @ X) ** 2 + 3.0 * units @ (b - aim) ** 2)

    result = BoundedRidge(units, bounds, limits).solve(sums_of(X, target, weights), aim, 3.0)
    expected = minimize(
        total,
        np.full(6, 0.2),
        constraints=[{"type": "ineq", "fun": lambda b: bounds @ b - limits}],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert (bounds @ result - limits).min() > -1e-6
    assert total(result) == pytest.approx(expected.fun, rel=1e-5)


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e6, 1e9, 1e12])
def test_the_unit_of_predictions_does_not_matter_within_bounds(scale):
    """From 1e8 on the shortfall vanished in rounding errors, and coefficients were not finite."""
    X, target, weights, _, aim = problem(3)
    bounds, limits = np.vstack([np.eye(6)[:4], -np.eye(6)[0]]), np.array([0.0, 0.1, 0.0, 0.0, -0.5])
    results = [
        BoundedRidge(np.full(6, unit**2), bounds, limits).solve(
            sums_of(unit * X, unit * target, weights), aim, 3.0
        )
        for unit in (1.0, scale)
    ]
    assert (bounds @ results[1] - limits).min() > -1e-6
    np.testing.assert_allclose(results[1], results[0], rtol=1e-6, atol=1e-7)


def test_columns_of_zeros_have_no_coefficient():
    X, target, weights, units, aim = problem(0)
    X[3], units[3], aim[3] = 0, 0, 0
    result = BoundedRidge(units, np.eye(6), np.zeros(6)).solve(sums_of(X, target, weights), aim, 1.0)
    assert np.isfinite(result).all()
    assert abs(result[3]) < 1e-6


def test_errors_by_sums_are_those_of_entries():
    X, target, weights, _, b = problem(0)
    assert error_of(b, sums_of(X, target, weights)) == pytest.approx(weights @ (target - b @ X) ** 2)


def test_single_entries_do_not_decide():
    rng = np.random.default_rng(0)
    errors, weights = rng.normal(size=300), rng.choice([1.0, 2.0], 300)
    np.testing.assert_array_equal(
        capped_weights(errors, weights)[np.abs(errors) < 2], weights[np.abs(errors) < 2]
    )
    errors[7] = 1e4
    capped = capped_weights(errors, weights)
    others = np.arange(300) != 7
    assert capped[7] * errors[7] ** 2 < 0.3 * capped[others] @ errors[others] ** 2
    np.testing.assert_allclose(capped[others].sum(), weights[others].sum(), rtol=0.01)
    many = rng.standard_t(5, size=100_000)
    np.testing.assert_array_equal(capped_weights(many, np.ones(100_000)), 1.0)
    assert capped_weights(np.zeros(5), np.ones(5)).tolist() == [1] * 5


@pytest.mark.parametrize("entries", [30, 1000, 1001, 5000])
def test_caps_are_ten_means_or_a_hundredth_of_the_sum(entries):
    """The mean is that of five rounds, each with the weights of the one before."""
    rng = np.random.default_rng(0)
    errors, weights = rng.standard_t(1, size=entries), rng.choice([0.0, 1.0, 2.0], entries)
    kept = weights.copy()
    for _ in range(5):
        cap = max(10, entries / 100) * (kept @ errors**2) / weights.sum()
        kept = np.array([w * min(1, cap / e**2) for w, e in zip(weights, errors, strict=True)])
    assert (kept < weights).any()
    np.testing.assert_allclose(capped_weights(errors, weights), kept, rtol=1e-12)


def test_without_weights_nothing_is_capped():
    assert capped_weights(np.array([1.0, 1e9]), np.zeros(2)).tolist() == [0, 0]


def test_errors_are_not_below_0():
    assert error_of(np.array([1.0]), np.array([[1.0, 1.0], [1.0, 1.0 - 1e-12]])) == 0


@pytest.mark.parametrize("short", [1e-3, 1e-6, 1e-8, -2e-10, -1e-6])
def test_bounds_that_are_missed_by_more_than_rounding_errors_are_kept(short):
    """The coefficient of one column without a penalty is 1."""
    ridge = BoundedRidge(np.zeros(1), np.ones((1, 1)), np.array([1 + short]))
    found = ridge.solve(np.array([[1.0, 1.0], [1.0, 1.0]]), np.zeros(1), 1.0)
    expected = 1 + short if short > 1e-9 else 1 / (1 + 1e-9)
    assert found[0] == pytest.approx(expected, abs=5e-10 if short > 1e-9 else 1e-15)
