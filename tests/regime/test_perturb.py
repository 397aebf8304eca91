"""Random changes of what is known, and of nothing else."""

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


# -------------------------------------------------------------------- what all of them promise


@every_perturbation
@settings(deadline=None)
@given(network=networks(binary=True))
def test_same_generator_same_values_alone_or_among_others(perturb, network):
    together = perturb.ensemble(network, rngs(0, 1, 2))
    for member in range(3):
        alone = perturb.ensemble(network, rngs(member))
        found, expected = (dense_problem(member_network(*each)) for each in ((together, member), (alone, 0)))
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1], expected[1])


@every_perturbation
@settings(deadline=None)
@given(network=networks(binary=True))
def test_the_network_stays_and_hidden_entries_too(perturb, network):
    before = [np.array(part) for part in (network.values, network.weights)]
    ensemble = perturb.ensemble(network, rngs(0, 1))
    np.testing.assert_array_equal(network.values, before[0])
    np.testing.assert_array_equal(network.weights, before[1])
    # The ensemble's own network has the values as they were, whatever was listed besides.
    found, expected = dense_problem(ensemble.network), dense_problem(network)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])
    hidden = dense_problem(network)[1] == 0
    for member in range(2):
        values, weights = dense_problem(member_network(ensemble, member))
        np.testing.assert_array_equal(values[hidden], expected[0][hidden])
        np.testing.assert_array_equal(weights, expected[1])


@every_perturbation
@settings(deadline=None)
@given(network=networks(binary=True))
def test_hidden_values_have_no_say(perturb, network):
    """Neither what is hidden nor whether it is listed moves the draws of what is known."""
    other = network.with_values(np.where(network.known, network.values, 99.0))
    bare = network.with_background(0.0)
    values = [perturb.ensemble(each, rngs(0)).values[:, 0] for each in (bare, other.with_background(0.0))]
    np.testing.assert_array_equal(values[0][network.known], values[1][network.known])
    unlisted = perturb.ensemble(bare.subset(network.known), rngs(0))
    np.testing.assert_array_equal(unlisted.values[:, 0], values[0][network.known])


# -------------------------------------------------------------------- uniform scaling


def test_scaling_has_mean_one_and_bounds():
    values = np.concatenate([np.zeros(100), np.linspace(0.5, 4, 40_000)])
    network = Network(np.arange(len(values)), np.zeros(len(values), int), values, shape=(len(values), 1))
    found = UniformScale().ensemble(network, rngs(0)).values[:, 0]
    assert not found[:100].any()
    ratio = found[100:] / values[100:]
    assert ratio.min() >= 1 - 0.015
    assert ratio.max() <= 1 + 0.015
    assert ratio.std() == pytest.approx(0.015 / np.sqrt(3), rel=0.02)
    assert abs(ratio.mean() - 1) < 5 * 0.015 / np.sqrt(3 * len(ratio))


def test_scaling_moves_negative_values_by_a_share_too():
    network = Network([0, 1], [0, 1], [-2.0, 3.0], shape=(2, 2))
    found = UniformScale(epsilon=0.5).ensemble(network, rngs(0)).values[:, 0]
    assert -3 <= found[0] <= -1


@pytest.mark.parametrize("epsilon", [-0.1, 1.0, 2, float("nan"), "much"])
def test_scaling_that_changes_signs_is_refused(epsilon):
    with pytest.raises(IncompatibleError, match="UniformScale has epsilon="):
        UniformScale(epsilon=epsilon).ensemble(Network.from_dense(np.eye(2)), rngs(0))


def test_no_scaling_changes_nothing():
    network = Network.from_dense(np.eye(3))
    np.testing.assert_array_equal(
        UniformScale(epsilon=0).ensemble(network, rngs(0)).values[:, 0], network.values
    )


# -------------------------------------------------------------------- Poisson


def test_poisson_counts_have_the_values_as_means():
    values = np.repeat([0.0, 0.5, 4.0, 100.0], 5_000)
    network = Network(np.arange(len(values)), np.zeros(len(values), int), values, shape=(len(values), 1))
    found = Poisson().ensemble(network, rngs(0)).values[:, 0].reshape(4, -1)
    assert not found[0].any()
    np.testing.assert_array_equal(found, np.round(found))
    for mean, drawn in zip([0.5, 4.0, 100.0], found[1:], strict=True):
        assert abs(drawn.mean() - mean) < 5 * np.sqrt(mean / len(drawn))
        assert drawn.var() == pytest.approx(mean, rel=0.1)


