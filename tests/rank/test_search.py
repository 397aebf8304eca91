"""The whole search: progress, cancelling, warnings, and refusals before any work."""

from __future__ import annotations

import warnings
from contextlib import ExitStack

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import DataWarning, IncompatibleError, LatentLinkError, RankWarning
from latentlink.network import Network
from latentlink.rank import Agreement, Bisect, Every, HeldOut, SilhouetteCutoff, Upward, find_rank
from latentlink.rank.engine import fit_members, quiet, summarise
from latentlink.rank.ridge import probe_ranks
from latentlink.regime import (
    BooleanFlip,
    Bootstrap,
    CosineAlign,
    HammingAlign,
    KMeans,
    Poisson,
    Regime,
    UniformScale,
    boolean,
    real,
)
from latentlink.solvers import BNMF, LMF, NMF, WNMF, SymLMF
from tests.rank.paths import assert_same_path, assert_same_record, blocks, friends, products, small_plan

WEIGHED = Regime(perturb=Bootstrap())


def test_a_planted_rank_is_found_by_every_search():
    plan = small_plan(network=products(3, (25, 20)), solver=WNMF(ridge=0.0, max_iter=200), n_members=8)
    found = [find_rank(plan, ranks, HeldOut()) for ranks in (range(1, 7), Bisect(1, 12), Upward(), None)]
    assert [each.choice.rank for each in found] == [3] * 4
    assert all(each.complete and each.ridge is None for each in found)
    assert found[0].path.ranks == (1, 2, 3, 4, 5, 6)
    assert {2, 3, 4} <= set(found[1].path.ranks)
    assert_same_path(found[2].path, found[3].path)
    for each in found[1:]:
        assert_same_record(each.path[3], found[0].path[3])


def test_a_search_is_no_more_than_members_and_summaries():
    plan = small_plan(n_members=3).without_hidden()
    found = find_rank(plan, (1, 2), HeldOut())
    for rank in (1, 2):
        assert_same_record(found.path[rank], summarise(plan, rank, fit_members(plan, rank, range(3))))


def test_hidden_entries_have_no_say_and_no_weight():
    """They are dropped before the work, since unlisted entries are hidden as well."""
    plan = small_plan()
    bare = small_plan(network=plan.network.subset(plan.network.known))
    assert bare.network.n_listed < plan.network.n_listed
    found, expected = (find_rank(each, (2,), HeldOut()) for each in (plan, bare))
    assert_same_path(found.path, expected.path)
    weak = small_plan(network=friends(0.2).hide([0, 5]), solver=WNMF(max_iter=40, ridge=0.1))
    assert weak.without_hidden() is weak  # under a background unlisted is not hidden


# -------------------------------------------------------------------- progress


def test_progress_counts_all_tasks_and_names_the_choice_so_far():
    told = []
    plan = small_plan(n_members=20)  # in three blocks at each rank
    blocks_each = len(plan.blocks)
    found = find_rank(plan, (1, 2, 3), SilhouetteCutoff(), callback=told.append)
    assert found.complete
    tasks_each = blocks_each + 1  # the last of which sums the rank up
    assert [each.done for each in told] == list(range(1, 3 * tasks_each + 1))
    assert {each.total for each in told} == {3 * tasks_each}
    assert [each.rank for each in told[:blocks_each]] == [None] * blocks_each
    assert told[blocks_each].rank == 1
    assert told[-1].rank == found.choice.rank
    assert all(each.seconds_left >= 0 for each in told)
    assert told[-1].seconds_left == 0


def test_progress_of_a_search_learns_of_more_tasks_on_its_way():
    told = []
    found = find_rank(small_plan(), Bisect(1, 8), HeldOut(), callback=told.append)
    totals = [each.total for each in told]
    assert totals == sorted(totals)
    tasks_each = len(small_plan().blocks) + 1  # more than one block where the host has no vectors
    assert totals[0] == 4 * tasks_each  # ranks 1, 2, 4 and 8
    assert totals[-1] == told[-1].done == len(found.path) * tasks_each


def test_trials_of_ridges_are_tasks_that_can_be_cancelled():
    told = []
    plan = small_plan(solver=WNMF(max_iter=40))
    found = find_rank(plan, (1, 2), HeldOut(), callback=told.append)
    assert told[0].total == told[-1].total == len(probe_ranks((1, 2))) + 2 * (len(plan.blocks) + 1)
    assert (told[0].rank, told[-1].rank) == (None, found.choice.rank)
    with pytest.raises(LatentLinkError, match="cancelled before any rank was finished"):
        find_rank(plan, (1, 2), HeldOut(), callback=lambda each: np.False_)


