"""Networks of a stochastic block model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.datasets import planted_blocks
from latentlink.errors import InputError

KINDS = [{}, {"directed": True}, {"nodes": (60, 40)}]
names = ["undirected", "directed", "bipartite"]
seeds = st.integers(0, 2**40)


def probabilities(data):
    """Return the true probabilities and the values of all pairs."""
    network = data.network
    return data.truth.score(network.rows, network.cols), network.values


@pytest.mark.parametrize("kind", KINDS, ids=names)
def test_all_pairs_of_different_nodes_are_known(kind):
    data = planted_blocks(**{"nodes": 60, **kind})
    network, bipartite = data.network, "nodes" in kind
    pairs = {"undirected": 60 * 59 // 2, "directed": 60 * 59, "bipartite": 60 * 40}
    name = names[KINDS.index(kind)]
    assert network.n_known == pairs[name]
    assert network.is_binary
    assert network.is_clean
    assert not network.has_self_loops
    assert (network.symmetric, network.square) == (name == "undirected", not bipartite)
    assert data.description.startswith(name)
    assert data.rank == data.truth.rank == 4


@pytest.mark.parametrize("kind", KINDS, ids=names)
@pytest.mark.parametrize("exponent", [None, 2.5])
def test_links_have_the_probabilities_of_the_truth(kind, exponent):
    data = planted_blocks(**{"nodes": 400, **kind}, exponent=exponent)
    p, links = probabilities(data)
    assert p.min() >= 0
    assert p.max() <= 1
    for low, high in ((0, 0.02), (0.02, 0.1), (0.1, 1.01)):
        part = (p >= low) & (p < high)
        if part.sum() > 100:
            spread = 5 * np.sqrt(p[part].sum()) / part.sum()
            assert links[part].mean() == pytest.approx(p[part].mean(), abs=spread)


@settings(max_examples=40)
@given(st.integers(1, 30), st.data(), seeds)
def test_blocks_are_of_equal_size(nodes, draw, seed):
    blocks = draw.draw(st.integers(1, nodes))
    truth = planted_blocks(nodes, blocks, seed).truth
    sizes = np.bincount(truth.W.argmax(axis=1), minlength=blocks)
    assert np.all(np.count_nonzero(truth.W, axis=1) == 1)
    assert sizes.max() - sizes.min() <= 1


def test_two_probabilities_are_those_within_and_between_blocks():
    data = planted_blocks(100, 2, probabilities=(0.1, 0.6))
    block = data.truth.W.argmax(axis=1)
    same = block[data.network.rows] == block[data.network.cols]
    p, links = probabilities(data)
    np.testing.assert_allclose(p, np.where(same, 0.1, 0.6))
    assert links[same].mean() < 0.2 < 0.5 < links[~same].mean()


def test_probabilities_of_each_pair_of_blocks():
    p = np.array([[0.1, 0.9], [0.2, 0.5]])
    data = planted_blocks(50, 2, directed=True, probabilities=p)
    block = data.truth.W.argmax(axis=1)
    scores, _ = probabilities(data)
    np.testing.assert_allclose(scores, p[block[data.network.rows], block[data.network.cols]])


def test_degree_correction_has_mean_1_in_every_block():
    truth = planted_blocks(300, 3, exponent=2.5).truth
    for column in truth.W.T:
        assert column[column > 0].mean() == pytest.approx(1)
    assert truth.W.max() > 5


def test_weights_of_sources_and_targets_are_independent():
    truth = planted_blocks(300, 1, exponent=2.5, directed=True).truth
    assert abs(np.corrcoef(np.log(truth.W[:, 0]), np.log(truth.H[0]))[0, 1]) < 0.2


@pytest.mark.parametrize("kind", KINDS, ids=names)
def test_links_alone(kind):
    every, links = (
        planted_blocks(**{"nodes": 60, **kind}, links_only=only).network for only in (False, True)
    )
    assert links == every.subset(every.values == 1)
    assert links.background == 0


@settings(max_examples=20)
@given(st.integers(2, 30), seeds)
def test_the_same_seed_gives_the_same_network(nodes, seed):
    one, two = (planted_blocks(nodes, 2, seed, exponent=2.2).network for _ in range(2))
    assert one == two


def test_the_numbers_of_a_seed():
    """Compare with stored numbers: if they change, stored results on these data are no longer valid."""
    assert planted_blocks().network.values.sum() == 1_895
    assert planted_blocks(seed=1, exponent=2.5).network.values.sum() == 1600


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": 0}, "nodes is 0; expected a whole number >= 1"),
        ({"nodes": (3, 4, 5)}, "or a pair of them"),
        ({"nodes": 10_000}, "Use heavy_tailed for larger networks"),
        ({"nodes": (5, 3), "blocks": 4}, "blocks is 4; expected a whole number from 1 to 3"),
        ({"nodes": (5, 5), "directed": True}, "Leave directed out for a bipartite one"),
        ({"seed": -1}, "seed is -1"),
        ({"probabilities": 0.5}, r"have shape \(\); expected two numbers from 0 to 1, or 4 x 4 of them"),
        ({"probabilities": "high"}, "probabilities are 'high'; expected two numbers"),
        ({"probabilities": (0.1, 1.5)}, "A probability is 1.5; expected a number from 0 to 1"),
        ({"probabilities": (0.1, np.nan)}, "A probability is nan"),
        ({"blocks": 2, "probabilities": [[0, 0.1], [0.2, 0]]}, "not symmetric"),
        ({"exponent": 2}, "exponent is 2; expected a number > 2, since degrees"),
        ({"directed": "yes"}, "directed is 'yes'"),
        ({"links_only": 1}, "links_only is 1"),
    ],
)
def test_invalid_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        planted_blocks(**arguments)
