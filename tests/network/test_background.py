"""Unlisted pairs turned into listed ones."""

import numpy as np
import pytest
from hypothesis import given, settings

from latentlink.network import Ensemble, Network
from latentlink.network.background import (
    with_listed_background,
    with_listed_diagonal,
    with_zeros_for_unknown,
)
from tests.network.strategies import networks


def weight_matrix(network, background):
    """Weights of all pairs, NaN for pairs that are not in the upper triangle of a symmetric network."""
    n, m = network.shape
    weights = np.full((n, m), background)
    if network.symmetric and not network.has_self_loops:
        np.fill_diagonal(weights, 0.0)
    weights[network.rows, network.cols] = network.weights
    if network.symmetric:
        weights[np.tril_indices(n, -1)] = np.nan
    return weights


@settings(max_examples=30)
@given(networks())
def test_a_listed_diagonal_leaves_every_weight_as_it_was(network):
    wider = with_listed_diagonal(Ensemble.of(network, 2))
    if not network.symmetric or not network.background:
        assert wider.network is network
        return
    assert wider.network.background == network.background
    diagonal = np.arange(network.shape[0])
    assert (wider.network.positions(diagonal, diagonal) >= 0).all()
    assert wider.network.n_listed == network.n_listed + len(diagonal) - np.sum(network.rows == network.cols)
    expected = weight_matrix(network, network.background)
    np.testing.assert_array_equal(weight_matrix(wider.network, network.background), expected)
    np.testing.assert_array_equal(wider.network.to_dense(), network.to_dense())


@settings(max_examples=30)
@given(networks())
def test_a_listed_background_leaves_every_weight_as_it_was(network):
    wider = with_listed_background(Ensemble.of(network, 2), max_pairs=1000, seed=0)
    if not network.background:
        assert wider.network is network
        return
    assert wider.network.background == 0
    np.testing.assert_array_equal(
        weight_matrix(wider.network, 0.0), weight_matrix(network, network.background)
    )
    np.testing.assert_array_equal(wider.network.to_dense(), network.to_dense())
    assert wider.values.shape == (wider.network.n_listed, 2)


@pytest.mark.parametrize("kind", [{"symmetric": True}, {"square": True}, {}])
def test_a_sample_of_the_background_has_its_total_weight(kind):
    network = Network.from_edges([(0, 1), (2, 3)], shape=(9, 9), background=0.5, **kind)
    wider = with_listed_background(Ensemble.of(network), max_pairs=10, seed=1).network
    assert wider.n_listed == 12
    assert wider.is_clean
    unlisted = 9 * 8 / 2 - 2 if network.symmetric else 9 * 9 - 2
    new = network.positions(wider.rows, wider.cols) < 0
    np.testing.assert_allclose(wider.weights[new], 0.5 * unlisted / 10)
    assert not wider.values[new].any()
    again = with_listed_background(Ensemble.of(network, 3), max_pairs=10, seed=1)
    assert again.network == wider
    assert with_listed_background(Ensemble.of(network), max_pairs=10, seed=2).network != wider


def test_self_loops_are_all_listed_beside_a_sample():
    network = Network.from_edges([(0, 0), (0, 1)], shape=(9, 9), background=0.5, symmetric=True)
    wider = with_listed_background(Ensemble.of(network), max_pairs=5, seed=1).network
    loops = wider.rows == wider.cols
    assert wider.rows[loops].tolist() == list(range(9))
    assert wider.weights[loops].tolist() == [1.0] + [0.5] * 8
    assert wider.n_listed == 1 + 5 + 9


@pytest.mark.parametrize("shared", [True, False])
def test_unknown_entries_become_zeros_of_weight_1(shared):
    """Left out of a member (NaN), hidden (weight 0) or unlisted."""
    network = Network([0, 0, 1], [0, 1, 1], [1.0, 2.0, 3.0], [0.5, 0.0, 1.0], shape=(2, 2))
    values = np.array([[1.0, np.nan], [2.0, 5.0], [3.0, 6.0]])
    weights = network.weights if shared else np.array([[0.5, 1.0], [0.0, 2.0], [1.0, 0.0]])
    filled = with_zeros_for_unknown(Ensemble(network, values, weights))
    expected = [[1.0, 0.0], [0.0, 0.0], [3.0, 6.0]] if shared else [[1.0, 0.0], [0.0, 5.0], [3.0, 0.0]]
    assert filled.values.tolist() == expected
    assert filled.weights.tolist() == filled.network.weights.tolist() == [1.0, 1.0, 1.0]
    assert filled.network.background == 1
