"""The rank search as a whole: its choice, its warnings, and its errors before any work."""

from __future__ import annotations

import warnings
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from latentlink import datasets
from latentlink.errors import DataWarning, IncompatibleError, RankWarning
from latentlink.estimators import RNMFk, WNMFk
from latentlink.network import Network
from latentlink.rank import (
    Agreement,
    Bisect,
    Doubling,
    Every,
    HeldOut,
    SilhouetteCutoff,
    find_rank,
)
from latentlink.rank.engine import fit_members, summarise, suppressed_solver_warnings
from latentlink.rank.find_rank import check_plan
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
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from latentlink.splitting import holdout
from tests.rank.paths import assert_same_path, assert_same_record, blocks, friends, products, small_plan

BOOTSTRAP = Regime(perturb=Bootstrap())


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_biases_and_a_ridge_do_not_hide_a_planted_rank(rank, noise):
    """Exact data need next to no ridge: with one of a tenth, superfluous components make up for it."""
    train = holdout(datasets.gaussian(60, rank, 0, noise=noise).network, 0.1, 0).train
    assert RNMFk(range(1, 7), n_perturbs=8, random_state=0).fit(train).rank_ == rank


@pytest.mark.slow
def test_a_planted_rank_is_chosen_by_every_search():
    plan = small_plan(network=products(3, (25, 20)), solver=WNMF(ridge=0.0, max_iter=100), n_members=6)
    searches = (range(1, 6), Bisect(1, 8), Doubling(gain=0.1), None)
    results = [find_rank(plan, ranks, HeldOut()) for ranks in searches]
    assert [result.choice.rank for result in results] == [3] * 4
    assert all(result.complete and result.ridge is None for result in results)
    assert results[0].path.ranks == (1, 2, 3, 4, 5)
    assert {2, 3, 4} <= set(results[1].path.ranks)
    assert results[2].path.ranks == results[3].path.ranks == (1, 2, 3, 4, 8)
    for result in results[1:]:
        assert_same_record(result.path[3], results[0].path[3])


def test_a_search_equals_fits_and_summaries_of_its_ranks():
    plan = small_plan(n_members=3).without_hidden()
    result = find_rank(plan, (1, 2), HeldOut())
    for rank in (1, 2):
        assert_same_record(result.path[rank], summarise(plan, rank, fit_members(plan, rank, range(3))))


def test_hidden_entries_have_zero_weight():
    """They are dropped before the fits, unless there is a background: then unlisted is not hidden."""
    plan = small_plan()
    bare = small_plan(network=plan.network.subset(plan.network.known))
    assert bare.network.n_listed < plan.network.n_listed
    result, expected = (find_rank(one, (2,), HeldOut()) for one in (plan, bare))
    assert_same_path(result.path, expected.path)
    weak = small_plan(network=friends(0.2).hide([0, 5]), solver=WNMF(max_iter=40, ridge=0.1))
    assert weak.without_hidden() is weak


# -------------------------------------------------------------------- warnings


