"""Perturbations change known entries, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError
from latentlink.network import Network
from latentlink.random import rng_for
from latentlink.regime import BooleanFlip, Poisson, UniformScale
from tests.helpers.oracle import dense_problem, member_network
from tests.network.strategies import networks

EVERY = [UniformScale(), BooleanFlip(eps_pos=0.3, eps_neg=0.4), Poisson()]
every_perturbation = pytest.mark.parametrize("perturb", EVERY, ids=str)
shares = st.sampled_from([0.0, 0.015, 0.3, 1.0])


def rngs(*members):
    return [rng_for(7, member) for member in members]


# -------------------------------------------------------------------- all perturbations


@every_perturbation
@settings(max_examples=40)
@given(network=networks(binary=True))
@pytest.mark.slow
def test_members_depend_only_on_their_generators(perturb, network):
    three = perturb.ensemble(network, rngs(0, 1, 2))
    for member in range(3):
        single = perturb.ensemble(network, rngs(member))
        actual, expected = (dense_problem(member_network(*of)) for of in ((three, member), (single, 0)))
        np.testing.assert_array_equal(actual[0], expected[0])
        np.testing.assert_array_equal(actual[1], expected[1])


@every_perturbation
@settings(max_examples=40)
@given(network=networks(binary=True))
@pytest.mark.slow
def test_neither_the_network_nor_hidden_entries_change(perturb, network):
    before = [np.array(part) for part in (network.values, network.weights)]
    ensemble = perturb.ensemble(network, rngs(0, 1))
    np.testing.assert_array_equal(network.values, before[0])
    np.testing.assert_array_equal(network.weights, before[1])
    # The network of the ensemble has the unperturbed values, even if it lists further pairs.
    actual, expected = dense_problem(ensemble.network), dense_problem(network)
    np.testing.assert_array_equal(actual[0], expected[0])
    np.testing.assert_array_equal(actual[1], expected[1])
    hidden = dense_problem(network)[1] == 0
    for member in range(2):
        values, weights = dense_problem(member_network(ensemble, member))
        np.testing.assert_array_equal(values[hidden], expected[0][hidden])
        np.testing.assert_array_equal(weights, expected[1])


@every_perturbation
@settings(max_examples=40)
@given(network=networks(binary=True))
@pytest.mark.slow
def test_perturbed_values_do_not_depend_on_hidden_entries(perturb, network):
    """Neither on their values, nor on whether they are listed."""
    other = network.with_values(np.where(network.known, network.values, 99.0))
    bare = network.with_background(0.0)
    variants = (bare, other.with_background(0.0))
    values = [perturb.ensemble(variant, rngs(0)).values[:, 0] for variant in variants]
    np.testing.assert_array_equal(values[0][network.known], values[1][network.known])
    unlisted = perturb.ensemble(bare.subset(network.known), rngs(0))
    np.testing.assert_array_equal(unlisted.values[:, 0], values[0][network.known])


# -------------------------------------------------------------------- uniform scaling


def test_scaling_has_mean_one_and_bounds():
    values = np.concatenate([np.zeros(100), np.linspace(0.5, 4, 40_000)])
    network = Network(np.arange(len(values)), np.zeros(len(values), int), values, shape=(len(values), 1))
    perturbed = UniformScale().ensemble(network, rngs(0)).values[:, 0]
    assert not perturbed[:100].any()
    ratio = perturbed[100:] / values[100:]
    assert ratio.min() >= 1 - 0.015
    assert ratio.max() <= 1 + 0.015
    assert ratio.std() == pytest.approx(0.015 / np.sqrt(3), rel=0.02)
    assert abs(ratio.mean() - 1) < 5 * 0.015 / np.sqrt(3 * len(ratio))


def test_scaling_of_negative_values_is_relative_too():
    network = Network([0, 1], [0, 1], [-2.0, 3.0], shape=(2, 2))
    perturbed = UniformScale(epsilon=0.5).ensemble(network, rngs(0)).values[:, 0]
    assert -3 <= perturbed[0] <= -1


@pytest.mark.parametrize("epsilon", [-0.1, 1.0, 2, float("nan"), "much"])
def test_scaling_that_may_change_signs_raises(epsilon):
    with pytest.raises(IncompatibleError, match="UniformScale has epsilon="):
        UniformScale(epsilon=epsilon).ensemble(Network.from_dense(np.eye(2)), rngs(0))


def test_an_epsilon_of_zero_changes_nothing():
    network = Network.from_dense(np.eye(3))
    np.testing.assert_array_equal(
        UniformScale(epsilon=0).ensemble(network, rngs(0)).values[:, 0], network.values
    )


# -------------------------------------------------------------------- Poisson


def test_poisson_counts_have_the_values_as_means():
    values = np.repeat([0.0, 0.5, 4.0, 100.0], 5_000)
    network = Network(np.arange(len(values)), np.zeros(len(values), int), values, shape=(len(values), 1))
    counts = Poisson().ensemble(network, rngs(0)).values[:, 0].reshape(4, -1)
    assert not counts[0].any()
    np.testing.assert_array_equal(counts, np.round(counts))
    for mean, drawn in zip([0.5, 4.0, 100.0], counts[1:], strict=True):
        assert abs(drawn.mean() - mean) < 5 * np.sqrt(mean / len(drawn))
        assert drawn.var() == pytest.approx(mean, rel=0.1)


@pytest.mark.parametrize("value", [-1.0, 1e16])
def test_values_that_are_no_means_of_counts_raise(value):
    network = Network([0, 1], [0, 1], [2.0, value], shape=(2, 2))
    with pytest.raises(IncompatibleError, match=r"needs values from 0 to 1e\+15, but 1 known .*UniformScale"):
        Poisson().ensemble(network, rngs(0))
    assert Poisson().ensemble(network.hide([1]), rngs(0)).values[1, 0] == value


# -------------------------------------------------------------------- flips


@pytest.mark.slow
@settings(max_examples=60)
@given(network=networks(binary=True), eps_pos=shares, eps_neg=shares)
def test_the_numbers_of_flips_are_exact(network, eps_pos, eps_neg):
    ensemble = BooleanFlip(eps_pos=eps_pos, eps_neg=eps_neg).ensemble(network, rngs(0, 1, 2))
    original, _ = dense_problem(network)
    known = np.zeros(network.shape, bool)
    known[network.rows[network.known], network.cols[network.known]] = True
    listed = np.zeros(network.shape, bool)
    listed[network.rows, network.cols] = True
    off = ~np.eye(*network.shape, dtype=bool) if network.square else np.ones(network.shape, bool)
    if network.symmetric:
        off = np.triu(off)
    free = int(np.count_nonzero(~listed & off))
    unlisted = min(round(eps_pos * free), network.n_listed) if network.background else 0
    for member in range(3):
        flipped_network = member_network(ensemble, member)
        after, before = np.zeros(network.shape), np.zeros(network.shape)
        after[flipped_network.rows, flipped_network.cols] = flipped_network.values
        before[network.rows, network.cols] = network.values
        flipped = after != before
        for value, share in ((0, eps_pos), (1, eps_neg)):
            candidates = known & (original == value)
            assert np.count_nonzero(flipped & candidates) == round(share * np.sum(candidates))
        assert np.count_nonzero(flipped & ~listed) == unlisted
        assert not np.any(flipped & ~listed & ~off)  # never the diagonal, and a symmetric pair once
        assert not np.any(flipped & listed & ~known)
        assert np.isin(flipped_network.values, (0, 1)).all()


def test_flipped_unlisted_pairs_are_listed_for_all_members_with_the_weight_of_the_background():
    network = Network(np.arange(40), np.arange(40), shape=(40, 30 + 10), background=0.25)
    ensemble = BooleanFlip(eps_pos=0.015, eps_neg=0.0).ensemble(network, rngs(*range(5)))
    drawn = 0.015 * (1600 - 40)
    assert round(drawn) == 23
    np.testing.assert_array_equal(ensemble.values.sum(axis=0), [40 + 23] * 5)
    added = ensemble.network.rows != ensemble.network.cols
    assert 23 < np.count_nonzero(added) <= 5 * 23
    assert ensemble.values[added].any(axis=1).all()  # each pair is flipped in some member
    np.testing.assert_array_equal(ensemble.weights[added], 0.25)
    np.testing.assert_array_equal(ensemble.weights[~added], 1.0)
    assert ensemble.network.background == 0.25
    assert ensemble.network.is_clean


def test_unlisted_flips_are_at_most_as_many_as_listed_entries():
    network = Network([0, 1, 2], [0, 1, 2], shape=(1_000, 1_000), background=1.0)
    ensemble = BooleanFlip(eps_pos=0.015, eps_neg=0.0).ensemble(network, rngs(0, 1))
    np.testing.assert_array_equal(ensemble.values.sum(axis=0), [6.0, 6.0])


@pytest.mark.slow
@settings(max_examples=80)
@given(network=networks(binary=True), eps_neg=st.sampled_from([0.0, 0.015, 0.1, 0.3, 0.5, 1.0]))
def test_by_default_as_many_zeros_as_ones_are_flipped(network, eps_neg):
    """Listed or not; fewer only if there are fewer zeros."""
    ensemble = BooleanFlip(eps_neg=eps_neg).ensemble(network, rngs(0, 1))
    known = network.values[network.known]
    links = int(known.sum())
    listed_zeros = len(known) - links
    diagonal = network.shape[0] if network.square else 0
    off = np.count_nonzero(network.rows != network.cols) if network.square else network.n_listed
    free = (network.n_pairs - diagonal - off) if network.background else 0
    down = round(eps_neg * links)
    up = min(down, listed_zeros + free)
    for member in range(2):
        flipped = member_network(ensemble, member)
        ones = int(flipped.values[flipped.known].sum())
        assert ones == links - down + up
        before = dict(zip(zip(network.rows, network.cols, strict=True), network.values, strict=True))
        entries = zip(flipped.rows, flipped.cols, flipped.values, strict=True)
        changes = [value - before.get((i, j), 0.0) for i, j, value in entries]
        assert (changes.count(1.0), changes.count(-1.0)) == (up, down)


@pytest.mark.parametrize("background", [0.0, 0.25])
@pytest.mark.parametrize("links", [100, 300, 500, 701])
def test_zeros_and_ones_are_rounded_alike(background, links):
    """0.015 of 300 is 4.5: four ones and four zeros are flipped, whether the zeros are listed or not."""
    rows, cols = np.divmod(np.arange(1_000), 50)
    network = Network(rows, cols, np.arange(1_000) < links, shape=(40, 50), background=background)
    ensemble = BooleanFlip().ensemble(network, rngs(0, 1, 2))
    np.testing.assert_array_equal(ensemble.values.sum(axis=0), [links] * 3)
    first = member_network(ensemble, 0)
    dense = np.zeros((40, 50))
    dense[first.rows, first.cols] = first.values
    assert np.count_nonzero(dense.ravel()[:links] == 0) == round(0.015 * links)


def test_flips_of_zeros_are_proportional_to_listed_and_unlisted_zeros():
    values = np.repeat([1.0, 0.0], [100, 300])
    assert BooleanFlip(eps_neg=0.4).counts(values) == (40, 40, 0)
    assert BooleanFlip(eps_neg=0.4).counts(values, 900) == (40, 10, 30)
    assert BooleanFlip(eps_neg=0.4).counts(values[:105], 3) == (40, 5, 3)
    assert BooleanFlip(eps_neg=0.4).counts(values[:100]) == (40, 0, 0)
    assert BooleanFlip(eps_pos=0.1, eps_neg=0.4).counts(values, 900) == (40, 30, 90)


@pytest.mark.slow
def test_unlisted_flips_are_uniform():
    network = Network([0], [0], shape=(6, 5), background=1.0)
    perturb = BooleanFlip(eps_pos=0.03, eps_neg=0.0)
    ensemble = perturb.ensemble(network, [np.random.default_rng(seed) for seed in range(2_900)])
    flips = np.zeros((6, 5))
    flips[ensemble.network.rows, ensemble.network.cols] = ensemble.values.sum(axis=1)
    assert flips[0, 0] == 2_900  # the listed one stays
    others = np.delete(flips.ravel(), 0)
    assert others.sum() == 2_900
    assert others.min() > 50
    assert others.max() < 160


@pytest.mark.parametrize("background", [0.0, 0.5])
def test_a_symmetric_network_keeps_its_diagonal_hidden(background):
    """A flipped self loop would make the whole diagonal known."""
    network = Network([0, 1, 2, 4], [1, 2, 3, 5], shape=(6, 6), symmetric=True, background=background)
    for seed in range(20):
        ensemble = BooleanFlip(eps_pos=1.0).ensemble(network, [np.random.default_rng(seed)])
        assert not ensemble.network.has_self_loops
        assert np.all(ensemble.network.rows < ensemble.network.cols)
        assert ensemble.network.symmetric


def test_an_eps_pos_of_zero_lists_no_further_pairs():
    network = Network([0, 1], [0, 1], shape=(4, 4), background=1.0)
    assert BooleanFlip(eps_pos=0.0, eps_neg=0.5).ensemble(network, rngs(0)).network is network


@pytest.mark.parametrize(
    ("name", "share"),
    [(name, share) for name in ("eps_pos", "eps_neg") for share in (-0.1, 1.1, float("nan"), "all")]
    + [("eps_neg", None)],
)
def test_shares_outside_zero_to_one_raise(name, share):
    with pytest.raises(IncompatibleError, match=f"BooleanFlip has {name}="):
        BooleanFlip(**{name: share}).ensemble(Network.from_dense(np.eye(2)), rngs(0))


def test_flips_of_other_values_raise():
    network = Network([0, 1], [0, 1], [1.0, 0.5], shape=(2, 2))
    with pytest.raises(IncompatibleError, match=r"has other values.*binarize.*UniformScale"):
        BooleanFlip().ensemble(network, rngs(0))
    assert BooleanFlip().ensemble(network.hide([1]), rngs(0)).values[1, 0] == 0.5


def test_flips_under_a_background_require_that_every_pair_is_listed_once():
    twice = Network([0, 0], [1, 1], [1.0, 0.0], shape=(4, 4), background=0.5)
    with pytest.raises(IncompatibleError, match="every pair listed once"):
        BooleanFlip(eps_pos=0.5).ensemble(twice, rngs(0))


@pytest.mark.parametrize(("value", "valid"), [(0.0, True), (1e15, True), (1e15 + 1, False), (-1e-9, False)])
def test_counts_that_are_exact_in_double_precision(value, valid):
    network = Network([0, 1], [0, 1], [5.0, value], shape=(2, 2))
    if valid:
        Poisson().check(network)
    else:
        with pytest.raises(IncompatibleError, match=r"from 0 to 1e\+15, but 1 known values are outside"):
            Poisson().check(network)
