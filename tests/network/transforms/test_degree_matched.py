"""Sampling of non-links that match the degrees of the links."""

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.network import Network, sample_negatives
from latentlink.network.transforms import degree_matched
from tests.network.transforms.pairs import listed_pairs


def degrees(network, positions):
    """Number of these listed entries in each row and in each column."""
    n, m = network.shape
    return np.bincount(network.rows[positions], minlength=n), np.bincount(
        network.cols[positions], minlength=m
    )


@pytest.mark.parametrize("kind", [{}, {"square": True}])
def test_degrees_are_matched_exactly_in_a_sparse_network(kind):
    rng = np.random.default_rng(0)
    rows, cols = rng.integers(0, 300, 900), (300 * rng.random(900) ** 2).astype(int)
    links = sorted({(i, j) for i, j in zip(rows.tolist(), cols.tolist(), strict=True) if i != j})
    network = Network.from_edges(links, shape=(300, 300), **kind)
    sampled = sample_negatives(network, ratio=2, how="degree-matched", rng=1)
    for of_links, of_non_links in zip(
        degrees(sampled, sampled.values == 1), degrees(sampled, sampled.values == 0), strict=True
    ):
        np.testing.assert_array_equal(of_non_links, 2 * of_links)


def test_degrees_are_matched_exactly_in_an_undirected_network(data_folder):
    path = data_folder / "ppi_disease_of_metabolism.tsv"
    columns = ("Uniprot_A", "Uniprot_B", "Interaction")
    raw = Network.from_file(path, columns=columns, symmetric=True, duplicates="keep")
    sampled = sample_negatives(raw.subset(raw.values == 1), how="degree-matched", rng=0)
    of_links = sum(degrees(sampled, sampled.values == 1))
    np.testing.assert_array_equal(sum(degrees(sampled, sampled.values == 0)), of_links)


def hub_network(n=12):
    """A hub linked with all nodes, so that none of its ends has a free partner, and a path of the others."""
    return Network.from_edges(
        [(0, i) for i in range(1, n)] + [(i, i + 1) for i in range(1, n - 1)], symmetric=True
    )


def test_ends_without_a_free_partner_are_replaced_in_proportion_to_the_degrees():
    network = hub_network()
    sampled = sample_negatives(network, 20, how="degree-matched", rng=0)
    assert "of them only in proportion to the degrees" in sampled.history[-1].sentence
    assert not any(0 in pair for pair in listed_pairs(sampled) - listed_pairs(network))


def test_pairs_of_many_nodes_are_drawn_without_a_list_of_all(monkeypatch):
    monkeypatch.setattr(degree_matched, "MAX_LISTED_PAIRS", 10)
    network = hub_network()
    sampled = sample_negatives(network, 20, how="degree-matched", rng=0)
    assert sampled.is_clean
    assert sampled.n_listed == network.n_listed + 20
    star = Network.from_edges([(0, i) for i in range(1, 5)], shape=(9, 9), symmetric=True)
    with pytest.raises(InputError, match="Set a smaller count or ratio, or use how='uniform'"):
        sample_negatives(star, 8, how="degree-matched", rng=0)


def test_too_few_free_pairs_of_nodes_with_links_raise():
    network = Network.from_edges([(0, 1), (1, 2)], shape=(5, 5), symmetric=True)
    message = "number of non-links is 5; found only 1 unlisted pair of nodes with links"
    with pytest.raises(InputError, match=message):
        sample_negatives(network, 5, how="degree-matched")


def test_a_network_without_links_raises():
    with pytest.raises(InputError, match="No link is known"):
        sample_negatives(Network.from_dense([[0, np.nan]]), 1, how="degree-matched")


def test_as_many_pairs_as_the_limit_are_still_listed(monkeypatch):
    """The list and the rejection draw differently: at the limit the draws are those without a limit."""
    network = hub_network()
    expected = sample_negatives(network, 20, how="degree-matched", rng=0)
    monkeypatch.setattr(degree_matched, "MAX_LISTED_PAIRS", 12 * 12)
    assert sample_negatives(network, 20, how="degree-matched", rng=0) == expected
    monkeypatch.setattr(degree_matched, "MAX_LISTED_PAIRS", 12 * 12 - 1)
    assert sample_negatives(network, 20, how="degree-matched", rng=0) != expected


def test_rejection_goes_on_until_all_pairs_are_drawn(monkeypatch):
    """Of 60 x 60 pairs 40 are free, so that one round of draws finds few of them."""
    monkeypatch.setattr(degree_matched, "MAX_LISTED_PAIRS", 10)
    every = np.random.default_rng(0).permutation(60 * 60)
    network = Network(every[40:] // 60, every[40:] % 60, shape=(60, 60))
    sampled = sample_negatives(network, 35, how="degree-matched", rng=0)
    assert sampled.n_listed == network.n_listed + 35
    assert listed_pairs(sampled) - listed_pairs(network) <= {(int(k // 60), int(k % 60)) for k in every[:40]}