def with_warnings(*args, **kwargs):
    """The result of `find_rank` and the warnings that it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = find_rank(*args, **kwargs)
    return result, caught


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_members_that_did_not_converge_give_one_warning(n_jobs):
    plan = small_plan(solver=WNMF(max_iter=2, ridge=0.01), n_members=20)
    result, caught = with_warnings(plan, (1, 2, 3), SilhouetteCutoff(threshold=-1), n_jobs=n_jobs)
    assert [warning.category for warning in caught] == [ConvergenceWarning]
    unfinished = 20 - result.path[result.choice.rank].converged
    assert str(caught[0].message).startswith(
        f"WNMF stopped after max_iter=2 sweeps, before it converged, in {unfinished} of 20 members at rank "
        f"{result.choice.rank}. Raise max_iter, or tol"
    )


def test_an_unstable_choice_gives_one_warning():
    noise = Network.from_dense(np.random.default_rng(0).random((14, 11)))
    plan = small_plan(network=noise, solver=WNMF(max_iter=300, tol=1e-3, ridge=0.0))
    result, caught = with_warnings(plan, (4, 5, 6), HeldOut(threshold=0.999))
    assert result.choice.status == "unstable"
    assert [warning.category for warning in caught] == [RankWarning]
    assert str(caught[0].message).startswith(f"No rank is stable: {result.choice.reason}. Rank ")
    assert "is a best guess" in str(caught[0].message)


def test_empty_rows_give_one_warning_that_names_them():
    network = products()
    empty = network.hide(network.rows == 3)
    _, caught = with_warnings(small_plan(network=empty, n_members=20), (1, 2), SilhouetteCutoff(threshold=-1))
    assert [warning.category for warning in caught] == [DataWarning]
    assert "Nothing is known of 1 row (3)" in str(caught[0].message)


def test_a_stable_converged_search_gives_no_warning():
    _, caught = with_warnings(small_plan(solver=WNMF(max_iter=500, tol=1e-3, ridge=0.01)), (1,), HeldOut())
    assert caught == []


@pytest.mark.slow
def test_threads_restore_the_warning_filters():
    """Filters belong to the process: a thread must not restore the filters that another has set."""
    before = list(warnings.filters)
    one, other = ExitStack(), ExitStack()
    one.enter_context(suppressed_solver_warnings())
    other.enter_context(suppressed_solver_warnings())
    one.close()
    warnings.warn("suppressed", ConvergenceWarning, stacklevel=1)  # would be raised as an error
    other.close()
    assert warnings.filters == before
    find_rank(small_plan(n_members=20), (1, 2, 3), SilhouetteCutoff(threshold=-1), n_jobs=4)
    assert warnings.filters == before
    with pytest.warns(ConvergenceWarning, match="not suppressed"):
        warnings.warn("not suppressed", ConvergenceWarning, stacklevel=1)


# -------------------------------------------------------------------- errors

CASES = {
    "rank of 0": ({}, [0], HeldOut(), "with 0 among them"),
    "no ranks": ({}, [], HeldOut(), "with none"),
    "reversed range": ({}, Bisect(5, 2), HeldOut(), "Bisect has high=2"),
    "rank of 0 in a search": ({}, Every(ranks=(0,)), HeldOut(), "with 0 among them"),
    "gain": ({}, Doubling(gain=2), HeldOut(), "Doubling has gain=2"),
    "range of strings": ({"solver": WNMF()}, Bisect("1", 3), HeldOut(), "low='1'"),
    "no perturbation": ({"regime": Regime(perturb=None)}, (1,), HeldOut(), "Regime has perturb=None"),
    "epsilon": ({"regime": real(epsilon=1.5)}, (1,), HeldOut(), "UniformScale has epsilon=1.5"),
    "flips of real values": ({"regime": boolean()}, (1,), HeldOut(), "flips zeros and ones, but the network"),
    "Hamming distance of real factors": (
        {"regime": Regime(align=HammingAlign())},
        (1,),
        HeldOut(),
        "threshold=None",
    ),
    "threshold": ({}, (1,), SilhouetteCutoff(threshold="high"), "SilhouetteCutoff has threshold='high'"),
    "tolerance": ({}, (1,), Agreement(tolerance=0), "Agreement has tolerance=0"),
    "sweeps": ({"solver": WNMF(max_iter=0)}, (1,), HeldOut(), "WNMF has max_iter=0"),
    "ridge": ({"solver": WNMF(ridge="some")}, (1,), HeldOut(), "WNMF has ridge='some'"),
    "many ridges": (
        {"solver": WNMF(ridge=(0.1, 1.0))},
        (1,),
        HeldOut(),
        "expected one number for all members",
    ),
    "neither stability nor held-out error": (
        {"regime": real().set_params(speckle=0), "n_members": 1},
        (1, 2),
        HeldOut(),
        "one member alone has no stability, and speckle=0 holds nothing out",
    ),
    "one member, and a search of several ranks": (
        {"regime": real().set_params(speckle=0), "n_members": 1},
        Bisect(1, 4),
        HeldOut(),
        "one member alone has no stability, and speckle=0 holds nothing out",
    ),
    "range beyond the data": ({}, Bisect(40, 50), HeldOut(), "begins at rank 40, but the smaller side"),
    "logistic and Boolean": (
        {"network": blocks(), "solver": LMF(ridge=1.0), "regime": boolean()},
        (1,),
        HeldOut(),
        "factors of both signs, which lose their meaning when they are binarized",
    ),
    "unit weights and a weak background": (
        {"network": products().with_background(0.5), "solver": NMF(), "regime": real()},
        (1,),
        HeldOut(),
        "unlisted entries have the weight 0.5 here",
    ),
    "needs": ({"solver": BNMF(ridge=1.0)}, (1,), HeldOut(), "BNMF.*needs values 0 and 1"),
    "weights": ({"solver": NMF(), "regime": BOOTSTRAP}, (1,), HeldOut(), "NMF needs weights of 1"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_invalid_settings_raise_before_any_fit_and_before_the_folder_is_created(case, tmp_path, monkeypatch):
    changes, ranks, selection, message = case

    def fit_members(*args):
        raise AssertionError("no fit was expected")

    for module in ("scheduler", "ridge"):
        monkeypatch.setattr(f"latentlink.rank.{module}.fit_members", fit_members)
    with pytest.raises(IncompatibleError, match=message):
        find_rank(small_plan(**changes), ranks, selection, folder=tmp_path / "search")
    assert not (tmp_path / "search").exists()


def test_an_upward_search_needs_held_out_errors():
    plan = small_plan(regime=real().set_params(speckle=0))
    with pytest.raises(IncompatibleError, match=r"compares ranks by held-out error, but speckle=0"):
        find_rank(plan, None, HeldOut())


@pytest.mark.parametrize("n_jobs", [0, "two", 1.5])
def test_invalid_n_jobs_raise_before_the_folder_is_created(n_jobs, tmp_path):
    with pytest.raises(IncompatibleError, match="n_jobs is"):
        find_rank(small_plan(), (1,), HeldOut(), n_jobs=n_jobs, folder=tmp_path / "search")
    assert not (tmp_path / "search").exists()


@pytest.mark.parametrize("solver", [LMF(max_iter=5), SymLMF(max_iter=5)], ids=str)
@pytest.mark.parametrize("perturb", [UniformScale(), Bootstrap(), BooleanFlip()], ids=str)
def test_a_logistic_loss_accepts_random_weights_and_flips_but_not_scaling(solver, perturb):
    plan = small_plan(network=friends(), solver=solver, regime=Regime(perturb=perturb))
    if isinstance(perturb, UniformScale):
        message = (
            r"has a logistic loss, which needs values 0 and 1, but UniformScale\(\) changes values: at 1\.01"
            r".*Bootstrap\(\) or BooleanFlip"
        )
        with pytest.raises(IncompatibleError, match=message):
            find_rank(plan, (1,), HeldOut())
        return
    result, _ = with_warnings(plan, (1, 2), HeldOut())
    assert np.isfinite([record.held_out_error for record in result.path]).all()


def test_a_boolean_search_reports_the_description_length():
    plan = small_plan(network=blocks(), solver=BNMF(max_iter=60, ridge=0.5), regime=boolean(KMeans()))
    result, _ = with_warnings(plan, (1, 2, 3), HeldOut())
    assert all(record.model.boolean for record in result.path)
    assert np.isfinite([record.description_length for record in result.path]).all()
    assert "the description is shortest at rank" in result.choice.reason


# -------------------------------------------------------------------- mixed regimes


@pytest.mark.parametrize("product", ["boolean", "sum"])
@pytest.mark.parametrize("polish", [True, False])
@pytest.mark.slow
def test_binarized_factors_may_be_aligned_by_cosine(product, polish):
    regime = Regime(threshold=KMeans(), align=CosineAlign(), product=product, polish=polish)
    plan = small_plan(network=blocks(), regime=regime)
    for record in find_rank(plan, (1, 2, 3), HeldOut()).path:
        assert record.stability_rows.max() <= 1
        assert record.stability_cols.max() <= 1
        assert record.description_length > 0
        for factors in (record.model, *record.members):
            assert set(np.unique(factors.W)) | set(np.unique(factors.H)) <= {0.0, 1.0}


@pytest.mark.parametrize("perturb", [UniformScale(), Poisson()], ids=repr)
@pytest.mark.filterwarnings("ignore:No rank is stable")
def test_a_background_keeps_the_values_of_the_network(perturb):
    """Pairs of the background are listed to hold them out; the values of the network itself stay 0 and 1."""
    links = blocks()
    links = links.subset(links.values == 1).with_background(1.0)
    plan = small_plan(network=links, solver=BNMF(max_iter=40, ridge=0.5), regime=Regime(perturb=perturb))
    assert len(find_rank(plan, (1, 2), HeldOut()).path) == 2
    ensemble = plan.member_data([0, 1]).ensemble
    assert set(np.unique(ensemble.network.values)) == {0.0, 1.0}


@pytest.mark.filterwarnings("ignore:.*stable")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_range_ends_at_the_smaller_side_of_the_data():
    X = np.random.default_rng(0).random((8, 5))
    with pytest.warns(DataWarning, match="Of the ranks 4 to 199, those above 5"):
        model = WNMFk(range(4, 200), solver=WNMF(ridge=0.1, max_iter=20), n_perturbs=2, random_state=0).fit(X)
    assert model.path_.ranks == (4, 5)
    message = "The ranks are 6 to 8, but the smaller side of the data is 5; .* list them: 6, 7"
    with pytest.raises(IncompatibleError, match=message):
        WNMFk(range(6, 9)).fit(X)
    named = WNMFk((6,), solver=WNMF(ridge=0.1, max_iter=20), n_perturbs=2, random_state=0).fit(X)
    assert named.rank_ == 6


def test_a_matrix_of_zeros_has_no_agreed_rank():
    model = WNMFk((1, 2), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0)
    with pytest.warns(RankWarning, match="no rank of zeros is better than another"):
        model.fit(np.zeros((6, 5)))
    assert model.choice_.status == "unconfirmed"


def test_only_boolean_models_without_biases_have_a_description_length():
    plans = {
        solver: small_plan(network=blocks(), solver=solver, regime=boolean(KMeans()))
        for solver in (BNMF(ridge=0.5, max_iter=20), RNMF(ridge=0.5, max_iter=20))
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lengths = [find_rank(plan, (2,), HeldOut()).path[2].description_length for plan in plans.values()]
    assert lengths[0] > 0
    assert np.isnan(lengths[1])


def changed_members(monkeypatch, change):
    """Have all searches fit members that are changed afterwards, by their place."""

    def fitted(plan, rank, members):
        return [change(p, each) for p, each in zip(members, fit_members(plan, rank, members), strict=True)]

    monkeypatch.setattr("latentlink.rank.scheduler.fit_members", fitted)


@pytest.mark.parametrize(
    ("converged", "tol", "warned"), [(3, 1e-5, 0), (2, 1e-5, 0), (1, 1e-5, 1), (0, 0, 0)]
)
def test_more_than_half_of_the_members_have_to_stop_early_for_a_warning(monkeypatch, converged, tol, warned):
    changed_members(monkeypatch, lambda p, member: replace(member, converged=p < converged))
    plan = small_plan(solver=WNMF(max_iter=5, ridge=0.01, tol=tol))
    _, caught = with_warnings(plan, (2,), HeldOut())
    assert [warning.category for warning in caught] == [ConvergenceWarning] * warned


def test_if_all_members_but_one_failed_the_advice_is_more_members(monkeypatch):
    changed_members(monkeypatch, lambda p, member: replace(member, loss=1e9 if p else member.loss))
    with pytest.warns(RankWarning, match="All members but one ended in poor local minima"):
        find_rank(small_plan(n_members=2), (1, 2), HeldOut())


@pytest.mark.parametrize("ranks", [(5,), (5, 6), (4, 5, 6)])
def test_only_a_rank_that_was_chosen_among_several_is_warned_of(ranks):
    noise = Network.from_dense(np.random.default_rng(0).random((14, 11)))
    solver = WNMF(max_iter=300, tol=1e-3, ridge=0.0)
    unstable, caught = with_warnings(
        small_plan(network=noise, solver=solver), ranks, HeldOut(threshold=0.999)
    )
    assert unstable.choice.status == "unstable"
    single, caught_of_one = with_warnings(
        small_plan(network=noise, solver=solver, n_members=1), ranks, HeldOut()
    )
    assert single.choice.status == "unconfirmed"
    for each in (caught, caught_of_one):
        assert [warning.category for warning in each] == [RankWarning] * (len(ranks) > 1)


def test_one_member_with_nothing_held_out_can_be_fitted_at_one_rank():
    plan = small_plan(regime=real().set_params(speckle=0), n_members=1)
    assert find_rank(plan, (2, 2), HeldOut()).choice.rank == 2


@pytest.mark.parametrize("background", [0.0, 1.0])
def test_backgrounds_of_unit_weight_suit_a_solver_that_needs_them(background):
    network = Network.from_dense(np.random.default_rng(0).random((6, 5))).with_background(background)
    assert check_plan(small_plan(network=network, solver=NMF()), HeldOut()) is None  # nothing is raised
