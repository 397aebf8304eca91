"""The grouped logistic model, against one that lists every pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize
from scipy.special import expit

from latentlink.uncertainty.propensity.degree_model import Grouped, _Loss, fit_degrees


def grouped_of(seen, without_diagonal=False):
    return Grouped.of(seen.sum(axis=1), seen.sum(axis=0), without_diagonal)


def plainly(seen, ridge):
    """All biases, all pairs."""
    n, m = seen.shape

    def loss(theta):
        z = theta[0] + theta[1 : n + 1, None] + theta[n + 1 :]
        residual = expit(z) - seen
        slope = np.concatenate([[residual.sum()], residual.sum(axis=1), residual.sum(axis=0)])
        penalty = np.concatenate([[0.0], np.full(n + m, ridge)])
        value = np.sum(np.logaddexp(0, z) - seen * z) + penalty @ theta**2 / 2
        return value, slope + penalty * theta

    theta = minimize(loss, np.zeros(1 + n + m), jac=True, method="BFGS", options={"gtol": 1e-7}).x
    return theta[0], theta[1 : n + 1], theta[n + 1 :]


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.05, 1.0]))
def test_it_finds_what_the_whole_list_does(seed, ridge):
    rng = np.random.default_rng(seed)
    seen = rng.random((7, 5)) < rng.random((7, 1))
    if not 0 < seen.sum() < seen.size:
        return
    found, expected = fit_degrees(grouped_of(seen), ridge), plainly(seen, ridge)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=2e-3)


@pytest.mark.parametrize("without_diagonal", [False, True])
def test_pairs_between_groups(without_diagonal):
    rng = np.random.default_rng(0)
    seen = rng.random((6, 6)) < 0.4
    grouped = grouped_of(seen, without_diagonal)
    counted = np.zeros_like(grouped.pairs)
    for i in range(6):
        for j in range(6):
            counted[grouped.rows[i], grouped.cols[j]] += i != j or not without_diagonal
    np.testing.assert_array_equal(grouped.pairs, counted)
    np.testing.assert_array_equal(grouped.row_degrees[grouped.rows], seen.sum(axis=1))
    np.testing.assert_array_equal(grouped.col_degrees[grouped.cols], seen.sum(axis=0))


def test_slope_and_curvature_are_those_of_the_loss():
    rng = np.random.default_rng(1)
    loss = _Loss(grouped_of(rng.random((8, 6)) < 0.4), 0.3)
    at, along = rng.normal(size=len(loss.start)), rng.normal(size=len(loss.start))
    slope = approx_fprime(at, lambda x: loss.value(x)[0], 1e-6)
    np.testing.assert_allclose(loss.value(at)[1], slope, atol=1e-4)
    step = 1e-5
    curved = (loss.value(at + step * along)[1] - loss.value(at - step * along)[1]) / (2 * step)
    np.testing.assert_allclose(loss.curved(at, along), curved, atol=1e-5)