def test_what_was_found_done_does_not_count_for_the_pace(tmp_path):
    find_rank(small_plan(), (1, 2), HeldOut(), folder=tmp_path)
    told = []
    find_rank(small_plan(), (1, 2, 3), HeldOut(), folder=tmp_path, callback=told.append)
    kept = 2 * len(small_plan().blocks)
    assert [each.seconds_left for each in told[:kept]] == [None] * kept
    assert all(each.seconds_left >= 0 for each in told[kept:])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_callback_that_says_false_leaves_what_is_done(n_jobs):
    plan = small_plan().without_hidden()
    found = find_rank(
        plan,
        (1, 2, 3, 4, 5),
        Agreement(),
        n_jobs=n_jobs,
        callback=lambda told: told.rank is None,  # until a rank is finished
    )
    assert not found.complete
    assert len(found.path) == 1
    assert found.choice.rank in found.path.ranks
    for record in found.path:
        assert_same_record(record, summarise(plan, record.rank, fit_members(plan, record.rank, range(4))))


def test_only_false_cancels():
    assert find_rank(small_plan(), (1, 2), HeldOut(), callback=lambda told: None).complete
    assert find_rank(small_plan(), (1, 2), HeldOut(), callback=lambda told: 0).complete


def test_a_search_cancelled_before_any_rank_has_nothing_to_tell():
    with pytest.raises(LatentLinkError, match="cancelled before any rank was finished"):
        find_rank(small_plan(n_members=20), (1, 2), HeldOut(), callback=lambda told: False)


def test_what_a_callback_raises_comes_through():
    def broken(told):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        find_rank(small_plan(), (1, 2), HeldOut(), callback=broken, n_jobs=2)


# -------------------------------------------------------------------- warnings


def caught(*arguments, **settings):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = find_rank(*arguments, **settings)
    return found, told


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_sweeps_that_run_out_are_told_once(n_jobs):
    plan = small_plan(solver=WNMF(max_iter=2, ridge=0.01), n_members=20)
    found, told = caught(plan, (1, 2, 3), SilhouetteCutoff(threshold=-1), n_jobs=n_jobs)
    assert [each.category for each in told] == [ConvergenceWarning]
    unfinished = 20 - found.path[found.choice.rank].converged
    assert (
        f"WNMF stopped after max_iter=2 sweeps, before the loss stood still, in {unfinished} of 20 members"
        in (str(told[0].message))
    )
    assert f"at rank {found.choice.rank}. Raise max_iter, or tol" in str(told[0].message)


def test_that_no_rank_is_stable_is_told_once():
    noise = Network.from_dense(np.random.default_rng(0).random((14, 11)))
    plan = small_plan(network=noise, solver=WNMF(max_iter=300, tol=1e-3, ridge=0.0))
    found, told = caught(plan, (4, 5, 6), HeldOut(threshold=0.999))
    assert found.choice.status == "unstable"
    assert [each.category for each in told] == [RankWarning]
    assert str(told[0].message).startswith(f"No rank is stable: {found.choice.reason}. Rank ")
    assert "is a best guess" in str(told[0].message)


def test_empty_rows_are_told_once_and_by_name():
    network = products()
    empty = network.hide(network.rows == 3)
    _, told = caught(small_plan(network=empty, n_members=20), (1, 2), SilhouetteCutoff(threshold=-1))
    assert [each.category for each in told] == [DataWarning]
    assert "Nothing is known of 1 row (3)" in str(told[0].message)


def test_all_well_is_no_news():
    _, told = caught(small_plan(solver=WNMF(max_iter=500, tol=1e-3, ridge=0.01)), (1,), HeldOut())
    assert told == []


def test_threads_leave_the_filters_of_warnings_as_they_were():
    """Filters belong to the whole process: the last thread out must not put back what another had made."""
    before = list(warnings.filters)
    one, other = ExitStack(), ExitStack()
    one.enter_context(quiet())
    other.enter_context(quiet())
    one.close()
    warnings.warn("not heard", ConvergenceWarning, stacklevel=1)  # an error, were it heard
    other.close()
    assert warnings.filters == before
    find_rank(small_plan(n_members=20), (1, 2, 3), SilhouetteCutoff(threshold=-1), n_jobs=4)
    assert warnings.filters == before
    with pytest.warns(ConvergenceWarning, match="heard again"):
        warnings.warn("heard again", ConvergenceWarning, stacklevel=1)


# -------------------------------------------------------------------- refusals

