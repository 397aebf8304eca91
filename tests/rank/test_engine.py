"""The ensemble at a rank, on small planted data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import datasets
from latentlink.network import Network
from latentlink.random import rng_for
from latentlink.rank.engine import Plan, fit_members, summarise
from latentlink.rank.results import Member, RankPath
from latentlink.rank.selection import HeldOut
from latentlink.regime import Bootstrap, KMeans, boolean, real
from latentlink.solvers import BNMF, LMF, RNMF, WNMF, SymLMF
from latentlink.splitting import holdout
from tests.helpers.cases import unfinished
from tests.rank.paths import friends


def planted(rank=3, seed=0, shape=(30, 25)):
    rng = np.random.default_rng(seed)
    return Network.from_dense(rng.random((shape[0], rank)) @ rng.random((rank, shape[1])))


def record_of(plan, rank):
    return summarise(plan, rank, fit_members(plan, rank, range(plan.n_members)))


def test_a_planted_rank_is_found_and_predicted():
    split = holdout(planted(), 0.2, 0)
    plan = Plan(split.train, WNMF(), real(), n_members=8)
    path = RankPath(tuple(record_of(plan, rank) for rank in (1, 2, 3, 4, 5)))
    assert HeldOut().choose(path).rank == 3
    scores = path[3].model.score(split.test.rows, split.test.cols)
    assert np.sqrt(np.mean((scores - split.test.values) ** 2)) < 0.01
    assert path[3].stability > 0.8
    assert path[3].relative_error < 0.01 < path[1].relative_error


def test_members_do_not_depend_on_how_they_are_grouped():
    plan = Plan(planted(), WNMF(max_iter=20), real(), n_members=4)
    together = fit_members(plan, 2, range(4))
    apart = [member for group in (range(0, 1), range(1, 4)) for member in fit_members(plan, 2, group)]
    for one, other in zip(together, apart, strict=True):
        np.testing.assert_array_equal(one.factors.W, other.factors.W)
        assert (one.loss, one.held_out) == (other.loss, other.held_out)


def test_a_member_goes_on_from_the_best_of_its_starts_after_a_tenth_of_the_sweeps():
    plan = Plan(planted(4), WNMF(max_iter=30), real().set_params(starts=3), 4)
    found = fit_members(plan, 4, range(4))
    ensemble, _ = plan.shown_to(range(4))
    with unfinished():
        races = [
            WNMF(max_iter=3).solve(ensemble, 4, [rng_for(plan.seed, 4, member, start) for member in range(4)])
            for start in range(3)
        ]
        losses = np.array([[record.loss[-1] for record in race.records] for race in races])
        best = [races[start].members[member] for member, start in enumerate(losses.argmin(axis=0))]
        expected = plan.solver.solve(ensemble, 4, start=best)
    assert len(set(losses.argmin(axis=0))) > 1  # not the same start wins for all
    for one, other, record in zip(found, expected.members, expected.records, strict=True):
        np.testing.assert_array_equal(one.factors.W, other.W)
        np.testing.assert_array_equal(one.factors.H, other.H)
        assert one.loss == record.loss[-1]


def test_speckles_are_the_same_at_every_rank_and_differ_between_members():
    plan = Plan(planted(), WNMF(), real())
    a, b = plan.speckle_of(0), plan.speckle_of(1)
    assert not np.array_equal(a.rows, b.rows)
    np.testing.assert_array_equal(a.rows, plan.speckle_of(0).rows)


def test_members_that_are_stuck_are_set_aside_and_counted():
    plan = Plan(planted(), WNMF(), real(), n_members=8)
    members = fit_members(plan, 3, range(8))
    worse = Member(members[5].factors, 100 * max(m.loss for m in members) + 1.0, 9.0, False)
    record = summarise(plan, 3, [*members[:5], worse, *members[6:]])
    assert 5 in record.set_aside
    assert len(record.members) == 8 - len(record.set_aside) >= 4
    assert np.isnan(record.held_out[5])


@pytest.mark.parametrize("polish", [True, False])
def test_the_polish_lowers_the_error(polish):
    plan = Plan(planted(), WNMF(), real().set_params(polish=polish), n_members=4)
    record = record_of(plan, 3)
    assert record.relative_error < (0.01 if polish else 0.2)


def test_boolean_regime_finds_the_drawings():
    dog = datasets.dog()
    split = holdout(dog.network, 0.1, 0)
    plan = Plan(split.train, BNMF(max_iter=200), boolean(KMeans()), n_members=8)
    record = record_of(plan, 4)
    assert record.model.boolean
    assert set(np.unique(record.model.W)) <= {0.0, 1.0}
    wrong = record.model.score(split.test.rows, split.test.cols) != split.test.values
    assert wrong.mean() < 0.02
    assert record.stability > 0.8


def test_biases_of_members_are_their_own():
    """The reference implementation averaged them by repeated halving, and kept none."""
    plan = Plan(planted(), RNMF(max_iter=30), real(epsilon=0.2).set_params(starts=1), n_members=3)
    record = record_of(plan, 2)
    biases = [member.row_bias for member in record.members]
    assert not np.array_equal(biases[0], biases[1])
    assert record.model.row_bias is not None


def test_symmetric_logistic_with_a_background():
    rng = np.random.default_rng(0)
    pairs = [(i, j, 1.0) for i in range(12) for j in range(i) if rng.random() < 0.4]
    network = Network.from_edges(pairs, symmetric=True, shape=(12, 12), background=0.5)
    plan = Plan(network, LMF(max_iter=20), boolean_free().set_params(starts=1), n_members=3)
    record = record_of(plan, 1)
    assert np.isfinite(record.held_out).all()
    assert np.isfinite(record.relative_error)


@pytest.mark.parametrize("repelling", [0.0, 0.5])
@pytest.mark.parametrize("ridge", [0.3, 4.0, 100.0])
def test_one_factor_a_node_is_kept_whatever_the_members_say(repelling, ridge):
    """Medians of W and of H, taken apart, may point away from each other; a large ridge leaves zeros."""
    solver = SymLMF(max_iter=5, ridge=ridge, repelling=repelling)
    for seed in range(5):
        plan = Plan(friends(), solver, real().set_params(perturb=Bootstrap(), starts=1), 4, seed)
        model = record_of(plan, 3).model
        signs = solver.signs(3)
        np.testing.assert_allclose(model.H, (model.W * signs).T, atol=1e-12)
        np.testing.assert_array_equal(model.row_bias, model.col_bias)


def test_the_meaning_of_a_model_in_its_own_form_is_the_model():
    with unfinished():
        model = SymLMF(max_iter=5, ridge=0.3, repelling=0.5).solve(friends(), 4, 0).members[0]
    again = SymLMF(repelling=0.5).meant(model)
    np.testing.assert_allclose(again.H, model.H, rtol=1e-12)
    assert LMF().meant(model) is model
    turned = replace(model, H=-model.H)  # all four attract where they repelled
    meant = SymLMF(repelling=0.5).meant(turned)
    assert np.count_nonzero(np.einsum("ic,ci->c", meant.W, meant.H) < 0) == 2


def boolean_free():
    """Flips without thresholds: what a logistic loss can take."""
    return real().set_params(perturb=boolean().perturb)


@pytest.mark.parametrize("polish", [True, False])
@pytest.mark.parametrize("solver", [WNMF(max_iter=200, ridge=4.0), RNMF(max_iter=200, ridge=2.0)], ids=repr)
def test_a_ridge_does_not_shrink_the_model_below_its_members(solver, polish):
    """Members are compared with W of unit length; a penalty of H alone would all but empty such a model."""
    data = datasets.gaussian(100, 4, 0, noise=0.2)
    split = holdout(data.network, 0.2, 0)
    plan = Plan(split.train, solver, real().set_params(polish=polish), 4, 0)
    record = summarise(plan, 4, fit_members(plan, 4, range(4)))
    where = split.test.rows, split.test.cols

    def error(factors):
        return np.sqrt(np.mean((factors.score(*where) - split.test.values) ** 2))

    assert record.empty == 0
    assert error(record.model) < 1.1 * np.mean([error(member) for member in record.members])
