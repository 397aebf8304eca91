"""Columns of all pairs of some rows against dense products: walks, spectra and scores of models."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.factors import Factors
from latentlink.proximity import LinkGraph
from latentlink.stacking import stacked_model
from latentlink.stacking.block_columns import BlockColumns, Walks
from latentlink.stacking.graph_features import FeatureKinds, GraphFeatures
from latentlink.stacking.stacked_model import StackedMembers

KINDS = ["undirected", "directed", "bipartite"]


def network_of(kind, background=0.0, seed=0, n=15):
    rng = np.random.default_rng(seed)
    shape = (n, 11) if kind == "bipartite" else (n, n)
    there = rng.random(shape) < 0.25
    if kind != "bipartite":
        np.fill_diagonal(there, False)
    if kind == "undirected":
        there = np.triu(there)
    options = {"symmetric": kind == "undirected", "square": kind != "bipartite"}
    return Network(*np.nonzero(there), shape=shape, background=background, **options)


def dense_links(graph):
    """The links divided by the roots of their regularized degrees."""
    A = graph.links.toarray()
    row, col = A.sum(axis=1), A.sum(axis=0)
    return A / np.sqrt(np.outer(row + row.mean(), col + col.mean()))


@pytest.mark.parametrize("span", [(0, 15, 0), (3, 9, 0), (0, 4, 5), (14, 15, 10)])
@pytest.mark.parametrize("kind", KINDS)
def test_walks_of_two_and_three_links_are_products(kind, span):
    graph = LinkGraph.of(network_of(kind))
    begin, end, first = span
    R = dense_links(graph)
    expected = [R @ R, R @ R.T @ R] if graph.square else [R @ R.T @ R]
    found = Walks.of(graph).block(*span)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other[begin:end, first:] ** 0.25, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_of_models_are_means_of_their_members_before_any_link(kind):
    network = network_of(kind)
    rng, (n, m) = np.random.default_rng(1), network.shape
    symmetric = kind == "undirected"
    models = []
    for count in (1, 3):
        models.append(
            tuple(
                Factors(
                    rng.normal(size=(n, 2)),
                    rng.normal(size=(2, m)),
                    rng.normal(size=n) if count == 3 else None,
                    rng.normal(size=m) if count == 3 else None,
                    offset=0.7,
                    symmetric=symmetric,
                )
                for _ in range(count)
            )
        )
    columns = BlockColumns.of(models, GraphFeatures.of(network, FeatureKinds(walks=False, non_links=False)))
    block = columns.block(2, 8, 3)
    for found, members in zip(block, models, strict=False):
        expected = np.mean([member.block(2, 8, 3) for member in members], axis=0) - 0.7
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert len(columns.walks) == (2 if kind == "directed" else 1)
    assert len(block) == len(columns.products) + sum(len(each.block(2, 8, 3)) for each in columns.walks)
    if kind == "directed":
        both = network_of(kind)
        A = LinkGraph.of(both).links.toarray()
        either = LinkGraph.of(both).undirected.links.toarray()
        assert ((A + A.T > 0) == (either > 0)).all()


# ------------------------------------------------------------------------------------ when it is used


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("more", [-1, 0])
def test_more_unknown_pairs_than_are_scored_are_approximated(kind, more, monkeypatch):
    network = network_of(kind)
    n, m = network.shape
    pairs = {"undirected": n * (n - 1) // 2, "directed": n * (n - 1), "bipartite": n * m}[kind]
    monkeypatch.setattr(stacked_model, "MOST_SCORED", pairs - network.n_known + more)
    monkeypatch.setattr(
        stacked_model.Approximation, "of", lambda members, network: Factors(np.ones((n, 1)), np.ones((1, m)))
    )
    found = StackedMembers(()).approximation(network)
    assert (found is None) == (more == 0)
    if found is not None:
        assert len(found) == 1


@pytest.mark.parametrize("more", [-1, 0])
def test_without_an_approximation_all_pairs_are_scored(more, monkeypatch):
    monkeypatch.setattr(stacked_model, "MOST_SCORED", more)
    monkeypatch.setattr(stacked_model.Approximation, "of", lambda members, network: None)
    assert StackedMembers(()).approximation(network_of("directed")) is None