CASES = {
    "rank of 0": ({}, [0], HeldOut(), "with 0 among them"),
    "no ranks": ({}, [], HeldOut(), "with none"),
    "range upside down": ({}, Bisect(5, 2), HeldOut(), "Bisect has high=2"),
    "rank of 0 in a search": ({}, Every(ranks=(0,)), HeldOut(), "with 0 among them"),
    "no patience": ({}, Upward(patience=0), HeldOut(), "Upward has patience=0"),
    "ends of a range that are no numbers": ({"solver": WNMF()}, Bisect("1", 3), HeldOut(), "low='1'"),
    "no perturbation": ({"regime": Regime(perturb=None)}, (1,), HeldOut(), "Regime has perturb=None"),
    "a share too large": ({"regime": real(epsilon=1.5)}, (1,), HeldOut(), "UniformScale has epsilon=1.5"),
    "flips of real values": ({"regime": boolean()}, (1,), HeldOut(), "flips zeros and ones, but the network"),
    "real factors by cells": ({"regime": Regime(align=HammingAlign())}, (1,), HeldOut(), "threshold=None"),
    "threshold": ({}, (1,), SilhouetteCutoff(threshold="high"), "SilhouetteCutoff has threshold='high'"),
    "tolerance": ({}, (1,), Agreement(tolerance=0), "Agreement has tolerance=0"),
    "sweeps": ({"solver": WNMF(max_iter=0)}, (1,), HeldOut(), "WNMF has max_iter=0"),
    "ridge": ({"solver": WNMF(ridge="some")}, (1,), HeldOut(), "WNMF has ridge='some'"),
    "many ridges": ({"solver": WNMF(ridge=(0.1, 1.0))}, (1,), HeldOut(), "a search takes one number"),
    "nothing to go by": (
        {"regime": real().set_params(speckle=0), "n_members": 1},
        (1, 2),
        HeldOut(),
        "nothing tells one rank from another",
    ),
    "range beyond the data": ({}, Bisect(40, 50), HeldOut(), "begins at rank 40, but the smaller side"),
    "logistic and Boolean": (
        {"network": blocks(), "solver": LMF(ridge=1.0), "regime": boolean()},
        (1,),
        HeldOut(),
        "factors of both signs, which mean nothing once they are cut",
    ),
    "unit weights and a weak background": (
        {"network": products().with_background(0.5), "solver": NMF(), "regime": real()},
        (1,),
        HeldOut(),
        "unlisted entries weigh 0.5 here",
    ),
    "needs": ({"solver": BNMF(ridge=1.0)}, (1,), HeldOut(), "BNMF.*needs values 0 and 1"),
    "weights": ({"solver": NMF(), "regime": WEIGHED}, (1,), HeldOut(), "NMF counts every known entry once"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_makes_no_sense_is_refused_before_any_work_and_before_the_folder_is_touched(
    case, tmp_path, monkeypatch
):
    changes, ranks, selection, sentence = case

    def work(*task):
        raise AssertionError("no work was expected")

    for module in ("work", "ridge"):
        monkeypatch.setattr(f"latentlink.rank.{module}.fit_members", work)
    with pytest.raises(IncompatibleError, match=sentence):
        find_rank(small_plan(**changes), ranks, selection, folder=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize("n_jobs", [0, "two", 1.5])
def test_numbers_of_jobs_are_checked_before_any_work(n_jobs, tmp_path):
    with pytest.raises(IncompatibleError, match="n_jobs is"):
        find_rank(small_plan(), (1,), HeldOut(), n_jobs=n_jobs, folder=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize("solver", [LMF(max_iter=5), SymLMF(max_iter=5)], ids=str)
@pytest.mark.parametrize("perturb", [UniformScale(), Bootstrap(), BooleanFlip()], ids=str)
def test_a_logistic_loss_takes_weights_and_flips_but_no_scaling(solver, perturb):
    plan = small_plan(network=friends(), solver=solver, regime=Regime(perturb=perturb))
    if isinstance(perturb, UniformScale):
        sentence = (
            r"has a logistic loss and UniformScale\(\) changes values: at 1\.01.*Bootstrap\(\) or BooleanFlip"
        )
        with pytest.raises(IncompatibleError, match=sentence):
            find_rank(plan, (1,), HeldOut())
        return
    found, _ = caught(plan, (1, 2), HeldOut())
    assert np.isfinite([record.held_out_error for record in found.path]).all()


def test_a_boolean_search_counts_bits():
    plan = small_plan(network=blocks(), solver=BNMF(max_iter=60, ridge=0.5), regime=boolean(KMeans()))
    found, _ = caught(plan, (1, 2, 3), HeldOut())
    assert all(record.model.boolean for record in found.path)
    assert np.isfinite([record.description_length for record in found.path]).all()
    assert "the description is shortest at rank" in found.choice.reason


# -------------------------------------------------------------------- mixtures


@pytest.mark.parametrize("product", ["boolean", "sum"])
@pytest.mark.parametrize("polish", [True, False])
def test_cut_factors_may_be_compared_by_angles(product, polish):
    regime = Regime(threshold=KMeans(), align=CosineAlign(), product=product, polish=polish)
    plan = small_plan(network=blocks(), regime=regime)
    found = find_rank(plan, (1, 2, 3), HeldOut())
    for record in found.path:
        assert record.stability_rows.max() <= 1
        assert record.stability_cols.max() <= 1
        assert record.description_length > 0
        for factors in (record.model, *record.members):
            assert set(np.unique(factors.W)) | set(np.unique(factors.H)) <= {0.0, 1.0}


@pytest.mark.parametrize("perturb", [UniformScale(), Poisson()], ids=repr)
@pytest.mark.filterwarnings("ignore:No rank is stable")
def test_a_background_leaves_the_networks_own_values_alone(perturb):
    """Pairs of the background are listed so that members can be blind to them; the others stay 0 and 1."""
    links = blocks()
    links = links.subset(links.values == 1).with_background(1.0)
    plan = small_plan(network=links, solver=BNMF(max_iter=40, ridge=0.5), regime=Regime(perturb=perturb))
    assert len(find_rank(plan, (1, 2), HeldOut()).path) == 2
    ensemble = plan.shown_to([0, 1]).ensemble
    assert set(np.unique(ensemble.network.values)) == {0.0, 1.0}
