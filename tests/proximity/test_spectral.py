"""Truncated decompositions of matrices of links, against dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from latentlink import Network
from latentlink.proximity import LinkGraph
from latentlink.proximity.spectral import Spectrum, regularized_adjacency
from tests.proximity.test_proximity import KINDS, dense, every_pair, network_of


@pytest.mark.parametrize("rank", [2, None])
@pytest.mark.parametrize("kind", KINDS)
def test_products_and_lengths_are_those_of_the_best_approximation(kind, rank):
    network = network_of(kind, weighted=True)
    rows, cols = every_pair(network)
    spectrum = Spectrum.of(LinkGraph.of(network).links, 4)
    assert spectrum.values.shape == (4,)
    U, s, Vt = np.linalg.svd(dense(network))
    best = (U[:, : rank or 4] * s[: rank or 4]) @ Vt[: rank or 4]
    np.testing.assert_allclose(spectrum.products(rows, cols, (rank,))[0], best[rows, cols], atol=1e-6)
    row, col = spectrum.lengths(rank)
    np.testing.assert_allclose(row**2, (U[:, : rank or 4] ** 2) @ s[: rank or 4], atol=1e-6)
    np.testing.assert_allclose(col**2, s[: rank or 4] @ Vt[: rank or 4] ** 2, atol=1e-6)


def test_the_rank_is_at_most_that_of_the_smaller_side():
    assert Spectrum.of(sparse.csr_array(np.ones((3, 5))), 64).left.shape == (3, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_degrees_are_regularized_by_their_mean(kind):
    network = network_of(kind, weighted=True)
    A = dense(network)
    row, col = (A.sum(axis=axis) + A.sum(axis=axis).mean() for axis in (1, 0))
    expected = A / np.sqrt(np.outer(row, col))
    np.testing.assert_allclose(regularized_adjacency(LinkGraph.of(network)).toarray(), expected)


def test_a_piece_of_two_nodes_is_no_leading_component():
    """Scaled by degrees alone, the piece would have a singular value of 1, as the whole rest has."""
    rng = np.random.default_rng(0)
    rest = np.argwhere(np.triu(rng.random((40, 40)) < 0.3, 1))
    graph = LinkGraph.of(Network.from_edges(np.vstack([rest, [[40, 41]]]), shape=(42, 42), symmetric=True))
    leading = np.abs(Spectrum.of(regularized_adjacency(graph), 5).left)
    assert leading[40:].max() < 1e-3


def test_a_graph_without_links_has_no_spectrum_but_zeros():
    graph = LinkGraph.of(Network(np.zeros(0, int), np.zeros(0, int), shape=(4, 4), symmetric=True))
    spectrum = Spectrum.of(regularized_adjacency(graph), 2)
    np.testing.assert_array_equal(spectrum.product(np.array([0, 1]), np.array([2, 3])), [0, 0])
