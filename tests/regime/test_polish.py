"""Flips: fewer errors on known cells, and on hidden ones too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.regime import Cells, KMeans, flip_polish
from latentlink.regime.boolean_fit import BooleanFit
from latentlink.solvers import WNMF
from tests.helpers.oracle import all_scores
from tests.regime.dense import boolean_factors, dense_error, dense_polish, ensembles, planted


@settings(deadline=None, max_examples=200)
@given(ensembles(), st.data())
def test_flips_are_the_formula_done_densely(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    member = data.draw(st.integers(0, ensemble.n_members - 1))
    fit = BooleanFit(Cells.of(ensemble, member), factors.W, factors.H)
    fit.settle(100)
    U, V = dense_polish(ensemble, factors, member)
    np.testing.assert_array_equal(fit.sides[0], U)
    np.testing.assert_array_equal(fit.sides[1].T, V)
    fit.settle(100)  # nothing is left to flip
    np.testing.assert_array_equal(fit.sides[0], U)
    np.testing.assert_array_equal(fit.sides[1].T, V)


@settings(deadline=None, max_examples=200)
@given(ensembles(), st.data())
def test_polish_has_no_more_errors_than_flips_alone(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    member = data.draw(st.integers(0, ensemble.n_members - 1))
    polished = flip_polish(factors, Cells.of(ensemble, member))
    U, V = dense_polish(ensemble, factors, member)
    flipped = Factors(U.astype(float), V.astype(float), boolean=True)
    errors = [dense_error(ensemble, each, member) for each in (polished, flipped, factors)]
    assert errors[0] <= errors[1] <= errors[2]
    assert polished.boolean
    assert np.isin(polished.W, (0, 1)).all()
    assert np.isin(polished.H, (0, 1)).all()


@settings(deadline=None)
@given(ensembles(), st.data())
def test_no_round_raises_the_errors_with_any_weights(ensemble, data):
    """Weights whose sums are rounded: the errors still never rise."""
    weights = np.random.default_rng(data.draw(st.integers(0, 1000))).random(ensemble.weights.shape)
    ensemble = Ensemble(ensemble.network, ensemble.values, weights * (ensemble.weights > 0))
    factors = data.draw(boolean_factors(ensemble.network.shape))
    cells = Cells.of(ensemble)
    errors = [dense_error(ensemble, flip_polish(factors, cells, rounds)) for rounds in (1, 2, 3, 100)]
    errors.insert(0, dense_error(ensemble, factors))
    assert np.all(np.diff(errors) <= 1e-9)


@settings(deadline=None)
@given(ensembles(), st.data())
def test_what_is_not_known_has_no_say(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    member = data.draw(st.integers(0, ensemble.n_members - 1))
    weights = ensemble.weights if ensemble.weights.ndim == 2 else ensemble.weights[:, None]
    weights = np.broadcast_to(weights, ensemble.values.shape)
    unseen = (weights == 0)[:, member]
    other = ensemble.values.copy()
    other[unseen, member] = 1 - other[unseen, member]
    changed = Ensemble(ensemble.network, other, ensemble.weights)
    found, expected = (flip_polish(factors, Cells.of(each, member)) for each in (changed, ensemble))
    np.testing.assert_array_equal(found.W, expected.W)
    np.testing.assert_array_equal(found.H, expected.H)
    # What a member does not see (NaN) is as if it weighed nothing.
    blind = np.where(np.isnan(ensemble.values), 0.0, weights)
    hidden = Ensemble(ensemble.network, np.nan_to_num(ensemble.values), blind)
    found = flip_polish(factors, Cells.of(hidden, member))
    np.testing.assert_array_equal(found.W, expected.W)


def test_the_hidden_diagonal_of_a_symmetric_network_has_no_say():
    """Two cliques without self loops: the diagonal is hidden, so blocks are whole and without error."""
    cliques = np.kron(np.eye(2), np.ones((4, 4)))
    rows, cols = np.nonzero(np.triu(cliques, 1))
    for background in (0.1, 1.0):
        network = Network(rows, cols, shape=(8, 8), symmetric=True, background=background)
        rough = np.repeat(np.eye(2), 4, axis=0)
        rough[0] = 0
        polished = flip_polish(Factors(rough, rough.T, symmetric=True), Cells.of(Ensemble.of(network)))
        np.testing.assert_array_equal(polished.W @ polished.H, cliques)
        assert dense_error(network, polished) == 0


def test_unlisted_zeros_count_exactly_in_a_large_sparse_network():
    """9 million cells, few listed: a sample of zeros would hold many rows that have hardly a link there."""
    rng = np.random.default_rng(0)
    n, size = 3_000, 60
    rows, cols = (index.ravel() for index in np.mgrid[:size, :size])
    stray = rng.integers(n, size=(2, 4_000))
    pairs = np.unique(np.concatenate([np.stack([rows, cols]), stray], axis=1), axis=1)
    network = Network(*pairs, shape=(n, n), background=1.0)
    H = np.zeros((1, n))
    H[0, :size] = 1
    polished = flip_polish(Factors(np.ones((n, 1)), H), Cells.of(Ensemble.of(network)))
    np.testing.assert_array_equal(np.flatnonzero(polished.W[:, 0]), np.arange(size))
    np.testing.assert_array_equal(np.flatnonzero(polished.H[0]), np.arange(size))


def test_polish_keeps_the_rest_of_the_model_and_its_precision():
    network = Network.from_dense(np.eye(3))
    factors = Factors(np.ones((3, 1), np.float32), np.ones((1, 3), np.float32), symmetric=True)
    before = factors.W.copy(), factors.H.copy()
    polished = flip_polish(factors, Cells.of(Ensemble.of(network)))
    assert polished.W.dtype == polished.H.dtype == np.float32
    assert polished.symmetric
    np.testing.assert_array_equal(factors.W, before[0])
    np.testing.assert_array_equal(factors.H, before[1])
    assert not polished.W.any()  # a row is 1/3 ones: nothing is gained, and all is let go


@pytest.mark.parametrize("seed", range(3))
def test_planted_factors_come_out_of_half_the_cells(seed):
    """200 x 100, ten components, a tenth of the cells flipped, half of them hidden."""
    truth, seen = planted((200, 100), 10, 0.2, 0.1, seed)
    hidden = np.random.default_rng(seed + 100).random(truth.shape) < 0.5
    network = Network.from_dense(seen.astype(float)).hide(hidden.ravel())
    factors = WNMF(ridge=2.0).solve(network, 10, seed).members[0]
    cells = Cells.of(Ensemble.of(network))
    cut = KMeans().cut(factors, cells)
    polished = flip_polish(cut, cells)
    before, after = (np.mean(all_scores(each)[hidden] != truth[hidden]) for each in (cut, polished))
    assert after < 0.5 * before
    assert after < 0.03
