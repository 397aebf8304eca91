"""Known cells as Boolean factors see them: every kind of network, every member, the background too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError
from latentlink.network import Ensemble, Network
from latentlink.regime import Cells
from latentlink.regime.boolean_fit import BooleanFit
from tests.regime.dense import boolean_factors, dense_cells, dense_error, ensembles


def as_dense(cells, lines, shape):
    """Signed weights of all cells, from one of the two views."""
    found = np.full(shape, -cells.background)
    of_line = np.repeat(np.arange(shape[0]), np.diff(lines.indptr))
    found[of_line, lines.indices] = cells.signed[lines.where]
    return found


@settings(deadline=None)
@given(ensembles())
def test_cells_are_what_is_known_from_either_side(ensemble):
    shape = ensemble.network.shape
    for member, cells in enumerate(Cells.each(ensemble)):
        ones, weights = dense_cells(ensemble, member)
        expected = np.where(ones, weights, -weights)
        np.testing.assert_array_equal(as_dense(cells, cells.rows, shape), expected)
        np.testing.assert_array_equal(as_dense(cells, cells.cols, shape[::-1]), expected.T)


@settings(deadline=None)
@given(ensembles())
def test_one_member_is_the_same_as_among_others(ensemble):
    for member, cells in enumerate(Cells.each(ensemble)):
        np.testing.assert_array_equal(Cells.of(ensemble, member).signed, cells.signed)


@settings(deadline=None)
@given(ensembles(), st.data())
def test_the_error_and_the_gains_are_those_of_all_cells(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    fit = BooleanFit(Cells.of(ensemble), factors.W, factors.H)
    assert fit.error() == dense_error(ensemble, factors)
    ones, weights = dense_cells(ensemble)
    signed = np.where(ones, weights, -weights)
    for c in range(factors.rank):
        rest = np.arange(factors.rank) != c
        free = factors.W[:, rest] @ factors.H[rest] == 0
        np.testing.assert_array_equal(fit.gains(0, c), (signed * free) @ factors.H[c])
        np.testing.assert_array_equal(fit.gains(1, c), factors.W[:, c] @ (signed * free))


@settings(deadline=None)
@given(ensembles(), st.data())
def test_the_cover_stays_right_through_any_changes(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    fit = BooleanFit(Cells.of(ensemble), factors.W, factors.H)
    sides = [factors.W.copy(), factors.H.T.copy()]
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    for _ in range(5):
        side, c = rng.integers(2), rng.integers(factors.rank)
        held = rng.random(len(sides[side])) < 0.5
        changed = fit.hold(side, c, held)
        assert changed == np.count_nonzero(sides[side][:, c] != held)
        sides[side][:, c] = held
    W, H = fit.factors(np.float64)
    np.testing.assert_array_equal(W, sides[0])
    np.testing.assert_array_equal(H, sides[1].T)
    assert fit.error() == dense_error(ensemble, type(factors)(W, H))


@pytest.mark.parametrize("rank", [1, 8, 9, 63, 64, 65, 130])
def test_patterns_of_any_number_of_components(rank):
    rng = np.random.default_rng(rank)
    network = Network([0, 3], [1, 4], [1.0, 0.0], shape=(9, 8), background=0.5)
    W, H = rng.random((9, rank)) < 2 / rank, rng.random((rank, 8)) < 0.3
    fit = BooleanFit(Cells.of(Ensemble.of(network)), W, H)
    ones, weights = dense_cells(network)
    assert fit.error() == weights[(W.astype(int) @ H.astype(int) > 0) != ones].sum()
    rest = np.arange(rank) != rank - 1
    free = W[:, rest].astype(int) @ H[rest].astype(int) == 0
    np.testing.assert_array_equal(
        fit.gains(0, rank - 1), (np.where(ones, weights, -weights) * free) @ H[rank - 1]
    )


def test_a_value_above_one_half_is_a_one():
    network = Network([0, 0, 1, 1], [0, 1, 0, 1], [0.5, 0.51, 1.7, -3.0], shape=(2, 2))
    np.testing.assert_array_equal(Cells.of(Ensemble.of(network)).signed, [-1, 1, 1, -1])


def test_sums_that_are_rounding_gain_nothing():
    """0.1 + 0.2 - 0.3 is 5e-17, not a gain."""
    network = Network([0, 0, 0], [0, 1, 2], [1.0, 1.0, 0.0], [0.1, 0.2, 0.3], shape=(1, 3))
    fit = BooleanFit(Cells.of(Ensemble.of(network)), np.zeros((1, 1)), np.ones((1, 3)))
    np.testing.assert_array_equal(fit.gains(0, 0), [0.0])


def test_small_weights_are_no_rounding():
    network = Network([0, 1, 1], [0, 0, 1], [1.0, 1.0, 0.0], [1e-12, 1e9, 1.0], shape=(2, 2))
    fit = BooleanFit(Cells.of(Ensemble.of(network)), np.zeros((2, 1)), np.ones((1, 2)))
    np.testing.assert_allclose(fit.gains(0, 0), [1e-12, 1e9 - 1], rtol=1e-9)


def test_a_background_needs_every_pair_once():
    twice = Network([0, 0], [1, 1], [1.0, 0.0], shape=(2, 2), background=0.5)
    with pytest.raises(IncompatibleError, match="every pair listed once"):
        Cells.of(Ensemble.of(twice))
    plain = Cells.of(Ensemble.of(twice.with_background(0.0)))  # two facts, one for and one against
    np.testing.assert_array_equal(plain.signed, [1.0, -1.0])