@pytest.mark.parametrize("value", [-1.0, 1e16])
def test_what_cannot_be_counted_is_refused(value):
    network = Network([0, 1], [0, 1], [2.0, value], shape=(2, 2))
    with pytest.raises(IncompatibleError, match=r"needs values from 0 to 1e\+15, but 1 known .*UniformScale"):
        Poisson().ensemble(network, rngs(0))
    assert Poisson().ensemble(network.hide([1]), rngs(0)).values[1, 0] == value


# -------------------------------------------------------------------- flips


@settings(deadline=None, max_examples=200)
@given(network=networks(binary=True), eps_pos=shares, eps_neg=shares)
def test_flips_are_counted_not_drawn(network, eps_pos, eps_neg):
    ensemble = BooleanFlip(eps_pos=eps_pos, eps_neg=eps_neg).ensemble(network, rngs(0, 1, 2))
    was, _ = dense_problem(network)
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
        alone = member_network(ensemble, member)
        now = np.zeros(network.shape)
        now[alone.rows, alone.cols] = alone.values
        was_once = np.zeros(network.shape)
        was_once[network.rows, network.cols] = network.values
        flipped = now != was_once
        assert np.count_nonzero(flipped & known & (was == 0)) == round(eps_pos * np.sum(known & (was == 0)))
        assert np.count_nonzero(flipped & known & (was == 1)) == round(eps_neg * np.sum(known & (was == 1)))
        assert np.count_nonzero(flipped & ~listed) == unlisted
        assert not np.any(flipped & ~listed & ~off)  # never the diagonal, and a symmetric pair once
        assert not np.any(flipped & listed & ~known)
        assert np.isin(alone.values, (0, 1)).all()


def test_flipped_unlisted_pairs_are_one_structure_with_the_weight_of_the_background():
    network = Network(np.arange(40), np.arange(40), shape=(40, 30 + 10), background=0.25)
    ensemble = BooleanFlip(eps_pos=0.015, eps_neg=0.0).ensemble(network, rngs(*range(5)))
    drawn = 0.015 * (1600 - 40)
    assert round(drawn) == 23
    np.testing.assert_array_equal(ensemble.values.sum(axis=0), [40 + 23] * 5)
    added = ensemble.network.rows != ensemble.network.cols
    assert 23 < np.count_nonzero(added) <= 5 * 23
    assert ensemble.values[added].any(axis=1).all()  # each pair is some member's
    np.testing.assert_array_equal(ensemble.weights[added], 0.25)
    np.testing.assert_array_equal(ensemble.weights[~added], 1.0)
    assert ensemble.network.background == 0.25
    assert ensemble.network.is_clean


def test_unlisted_flips_are_at_most_as_many_as_listed_entries():
    network = Network([0, 1, 2], [0, 1, 2], shape=(1_000, 1_000), background=1.0)
    ensemble = BooleanFlip(eps_pos=0.015, eps_neg=0.0).ensemble(network, rngs(0, 1))
    np.testing.assert_array_equal(ensemble.values.sum(axis=0), [6.0, 6.0])


@settings(deadline=None, max_examples=200)
@given(network=networks(binary=True), eps_neg=st.sampled_from([0.0, 0.015, 0.1, 0.3, 0.5, 1.0]))
def test_by_default_as_many_zeros_as_ones_are_flipped(network, eps_neg):
    """Listed or not; fewer only where there are no more zeros. No pair is flipped twice or back."""
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
        alone = member_network(ensemble, member)
        ones = int(alone.values[alone.known].sum())
        assert ones == links - down + up
        was = dict(zip(zip(network.rows, network.cols, strict=True), network.values, strict=True))
        listing = zip(alone.rows, alone.cols, alone.values, strict=True)
        changes = [value - was.get((i, j), 0.0) for i, j, value in listing]
        assert (changes.count(1.0), changes.count(-1.0)) == (up, down)


