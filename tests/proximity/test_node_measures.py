"""Measures of nodes, against networkx."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from latentlink.proximity import LinkGraph, clustering, component_sizes, core_numbers, neighbour_degrees
from tests.proximity.test_proximity import KINDS, network_of

every_kind = pytest.mark.parametrize("kind", KINDS)


def undirected_graph(graph):
    """The graph as one of networkx, without directions and weights."""
    return nx.from_scipy_sparse_array(abs(graph.adjacency) + abs(graph.adjacency).T)


def in_order(measure, graph):
    return [measure[node] for node in range(len(graph))]


@pytest.fixture(params=[(kind, seed) for kind in KINDS for seed in range(3)], ids=str)
def graph(request):
    kind, seed = request.param
    return LinkGraph.of(network_of(kind, share=0.12, size=14, seed=seed, weighted=seed == 2))


def test_clustering_is_that_of_networkx(graph):
    peer = undirected_graph(graph)
    np.testing.assert_allclose(clustering(graph), in_order(nx.clustering(peer), peer))


def test_core_numbers_are_those_of_networkx(graph):
    peer = undirected_graph(graph)
    np.testing.assert_array_equal(core_numbers(graph), in_order(nx.core_number(peer), peer))


def test_components_have_as_many_nodes_as_those_of_networkx(graph):
    peer = undirected_graph(graph)
    sizes = {node: len(part) for part in nx.connected_components(peer) for node in part}
    np.testing.assert_array_equal(component_sizes(graph), in_order(sizes, peer))


def test_degrees_of_neighbours_are_summed_up_by_mean_and_deviation(graph):
    peer = undirected_graph(graph)
    mean, deviation = neighbour_degrees(graph)
    for node in peer:
        logs = [np.log1p(peer.degree[other]) for other in peer[node]]
        expected = (np.mean(logs), np.std(logs)) if logs else (0, 0)
        np.testing.assert_allclose((mean[node], deviation[node]), expected, atol=1e-12)


@every_kind
def test_both_directions_of_a_link_are_one(kind):
    graph = LinkGraph.of(network_of(kind, share=0.5))
    indptr, indices = graph.neighbours
    for node in range(len(indptr) - 1):
        others = indices[indptr[node] : indptr[node + 1]]
        assert len(np.unique(others)) == len(others)
        assert node not in others
