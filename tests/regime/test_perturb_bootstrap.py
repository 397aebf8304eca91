"""The Bayesian bootstrap: random weights of known entries, for every solver that takes weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError
from latentlink.network import Ensemble, Network
from latentlink.random import rng_for
from latentlink.rank import HeldOut, find_rank
from latentlink.rank.engine import fit_members
from latentlink.regime import Bootstrap, Cells, Regime
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.cases import assert_same_factors, solved, unfinished
from tests.helpers.oracle import dense_problem, member_network
from tests.network.strategies import networks
from tests.rank.paths import blocks, friends, products, small_plan


def rngs(*members):
    return [rng_for(7, member) for member in members]


@settings(max_examples=50)
@given(networks())
def test_members_have_different_weights_and_hidden_entries_weight_zero(network):
    before = network.values.copy(), network.weights.copy()
    ensemble = Bootstrap().ensemble(network, rngs(0, 1, 2))
    assert ensemble.network is network
    assert ensemble.weights.shape == ensemble.values.shape == (network.n_listed, 3)
    np.testing.assert_array_equal(ensemble.values, np.tile(network.values[:, None], 3))
    np.testing.assert_array_equal(ensemble.weights > 0, np.tile(network.known[:, None], 3))
    if network.n_known:
        assert len(np.unique(ensemble.weights[network.known][0])) == 3
    np.testing.assert_array_equal(network.values, before[0])
    np.testing.assert_array_equal(network.weights, before[1])


def test_values_do_not_change():
    values = np.array([0.0, 2.5, -1.0])
    np.testing.assert_array_equal(Bootstrap().changed(values, np.random.default_rng(0)), values)
    assert Bootstrap.keeps_binary
    assert not Bootstrap.keeps_weights


@settings(max_examples=50)
@given(networks(), st.integers(0, 2))
def test_weights_depend_only_on_the_generator_and_the_known_entries(network, member):
    weights = Bootstrap().ensemble(network, rngs(0, 1, 2)).weights[:, member]
    np.testing.assert_array_equal(Bootstrap().ensemble(network, rngs(member)).weights[:, 0], weights)
    bare = Bootstrap().ensemble(network.subset(network.known), rngs(member)).weights[:, 0]
    np.testing.assert_array_equal(bare, weights[network.known])


def test_weights_are_multiplied_by_exponential_variables():
    weights = np.repeat([0.5, 4.0], 20_000)
    size = len(weights)
    network = Network(np.arange(size), np.zeros(size, int), np.ones(size), weights, shape=(size, 1))
    ratio = Bootstrap().ensemble(network, rngs(0)).weights[:, 0] / weights
    assert abs(ratio.mean() - 1) < 5 / np.sqrt(size)
    assert ratio.std() == pytest.approx(1, rel=0.05)
    assert np.mean(ratio < np.log(2)) == pytest.approx(0.5, abs=0.02)  # the median of the distribution
    assert ratio.min() > 0


@pytest.mark.parametrize("background", [0.0, 0.3])
def test_a_symmetric_pair_has_one_weight(background):
    network = friends(background)
    ensemble = Bootstrap().ensemble(network, rngs(0))
    assert len(ensemble.weights) == network.n_listed
    _, weights = dense_problem(member_network(ensemble, 0))
    np.testing.assert_array_equal(weights, weights.T)
    # The two cells of a pair have half of its weight each.
    assert np.abs(Cells.of(ensemble).rows.signed).sum() == pytest.approx(ensemble.weights.sum())


@pytest.mark.parametrize(
    "network", [friends(0.3), blocks().subset(blocks().values == 1).with_background(0.2)]
)
def test_unlisted_pairs_keep_the_weight_of_the_background(network):
    ensemble = Bootstrap().ensemble(network, rngs(0, 1))
    assert ensemble.network.background == network.background
    listed = np.zeros(network.shape, bool)
    listed[network.rows, network.cols] = True
    if network.symmetric:
        listed |= listed.T
    for member in range(2):
        weights = dense_problem(member_network(ensemble, member))[1]
        np.testing.assert_array_equal(weights[~listed], dense_problem(network)[1][~listed])


@pytest.mark.parametrize("background", [0.0, 0.3])
def test_speckles_are_held_out_whatever_their_weights(background):
    plan = small_plan(network=friends(background), regime=Regime(perturb=Bootstrap()))
    ensemble, speckles = plan.member_data(range(3))
    assert ensemble.weights.shape == ensemble.values.shape
    drawn = Bootstrap().ensemble(plan.network, [rng_for(0, -1 % 2**32, member) for member in range(3)])
    index_of = {
        pair: k for k, pair in enumerate(zip(ensemble.network.rows, ensemble.network.cols, strict=True))
    }
    for member, speckle in enumerate(speckles):
        held_out = {index_of[pair] for pair in zip(speckle.rows, speckle.cols, strict=True)}
        assert set(np.flatnonzero(np.isnan(ensemble.values[:, member]))) == held_out
        assert bool(len(speckle.rows) > speckle.listed) == bool(background)
        for k, pair in enumerate(zip(plan.network.rows, plan.network.cols, strict=True)):
            assert ensemble.weights[index_of[pair], member] == drawn.weights[k, member]
    assert ensemble.network.background == background


@pytest.mark.parametrize(
    ("solver", "network"),
    [
        (WNMF(max_iter=10, ridge=0.1), products()),
        (RNMF(max_iter=10), products()),
        (BNMF(max_iter=10), blocks()),
        (LMF(max_iter=10), friends(0.3)),
        (SymLMF(max_iter=10), friends(0.3)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_member_of_an_ensemble_is_fitted_like_a_single_network(solver, network):
    ensemble = Bootstrap().ensemble(network, rngs(0, 1))
    both = solved(solver, ensemble)
    for member in range(2):
        one = Ensemble(network, ensemble.values[:, [member]], ensemble.weights[:, [member]])
        with unfinished():
            single = solver.solve(one, 2, [rng_for(0, 2, member, 0)])
        assert_same_factors(single.members[0], both.members[member])
    assert not np.array_equal(both.members[0].W, both.members[1].W)
    plan = small_plan(network=network, solver=solver, regime=Regime(perturb=Bootstrap()))
    assert np.isfinite([member.held_out for member in fit_members(plan, 2, range(4))]).all()


def test_nmf_raises_for_weights():
    network = products().subset(products().known)
    with pytest.raises(IncompatibleError, match=r"NMF.*needs weights of 1, but member 0 has other"):
        NMF().solve(Bootstrap().ensemble(network, rngs(0)), 2, 0)
    plan = small_plan(network=network, solver=NMF(), regime=Regime(perturb=Bootstrap()))
    with pytest.raises(
        IncompatibleError, match=r"NMF needs .* Bootstrap\(\) draws random weights.*UniformScale\(\).*WNMF"
    ):
        find_rank(plan, (1, 2), HeldOut())
