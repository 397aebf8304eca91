"""The ensemble at one rank, on small planted data."""

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
from latentlink.rank.stability import silhouettes
from latentlink.regime import BooleanFlip, Bootstrap, KMeans, boolean, real
from latentlink.solvers import BNMF, LMF, RNMF, WNMF, SymLMF
from latentlink.splitting import holdout
from tests.helpers.cases import unfinished
from tests.rank.paths import friends, small_plan


def planted(rank=3, seed=0, shape=(30, 25)):
    """Noise-free non-negative data of known rank."""
    rng = np.random.default_rng(seed)
    return Network.from_dense(rng.random((shape[0], rank)) @ rng.random((rank, shape[1])))


def record_of(plan, rank):
    """The record of a rank, without a search."""
    return summarise(plan, rank, fit_members(plan, rank, range(plan.n_members)))


@pytest.mark.slow
def test_a_planted_rank_is_chosen_and_predicts_held_out_entries():
    split = holdout(planted(), 0.2, 0)
    plan = Plan(split.train, WNMF(), real(), n_members=6)
    path = RankPath(tuple(record_of(plan, rank) for rank in (1, 2, 3, 4)))
    assert HeldOut().choose(path).rank == 3
    scores = path[3].model.score(split.test.rows, split.test.cols)
    assert np.sqrt(np.mean((scores - split.test.values) ** 2)) < 0.01
    assert path[3].stability > 0.8
    assert path[3].relative_error < 0.01 < path[1].relative_error


def test_members_do_not_depend_on_their_blocks():
    plan = Plan(planted(), WNMF(max_iter=20), real(), n_members=4)
    one_block = fit_members(plan, 2, range(4))
    two_blocks = [member for block in (range(0, 1), range(1, 4)) for member in fit_members(plan, 2, block)]
    for one, other in zip(one_block, two_blocks, strict=True):
        np.testing.assert_array_equal(one.factors.W, other.factors.W)
        assert (one.loss, one.held_out) == (other.loss, other.held_out)


@pytest.mark.parametrize(("sweeps", "tenth"), [(30, 3), (4, 1)])
def test_a_member_continues_the_best_of_its_starts_after_a_tenth_of_the_sweeps(sweeps, tenth):
    """At least one sweep."""
    plan = Plan(planted(4), WNMF(max_iter=sweeps), real().set_params(starts=3), 4)
    members = fit_members(plan, 4, range(4))
    ensemble, _ = plan.member_data(range(4))
    with unfinished():
        starts = [
            WNMF(max_iter=tenth).solve(
                ensemble, 4, [rng_for(plan.seed, 4, member, start) for member in range(4)]
            )
            for start in range(3)
        ]
        losses = np.array([[record.loss[-1] for record in solution.records] for solution in starts])
        best = [starts[start].members[member] for member, start in enumerate(losses.argmin(axis=0))]
        expected = plan.solver.solve(ensemble, 4, start=best)
    assert len(set(losses.argmin(axis=0))) > 1  # the best start is not the same for all members
    for one, other, record in zip(members, expected.members, expected.records, strict=True):
        np.testing.assert_array_equal(one.factors.W, other.W)
        np.testing.assert_array_equal(one.factors.H, other.H)
        assert one.loss == record.loss[-1]


def test_speckles_are_the_same_at_every_rank_and_differ_between_members():
    plan = Plan(planted(), WNMF(), real())
    first, second = plan.speckle_of(0), plan.speckle_of(1)
    assert not np.array_equal(first.rows, second.rows)
    np.testing.assert_array_equal(first.rows, plan.speckle_of(0).rows)


def test_members_with_an_outlying_loss_are_set_aside():
    plan = Plan(planted(), WNMF(), real(), n_members=8)
    members = fit_members(plan, 3, range(8))
    worse = Member(members[5].factors, 100 * max(member.loss for member in members) + 1.0, 9.0, False)
    record = summarise(plan, 3, [*members[:5], worse, *members[6:]])
    assert 5 in record.set_aside
    assert len(record.members) == 8 - len(record.set_aside) >= 4
    assert np.isnan(record.held_out[5])


OUTLYING = {
    "the upper half at most, of eight": ([1, 1, 1, 9, 9, 9, 9, 9], 4),
    "the upper half at most, of five": ([1, 1, 9, 9, 9], 2),
    "the upper half at most, of three": ([1, 9, 9], 1),
    "twice the lower quartile is none": ([1, 1, 1, 2, 2, 2, 2.001, 9], 2),
    "the lower quartile of eight is the third": ([1, 1, 4, 4, 5, 7, 8, 9], 1),
    "the lower quartile of three is the first": ([1, 1.5, 2.5], 1),
    "no number": ([1, 1, 1, np.nan], 1),
    "alike": ([3, 3, 3, 3], 0),
    "one": ([5], 0),
}


