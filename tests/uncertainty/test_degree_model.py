"""The logistic model over groups of equal degree, against one over all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize
from scipy.special import expit

from latentlink.uncertainty.propensity.degree_model import DegreeGroups, DegreeLoss, fit_degrees


def groups_of(observed, without_diagonal=False):
    return DegreeGroups.from_degrees(observed.sum(axis=1), observed.sum(axis=0), without_diagonal)


def fitted_to_all_pairs(observed, ridge):
    """One bias for each row and column, all pairs in the sum."""
    n, m = observed.shape

    def loss(theta):
        z = theta[0] + theta[1 : n + 1, None] + theta[n + 1 :]
        residual = expit(z) - observed
        gradient = np.concatenate([[residual.sum()], residual.sum(axis=1), residual.sum(axis=0)])
        penalty = np.concatenate([[0.0], np.full(n + m, ridge)])
        value = np.sum(np.logaddexp(0, z) - observed * z) + penalty @ theta**2 / 2
        return value, gradient + penalty * theta

    theta = minimize(loss, np.zeros(1 + n + m), jac=True, method="BFGS", options={"gtol": 1e-7}).x
    return theta[0], theta[1 : n + 1], theta[n + 1 :]


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.05, 1.0]))
def test_groups_give_the_fit_to_all_pairs(seed, ridge):
    rng = np.random.default_rng(seed)
    observed = rng.random((7, 5)) < rng.random((7, 1))
    if not 0 < observed.sum() < observed.size:
        return
    fitted, expected = fit_degrees(groups_of(observed), ridge), fitted_to_all_pairs(observed, ridge)
    for one, other in zip(fitted, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=2e-3)


@pytest.mark.parametrize("without_diagonal", [False, True])
def test_numbers_of_pairs_between_groups(without_diagonal):
    rng = np.random.default_rng(0)
    observed = rng.random((6, 6)) < 0.4
    groups = groups_of(observed, without_diagonal)
    counts = np.zeros_like(groups.pairs)
    for i in range(6):
        for j in range(6):
            counts[groups.rows[i], groups.cols[j]] += i != j or not without_diagonal
    np.testing.assert_array_equal(groups.pairs, counts)
    np.testing.assert_array_equal(groups.row_degrees[groups.rows], observed.sum(axis=1))
    np.testing.assert_array_equal(groups.col_degrees[groups.cols], observed.sum(axis=0))


def test_gradient_and_hessian_are_those_of_the_loss():
    rng = np.random.default_rng(1)
    loss = DegreeLoss(groups_of(rng.random((8, 6)) < 0.4), 0.3)

    def gradient(x):
        return loss.value_and_gradient(x)[1]

    for _ in range(3):  # one point after the other, two directions at each
        point = rng.normal(size=len(loss.start))
        numerical = approx_fprime(point, lambda x: loss.value_and_gradient(x)[0], 1e-6)
        np.testing.assert_allclose(gradient(point), numerical, atol=1e-4)
        for direction in rng.normal(size=(2, len(loss.start))):
            step = 1e-5 * direction
            change = (gradient(point + step) - gradient(point - step)) / 2e-5
            np.testing.assert_allclose(loss.hessian_product(point, direction), change, atol=1e-5)


def test_the_start_has_the_share_of_observed_pairs_and_units_of_about_a_standard_error():
    rng = np.random.default_rng(2)
    observed = rng.random((12, 9)) < rng.random((12, 1))
    loss = DegreeLoss(groups_of(observed), 0.3)
    mu, a, b = loss.parameters(loss.start)
    share = (observed.sum() + 0.5) / (12 * 9 + 1)
    assert mu == pytest.approx(np.log(share / (1 - share)))
    assert not a.any()
    assert not b.any()
    curvature = np.array(
        [loss.hessian_product(loss.start, each)[k] for k, each in enumerate(np.eye(len(loss.start)))]
    )
    assert (curvature <= 1 + 1e-9).all()
    np.testing.assert_allclose(curvature[curvature > 0.9], 1)
    assert (curvature > 0.9).sum() > 3
