"""Proximities of pairs, against networkx and dense matrix formulas."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink import Network, proximity
from latentlink.errors import InputError
from latentlink.proximity import LinkGraph

KINDS = ["undirected", "directed", "bipartite"]
OF_NODES = {"clustering", "component_sizes", "core_numbers", "neighbour_degrees"}
ALL = [
    getattr(proximity, name)
    for name in proximity.__all__
    if name not in {"LinkGraph", "local_walks", *OF_NODES}
]


def network_of(kind, *, weighted=False, size=12, share=0.3, seed=0):
    rng = np.random.default_rng(seed)
    shape = (size, size + 3) if kind == "bipartite" else (size, size)
    linked = rng.random(shape) < share
    if kind != "bipartite":
        np.fill_diagonal(linked, False)
    if kind == "undirected":
        linked = np.triu(linked)
    rows, cols = np.nonzero(linked)
    values = rng.uniform(0.5, 2, len(rows)) if weighted else None
    kinds = {"undirected": {"symmetric": True}, "directed": {"square": True}, "bipartite": {}}
    return Network(rows, cols, values, shape=shape, **kinds[kind])


def dense(network):
    A = np.zeros(network.shape)
    A[network.rows, network.cols] = network.values
    return A + A.T if network.symmetric else A


def every_pair(network):
    """Return rows and columns of all pairs off the diagonal."""
    rows, cols = np.indices(network.shape).reshape(2, -1)
    off = (rows != cols) | (not network.square)
    return rows[off], cols[off]


def path_weights(network, power):
    """Return dense sums over short paths with inner nodes weighted by a function of their degrees."""
    A = dense(network)
    row, col = (A > 0).sum(axis=1), (A > 0).sum(axis=0)
    with np.errstate(divide="ignore"):
        if network.square and not network.symmetric:
            return A @ np.diag(power(row + col)) @ A
        if network.square:
            return A @ np.diag(power(col)) @ A
        return A @ np.diag(power(col)) @ A.T @ np.diag(power(row)) @ A


def finite(weights):
    return np.where(np.isfinite(weights), weights, 0)


PATHS = {
    "common_neighbours": lambda d: np.ones(len(d)),
    "resource_allocation": lambda d: finite(1 / d),
    "adamic_adar": lambda d: finite(1 / np.log(np.maximum(d, 2))),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PATHS)
def test_sums_over_short_paths_equal_matrix_products(name, kind, weighted):
    network = network_of(kind, weighted=weighted)
    rows, cols = every_pair(network)
    result = getattr(proximity, name)(LinkGraph.of(network), rows, cols)
    np.testing.assert_allclose(result, path_weights(network, PATHS[name])[rows, cols], atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_paths_of_three_pass_through_nodes_weighted_by_their_degrees(kind):
    network = network_of(kind, weighted=True)
    A, rows, cols = dense(network), *every_pair(network)
    with np.errstate(divide="ignore"):
        row, col = (finite(1 / np.sqrt((A > 0).sum(axis=axis))) for axis in (1, 0))
    expected = A @ np.diag(col) @ A.T @ np.diag(row) @ A
    result = proximity.paths_of_three(LinkGraph.of(network), rows, cols)
    np.testing.assert_allclose(result, expected[rows, cols], atol=1e-12)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("jaccard", nx.jaccard_coefficient),
        ("adamic_adar", nx.adamic_adar_index),
        ("resource_allocation", nx.resource_allocation_index),
        ("degree_product", nx.preferential_attachment),
    ],
)
def test_scores_equal_those_of_networkx(ours, theirs):
    network = network_of("undirected")
    rows, cols = every_pair(network)
    graph = nx.from_numpy_array(dense(network))
    expected = [score for *_, score in theirs(graph, list(zip(rows.tolist(), cols.tolist(), strict=True)))]
    np.testing.assert_allclose(getattr(proximity, ours)(LinkGraph.of(network), rows, cols), expected)


def test_jaccard_of_bipartite_and_directed_graphs():
    network = network_of("bipartite")
    A, rows, cols = dense(network), *every_pair(network)
    paths, possible = A @ A.T @ A, np.outer(A.sum(axis=1), A.sum(axis=0))
    expected = np.divide(paths, possible, out=np.zeros_like(paths), where=possible > 0)
    np.testing.assert_allclose(proximity.jaccard(LinkGraph.of(network), rows, cols), expected[rows, cols])
    network = network_of("directed", weighted=True)
    A, rows, cols = dense(network) > 0, *every_pair(network)
    shared = [
        np.sum(A[i] & A[:, j]) / max(1, np.sum(A[i] | A[:, j])) for i, j in zip(rows, cols, strict=True)
    ]
    np.testing.assert_allclose(proximity.jaccard(LinkGraph.of(network), rows, cols), shared)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_katz_is_the_inverse_of_a_matrix(kind, weighted):
    network = network_of(kind, weighted=weighted)
    graph, (rows, cols) = LinkGraph.of(network), every_pair(network)
    A = graph.adjacency.toarray()
    beta = 0.5 / np.linalg.norm(A, 2)
    expected = np.linalg.inv(np.eye(len(A)) - beta * A) - np.eye(len(A))
    result = proximity.katz(graph, rows, cols)
    np.testing.assert_allclose(result, expected[graph.node_pairs(rows, cols)], atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_pagerank_equals_that_of_networkx(kind, weighted):
    network = network_of(kind, weighted=weighted)
    graph, (rows, cols) = LinkGraph.of(network), every_pair(network)
    whole = nx.from_scipy_sparse_array(
        graph.adjacency, create_using=nx.DiGraph if kind == "directed" else nx.Graph
    )
    ranks = np.array(
        [
            list(nx.pagerank(whole, 0.85, {node: 1}, tol=1e-12, max_iter=1000).values())
            for node in range(len(graph.adjacency.toarray()))
        ]
    )
    both = ranks if kind == "directed" else ranks + ranks.T
    linked = graph.adjacency.sum(axis=1) > 0
    one, other = graph.node_pairs(rows, cols)
    expected = np.where((linked[one] & linked[other]) | (kind == "directed"), both[one, other], 0)
    np.testing.assert_allclose(proximity.personalized_pagerank(graph, rows, cols), expected, atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_the_svd_product_is_the_best_approximation(kind):
    network = network_of(kind)
    rows, cols = every_pair(network)
    U, s, Vt = np.linalg.svd(dense(network))
    expected = (U[:, :3] * s[:3]) @ Vt[:3]
    result = proximity.svd_product(LinkGraph.of(network), rows, cols, rank=3)
    np.testing.assert_allclose(result, expected[rows, cols], atol=1e-6)


def test_walks_in_graphs_of_many_links_stop_early_and_estimate_the_rest():
    network = network_of("undirected", size=700, share=0.4)
    graph, rows, cols = LinkGraph.of(network), np.arange(30), np.arange(30, 60)
    assert graph.links.nnz > 170_000
    A = graph.links.toarray()
    katz = np.linalg.inv(np.eye(700) - 0.5 / np.linalg.norm(A, 2) * A)
    np.testing.assert_allclose(proximity.katz(graph, rows, cols), katz[rows, cols], rtol=1e-4)
    steps = A / A.sum(axis=1, keepdims=True)
    ranks = 0.15 * np.linalg.inv(np.eye(700) - 0.85 * steps)
    both = (ranks + ranks.T)[rows, cols]
    np.testing.assert_allclose(proximity.personalized_pagerank(graph, rows, cols), both, rtol=1e-4)


@pytest.mark.parametrize("score", ALL, ids=lambda each: each.__name__)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000), kind=st.sampled_from(KINDS), share=st.sampled_from([0.0, 0.1, 0.9]))
def test_scores_depend_on_their_pair_alone(score, seed, kind, share):
    if score in {proximity.shared_sources, proximity.shared_targets} and kind == "bipartite":
        kind = "directed"  # nodes of two kinds have none in common
    network = network_of(kind, size=6, share=share, seed=seed)
    graph, (rows, cols) = LinkGraph.of(network), every_pair(network)
    together = score(graph, rows, cols)
    assert together.shape == rows.shape
    assert np.isfinite(together).all()
    alone = [score(graph, rows[n : n + 1], cols[n : n + 1])[0] for n in range(0, len(rows), 7)]
    np.testing.assert_allclose(together[::7], alone, atol=1e-10)
    assert score(graph, rows[:0], cols[:0]).shape == (0,)
    if kind == "undirected":
        np.testing.assert_allclose(score(graph, cols, rows), together, atol=1e-10)


def test_hidden_entries_nonlinks_and_self_loops_are_no_links():
    edges = [(0, 1, 1), (1, 2, 1), (2, 2, 1), (0, 3, 0)]
    network = Network.from_edges(edges, shape=(4, 4), symmetric=True)
    graph = LinkGraph.of(network.hide(network.positions([1], [2])))
    assert graph.links.toarray().sum() == 2
    np.testing.assert_array_equal(graph.components, [0, 0, 1, 2])


def test_components_of_a_bipartite_graph_join_rows_and_columns():
    graph = LinkGraph.of(Network([0, 1], [1, 0], shape=(2, 3)))
    np.testing.assert_array_equal(graph.components, [0, 1, 1, 0, 2])


@pytest.mark.parametrize("score", [proximity.shared_sources, proximity.shared_targets])
def test_nodes_of_two_kinds_share_no_targets_or_sources(score):
    graph = LinkGraph.of(network_of("bipartite"))
    with pytest.raises(InputError, match="12 rows and 15 columns of different nodes"):
        score(graph, np.array([0]), np.array([1]))


def test_negative_weights_raise():
    with pytest.raises(InputError, match=r"smallest value of a link is -2"):
        LinkGraph.of(Network([0], [1], [-2.0], shape=(2, 2)))


@pytest.mark.parametrize(
    ("score", "name"), [(proximity.katz, "rate"), (proximity.personalized_pagerank, "damping")]
)
def test_shares_out_of_range_raise(score, name):
    graph = LinkGraph.of(network_of("undirected"))
    with pytest.raises(InputError, match=f"{name} is 1"):
        score(graph, np.array([0]), np.array([1]), 1.0)
