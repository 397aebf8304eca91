"""Gibbs samples of Boolean factors: they differ where the data are ambiguous, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.random import rng_for
from latentlink.rank import HeldOut, find_rank
from latentlink.rank.engine import fit_members, summarise, with_redrawn_members
from latentlink.regime import Cells, KMeans, boolean
from latentlink.regime.gibbs import gibbs_sample
from latentlink.solvers import BNMF
from tests.rank.paths import blocks, small_plan
from tests.regime.dense import boolean_factors, dense_cells, ensembles

TWO_BLOCKS = np.kron(np.eye(2), np.ones((20, 20)))


def cells_of(network):
    return Cells.of(Ensemble.of(network))


@pytest.mark.slow
@settings(max_examples=20)
@given(ensembles(), st.data())
def test_samples_are_boolean_and_depend_only_on_the_generator(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    before = factors.W.copy(), factors.H.copy()
    one, same = (gibbs_sample(factors, Cells.of(ensemble), np.random.default_rng(3)) for _ in range(2))
    for name in ("W", "H"):
        assert np.isin(getattr(one, name), (0, 1)).all()
        assert getattr(one, name).dtype == getattr(factors, name).dtype
        np.testing.assert_array_equal(getattr(one, name), getattr(same, name))
    assert one.boolean
    np.testing.assert_array_equal(factors.W, before[0])
    np.testing.assert_array_equal(factors.H, before[1])


@pytest.mark.parametrize("background", [0.0, 1.0])
def test_determined_entries_do_not_change(background):
    network = Network.from_dense(TWO_BLOCKS)
    if background:
        network = network.subset(network.values == 1).with_background(background)
    factors = Factors(TWO_BLOCKS[:, [0, 20]], TWO_BLOCKS[[0, 20]], boolean=True)
    for seed in range(10):
        sample = gibbs_sample(factors, cells_of(network), np.random.default_rng(seed))
        np.testing.assert_array_equal(sample.W, factors.W)
        np.testing.assert_array_equal(sample.H, factors.H)


def test_a_row_without_known_cells_is_sampled_like_the_others():
    """Ten of 40 rows belong to the component; so does the unknown row in about a quarter of the samples."""
    X = np.zeros((41, 30))
    X[:10, :15] = 1
    network = Network.from_dense(X).hide(np.repeat(np.arange(41) == 40, 30))
    factors = Factors(X[:, :1], X[:1], boolean=True)
    cells = cells_of(network)
    samples = np.array(
        [gibbs_sample(factors, cells, np.random.default_rng(seed), 1).W[:, 0] for seed in range(400)]
    )
    np.testing.assert_array_equal(samples[:, :40], np.tile(X[:40, 0], (400, 1)))
    share = samples[:, 40].mean()
    assert abs(share - 10 / 41) < 4 * np.sqrt(0.25 * 0.75 / 400)


def test_gains_have_zero_weight_if_half_of_the_cells_or_more_are_wrong():
    """Rows are then sampled by the share of the component alone, whatever the cells are."""
    factors = Factors(np.ones((30, 1)), np.ones((1, 30)), boolean=True)
    random_cells = np.random.default_rng(0).integers(0, 2, (30, 30)) * (np.arange(30) < 15)
    samples = [
        gibbs_sample(factors, cells_of(Network.from_dense(X.astype(float))), np.random.default_rng(0))
        for X in (np.zeros((30, 30)), random_cells)
    ]
    assert 0 < samples[0].W.mean() <= 1
    np.testing.assert_array_equal(samples[0].W, samples[1].W)
    np.testing.assert_array_equal(samples[0].H, samples[1].H)


@pytest.mark.filterwarnings(
    "ignore:No rank is stable", "ignore:Rank . is not stable", "ignore::sklearn.exceptions.ConvergenceWarning"
)
def test_members_of_the_chosen_rank_are_samples_but_not_without_polish():
    solver = BNMF(max_iter=60, ridge=0.5)
    plan = small_plan(network=blocks(), solver=solver, regime=boolean(KMeans()))
    result = find_rank(plan, (1, 2), HeldOut())
    rank = result.choice.rank
    bare = plan.without_hidden()
    members = summarise(bare, rank, fit_members(bare, rank, range(plan.n_members))).members
    cells = cells_of(bare.network)
    for index, (sample, member) in enumerate(zip(result.path[rank].members, members, strict=True)):
        expected = gibbs_sample(member, cells, rng_for(plan.seed, -3 % 2**32, rank, index))
        np.testing.assert_array_equal(sample.W, expected.W)
        np.testing.assert_array_equal(sample.H, expected.H)
    unpolished = small_plan(network=blocks(), solver=solver, regime=boolean(KMeans(), polish=False))
    record = find_rank(unpolished, (2,), HeldOut()).path[2]
    assert with_redrawn_members(unpolished, record) is record
    real_valued = find_rank(small_plan(), (2,), HeldOut()).path[2]
    assert with_redrawn_members(small_plan(), real_valued) is real_valued


def dense_gibbs(ones, weights, W, H, rng, rounds):
    """The documented conditional probabilities on dense arrays, with the same uniform numbers."""
    sides = [W.astype(int), H.T.astype(int)]
    wrong = weights[(sides[0] @ sides[1].T > 0) != ones].sum()
    rate = (wrong + 0.5) / (weights.sum() + 1)
    scale = np.log((1 - rate) / rate) if rate < 0.5 else 0.0
    for _ in range(rounds):
        for c in range(W.shape[1]):
            for side in (0, 1):
                mine, others = sides[side], sides[1 - side]
                truth, weight = (ones, weights) if side == 0 else (ones.T, weights.T)
                covered = np.delete(mine, c, 1) @ np.delete(others, c, 1).T > 0
                gain = (weight * ~covered * (2 * truth - 1)) @ others[:, c]
                overall = (mine[:, c].sum() + 0.5) / (len(mine) + 1)
                patterns = [tuple(row) for row in np.delete(mine, c, 1)]
                share = np.empty(len(mine))
                for i, pattern in enumerate(patterns):
                    alike = [mine[k, c] for k, other in enumerate(patterns) if other == pattern]
                    share[i] = (sum(alike) + overall) / (len(alike) + 1)
                odds = scale * gain + np.log(share / (1 - share))
                mine[:, c] = rng.random(len(mine)) < 1 / (1 + np.exp(-odds))
    return sides[0], sides[1].T


@pytest.mark.parametrize("background", [0.0, 0.25])
@pytest.mark.parametrize("wrong", [0.1, 0.3, 0.5, 0.7])
def test_samples_are_drawn_from_the_documented_probabilities(background, wrong):
    """Few cells of small weight, so that the error rate matters; some models are worse than chance."""
    rng = np.random.default_rng(int(100 * wrong))
    for seed in range(6):
        W, H = (rng.random((9, 3)) < 0.4) * 1.0, (rng.random((3, 8)) < 0.4) * 1.0
        X = np.where(rng.random((9, 8)) < wrong, W @ H == 0, W @ H > 0) * 1.0
        X = np.where(rng.random((9, 8)) < 0.5, X, np.nan)
        network = Network.from_dense(X).with_background(background)
        network = network.with_weights(rng.choice([0.125, 0.5], network.n_listed))
        sample = gibbs_sample(
            Factors(W, H, boolean=True), cells_of(network), np.random.default_rng(seed), rounds=2
        )
        dense = dense_gibbs(*dense_cells(network), W, H, np.random.default_rng(seed), 2)
        np.testing.assert_array_equal(sample.W, dense[0])
        np.testing.assert_array_equal(sample.H, dense[1])
