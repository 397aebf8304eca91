"""Entries held out of each member."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.rank.speckle import Speckle, draw_speckle, ensemble_errors, with_speckles


def random_network(seed, symmetric=False, background=0.0, density=0.5):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((9, 9)) < density, rng.random((9, 9)), np.nan)
    if symmetric:
        X = np.where(np.tri(9, k=-1, dtype=bool).T, X, X.T)
        np.fill_diagonal(X, np.nan)
    return Network.from_dense(X, symmetric=symmetric).with_background(background)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.booleans(), st.floats(0.05, 0.95))
def test_a_speckle_never_empties_a_row_or_column(seed, symmetric, share):
    network = random_network(seed, symmetric)
    speckle = draw_speckle(network, share, np.random.default_rng(seed))
    assert len(speckle.rows) == speckle.listed <= round(share * network.n_known)
    hidden = with_speckles(Ensemble.of(network), [speckle])
    assert np.count_nonzero(np.isnan(hidden.values)) == speckle.listed
    left = ~np.isnan(hidden.values[:, 0])
    for nodes, others in [(network.rows, network.cols), (network.cols, network.rows)]:
        ends = np.concatenate([nodes, others]) if symmetric else nodes
        known = np.concatenate([left, left]) if symmetric else left
        assert set(ends[known]) == set(ends)


def test_the_share_is_exact_with_enough_entries():
    network = Network.from_dense(np.random.default_rng(0).random((20, 30)))
    speckle = draw_speckle(network, 0.1, np.random.default_rng(0))
    assert speckle.listed == 60
    np.testing.assert_array_equal(speckle.values, network.to_dense()[speckle.rows, speckle.cols])


@pytest.mark.parametrize("symmetric", [False, True])
def test_under_a_background_unlisted_pairs_are_held_out_too(symmetric):
    network = random_network(3, symmetric, background=0.5, density=0.3)
    draws = [draw_speckle(network, 0.3, np.random.default_rng(seed)) for seed in (0, 1)]
    listed = set(zip(network.rows, network.cols, strict=True))
    wider = with_speckles(Ensemble.of(network, 2), draws)
    index_of = {
        pair: index for index, pair in enumerate(zip(wider.network.rows, wider.network.cols, strict=True))
    }
    for member, speckle in enumerate(draws):
        unlisted = list(zip(speckle.rows[speckle.listed :], speckle.cols[speckle.listed :], strict=True))
        assert unlisted
        assert not listed & set(unlisted)
        assert not symmetric or all(i < j for i, j in unlisted)
        assert len(unlisted) <= network.n_listed
        held_out = {pair for pair, index in index_of.items() if np.isnan(wider.values[index, member])}
        assert held_out == set(zip(speckle.rows, speckle.cols, strict=True))
    n_unlisted = (36 if symmetric else 81) - network.n_listed
    total = draws[0].weights[draws[0].listed :].sum()
    assert total == pytest.approx(0.5 * 0.3 * n_unlisted)
    # A pair held out of one member is a zero of the background's weight in the other.
    only_first = np.isnan(wider.values[:, 0]) & ~np.isnan(wider.values[:, 1])
    extra = only_first & ~np.array([pair in listed for pair in index_of])
    np.testing.assert_array_equal(wider.values[extra, 1], 0.0)
    np.testing.assert_array_equal(wider.network.weights[extra], 0.5)


def test_a_background_without_unlisted_pairs_holds_out_listed_entries_only():
    network = random_network(0, density=2.0).with_background(1.0)
    assert network.n_listed == 81
    speckle = draw_speckle(network, 0.2, np.random.default_rng(0))
    assert len(speckle.rows) == speckle.listed == 16
    hidden = with_speckles(Ensemble.of(network, 2), [speckle, speckle])
    assert hidden.network is network
    assert np.count_nonzero(np.isnan(hidden.values)) == 32


def test_the_error_is_the_mean_squared_error():
    network = Network.from_dense([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    speckle = draw_speckle(network, 0.3, np.random.default_rng(0))
    zero = Factors(np.zeros((3, 1)), np.zeros((1, 3)))
    assert speckle.error(zero) == pytest.approx(np.mean(speckle.values**2))


def test_the_error_is_nan_if_nothing_can_be_held_out():
    network = Network.from_dense([[1.0]])
    speckle = draw_speckle(network, 0.5, np.random.default_rng(0))
    assert speckle.listed == 0
    assert np.isnan(speckle.error(Factors(np.ones((1, 1)), np.ones((1, 1)))))


# -------------------------------------------------------------------- errors of the ensemble


def made_speckles(n_members=5, background=0.0):
    """Speckles of a network with values of any sign and unequal weights, and a random model for each."""
    rng = np.random.default_rng(3)
    X = rng.normal(2, 3, (9, 8))
    X[rng.random(X.shape) < 0.3] = np.nan
    network = Network.from_dense(X).with_background(background)
    network = network.with_weights(rng.uniform(0.2, 3, network.n_listed))
    speckles = [draw_speckle(network, 0.4, np.random.default_rng(p)) for p in range(n_members)]
    models = [
        Factors(rng.normal(size=(9, 2)), rng.normal(size=(2, 8)), offset=rng.normal()) for _ in speckles
    ]
    return speckles, models


@pytest.mark.parametrize("background", [0.0, 0.2])
@pytest.mark.parametrize("size", [None, 16])
def test_the_error_of_the_ensemble_entry_by_entry(background, size):
    speckles, models = made_speckles(background=background)
    predictions, values, weights = {}, {}, {}
    for speckle, model in zip(speckles, models, strict=True):
        scores = model.score(speckle.rows, speckle.cols)
        for i, j, x, w, z in zip(
            speckle.rows, speckle.cols, speckle.values, speckle.weights, scores, strict=True
        ):
            predictions.setdefault((i, j), []).append(z)
            values[i, j], weights[i, j] = x, w
    counts = {pair: len(each) for pair, each in predictions.items()}
    assert set(counts.values()) >= {1, 2, 3}
    deviations = sum(weights[pair] * np.sum((z - np.mean(z)) ** 2) for pair, z in predictions.items())
    variance = deviations / sum(weights[pair] * (n - 1) for pair, n in counts.items())
    expected = []
    for speckle in speckles:
        pairs = list(zip(speckle.rows, speckle.cols, strict=True))
        total = sum(
            weights[pair]
            * (
                (np.mean(predictions[pair]) - values[pair]) ** 2
                - variance * (1 / counts[pair] - 1 / (size or 5))
            )
            for pair in pairs
        )
        expected.append(max(0.0, total / sum(weights[pair] for pair in pairs)))
    np.testing.assert_allclose(ensemble_errors(speckles, models, size), expected, rtol=1e-10)


def test_the_error_of_the_ensemble_is_that_of_a_mean_over_all_members():
    """On average over many models: noise of variance 4 about the truth, of which the mean of P has 4 / P."""
    rng = np.random.default_rng(0)
    network = Network.from_dense(rng.normal(size=(30, 30)))
    errors = []
    for seed in range(40):
        speckles = [draw_speckle(network, 0.1, np.random.default_rng([seed, p])) for p in range(8)]
        models = [Factors(np.eye(30), network.to_dense() + 2 * rng.normal(size=(30, 30))) for _ in speckles]
        errors.append(ensemble_errors(speckles, models).mean())
    np.testing.assert_allclose(np.mean(errors), 4 / 8, rtol=0.15)


def test_members_without_held_out_entries_have_no_error_of_the_ensemble():
    speckles, models = made_speckles(3)
    nothing = Speckle(*(np.zeros(0, kind) for kind in (int, int, float, float)), 0)
    errors = ensemble_errors([speckles[0], nothing, speckles[2]], models)
    np.testing.assert_array_equal(np.isnan(errors), [False, True, False])
    assert np.isnan(ensemble_errors([nothing] * 3, models)).all()


def test_a_single_member_has_its_own_error():
    speckles, models = made_speckles(1)
    np.testing.assert_allclose(ensemble_errors(speckles, models)[0], speckles[0].error(models[0]))