@pytest.mark.parametrize("background", [0.0, 0.25])
@pytest.mark.parametrize("links", [100, 300, 500, 701])
def test_halves_are_rounded_alike_for_zeros_and_ones(background, links):
    """0.015 of 300 is 4.5: four ones and four zeros, however the zeros are listed."""
    rows, cols = np.divmod(np.arange(1_000), 50)
    network = Network(rows, cols, np.arange(1_000) < links, shape=(40, 50), background=background)
    ensemble = BooleanFlip().ensemble(network, rngs(0, 1, 2))
    np.testing.assert_array_equal(ensemble.values.sum(axis=0), [links] * 3)
    same = member_network(ensemble, 0)
    dense = np.zeros((40, 50))
    dense[same.rows, same.cols] = same.values
    assert np.count_nonzero(dense.ravel()[:links] == 0) == round(0.015 * links)


def test_flips_of_zeros_are_shared_out_by_how_many_zeros_are_listed():
    values = np.repeat([1.0, 0.0], [100, 300])
    assert BooleanFlip(eps_neg=0.4).counts(values) == (40, 40, 0)
    assert BooleanFlip(eps_neg=0.4).counts(values, 900) == (40, 10, 30)
    assert BooleanFlip(eps_neg=0.4).counts(values[:105], 3) == (40, 5, 3)
    assert BooleanFlip(eps_neg=0.4).counts(values[:100]) == (40, 0, 0)
    assert BooleanFlip(eps_pos=0.1, eps_neg=0.4).counts(values, 900) == (40, 30, 90)


def test_unlisted_flips_fall_everywhere_alike():
    network = Network([0], [0], shape=(6, 5), background=1.0)
    hits = np.zeros((6, 5))
    for seed in range(2_900):
        ensemble = BooleanFlip(eps_pos=0.03, eps_neg=0.0).ensemble(network, [np.random.default_rng(seed)])
        hits[ensemble.network.rows, ensemble.network.cols] += ensemble.values[:, 0]
    assert hits[0, 0] == 2_900  # the listed one stays
    others = np.delete(hits.ravel(), 0)
    assert others.sum() == 2_900
    assert others.min() > 50
    assert others.max() < 160


@pytest.mark.parametrize("background", [0.0, 0.5])
def test_a_symmetric_network_keeps_its_diagonal_hidden(background):
    """A self loop among the flips would make the whole diagonal known."""
    network = Network([0, 1, 2, 4], [1, 2, 3, 5], shape=(6, 6), symmetric=True, background=background)
    for seed in range(20):
        ensemble = BooleanFlip(eps_pos=1.0).ensemble(network, [np.random.default_rng(seed)])
        assert not ensemble.network.has_self_loops
        assert np.all(ensemble.network.rows < ensemble.network.cols)
        assert ensemble.network.symmetric


def test_no_share_of_zeros_lists_nothing_more():
    network = Network([0, 1], [0, 1], shape=(4, 4), background=1.0)
    assert BooleanFlip(eps_pos=0.0, eps_neg=0.5).ensemble(network, rngs(0)).network is network


@pytest.mark.parametrize(
    ("name", "share"),
    [(name, share) for name in ("eps_pos", "eps_neg") for share in (-0.1, 1.1, float("nan"), "all")]
    + [("eps_neg", None)],
)
def test_shares_beyond_one_are_refused(name, share):
    with pytest.raises(IncompatibleError, match=f"BooleanFlip has {name}="):
        BooleanFlip(**{name: share}).ensemble(Network.from_dense(np.eye(2)), rngs(0))


def test_flips_of_other_values_are_refused_in_a_sentence():
    network = Network([0, 1], [0, 1], [1.0, 0.5], shape=(2, 2))
    with pytest.raises(IncompatibleError, match=r"holds other values.*binarize.*UniformScale"):
        BooleanFlip().ensemble(network, rngs(0))
    assert BooleanFlip().ensemble(network.hide([1]), rngs(0)).values[1, 0] == 0.5


def test_a_pair_listed_twice_cannot_be_told_from_unlisted_ones():
    twice = Network([0, 0], [1, 1], [1.0, 0.0], shape=(4, 4), background=0.5)
    with pytest.raises(IncompatibleError, match="every pair listed once"):
        BooleanFlip(eps_pos=0.5).ensemble(twice, rngs(0))
