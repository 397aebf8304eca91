"""Sampling of non-links among the unlisted pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network, sample_negatives
from tests.network.strategies import networks
from tests.network.transforms.pairs import all_pairs, listed_pairs

METHODS = ["uniform", "degree-matched"]


@settings(max_examples=30)
@given(networks(binary=True), st.sampled_from(METHODS), st.integers(1, 20), st.integers(0, 5))
def test_drawn_pairs_are_unlisted_pairs_off_the_diagonal(network, method, count, seed):
    try:
        sampled = sample_negatives(network, count, how=method, rng=seed)
    except InputError:
        unlisted = len(all_pairs(network) - listed_pairs(network))
        assert method == "degree-matched" or count > unlisted
        return
    assert sampled.is_clean
    new = listed_pairs(sampled) - listed_pairs(network)
    assert len(new) == count == sampled.history[-1].touched
    assert new <= all_pairs(network)
    assert listed_pairs(network) <= listed_pairs(sampled)
    positions = sampled.positions(*zip(*new, strict=True))
    assert not sampled.values[positions].any()
    assert (sampled.weights[positions] == 1).all()
    assert sample_negatives(network, count, how=method, rng=seed) == sampled


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_all_unlisted_pairs_can_be_drawn(symmetric, method):
    n = 6
    network = Network.from_edges([(i, (i + 1) % n) for i in range(n)], symmetric=symmetric, square=True)
    unlisted = len(all_pairs(network)) - n
    assert listed_pairs(sample_negatives(network, unlisted, how=method, rng=0)) == all_pairs(network)


def test_the_ratio_is_of_known_links():
    network = Network.from_edges([(0, 1, 1), (0, 2, 0), (0, 3, 1)], shape=(9, 9), symmetric=True)
    assert sample_negatives(network, ratio=2.5, rng=0).history[-1].touched == 5
    assert sample_negatives(network.hide([0]), rng=0).history[-1].touched == 1


@pytest.mark.parametrize("kind", [{"symmetric": True}, {"square": True}, {}])
@pytest.mark.slow
def test_uniform_draws_have_equal_probabilities(kind):
    network = Network.from_edges([(0, 1), (2, 3)], shape=(5, 5), **kind)
    unlisted = sorted(all_pairs(network) - listed_pairs(network))
    counts = dict.fromkeys(unlisted, 0)
    rng = np.random.default_rng(0)
    draws, size = 400, 3
    for _ in range(draws):
        for pair in listed_pairs(sample_negatives(network, size, rng=rng)) - listed_pairs(network):
            counts[pair] += 1
    expected = size * draws / len(unlisted)
    # The factor corrects the variance for draws without replacement; the bound is five standard deviations.
    freedom = len(unlisted) - 1
    correction = freedom / (len(unlisted) - size)
    statistic = correction * sum((count - expected) ** 2 / expected for count in counts.values())
    assert statistic < freedom + 5 * np.sqrt(2 * freedom)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0}, "count is 0"),
        ({"count": "x"}, "count is 'x'; expected a whole number >= 1"),
        ({"count": 1.5}, "count is 1.5"),
        ({"count": True}, "count is True"),
        ({"count": 99}, "number of non-links is 99, but this network has only 7 unlisted pairs"),
        ({"ratio": 0}, "ratio is 0"),
        ({"ratio": "x"}, "ratio is 'x'"),
        ({"ratio": 0.1}, "ratio is 0.1, which of 3 known links makes no non-link"),
        ({"how": "best"}, "how is 'best'"),
        ({"rng": -1}, "rng is -1; expected a seed"),
        ({"rng": "x"}, "rng is 'x'; expected a seed"),
        ({"rng": True}, "rng is .*True.*; expected a seed"),
    ],
)
def test_invalid_arguments_raise(options, message):
    network = Network.from_edges([(0, 1), (1, 2), (3, 4)], shape=(5, 5), symmetric=True)
    with pytest.raises(InputError, match=message):
        sample_negatives(network, **options)


def test_numpy_integers_are_counts_and_seeds():
    network = Network.from_edges([("a", "b"), ("b", "c"), ("c", "d")], symmetric=True)
    assert sample_negatives(network, np.int64(2), rng=np.int64(0)) == sample_negatives(network, 2, rng=0)


def test_duplicates_raise():
    with pytest.raises(IncompatibleError, match="sample_negatives needs every pair listed once"):
        sample_negatives(Network([0, 0], [1, 1], shape=(2, 2)), 1)
