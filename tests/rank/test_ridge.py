"""Choice of the ridge: all of the grid in one batch, compared by held-out error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from latentlink import WNMFk
from latentlink.errors import LatentLinkError, RankWarning
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.rank import BestPrediction, Bisect, Doubling, Every, HeldOut, find_rank
from latentlink.rank.engine import fit_members
from latentlink.rank.results import Member
from latentlink.rank.ridge import choose_ridge, least_errors, probe_ranks, try_ridges
from latentlink.regime import Bootstrap, KMeans, Regime, boolean, real
from latentlink.solvers import BNMF, LMF, RNMF, WNMF, SymLMF
from tests.rank.paths import assert_same_path, blocks, friends, products, small_plan

BOOTSTRAP = Regime(perturb=Bootstrap())
QUICK = {"max_iter": 15, "tol": 1e-4}
PLANS = {
    "WNMF": small_plan(solver=WNMF(**QUICK)),
    "WNMF in single precision": small_plan(solver=WNMF(precision="float32", **QUICK)),
    "RNMF": small_plan(solver=RNMF(**QUICK)),
    "BNMF": small_plan(network=blocks(), solver=BNMF(**QUICK), regime=boolean(KMeans())),
    "LMF": small_plan(network=blocks(), solver=LMF(**QUICK), regime=BOOTSTRAP),
    "SymLMF": small_plan(network=friends(), solver=SymLMF(**QUICK), regime=BOOTSTRAP),
    "LMF with a background": small_plan(network=friends(0.3), solver=LMF(**QUICK), regime=BOOTSTRAP),
}
every_plan = pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)


def chosen(plan, ranks):
    """The choice after trials at some ranks."""
    return choose_ridge(plan, [trial for rank in ranks for trial in try_ridges(plan, rank)])


@every_plan
def test_the_grid_in_one_batch_equals_separate_fits_bitwise(plan):
    choice = chosen(plan, (1, 3))
    unit = plan.solver.ridge_scale(plan.network)
    expected = []
    for rank in (1, 3):
        for share in plan.solver.ridge_grid:
            solver = plan.solver.with_ridge(share * unit, unit)
            members = fit_members(plan.trial(solver), rank, range(2))
            error = float(np.sqrt(np.mean([member.held_out for member in members])))
            models = [member.factors for member in members]
            together = plan.held_out((0, 1)).ensemble_errors(models, plan.n_members)
            expected.append((share * unit, rank, error, float(np.sqrt(np.mean(together)))))
    assert list(choice.tried) == expected
    assert len({trial[2] for trial in expected}) > 1  # ridges make a difference


@every_plan
def test_the_smallest_error_is_chosen_and_is_in_the_reason(plan):
    choice = chosen(plan, (1, 3))
    ridge, rank, error, _ = min(choice.tried, key=lambda trial: trial[2])
    count = len(plan.solver.ridge_grid)
    assert choice.ridge == ridge
    assert choice.reason.startswith(
        f"ridge {ridge:.3g}: least held-out error, {error:.3g} at rank {rank}, of {count} ridges tried with "
        "2 members at ranks 1, 3; others: "
    )
    rest = choice.reason.split("; others: ")[1].split(", ")
    assert len(rest) == count - 1
    for other in {trial[0] for trial in choice.tried} - {ridge}:
        smallest = min(trial[2] for trial in choice.tried if trial[0] == other)
        assert f"{smallest:.3g} at {other:.3g}" in rest


def test_a_trial_has_one_start_no_perturbation_and_the_same_speckles():
    plan = small_plan(regime=real().set_params(starts=5))
    trial = plan.trial(WNMF(ridge=2.0))
    assert (trial.regime.starts, trial.solver.ridge) == (1, 2.0)
    assert plan.regime.starts == 5
    ensemble, speckles = trial.member_data([0, 1, 0])
    np.testing.assert_array_equal(speckles[0].rows, plan.speckle_of(0).rows)
    assert speckles[0] is plan.speckle_of(0)  # drawn once, whichever of the two draws it first
    training = ~np.isnan(ensemble.values)
    assert np.all((ensemble.values == plan.network.values[:, None])[training])
    np.testing.assert_array_equal(ensemble.values[:, 0], ensemble.values[:, 2])


def test_of_equal_errors_the_smallest_ridge_is_chosen_and_the_reason_has_the_number_of_members(monkeypatch):
    def equal_errors(plan, rank, members):
        model = Factors(np.ones((plan.network.shape[0], rank)), np.ones((rank, plan.network.shape[1])))
        return [Member(model, 0.0, 0.25, True) for _ in members]

    monkeypatch.setattr("latentlink.rank.ridge.fit_members", equal_errors)
    choice = chosen(small_plan(solver=RNMF(), n_members=2), (2,))
    assert choice.ridge == min(trial[0] for trial in choice.tried)
    assert "0.5 at rank 2, of 6 ridges tried with 1 member at rank 2; others: " in choice.reason


def test_the_ridge_for_prediction_has_the_least_error_of_the_ensemble():
    trials = [(0.1, 2, 1.0, 0.9), (1.0, 2, 1.1, 0.8), (2.0, 2, np.nan, np.nan), (0.1, 4, 1.2, 0.95)]
    plan = small_plan(solver=WNMF())
    assert choose_ridge(plan, trials).ridge == 0.1
    chosen = choose_ridge(replace(plan, ridge_by_ensemble=True), trials)
    assert chosen.ridge == 1.0
    assert chosen.reason.startswith(
        "ridge 1: least held-out error of the ensemble, 0.8 at rank 2, of 3 ridges"
    )
    assert "inf at 2" in chosen.reason


def test_of_equal_errors_the_smallest_ridge_is_chosen_at_whatever_rank():
    trials = [(1.0, 2, 0.5, 0.5), (0.1, 4, 0.5, 0.5), (3.0, 1, 0.6, 0.6)]
    assert choose_ridge(small_plan(solver=WNMF()), trials).ridge == 0.1


def test_ridges_are_compared_by_the_error_that_is_known():
    plan = small_plan(solver=WNMF())
    of_members = [(0.1, 2, 1.0, np.nan), (1.0, 2, 0.9, np.nan)]
    assert choose_ridge(plan, of_members).ridge == 1.0
    of_ensemble = [(0.1, 2, np.nan, 1.0), (1.0, 2, np.nan, 0.9)]
    assert choose_ridge(replace(plan, ridge_by_ensemble=True), of_ensemble).ridge == 1.0


def test_noise_free_data_get_no_ridge_and_random_data_the_largest():
    exact = small_plan(network=products(noise=0.0), solver=WNMF(max_iter=300))
    assert chosen(exact, (2,)).ridge == 0
    rng = np.random.default_rng(0)
    noise = small_plan(network=Network.from_dense(rng.normal(3, 1, (14, 11))), solver=RNMF(max_iter=100))
    choice = chosen(noise, (3,))
    assert choice.ridge == max(trial[0] for trial in choice.tried)


def test_the_grid_scales_with_the_data():
    plan = small_plan(solver=RNMF(**QUICK))
    larger = small_plan(network=plan.network.with_values(100 * plan.network.values), solver=RNMF(**QUICK))
    one, other = chosen(plan, (2,)), chosen(larger, (2,))
    np.testing.assert_allclose(
        [trial[0] for trial in other.tried], [100 * trial[0] for trial in one.tried], rtol=1e-12
    )


@pytest.mark.parametrize(("solver", "fallback"), [(WNMF(), 0.0), (LMF(), 1.0)], ids=str)
def test_if_nothing_can_be_held_out_the_fallback_of_the_solver_is_used(solver, fallback):
    tiny = Network.from_dense([[1.0, 0.0], [0.0, 1.0]])
    result = find_rank(small_plan(network=tiny, solver=solver, regime=BOOTSTRAP), (1,), HeldOut())
    assert (result.ridge.ridge, result.solver.ridge) == (fallback, fallback)
    assert result.ridge.reason == (
        f"ridge {fallback:g}, the fallback of the solver: too few entries are known to hold some of them out"
    )
    assert "nan" not in result.choice.reason


# -------------------------------------------------------------------- in a search


def test_a_search_chooses_the_ridge_first_and_then_uses_it():
    plan = small_plan(solver=WNMF(max_iter=40))
    automatic = find_rank(plan, (1, 2, 3), HeldOut())
    assert {trial[1] for trial in automatic.ridge.tried} == set(probe_ranks((1, 2, 3)))
    assert automatic.solver.ridge == automatic.ridge.ridge
    assert plan.solver.ridge == "auto"
    fixed = find_rank(small_plan(solver=WNMF(max_iter=40, ridge=automatic.ridge.ridge)), (1, 2, 3), HeldOut())
    assert fixed.ridge is None
    assert_same_path(automatic.path, fixed.path)


@pytest.mark.filterwarnings("ignore:Rank . is not confirmed")
def test_a_search_without_a_speckle_uses_the_fallback_of_the_solver():
    regime = real().set_params(speckle=0)
    automatic = find_rank(small_plan(solver=RNMF(max_iter=60), regime=regime), (1, 2), HeldOut())
    assert (automatic.ridge.ridge, automatic.solver.ridge) == (1.0, 1.0)
    assert automatic.ridge.reason == (
        "ridge 1, the fallback of the solver: nothing is held out, so that ridges cannot be compared"
    )
    fixed = find_rank(small_plan(solver=RNMF(max_iter=60, ridge=1.0), regime=regime), (1, 2), HeldOut())
    assert_same_path(automatic.path, fixed.path)


@pytest.mark.parametrize(
    ("search", "ranks"),
    [
        (Every(ranks=(3, 1, 2, 9)), (2, 3, 9)),
        (Bisect(1, 64), (2, 4, 11)),
        (Doubling(), (2, 4, 8)),
        (Bisect(2, 3), (2, 3)),
    ],
    ids=str,
)
def test_every_search_strategy_has_ranks_for_the_trials(search, ranks):
    assert probe_ranks(search.probes(11)) == ranks


@given(st.lists(st.integers(1, 100), min_size=1))
def test_probe_ranks_are_few_and_spread_upwards(ranks):
    probes = probe_ranks(ranks)
    assert 1 <= len(probes) <= 3
    assert list(probes) == sorted(set(probes))
    assert set(probes) <= set(ranks)
    assert probes[-1] == max(ranks)
    assert sum(rank < probes[0] for rank in set(ranks)) >= (len(set(ranks)) - 1) // 4


@pytest.mark.slow
def test_the_automatic_ridge_is_invariant_to_the_unit_of_the_data():
    """Factors scale with the root of the unit, biases with the unit: their penalties scale differently."""
    paths, units = [], []
    for scale in (1.0, 1024.0):
        network = products().with_values(scale * products().values)
        result = find_rank(small_plan(network=network, solver=RNMF(max_iter=300)), (1, 2, 3), HeldOut())
        paths.append([record.held_out_error / scale for record in result.path])
        units.append(result.solver.ridge / result.solver.ridge_row_bias / scale)
    np.testing.assert_allclose(paths[0], paths[1], rtol=1e-6)
    np.testing.assert_allclose(units[0], units[1], rtol=1e-12)


def test_given_penalties_of_biases_are_not_changed():
    plan = small_plan(solver=RNMF(max_iter=300, ridge_row_bias=0.7))
    solver = find_rank(plan, (1, 2), HeldOut()).solver
    assert solver.ridge_row_bias == 0.7
    assert solver.ridge_col_bias is not None


def test_four_members_try_each_ridge_and_at_most_half_of_all():
    for members, tried in ((16, "4 members"), (9, "4 members"), (7, "3 members"), (2, "1 member")):
        choice = chosen(small_plan(solver=RNMF(**QUICK), n_members=members), (2,))
        assert f"of 6 ridges tried with {tried} at rank 2" in choice.reason


# -------------------------------------------------------------------- at further ranks, for prediction


@pytest.mark.slow
def test_a_ridge_for_prediction_is_tried_at_the_ranks_that_the_search_reaches():
    """At ranks 2, 4 and 8 no ridge is best here; at 16 and beyond members fly off the scale without one."""
    pixels = load_digits().data[:400].astype(float)
    pixels[np.random.default_rng(0).random(pixels.shape) < 0.2] = np.nan
    model = WNMFk(random_state=0, n_perturbs=8, selection=BestPrediction()).fit(pixels)
    assert sorted({trial[1] for trial in model.ridge_choice_.tried}) == [2, 4, 8, 16, 32, 64]
    assert model.ridge_choice_.ridge > 0
    assert model.rank_ >= 32
    assert max(np.max(member.W @ member.H) for member in model.members_) < 24  # values end at 16
    worst = max(record.held_out_error for record in model.path_)
    assert worst == model.path_[1].held_out_error  # not that of a large rank


def test_the_automatic_search_tries_ridges_further_while_the_largest_rank_is_best():
    search = Doubling()
    assert search.further_probe({2: 1.0, 4: 0.9, 8: 0.8}, 100) == 16
    assert search.further_probe({2: 1.0, 4: 0.9, 8: 0.8}, 11) == 11
    assert search.further_probe({2: 1.0, 4: 0.9, 8: 0.8}, 8) is None
    assert search.further_probe({2: 1.0, 4: 0.7, 8: 0.8}, 100) is None
    assert search.further_probe({2: 1.0, 8: 0.999}, 100) is None  # gains less than a doubling has to
    assert search.further_probe({1: float("inf")}, 1) is None
    assert Bisect(1, 64).further_probe({2: 1.0, 8: 0.5}, 100) is None  # tries its largest rank anyway
    assert Every(ranks=(1, 2)).further_probe({1: 1.0, 2: 0.5}, 100) is None


def test_the_least_error_of_each_rank_is_by_what_chooses():
    trials = [(0.1, 2, 1.0, 0.9), (1.0, 2, 0.8, np.nan), (0.1, 4, np.nan, np.nan)]
    plan = small_plan(solver=WNMF())
    assert least_errors(plan, trials) == {2: 0.8, 4: np.inf}
    assert least_errors(replace(plan, ridge_by_ensemble=True), trials) == {2: 0.9, 4: np.inf}


def dense_products():
    """A product of rank 9 with noise, for which ranks beyond 8 predict better."""
    rng = np.random.default_rng(1)
    return Network.from_dense(
        rng.random((30, 9)) ** 3 @ rng.random((9, 25)) ** 3 + 0.01 * rng.random((30, 25))
    )


def tried_ranks(result):
    """The ranks at which ridges were tried."""
    return sorted({trial[1] for trial in result.ridge.tried})


def test_further_trials_are_for_prediction_alone_and_are_stored_and_loaded(tmp_path):
    plan = small_plan(network=dense_products(), solver=WNMF(max_iter=60), n_members=4)
    assert tried_ranks(find_rank(plan, None, HeldOut())) == [2, 4, 8]
    result = find_rank(plan, None, BestPrediction(), folder=tmp_path / "whole")
    assert tried_ranks(result)[:4] == [2, 4, 8, 16]
    in_threads = find_rank(plan, None, BestPrediction(), n_jobs=2)
    assert in_threads.ridge == result.ridge
    assert_same_path(in_threads.path, result.path)
    for name in ("ridge.npz", "rank-0008-ridges.npz"):  # as after an interruption
        (tmp_path / "whole" / name).unlink()
    again = find_rank(plan, None, BestPrediction(), folder=tmp_path / "whole")
    assert again.ridge == result.ridge
    assert_same_path(again.path, result.path)


def test_a_search_without_time_left_makes_no_further_trials(tmp_path):
    plan = small_plan(network=dense_products(), solver=WNMF(max_iter=60), n_members=4)
    with pytest.warns(RankWarning, match="at its time limit"):
        hasty = find_rank(plan, None, BestPrediction(), time_limit=1e-9)
    assert max(tried_ranks(hasty)) <= 8
    assert not hasty.complete
    with pytest.warns(RankWarning, match="at its time limit"):
        stored = find_rank(plan, None, BestPrediction(), time_limit=1e-9, folder=tmp_path / "stored")
    assert max(tried_ranks(stored)) >= 16  # the ridge is that of all searches in the folder


def test_further_trials_can_be_cancelled():
    plan = small_plan(network=dense_products(), solver=WNMF(max_iter=60), n_members=4)
    seen = []

    def cancel_at_the_fourth(progress):
        seen.append(progress)
        return len(seen) < 4

    with pytest.raises(LatentLinkError, match="cancelled before any rank"):
        find_rank(plan, None, BestPrediction(), callback=cancel_at_the_fourth)
    assert len(seen) == 4
