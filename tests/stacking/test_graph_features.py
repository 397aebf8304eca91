"""Graph features of pairs, group by group, against proximities and dense matrices."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from latentlink import Network, proximity
from latentlink.proximity import LinkGraph
from latentlink.proximity.walks import scaled_adjacency
from latentlink.stacking.features.node_features import NodeFeatures
from latentlink.stacking.features.pair_features import PairFeatures
from latentlink.stacking.features.path_features import PathFeatures
from latentlink.stacking.features.spectral_features import SpectralFeatures
from latentlink.stacking.features.walk_features import WalkFeatures
from latentlink.stacking.graph_features import FeatureKinds, GraphFeatures
from tests.proximity.test_proximity import KINDS, every_pair, network_of

ALL_KINDS = FeatureKinds(walks=True, non_links=True)
every_kind = pytest.mark.parametrize("kind", KINDS)


def graph_of(kind, **settings):
    return LinkGraph.of(network_of(kind, **({"share": 0.2, "size": 13} | settings)))


def named(group, rows, cols):
    columns = group.columns(rows, cols)
    assert len(columns) == len(group.names) == len(set(group.names))
    return dict(zip(group.names, columns, strict=True))


def labelled(shape=(9, 9), symmetric=True, seed=0):
    """Return a random network of links, non-links and hidden pairs."""
    rng = np.random.default_rng(seed)
    known = rng.random(shape) < 0.5
    if symmetric:
        known = np.triu(known, 1)
    rows, cols = np.nonzero(known)
    values = (rng.random(len(rows)) < 0.5).astype(float)
    weights = (rng.random(len(rows)) < 0.8).astype(float)
    return Network(rows, cols, values, weights, shape=shape, symmetric=symmetric)


# -------------------------------------------------------------------- groups


@every_kind
def test_measures_of_both_ends(kind):
    graph = graph_of(kind)
    rows, cols = every_pair(network_of(kind, share=0.2, size=13))
    one, other = graph.node_pairs(rows, cols)
    columns = named(NodeFeatures.of(graph), rows, cols)
    cores = np.log1p(proximity.core_numbers(graph))
    degrees = [np.log1p(each) for each in graph.degrees]
    if kind == "undirected":
        np.testing.assert_allclose(columns["core number, sum"], cores[one] + cores[other])
        np.testing.assert_allclose(columns["degree, difference"], abs(degrees[0][rows] - degrees[1][cols]))
    else:
        np.testing.assert_allclose(columns["core number of the column"], cores[other])
        np.testing.assert_allclose(columns["degree of the row"], degrees[0][rows])
    assert ("clustering of the row" in columns) == (kind == "directed")
    if kind == "directed":
        np.testing.assert_allclose(columns["degree against the direction of the row"], degrees[1][rows])
    sizes = np.log(proximity.component_sizes(graph))
    np.testing.assert_allclose(columns["size of the smaller component"], np.minimum(sizes[one], sizes[other]))
    same = graph.components[one] == graph.components[other]
    np.testing.assert_array_equal(columns["same component"], same)


def test_an_unusual_degree_of_the_partner_is_far_from_that_of_the_neighbours():
    """Node 0 has neighbours of degree 1; a partner of degree 1 is usual for it, the hub 5 is not."""
    edges = [(0, 1), (0, 2), (3, 4), (5, 6), (5, 7), (5, 8), (5, 9)]
    graph = LinkGraph.of(Network.from_edges(edges, shape=(10, 10), symmetric=True))
    features = NodeFeatures.of(graph)
    columns = named(features, np.array([0, 0]), np.array([3, 5]))
    mean, deviation = proximity.neighbour_degrees(graph)
    logs = np.log1p(graph.degrees[0])
    expected = [
        abs(mean[i] - logs[j]) / (deviation[i] + 0.5) + abs(mean[j] - logs[i]) / (deviation[j] + 0.5)
        for i, j in ((0, 3), (0, 5))
    ]
    np.testing.assert_allclose(columns["unusual degree of the partner, sum"], expected)
    assert expected[0] < expected[1]


@every_kind
def test_short_paths_are_proximities(kind):
    graph = graph_of(kind, weighted=True)
    rows, cols = every_pair(network_of(kind, share=0.2, size=13))
    columns = named(PathFeatures(graph), rows, cols)
    np.testing.assert_allclose(
        columns["paths of three"], np.sqrt(proximity.paths_of_three(graph, rows, cols))
    )
    np.testing.assert_allclose(
        columns["common neighbours"], np.log1p(proximity.common_neighbours(graph, rows, cols))
    )
    assert ("reverse link" in columns) == (kind == "directed")
    if kind == "directed":
        A = graph.links.toarray()
        np.testing.assert_allclose(columns["reverse link"] ** 2, A[cols, rows])
        weight = 1 / np.maximum((A > 0).sum(axis=0) + (A > 0).sum(axis=1), 1)
        np.testing.assert_allclose(columns["shared targets"] ** 2, (A * weight @ A.T)[rows, cols])
        np.testing.assert_allclose(columns["shared sources"] ** 2, (A.T * weight @ A)[rows, cols])


@every_kind
def test_walks_of_one_pass_are_those_of_the_proximities(kind):
    graph = graph_of(kind)
    rows, cols = every_pair(network_of(kind, share=0.2, size=13))
    columns = named(WalkFeatures(graph), rows, cols)
    local = proximity.local_walks(graph, rows, cols, 6)
    np.testing.assert_allclose(np.exp(columns["walks of 5"]), local[4] + 1e-9)
    np.testing.assert_allclose(np.exp(columns["Katz"]), proximity.katz(graph, rows, cols) + 1e-9)
    paths = shortest_path(scaled_adjacency(graph), unweighted=True)
    expected = np.minimum(paths[graph.node_pairs(rows, cols)], 50)
    np.testing.assert_array_equal(columns["distance"], expected)
    if kind != "directed":
        rank = proximity.personalized_pagerank(graph, rows, cols, 0.85)
        np.testing.assert_allclose(np.exp(columns["PageRank 0.85"]), rank + 1e-9)
    assert ("scaled PageRank 0.5" in columns) == (kind != "directed")


@every_kind
def test_spectra_are_low_rank_approximations(kind):
    graph = graph_of(kind)
    rows, cols = every_pair(network_of(kind, share=0.2, size=13))
    columns = named(SpectralFeatures.of(graph), rows, cols)
    U, s, Vt = np.linalg.svd(graph.links.toarray())
    best = ((U[:, :8] * s[:8]) @ Vt[:8])[rows, cols]
    np.testing.assert_allclose(columns["spectrum of links, rank 8"] ** 3, best, atol=1e-6)
    assert np.abs(columns["cosine of the scaled spectrum, rank 13"]).max() <= 1 + 1e-9
    assert not any("rank 24" in name for name in columns)  # there are 13 rows


# -------------------------------------------------------------------- all of them


def test_at_full_rank_pairs_without_a_link_have_exactly_no_product():
    """Rounding, as a cube root, would be larger than many products, and differ between machines."""
    rng = np.random.default_rng(0)
    hubs = np.argwhere(rng.random((9, 40)) < 0.3) + np.array([0, 9])
    network = Network.from_edges(hubs, symmetric=True, shape=(49, 49))
    rows, cols = every_pair(network)
    linked = network.to_dense(fill=0)[rows, cols] > 0
    columns = named(SpectralFeatures.of(LinkGraph.of(network)), rows, cols)
    for form in ("spectrum of links", "scaled spectrum", "cosine of the scaled spectrum"):
        column = columns[f"{form}, rank 49"]
        assert (column[~linked] == 0).all()
        assert (column[linked] > 0.01).all()


@every_kind
@pytest.mark.parametrize("walks", [True, False])
def test_features_depend_on_their_pair_alone(kind, walks):
    graph = graph_of(kind)
    features = PairFeatures.of(graph, walks)
    rows, cols = every_pair(network_of(kind, share=0.2, size=13))
    together = np.column_stack(features.features(rows, cols))
    assert together.shape == (len(rows), len(features.names))
    assert len(set(features.names)) == len(features.names)
    assert np.isfinite(together).all()
    for n in range(0, len(rows), 31):
        alone = np.column_stack(features.features(rows[n : n + 1], cols[n : n + 1]))
        np.testing.assert_allclose(alone[0], together[n], atol=1e-7)
    assert [len(each) for each in features.features(rows[:0], cols[:0])] == [0] * len(features.names)
    if kind == "undirected":
        np.testing.assert_allclose(np.column_stack(features.features(cols, rows)), together, atol=1e-7)


@every_kind
def test_nodes_without_links_have_finite_features(kind):
    network = network_of(kind, share=0.0)
    features = PairFeatures.of(LinkGraph.of(network))
    rows, cols = every_pair(network)
    assert np.isfinite(features.features(rows, cols)).all()


def test_features_are_pickled():
    features = PairFeatures.of(graph_of("undirected"))
    pairs = np.array([0, 1]), np.array([2, 3])
    before = features.features(*pairs)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(features)).features(*pairs), before)


@pytest.mark.parametrize(("shape", "symmetric"), [((9, 9), True), ((7, 11), False)])
def test_known_non_links_have_features_of_their_own(shape, symmetric):
    network = labelled(shape, symmetric)
    features = GraphFeatures.of(network, ALL_KINDS)
    rows, cols = np.arange(5), np.arange(5)[::-1]
    columns = dict(zip(features.names, features.features(rows, cols), strict=True))
    others = LinkGraph.from_pairs(network, network.known & (network.values == 0))
    paths = np.sqrt(proximity.paths_of_three(others, rows, cols))
    np.testing.assert_allclose(columns["non-links: paths of three"], paths)
    without = GraphFeatures.of(network, FeatureKinds(walks=True, non_links=False))
    assert not [name for name in without.names if name.startswith("non-links")]
    assert len(without.features(rows, cols)) == len(without.names)


def test_hidden_entries_and_self_loops_have_zero_weight():
    edges = [(0, 1, 1), (1, 2, 1), (2, 2, 1), (0, 3, 0)]
    network = Network.from_edges(edges, shape=(4, 4), symmetric=True)
    without = Network.from_edges([edges[0], edges[3]], shape=(4, 4), symmetric=True)
    hidden = network.hide([int(np.flatnonzero((network.rows == 1) & (network.cols == 2))[0])])
    rows, cols = np.array([0, 1, 2]), np.array([2, 3, 3])
    np.testing.assert_array_equal(
        GraphFeatures.of(hidden, ALL_KINDS).features(rows, cols),
        GraphFeatures.of(without, ALL_KINDS).features(rows, cols),
    )


def test_weights_of_links_enter_the_features():
    pairs = np.array([[0, 1], [1, 2], [2, 3], [0, 3], [1, 4]])
    light, heavy = (
        Network(*pairs.T, np.ones(5), weights, shape=(5, 5), symmetric=True)
        for weights in (np.array([1, 1, 2, 1, 1.0]), np.array([1, 1, 9, 1, 1.0]))
    )
    kinds = FeatureKinds(walks=True, non_links=False)
    one, other = (
        GraphFeatures.of(each, kinds).features(np.array([0]), np.array([2])) for each in (light, heavy)
    )
    assert not np.allclose(one, other)


def test_walks_are_left_out_of_large_networks():
    small = network_of("undirected")
    assert FeatureKinds.for_network(small, drawn=True) == FeatureKinds(walks=True, non_links=False)
    rng = np.random.default_rng(0)
    codes = np.unique(rng.integers(0, 600 * 600, 60_000))
    rows, cols = np.divmod(codes, 600)
    upper = rows < cols
    large = Network(rows[upper], cols[upper], shape=(600, 600), symmetric=True)
    assert large.n_known > 25_000
    assert FeatureKinds.for_network(large, drawn=False) == FeatureKinds(walks=False, non_links=True)
