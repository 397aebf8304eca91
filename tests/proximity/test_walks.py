"""Walks of given lengths and of all lengths, against powers and inverses of dense matrices."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from latentlink.errors import InputError
from latentlink.proximity import LinkGraph, local_walks
from latentlink.proximity.resolvent import Resolvent, series_weights, unit_columns
from latentlink.proximity.source_blocks import power_sums
from latentlink.proximity.walks import scaled_adjacency
from tests.proximity.test_proximity import KINDS, every_pair, network_of

every_kind = pytest.mark.parametrize("kind", KINDS)


def dense_scaled(graph):
    A = graph.adjacency.toarray()
    with np.errstate(divide="ignore"):
        inverse = np.where(A.sum(axis=1) > 0, 1 / A.sum(axis=1), 0)
    if graph.square and not graph.symmetric:
        return inverse[:, None] * A
    return np.sqrt(inverse)[:, None] * A * np.sqrt(inverse)


@every_kind
@pytest.mark.parametrize("weighted", [False, True])
def test_local_walks_are_powers_of_the_scaled_adjacency_matrix(kind, weighted):
    network = network_of(kind, share=0.2, weighted=weighted)
    graph, (rows, cols) = LinkGraph.of(network), every_pair(network)
    S = dense_scaled(graph)
    np.testing.assert_allclose(scaled_adjacency(graph).toarray(), S)
    result = local_walks(graph, rows, cols, 5)
    assert result.shape == (5, len(rows))
    place = graph.node_pairs(rows, cols)
    for length in range(1, 6):
        expected = np.linalg.matrix_power(S, length)[place]
        np.testing.assert_allclose(result[length - 1], expected, atol=1e-12)


@every_kind
def test_the_first_length_that_joins_a_pair_is_its_distance(kind):
    network = network_of(kind, share=0.12, size=15)
    graph, (rows, cols) = LinkGraph.of(network), every_pair(network)
    made = nx.DiGraph if kind == "directed" else nx.Graph
    distances = dict(
        nx.all_pairs_shortest_path_length(nx.from_scipy_sparse_array(graph.adjacency, create_using=made))
    )
    joined = local_walks(graph, rows, cols, 6) > 0
    first = np.where(joined.any(axis=0), joined.argmax(axis=0) + 1, 7)
    expected = [
        min(distances[i].get(j, 7), 7)
        for i, j in zip(*map(np.ndarray.tolist, graph.node_pairs(rows, cols)), strict=True)
    ]
    np.testing.assert_array_equal(first, expected)


def test_no_pairs_and_wrong_numbers_of_steps():
    graph = LinkGraph.of(network_of("undirected"))
    assert local_walks(graph, np.zeros(0, int), np.zeros(0, int), 4).shape == (4, 0)
    with pytest.raises(InputError, match="steps is 0"):
        local_walks(graph, np.array([0]), np.array([1]), 0)


@every_kind
def test_sums_of_powers_are_those_of_dense_matrices(kind):
    network = network_of(kind, share=0.12, size=15)
    graph = LinkGraph.of(network)
    S, place = scaled_adjacency(graph), graph.node_pairs(*every_pair(network))
    powers = np.array([np.linalg.matrix_power(S.toarray(), power)[place[::-1]] for power in range(8)])
    weights = np.random.default_rng(0).random((3, 8))
    sums, first = power_sums(S, weights, *place)
    np.testing.assert_allclose(sums, weights @ powers, atol=1e-12)
    expected = np.where((powers > 0).any(axis=0), (powers > 0).argmax(axis=0), -1)
    np.testing.assert_array_equal(first, expected)


# -------------------------------------------------------------------- sums over all lengths


def random_walk(size, links, seed=0):
    """The transition matrix of a random directed graph."""
    rng = np.random.default_rng(seed)
    A = sparse.csr_array(
        (np.ones(links), (rng.integers(0, size, links), rng.integers(0, size, links))), (size, size)
    )
    sums = np.asarray(A.sum(axis=1)).ravel()
    return (sparse.diags_array(1 / np.maximum(sums, 1)) @ A).tocsr()


@pytest.mark.parametrize(
    ("size", "links", "exact"), [(200, 600, True), (700, 300_000, False), (2600, 26_000, False)]
)
def test_columns_are_those_of_the_inverse_by_elimination_or_by_the_series(size, links, exact):
    """A large graph whose nodes have several links, and one of many links, are not eliminated."""
    S = random_walk(size, links)
    resolvent = Resolvent(S, 0.6)
    assert resolvent.exact is exact
    sources = np.array([3, 0, 7])
    expected = np.linalg.inv(np.eye(size) - 0.6 * S.toarray())[sources].T
    rtol = 1e-9 if exact else 1e-4
    np.testing.assert_allclose(resolvent.columns(sources), expected, rtol=rtol, atol=1e-12)


def test_a_large_graph_of_chains_is_eliminated():
    size = 5000
    A = sparse.diags_array([np.ones(size - 1)] * 2, offsets=[-1, 1], format="csr")
    resolvent = Resolvent(A / 2, 0.9)
    assert resolvent.exact
    column = resolvent.columns(np.array([0]))[:, 0]
    ratio = 0.45 / ((1 + np.sqrt(1 - 4 * 0.45**2)) / 2)  # the resolvent of a chain decays geometrically
    np.testing.assert_allclose(column[1:20] / column[:19], ratio, rtol=1e-6)
    assert (column >= 0).all()


def test_a_resolvent_is_pickled():
    resolvent = Resolvent(random_walk(50, 200), 0.5)
    columns = resolvent.columns(np.array([1, 2]))
    copy = pickle.loads(pickle.dumps(resolvent))
    np.testing.assert_array_equal(copy.columns(np.array([1, 2])), columns)


def test_weights_of_a_series_are_those_of_its_terms_and_of_an_estimate_of_the_others():
    weights = series_weights(0.5, 4)
    np.testing.assert_allclose(weights[:3], [1, 0.5, 0.25])
    np.testing.assert_allclose(weights.sum(), 1 / (1 - 0.5))  # powers of 1: the estimate is exact
    signs = (-1.0) ** np.arange(5)
    np.testing.assert_allclose(weights @ signs, 1 / (1 + 0.5))  # and of -1


def test_unit_columns_are_those_of_the_identity():
    np.testing.assert_array_equal(unit_columns(4, np.array([2, 0])), np.eye(4)[:, [2, 0]])
