"""Polishing by flips: fewer errors on known cells, and on hidden ones too."""

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
from tests.regime.dense import boolean_factors, dense_error, dense_optimize, ensembles, planted


@pytest.mark.slow
@settings(max_examples=60)
@given(ensembles(), st.data())
def test_polish_has_no_more_errors_than_the_coordinate_descent_alone(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    member = data.draw(st.integers(0, ensemble.n_members - 1))
    polished = flip_polish(factors, Cells.of(ensemble, member))
    U, V = dense_optimize(ensemble, factors, member)
    flipped = Factors(U.astype(float), V.astype(float), boolean=True)
    errors = [dense_error(ensemble, model, member) for model in (polished, flipped, factors)]
    assert errors[0] <= errors[1] <= errors[2]
    assert polished.boolean
    assert np.isin(polished.W, (0, 1)).all()
    assert np.isin(polished.H, (0, 1)).all()


@pytest.mark.slow
@settings(max_examples=25)
@given(ensembles(), st.data())
def test_no_round_increases_the_errors_with_any_weights(ensemble, data):
    """With weights whose sums are rounded: by flips, round by round, and by flips with restarts in all.

    Restarts after one round and after two are different searches, whose errors need not be ordered.
    """
    weights = np.random.default_rng(data.draw(st.integers(0, 1000))).random(ensemble.weights.shape)
    ensemble = Ensemble(ensemble.network, ensemble.values, weights * (ensemble.weights > 0))
    factors = data.draw(boolean_factors(ensemble.network.shape))
    cells = Cells.of(ensemble)
    fit = BooleanFit(cells, factors.W, factors.H)
    errors = [fit.error()]
    for _ in range(4):
        fit.optimize(1)
        errors.append(fit.error())
    assert np.all(np.diff(errors) <= 1e-9)
    before = dense_error(ensemble, factors)
    for rounds in (1, 2, 100):
        assert dense_error(ensemble, flip_polish(factors, cells, rounds)) <= before + 1e-9


@pytest.mark.slow
@settings(max_examples=25)
@given(ensembles(), st.data())
def test_hidden_and_held_out_entries_have_zero_weight(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    member = data.draw(st.integers(0, ensemble.n_members - 1))
    weights = ensemble.weights if ensemble.weights.ndim == 2 else ensemble.weights[:, None]
    weights = np.broadcast_to(weights, ensemble.values.shape)
    hidden = (weights == 0)[:, member]
    other = ensemble.values.copy()
    other[hidden, member] = 1 - other[hidden, member]
    changed = Ensemble(ensemble.network, other, ensemble.weights)
    polished, expected = (flip_polish(factors, Cells.of(data_, member)) for data_ in (changed, ensemble))
    np.testing.assert_array_equal(polished.W, expected.W)
    np.testing.assert_array_equal(polished.H, expected.H)
    # A held-out entry (NaN) is the same as one of zero weight.
    zero_weights = np.where(np.isnan(ensemble.values), 0.0, weights)
    all_hidden = Ensemble(ensemble.network, np.nan_to_num(ensemble.values), zero_weights)
    polished = flip_polish(factors, Cells.of(all_hidden, member))
    np.testing.assert_array_equal(polished.W, expected.W)


def test_the_hidden_diagonal_of_a_symmetric_network_has_zero_weight():
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
    """9 million cells, few of them listed; by a sample of the zeros, rows with few links would have gains."""
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


def test_polish_changes_neither_the_input_nor_the_precision():
    network = Network.from_dense(np.eye(3))
    factors = Factors(np.ones((3, 1), np.float32), np.ones((1, 3), np.float32), symmetric=True)
    before = factors.W.copy(), factors.H.copy()
    polished = flip_polish(factors, Cells.of(Ensemble.of(network)))
    assert polished.W.dtype == polished.H.dtype == np.float32
    assert polished.symmetric
    np.testing.assert_array_equal(factors.W, before[0])
    np.testing.assert_array_equal(factors.H, before[1])
    assert not polished.W.any()  # a third of each row is 1: no row has a gain


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_planted_factors_are_recovered_from_half_of_the_cells(seed):
    """200 x 100 cells, ten components, a tenth of the cells flipped, half of them hidden."""
    truth, observed = planted((200, 100), 10, 0.2, 0.1, seed)
    hidden = np.random.default_rng(seed + 100).random(truth.shape) < 0.5
    network = Network.from_dense(observed.astype(float)).hide(hidden.ravel())
    factors = WNMF(ridge=2.0).solve(network, 10, seed).members[0]
    cells = Cells.of(Ensemble.of(network))
    binarized = KMeans().binarize(factors, cells)
    models = (binarized, flip_polish(binarized, cells))
    before, after = (np.mean(all_scores(model)[hidden] != truth[hidden]) for model in models)
    assert after < 0.5 * before
    assert after < 0.03
