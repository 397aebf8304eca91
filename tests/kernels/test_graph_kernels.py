"""Core numbers, triangles and distances equal their twins and networkx; substitution solves its systems."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from latentlink.kernels import core_numbers, distances, reference, substitute, triangle_counts

TWINS = {core_numbers: reference.core_numbers, triangle_counts: reference.triangle_counts}
PEERS = {core_numbers: nx.core_number, triangle_counts: nx.triangles}
every_function = pytest.mark.parametrize("function", TWINS, ids=lambda each: each.__name__)


def neighbours(A):
    """The adjacency of an undirected graph as indptr and indices."""
    compressed = sparse.csr_array(A)
    return compressed.indptr, compressed.indices


def undirected(rng, size, share):
    upper = np.triu(rng.random((size, size)) < share, 1)
    return upper | upper.T


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), size=st.integers(1, 14), share=st.sampled_from([0.0, 0.2, 0.5, 1.0]))
@every_function
def test_counts_equal_their_twin_and_networkx(function, seed, size, share):
    A = undirected(np.random.default_rng(seed), size, share)
    counts = function(*neighbours(A))
    np.testing.assert_array_equal(counts, TWINS[function](*neighbours(A)))
    peer = PEERS[function](nx.from_numpy_array(A))
    np.testing.assert_array_equal(counts, [peer[node] for node in range(size)])


@every_function
def test_the_reference_runs_where_it_is_asked_for(function, monkeypatch):
    A = undirected(np.random.default_rng(0), 12, 0.4)
    compiled = function(*neighbours(A))
    monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
    np.testing.assert_array_equal(function(*neighbours(A)), compiled)


@every_function
def test_a_graph_without_nodes_has_no_counts(function):
    assert len(function(np.zeros(1, np.int32), np.zeros(0, np.int32))) == 0


@pytest.mark.slow
@every_function
def test_counts_of_a_larger_graph_with_hubs_equal_networkx(function):
    graph = nx.barabasi_albert_graph(600, 4, seed=0)
    counts = function(*neighbours(nx.to_scipy_sparse_array(graph)))
    peer = PEERS[function](graph)
    np.testing.assert_array_equal(counts, [peer[node] for node in range(600)])


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    size=st.integers(1, 14),
    share=st.sampled_from([0.0, 0.1, 0.3]),
    count=st.integers(0, 40),
)
def test_distances_equal_their_twin_and_networkx(seed, size, share, count):
    """In a directed graph, for pairs in any order, among them repeated ones and nodes with themselves."""
    rng = np.random.default_rng(seed)
    A = (rng.random((size, size)) < share) & ~np.eye(size, dtype=bool)
    sources, targets = rng.integers(0, size, (2, count))
    found = distances(*neighbours(A), sources, targets)
    np.testing.assert_array_equal(found, reference.distances(*neighbours(A), sources, targets))
    paths = dict(nx.all_pairs_shortest_path_length(nx.from_numpy_array(A, create_using=nx.DiGraph)))
    expected = [paths[a].get(b, -1) for a, b in zip(sources.tolist(), targets.tolist(), strict=True)]
    np.testing.assert_array_equal(found, expected)


def test_the_reference_of_distances_runs_where_it_is_asked_for(monkeypatch):
    A = undirected(np.random.default_rng(0), 12, 0.2)
    pairs = np.random.default_rng(1).integers(0, 12, (2, 30))
    compiled = distances(*neighbours(A), *pairs)
    monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
    np.testing.assert_array_equal(distances(*neighbours(A), *pairs), compiled)


def triangular(rng, size, share):
    """Return L and U as dense and as compressed matrices."""
    lower = np.tril(rng.normal(size=(size, size)) * (rng.random((size, size)) < share), -1) + np.eye(size)
    upper = np.triu(rng.normal(size=(size, size)) * (rng.random((size, size)) < share), 1)
    upper += np.diag(rng.uniform(1, 2, size) * rng.choice([-1, 1], size))
    compressed = [sparse.csr_array(each) for each in (lower, upper)]
    return (lower, upper), [(each.indptr, each.indices, each.data) for each in compressed]


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    size=st.integers(1, 12),
    share=st.sampled_from([0.0, 0.3]),
    sides=st.integers(0, 9),
)
def test_substitution_solves_triangular_systems_like_its_twin(seed, size, share, sides):
    rng = np.random.default_rng(seed)
    (lower, upper), factors = triangular(rng, size, share)
    X = rng.normal(size=(size, sides))
    found, twin = X.copy(), X.copy()
    substitute(*factors, found)
    reference.substitute(*factors, twin)
    np.testing.assert_allclose(lower @ upper @ found, X, atol=1e-8)
    np.testing.assert_allclose(found, twin, rtol=1e-7, atol=1e-9)


def test_the_reference_of_substitution_runs_where_it_is_asked_for(monkeypatch):
    _, factors = triangular(np.random.default_rng(0), 9, 0.4)
    compiled, twin = np.eye(9), np.eye(9)
    substitute(*factors, compiled)
    monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
    substitute(*factors, twin)
    np.testing.assert_allclose(twin, compiled, atol=1e-12)
