"""Boolean members that differ where the data leave it open, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.rank import HeldOut, find_rank
from latentlink.rank.engine import with_drawn_members
from latentlink.regime import Cells, KMeans, boolean
from latentlink.regime.gibbs import redraw
from latentlink.solvers import BNMF
from tests.rank.paths import blocks, small_plan
from tests.regime.dense import boolean_factors, ensembles

TWO = np.kron(np.eye(2), np.ones((20, 20)))  # two blocks, nothing wrong anywhere


def cells_of(network):
    return Cells.of(Ensemble.of(network))


@settings(deadline=None, max_examples=50)
@given(ensembles(), st.data())
def test_what_is_drawn_is_boolean_and_belongs_to_the_generator(ensemble, data):
    factors = data.draw(boolean_factors(ensemble.network.shape))
    before = factors.W.copy(), factors.H.copy()
    one, same = (redraw(factors, Cells.of(ensemble), np.random.default_rng(3)) for _ in range(2))
    for name in ("W", "H"):
        assert np.isin(getattr(one, name), (0, 1)).all()
        assert getattr(one, name).dtype == getattr(factors, name).dtype
        np.testing.assert_array_equal(getattr(one, name), getattr(same, name))
    assert one.boolean
    np.testing.assert_array_equal(factors.W, before[0])
    np.testing.assert_array_equal(factors.H, before[1])


@pytest.mark.parametrize("background", [0.0, 1.0])
def test_where_the_data_decide_nothing_changes(background):
    network = Network.from_dense(TWO)
    if background:
        network = network.subset(network.values == 1).with_background(background)
    factors = Factors(TWO[:, [0, 20]], TWO[[0, 20]], boolean=True)
    for seed in range(10):
        drawn = redraw(factors, cells_of(network), np.random.default_rng(seed))
        np.testing.assert_array_equal(drawn.W, factors.W)
        np.testing.assert_array_equal(drawn.H, factors.H)


def test_a_row_of_which_nothing_is_known_is_drawn_like_the_others():
    """Ten of 40 rows have the one pattern: so has an unknown row in about a quarter of the draws."""
    X = np.zeros((41, 30))
    X[:10, :15] = 1
    network = Network.from_dense(X).hide(np.repeat(np.arange(41) == 40, 30))
    factors = Factors(X[:, :1], X[:1], boolean=True)
    held = [redraw(factors, cells_of(network), np.random.default_rng(seed), 1).W[:, 0] for seed in range(400)]
    np.testing.assert_array_equal(np.array(held)[:, :40], np.tile(X[:40, 0], (400, 1)))
    share = np.mean(held, axis=0)[40]
    assert abs(share - 10 / 41) < 4 * np.sqrt(0.25 * 0.75 / 400)


def test_a_model_that_is_wrong_in_half_of_the_cells_has_no_say():
    X = np.random.default_rng(0).integers(0, 2, (30, 30)).astype(float)
    factors = Factors(np.ones((30, 1)), np.ones((1, 30)), boolean=True)
    opposite = redraw(factors, cells_of(Network.from_dense(1 - np.ones((30, 30)))), np.random.default_rng(0))
    assert opposite.boolean  # every cell is wrong: the gains count for nothing, and shares alone are drawn
    assert 0 < redraw(factors, cells_of(Network.from_dense(X)), np.random.default_rng(0)).W.mean() <= 1


@pytest.mark.filterwarnings(
    "ignore:No rank is stable", "ignore:Rank . is not stable", "ignore::sklearn.exceptions.ConvergenceWarning"
)
def test_members_of_the_chosen_rank_are_drawn_and_those_of_the_papers_form_are_not():
    solver = BNMF(max_iter=60, ridge=0.5)
    plan = small_plan(network=blocks(), solver=solver, regime=boolean(KMeans()))
    found = find_rank(plan, (1, 2), HeldOut())
    record = found.path[found.choice.rank]
    for one, other in zip(record.members, with_drawn_members(plan, record).members, strict=True):
        assert np.isin(one.W, (0, 1)).all()
        assert one.W.shape == other.W.shape
    plain = small_plan(network=blocks(), solver=solver, regime=boolean(KMeans(), polish=False))
    paper = find_rank(plain, (2,), HeldOut()).path[2]
    assert with_drawn_members(plain, paper) is paper
    real_valued = find_rank(small_plan(), (2,), HeldOut()).path[2]
    assert with_drawn_members(small_plan(), real_valued) is real_valued
