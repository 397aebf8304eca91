"""Graph features of pairs, against dense matrix products."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.stacking.graph_features import FEATURES, GraphFeatures


def network_of(shape, symmetric, seed=0):
    """Return a random network of links, non-links and hidden pairs."""
    rng = np.random.default_rng(seed)
    known = rng.random(shape) < 0.5
    if symmetric:
        known = np.triu(known, 1)
    rows, cols = np.nonzero(known)
    values = (rng.random(len(rows)) < 0.5).astype(float)
    weights = (rng.random(len(rows)) < 0.8).astype(float)
    return Network(rows, cols, values, weights, shape=shape, symmetric=symmetric)


def dense_features(network):
    """Return all features of all pairs by dense matrix products, shape (rows, columns, features)."""
    n, m = network.shape
    features = []
    for value in (1, 0):
        A = np.zeros((n, m))
        of_value = network.known & (network.values == value)
        A[network.rows[of_value], network.cols[of_value]] = 1
        if network.symmetric:
            A = A + A.T
        row, col = A.sum(axis=1), A.sum(axis=0)
        with np.errstate(divide="ignore"):
            row_part, col_part = (np.where(d > 0, 1 / np.sqrt(d), 0) for d in (row, col))
            once = np.where(row > 0, 1 / row, 0)
        paths = A @ np.diag(col_part) @ A.T @ np.diag(row_part) @ A
        shared = A @ np.diag(once) @ A if network.symmetric else np.zeros((n, m))
        a, b = np.log1p(row)[:, None], np.log1p(col)[None, :]
        features += [a + b, np.abs(a - b), np.sqrt(paths), np.sqrt(shared)]
    return np.stack(features, axis=-1)


@pytest.mark.parametrize(
    ("shape", "symmetric"),
    [((9, 9), True), ((7, 11), False), ((8, 8), False)],
    ids=["undirected", "bipartite", "directed"],
)
@pytest.mark.parametrize("mode", ["lanes", "reference"])
def test_features_equal_dense_matrix_products(shape, symmetric, mode, monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", mode)
    network = network_of(shape, symmetric)
    graph, expected = GraphFeatures.of(network), dense_features(network)
    rng = np.random.default_rng(1)
    rows, cols = rng.integers(0, shape[0], 60), rng.integers(0, shape[1], 60)
    np.testing.assert_allclose(np.column_stack(graph.features(rows, cols)), expected[rows, cols], atol=1e-12)
    assert expected.shape[-1] == len(FEATURES)


def test_no_pairs_have_no_features_and_isolated_nodes_have_zeros():
    graph = GraphFeatures.of(Network.from_edges([(0, 1, 1)], shape=(4, 4), symmetric=True))
    empty = graph.features(np.zeros(0, int), np.zeros(0, int))
    assert [len(each) for each in empty] == [0] * len(FEATURES)
    np.testing.assert_array_equal(graph.features(np.array([2]), np.array([3])), 0)


def test_hidden_entries_and_self_loops_have_zero_weight():
    edges = [(0, 1, 1), (1, 2, 1), (2, 2, 1), (0, 3, 0)]
    network = Network.from_edges(edges, shape=(4, 4), symmetric=True)
    without = Network.from_edges([edges[0], edges[3]], shape=(4, 4), symmetric=True)
    hidden = network.hide([int(np.flatnonzero((network.rows == 1) & (network.cols == 2))[0])])
    rows, cols = np.array([0, 1, 2]), np.array([2, 3, 3])
    np.testing.assert_array_equal(
        GraphFeatures.of(hidden).features(rows, cols), GraphFeatures.of(without).features(rows, cols)
    )
