"""The pairs by which chains are judged."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.solvers.posterior.monitored_pairs import monitored_pairs


def table(shape, known, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=shape)
    X[rng.random(shape) > known] = np.nan
    return X


@pytest.mark.parametrize("known", [0.1, 0.6, 0.99])
def test_they_are_unknown_pairs_of_known_rows_and_columns(known):
    X = table((60, 12), known)
    X[3], X[:, 4] = np.nan, np.nan
    rows, cols = monitored_pairs(Network.from_dense(X), 200)
    assert len(rows) == len(cols) == 200
    assert np.isnan(X[rows, cols]).all()
    assert 3 not in rows
    assert 4 not in cols
    holes = np.isnan(X[np.ix_(np.delete(np.arange(60), 3), np.delete(np.arange(12), 4))]).sum()
    assert len(set(zip(rows.tolist(), cols.tolist(), strict=True))) >= min(holes, 100)


def test_hidden_entries_are_unknown_and_without_any_known_ones_serve():
    X = table((6, 5), 1.0)
    network = Network.from_dense(X)
    assert len(monitored_pairs(network, 200)[0]) == 200
    for background in (0.0, 0.5):
        hidden = network.with_weights(np.where(np.arange(30) == 7, 0.0, 1.0)).with_background(background)
        rows, cols = monitored_pairs(hidden, 200)
        assert set(zip(rows.tolist(), cols.tolist(), strict=True)) == {(1, 2)}


@pytest.mark.parametrize("loops", [False, True])
def test_undirected_pairs_are_unknown_in_both_directions(loops):
    rows, cols = np.triu_indices(12, 0 if loops else 1)
    network = Network(cols[2:], rows[2:], np.ones(len(rows) - 2), shape=(12, 12), symmetric=True)
    found = {tuple(sorted(pair)) for pair in np.transpose(monitored_pairs(network, 50)).tolist()}
    assert found == set(zip(rows[:2].tolist(), cols[:2].tolist(), strict=True))
