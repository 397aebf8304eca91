"""Networks with heavy-tailed degrees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.datasets import heavy_tailed
from latentlink.errors import InputError


def degrees(network):
    links = network.values == 1
    return np.bincount(np.concatenate([network.rows[links], network.cols[links]]), minlength=network.shape[0])


@settings(max_examples=40)
@given(st.integers(20, 200), st.integers(1, 50), st.integers(1, 20), st.floats(0.2, 1), st.integers(0, 2**40))
def test_has_the_number_of_distinct_links(nodes, links, blocks, mixing, seed):
    data = heavy_tailed(nodes, links, seed, blocks=blocks, mixing=mixing)
    network = data.network
    assert network.shape == (nodes, nodes)
    assert network.n_known == links
    assert network.symmetric
    assert network.is_clean
    assert not network.has_self_loops
    assert np.all(network.values == 1)
    assert data.rank == data.truth.rank == blocks


def test_degrees_follow_the_weights():
    data = heavy_tailed(5_000, 50_000, exponent=2.5, blocks=5)
    degree, weight = degrees(data.network), data.truth.W.sum(axis=1)
    expected = 20 * weight
    rare = expected < 100  # hubs have fewer links, since a pair is linked once
    assert degree[rare].sum() == pytest.approx(expected[rare].sum(), rel=0.1)
    assert degree.max() > 20 * np.median(degree)


def test_a_larger_exponent_has_smaller_hubs():
    largest = [degrees(heavy_tailed(2_000, 10_000, exponent=each).network).max() for each in (2.1, 2.5, 3.5)]
    assert largest[0] > largest[1] > largest[2]


def test_the_order_of_nodes_has_no_meaning():
    degree = degrees(heavy_tailed(5_000, 50_000).network)
    assert abs(np.corrcoef(np.arange(5_000), np.log(degree + 1))[0, 1]) < 0.05


@pytest.mark.parametrize("mixing", [0.0, 0.3, 1.0])
def test_mixing_is_the_share_of_links_without_regard_to_blocks(mixing):
    data = heavy_tailed(2_000, 10_000, blocks=5, mixing=mixing)
    block = data.truth.W.argmax(axis=1)
    across = np.mean(block[data.network.rows] != block[data.network.cols])
    assert across == pytest.approx(0.8 * mixing, abs=0.03)


def test_the_truth_is_the_expected_number_of_draws():
    data = heavy_tailed(500, 1_000, blocks=3)
    rows, cols = np.triu_indices(500, 1)
    rates = data.truth.score(rows, cols)
    assert rates.sum() == pytest.approx(1_000, rel=0.05)
    linked = np.isin(rows * 500 + cols, data.network.rows.astype(int) * 500 + data.network.cols)
    for part in np.array_split(np.argsort(rates), 4)[1:]:
        chance = 1 - np.exp(-rates[part])
        assert linked[part].sum() == pytest.approx(chance.sum(), abs=5 * np.sqrt(chance.sum()))


@pytest.mark.parametrize("how", ["uniform", "degree-matched"])
def test_labelled_non_links(how):
    links, labelled = (heavy_tailed(500, 1_000, non_links=each).network for each in (None, how))
    assert labelled.subset(labelled.values == 1) == links
    assert np.count_nonzero(labelled.values == 0) == 1_000
    assert labelled.is_clean
    assert how in labelled.history[-1].sentence


def test_the_numbers_of_a_seed():
    """Compare with stored numbers: if they change, stored results on these data are no longer valid."""
    one, two, other = (heavy_tailed(300, 900, seed).network for seed in (0, 0, 1))
    assert one == two
    assert one != other
    assert one.rows.sum() == 93_494


@pytest.mark.slow
def test_large_networks_are_drawn_in_chunks():
    data = heavy_tailed(100_000, 1_200_000)
    assert data.network.n_known == 1_200_000
    assert data.network.is_clean


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": 1}, "nodes is 1; expected a whole number >= 2"),
        ({"nodes": 4, "links": 7}, "links is 7; expected a whole number from 1 to 6, the number of pairs"),
        ({"links": 0}, "links is 0"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"exponent": 1.9}, "exponent is 1.9; expected a number > 2"),
        ({"nodes": 5, "links": 3, "blocks": 6}, "blocks is 6"),
        ({"mixing": 1.1}, "mixing is 1.1; expected a number from 0 to 1"),
        ({"non_links": "some"}, "non_links is 'some'; expected one of 'uniform', 'degree-matched'"),
        ({"nodes": 10, "links": 30, "blocks": 5, "mixing": 0}, "only 5 distinct pairs were drawn"),
    ],
)
def test_invalid_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        heavy_tailed(**arguments)
