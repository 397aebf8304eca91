"""Errors, gains and updates of Boolean factors, compared with dense sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.regime import Cells
from latentlink.regime.boolean_fit import BooleanFit
from tests.regime.dense import boolean_factors, dense_cells, dense_error, dense_optimize, ensembles


@settings(max_examples=40)
@given(ensembles(), st.data())
def test_error_and_gains_equal_dense_sums(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    fit = BooleanFit(Cells.of(ensemble), factors.W, factors.H)
    assert fit.error() == dense_error(ensemble, factors)
    ones, weights = dense_cells(ensemble)
    signed = np.where(ones, weights, -weights)
    for c in range(factors.rank):
        rest = np.arange(factors.rank) != c
        uncovered = factors.W[:, rest] @ factors.H[rest] == 0
        np.testing.assert_array_equal(fit.gains(0, c), (signed * uncovered) @ factors.H[c])
        np.testing.assert_array_equal(fit.gains(1, c), factors.W[:, c] @ (signed * uncovered))


@settings(max_examples=60)
@given(ensembles(), st.data())
@pytest.mark.slow
def test_assignments_update_factors_and_error(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    fit = BooleanFit(Cells.of(ensemble), factors.W, factors.H)
    sides = [factors.W.copy(), factors.H.T.copy()]
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    for _ in range(5):
        side, c = rng.integers(2), rng.integers(factors.rank)
        contained = rng.random(len(sides[side])) < 0.5
        changes = fit.assign(side, c, contained)
        assert changes == np.count_nonzero(sides[side][:, c] != contained)
        sides[side][:, c] = contained
    W, H = fit.factors(np.float64)
    np.testing.assert_array_equal(W, sides[0])
    np.testing.assert_array_equal(H, sides[1].T)
    assert fit.error() == dense_error(ensemble, Factors(W, H))


@pytest.mark.slow
@settings(max_examples=80)
@given(ensembles(), st.data())
def test_the_coordinate_descent_equals_the_dense_one(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    member = data.draw(st.integers(0, ensemble.n_members - 1))
    fit = BooleanFit(Cells.of(ensemble, member), factors.W, factors.H)
    U, V = dense_optimize(ensemble, factors, member)
    for _ in range(2):  # the second changes nothing
        fit.optimize(100)
        np.testing.assert_array_equal(fit.sides[0], U)
        np.testing.assert_array_equal(fit.sides[1].T, V)


@pytest.mark.parametrize("rank", [1, 8, 9, 63, 64, 65, 130])
def test_any_number_of_components_fits_into_the_packed_patterns(rank):
    rng = np.random.default_rng(rank)
    network = Network([0, 3], [1, 4], [1.0, 0.0], shape=(9, 8), background=0.5)
    W, H = rng.random((9, rank)) < 2 / rank, rng.random((rank, 8)) < 0.3
    fit = BooleanFit(Cells.of(Ensemble.of(network)), W, H)
    ones, weights = dense_cells(network)
    assert fit.error() == weights[(W.astype(int) @ H.astype(int) > 0) != ones].sum()
    rest = np.arange(rank) != rank - 1
    uncovered = W[:, rest].astype(int) @ H[rest].astype(int) == 0
    np.testing.assert_array_equal(
        fit.gains(0, rank - 1), (np.where(ones, weights, -weights) * uncovered) @ H[rank - 1]
    )


def test_gains_of_the_size_of_rounding_errors_are_zero():
    """0.1 + 0.2 - 0.3 is 5e-17."""
    network = Network([0, 0, 0], [0, 1, 2], [1.0, 1.0, 0.0], [0.1, 0.2, 0.3], shape=(1, 3))
    fit = BooleanFit(Cells.of(Ensemble.of(network)), np.zeros((1, 1)), np.ones((1, 3)))
    np.testing.assert_array_equal(fit.gains(0, 0), [0.0])


def test_gains_of_small_weights_are_not_rounding_errors():
    network = Network([0, 1, 1], [0, 0, 1], [1.0, 1.0, 0.0], [1e-12, 1e9, 1.0], shape=(2, 2))
    fit = BooleanFit(Cells.of(Ensemble.of(network)), np.zeros((2, 1)), np.ones((1, 2)))
    np.testing.assert_allclose(fit.gains(0, 0), [1e-12, 1e9 - 1], rtol=1e-9)


def test_gains_of_the_size_of_rounding_errors_are_zero_under_a_background():
    """A link of weight 0.6 and six unlisted pairs of 0.1 cancel, but 0.6 + 0.1 - 7 * 0.1 is -1e-16."""
    network = Network([0], [0], [1.0], [0.6], shape=(2, 7), background=0.1)
    fit = BooleanFit(Cells.of(Ensemble.of(network)), np.zeros((2, 1)), np.ones((1, 7)))
    assert 0.6 + 0.1 - 7 * 0.1 != 0
    assert fit.gains(0, 0)[0] == 0.0