@pytest.mark.parametrize(("losses", "count"), OUTLYING.values(), ids=OUTLYING.keys())
def test_losses_above_twice_the_lower_quartile_are_outlying(losses, count):
    """In any order of the members; losses below a tiny share of the sum of squares are alike."""
    plan = Plan(planted(), WNMF(max_iter=2), real().set_params(starts=1, speckle=0.0), n_members=len(losses))
    with unfinished():
        members = fit_members(plan, 2, range(len(losses)))
        for order in (np.arange(len(losses)), np.arange(len(losses))[::-1]):
            given = [replace(members[0], loss=float(losses[place])) for place in order]
            record = summarise(plan, 2, given)
            ranked = np.argsort([member.loss for member in given], kind="stable")
            assert record.set_aside == tuple(sorted(ranked[len(losses) - count :].tolist()))
            small = [replace(each, loss=each.loss * 1e-20) for each in given]
            assert len(summarise(plan, 2, small).set_aside) == np.isnan(losses).sum()


def test_the_polish_lowers_the_error():
    polished, bare = (
        record_of(Plan(planted(), WNMF(), real().set_params(polish=polish), n_members=4), 3).relative_error
        for polish in (True, False)
    )
    assert polished < 0.01
    assert 1.01 * polished < bare < 0.2


@pytest.mark.slow
def test_the_boolean_regime_recovers_the_drawings():
    dog = datasets.dog()
    split = holdout(dog.network, 0.1, 0)
    plan = Plan(split.train, BNMF(max_iter=200), boolean(KMeans()), n_members=8)
    record = record_of(plan, 4)
    assert record.model.boolean
    assert set(np.unique(record.model.W)) <= {0.0, 1.0}
    wrong = record.model.score(split.test.rows, split.test.cols) != split.test.values
    assert wrong.mean() < 0.02
    assert record.stability > 0.8


def test_members_keep_their_own_biases():
    """The reference implementation averaged them by repeated halving."""
    plan = Plan(planted(), RNMF(max_iter=30), real(epsilon=0.2).set_params(starts=1), n_members=3)
    record = record_of(plan, 2)
    biases = [member.row_bias for member in record.members]
    assert not np.array_equal(biases[0], biases[1])
    assert record.model.row_bias is not None


def test_logistic_factors_of_a_symmetric_network_with_a_background():
    rng = np.random.default_rng(0)
    pairs = [(i, j, 1.0) for i in range(12) for j in range(i) if rng.random() < 0.4]
    network = Network.from_edges(pairs, symmetric=True, shape=(12, 12), background=0.5)
    regime = real().set_params(perturb=BooleanFlip(), starts=1)
    plan = Plan(network, LMF(max_iter=20), regime, n_members=3)
    record = record_of(plan, 1)
    assert np.isfinite(record.held_out).all()
    assert np.isfinite(record.relative_error)


@pytest.mark.parametrize("repelling", [0.0, 0.5])
@pytest.mark.parametrize("ridge", [0.3, 4.0, 100.0])
def test_the_central_model_of_symlmf_has_one_factor_per_node(repelling, ridge):
    """Separate medians of W and of H may have different signs; a large ridge leaves zeros."""
    solver = SymLMF(max_iter=5, ridge=ridge, repelling=repelling)
    for seed in range(3):
        plan = Plan(friends(), solver, real().set_params(perturb=Bootstrap(), starts=1), 4, seed)
        model = record_of(plan, 3).model
        signs = solver.signs(3)
        np.testing.assert_allclose(model.H, (model.W * signs).T, atol=1e-12)
        np.testing.assert_array_equal(model.row_bias, model.col_bias)


def test_projection_onto_the_constraints_of_the_solver():
    with unfinished():
        model = SymLMF(max_iter=5, ridge=0.3, repelling=0.5).solve(friends(), 4, 0).members[0]
    projected = SymLMF(repelling=0.5).project(model)
    np.testing.assert_allclose(projected.H, model.H, rtol=1e-12)
    assert LMF().project(model) is model
    opposite = replace(model, H=-model.H)  # all four attract where they repelled
    projected = SymLMF(repelling=0.5).project(opposite)
    assert np.count_nonzero(np.einsum("ic,ci->c", projected.W, projected.H) < 0) == 2


@pytest.mark.parametrize("polish", [True, False])
@pytest.mark.parametrize("solver", [WNMF(max_iter=200, ridge=4.0), RNMF(max_iter=200, ridge=2.0)], ids=repr)
def test_a_ridge_does_not_shrink_the_model_below_its_members(solver, polish):
    """Members are aligned with W of unit length, where a ridge on H alone would shrink the whole model."""
    data = datasets.gaussian(60, 4, 0, noise=0.2)
    split = holdout(data.network, 0.2, 0)
    plan = Plan(split.train, solver, real().set_params(polish=polish), 4, 0)
    record = record_of(plan, 4)
    test_pairs = split.test.rows, split.test.cols

    def error(factors):
        return np.sqrt(np.mean((factors.score(*test_pairs) - split.test.values) ** 2))

    assert record.empty == 0
    assert error(record.model) < 1.1 * np.mean([error(member) for member in record.members])


