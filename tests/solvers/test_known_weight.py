"""Weights of the known entries of rows and columns, against dense sums."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.network import Ensemble, Network
from latentlink.solvers.descent.blocks import make_block
from latentlink.solvers.descent.known_weight import known_weight, network_weight


@pytest.mark.parametrize("background", [0.0, 0.25])
def test_rows_and_columns_have_the_weight_of_their_known_entries(background):
    rng = np.random.default_rng(0)
    listed = rng.random((6, 4)) < 0.6
    weights = rng.choice([0.0, 0.5, 2.0], (6, 4))
    rows, cols = np.nonzero(listed)
    network = Network(rows, cols, np.ones(len(rows)), weights[listed], shape=(6, 4), background=background)
    dense = np.where(listed, weights, background)
    block = make_block(Ensemble.of(network), range(1), "float64")
    for side, axis in enumerate((1, 0)):
        np.testing.assert_allclose(network_weight(network)[side], dense.sum(axis=axis))
        entries, others = ((block.rows, 4), (block.cols, 6))[side]
        np.testing.assert_allclose(known_weight(entries, others, background)[:, 0], dense.sum(axis=axis))


def test_an_undirected_pair_counts_for_both_nodes_and_a_self_loop_twice():
    network = Network([0, 0, 1], [0, 1, 2], np.ones(3), [1.0, 2.0, 4.0], shape=(3, 3), symmetric=True)
    for side in network_weight(network):
        assert side.tolist() == [2 + 2, 2 + 4, 4]


@pytest.mark.parametrize("own_weights", [True, False])
def test_entries_held_out_of_a_member_have_no_weight(own_weights):
    network = Network([0, 0, 1], [0, 1, 1], np.ones(3), np.ones(3), shape=(2, 2))
    values = np.array([[1.0, np.nan], [1.0, 1.0], [np.nan, 1.0]])
    weights = np.array([[1.0, 5.0], [3.0, 7.0], [2.0, 0.5]]) if own_weights else np.array([1.0, 3.0, 2.0])
    block = make_block(Ensemble(network, values, weights), range(2), "float64")
    of_rows, of_cols = known_weight(block.rows, 2, 0.0)[:, :2], known_weight(block.cols, 2, 0.0)[:, :2]
    second = weights[:, 1] if own_weights else weights
    np.testing.assert_allclose(of_rows.T, [[4, 0], [second[1], second[2]]])
    np.testing.assert_allclose(of_cols.T, [[1, 3], [0, second[1] + second[2]]])