@pytest.mark.parametrize("solver", [BNMF(max_iter=60), RNMF(max_iter=60)], ids=repr)
def test_the_loss_of_a_binarized_member_is_its_error_unless_it_has_biases(solver):
    network = Network.from_dense(np.kron(np.eye(3), np.ones((5, 4))))
    plan = Plan(network, solver, boolean(KMeans()), n_members=2)
    with unfinished():
        members = fit_members(plan, 3, range(2))
        ensemble, _ = plan.member_data(range(2))
    for place, member in enumerate(members):
        values, weights = ensemble.member_entries(place)
        pairs = ensemble.network.rows, ensemble.network.cols
        error = weights[(member.factors.score(*pairs) > 0.5) != (values > 0.5)].sum()
        if member.factors.row_bias is None:
            assert member.loss == error
        else:
            assert member.loss not in {0.0, error}


@pytest.mark.parametrize("solver", [WNMF(max_iter=5), BNMF(max_iter=5), RNMF(max_iter=5)], ids=repr)
@pytest.mark.parametrize("regime", [real(), boolean(KMeans())], ids=["real", "boolean"])
def test_only_boolean_models_without_biases_have_a_description_length(solver, regime):
    network = Network.from_dense(np.kron(np.eye(2), np.ones((4, 3))))
    plan = Plan(network, solver, regime.set_params(starts=1), n_members=2)
    with unfinished():
        length = record_of(plan, 2).description_length
    assert np.isnan(length) == (not regime.is_boolean or isinstance(solver, RNMF))


def test_no_member_is_set_aside_if_the_regime_keeps_all():
    plan = small_plan()
    members = fit_members(plan, 2, range(4))
    members[1] = replace(members[1], loss=100 * members[1].loss + 100)
    assert summarise(plan, 2, members).set_aside == (1,)
    kept = summarise(replace(plan, regime=real().set_params(set_aside=False)), 2, members)
    assert kept.set_aside == ()
    assert len(kept.members) == 4
    assert not np.isnan(kept.held_out).any()


def test_silhouettes_are_measured_by_the_distance_of_the_regime():
    plan = small_plan()
    members = fit_members(plan, 2, range(4))
    angle = replace(plan, regime=real().set_params(align__silhouettes="angle"))
    sides = [member.W for member in summarise(plan, 2, members).members]
    for used, distance in ((plan, "cosine"), (angle, "angle")):
        record = summarise(used, 2, members)
        np.testing.assert_array_equal(record.stability_rows, silhouettes(sides, distance))


@pytest.mark.parametrize("share", [0.99, 1.01])
def test_losses_up_to_a_millionth_of_the_weighted_sum_of_squares_are_alike(share):
    """Values of both signs, unequal weights, and hidden entries that do not count."""
    rng = np.random.default_rng(0)
    network = Network.from_dense(rng.normal(0, 5, (12, 10)))
    network = network.with_weights(rng.uniform(0.1, 4, 120)).hide(rng.random(120) < 0.2)
    plan = Plan(network, RNMF(max_iter=3, ridge=0.1), real().set_params(starts=1), n_members=4)
    with unfinished():
        members = fit_members(plan, 2, range(4))
        total = sum(w * x**2 for w, x in zip(network.weights, network.values, strict=True) if w > 0)
        losses = [0.0, 0.0, 0.0, share * 1e-6 * total]
        given = [replace(member, loss=loss) for member, loss in zip(members, losses, strict=True)]
        assert summarise(plan, 2, given).set_aside == ((3,) if share > 1 else ())


def test_a_single_start_is_the_first_of_several():
    plan = Plan(planted(4), WNMF(max_iter=30), real().set_params(starts=1), 3)
    members = fit_members(plan, 4, range(3))
    with unfinished():
        generators = [rng_for(plan.seed, 4, member, 0) for member in range(3)]
        expected = plan.solver.solve(plan.member_data(range(3)).ensemble, 4, generators)
    for one, other in zip(members, expected.members, strict=True):
        np.testing.assert_array_equal(one.factors.W, other.W)
        np.testing.assert_array_equal(one.factors.H, other.H)


def test_what_a_plan_has_computed_is_neither_shown_nor_taken_over_to_other_data():
    plan, other = small_plan(), planted(seed=7)
    shown = repr(plan)
    plan.member_data([0, 1])
    plan.held_out([0, 1])
    assert repr(plan) == shown
    changed, fresh = replace(plan, network=other), small_plan(network=other)
    np.testing.assert_array_equal(changed.speckle_of(0).rows, fresh.speckle_of(0).rows)
    np.testing.assert_array_equal(changed.held_out([0, 1]).rows, fresh.held_out([0, 1]).rows)
    values = [each.member_data([0, 1]).ensemble.values for each in (changed, fresh)]
    np.testing.assert_array_equal(*values)


def test_solvers_get_a_real_valued_centre_of_boolean_members(monkeypatch):
    seen = []
    monkeypatch.setattr(BNMF, "project", lambda self, centre: seen.append(centre.boolean) or centre)
    network = Network.from_dense(np.kron(np.eye(2), np.ones((4, 3))))
    plan = Plan(network, BNMF(max_iter=20), boolean(KMeans()), n_members=2)
    with unfinished():
        record_of(plan, 2)
    assert seen == [False]
