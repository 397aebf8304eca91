"""Which ridge: all of them in one batch, judged by what was held out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.network import Network
from latentlink.rank import Bisect, Every, HeldOut, Upward, find_rank
from latentlink.rank.engine import fit_members
from latentlink.rank.results import Member
from latentlink.rank.ridge import choose_ridge, probe_ranks, try_ridges
from latentlink.regime import Bootstrap, KMeans, Regime, boolean, real
from latentlink.solvers import BNMF, LMF, RNMF, WNMF, SymLMF
from tests.rank.paths import assert_same_path, blocks, friends, products, small_plan

WEIGHED = Regime(perturb=Bootstrap())
QUICK = {"max_iter": 15, "tol": 1e-4}
PLANS = {
    "WNMF": small_plan(solver=WNMF(**QUICK)),
    "WNMF in single precision": small_plan(solver=WNMF(precision="float32", **QUICK)),
    "RNMF": small_plan(solver=RNMF(**QUICK)),
    "BNMF": small_plan(network=blocks(), solver=BNMF(**QUICK), regime=boolean(KMeans())),
    "LMF": small_plan(network=blocks(), solver=LMF(**QUICK), regime=WEIGHED),
    "SymLMF": small_plan(network=friends(), solver=SymLMF(**QUICK), regime=WEIGHED),
    "LMF with a background": small_plan(network=friends(0.3), solver=LMF(**QUICK), regime=WEIGHED),
}
every_plan = pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)


def chosen(plan, ranks):
    return choose_ridge(plan, [trial for rank in ranks for trial in try_ridges(plan, rank)])


@every_plan
def test_a_grid_in_lanes_equals_separate_fits_bit_for_bit(plan):
    choice = chosen(plan, (1, 3))
    unit = plan.solver.ridge_scale(plan.network)
    expected = []
    for rank in (1, 3):
        for share in plan.solver.ridge_grid:
            alone = plan.solver.with_ridge(share * unit, unit)
            fitted = fit_members(plan.trial(alone), rank, range(2))
            expected.append((share * unit, rank, float(np.sqrt(np.mean([each.held_out for each in fitted])))))
    assert list(choice.tried) == expected
    assert len({error for _, _, error in expected}) > 1  # ridges make a difference


@every_plan
def test_the_least_error_wins_and_the_sentence_says_so(plan):
    choice = chosen(plan, (1, 3))
    ridge, rank, error = min(choice.tried, key=lambda trial: trial[2])
    assert choice.ridge == ridge
    assert choice.reason.startswith(
        f"ridge {ridge:.3g}: least held-out error, {error:.3g} at rank {rank}, of 4 ridges tried with 2 "
        "members at ranks 1, 3; others: "
    )
    rest = choice.reason.split("; others: ")[1].split(", ")
    assert len(rest) == 3
    for other in {each for each, _, _ in choice.tried} - {ridge}:
        least = min(trial[2] for trial in choice.tried if trial[0] == other)
        assert f"{least:.3g} at {other:.3g}" in rest


def test_a_trial_has_one_start_no_perturbation_and_the_same_speckles():
    plan = small_plan(regime=real().set_params(starts=5))
    trial = plan.trial(WNMF(ridge=2.0))
    assert (trial.regime.starts, trial.solver.ridge) == (1, 2.0)
    assert plan.regime.starts == 5
    ensemble, speckles = trial.shown_to([0, 1, 0])
    np.testing.assert_array_equal(speckles[0].rows, plan.speckle_of(0).rows)
    seen = ~np.isnan(ensemble.values)
    assert np.all((ensemble.values == plan.network.values[:, None])[seen])
    np.testing.assert_array_equal(ensemble.values[:, 0], ensemble.values[:, 2])


def test_of_equal_ridges_the_least_is_taken_and_few_members_are_told(monkeypatch):
    def alike(plan, rank, members):
        return [Member(None, 0.0, 0.25, True) for _ in members]

    monkeypatch.setattr("latentlink.rank.ridge.fit_members", alike)
    choice = chosen(small_plan(solver=RNMF(), n_members=2), (2,))
    assert choice.ridge == min(ridge for ridge, _, _ in choice.tried)
    assert "0.5 at rank 2, of 4 ridges tried with 1 member at rank 2; others: " in choice.reason


def test_data_without_noise_want_no_penalty_and_random_ones_want_a_large_one():
    exact = small_plan(network=products(noise=0.0), solver=WNMF(max_iter=300))
    assert chosen(exact, (2,)).ridge == 0
    rng = np.random.default_rng(0)
    noise = small_plan(network=Network.from_dense(rng.normal(3, 1, (14, 11))), solver=RNMF(max_iter=100))
    found = chosen(noise, (3,))
    assert found.ridge == max(ridge for ridge, _, _ in found.tried)


def test_penalties_are_measured_by_how_the_data_vary():
    plan = small_plan(solver=RNMF(**QUICK))
    larger = small_plan(network=plan.network.with_values(100 * plan.network.values), solver=RNMF(**QUICK))
    one, other = chosen(plan, (2,)), chosen(larger, (2,))
    np.testing.assert_allclose(
        [trial[0] for trial in other.tried], [100 * trial[0] for trial in one.tried], rtol=1e-12
    )


@pytest.mark.parametrize(("solver", "own"), [(WNMF(), 0.0), (LMF(), 1.0)], ids=str)
def test_where_nothing_can_be_held_out_the_solvers_own_ridge_is_taken(solver, own):
    tiny = Network.from_dense([[1.0, 0.0], [0.0, 1.0]])
    found = find_rank(small_plan(network=tiny, solver=solver, regime=WEIGHED), (1,), HeldOut())
    assert (found.ridge.ridge, found.solver.ridge) == (own, own)
    assert (
        found.ridge.reason == f"ridge {own:g}, the solver's own: too little is known to hold some of it out"
    )
    assert "nan" not in found.choice.reason


# -------------------------------------------------------------------- in a search


def test_a_search_chooses_the_ridge_first_and_then_uses_it():
    plan = small_plan(solver=WNMF(max_iter=40))
    found = find_rank(plan, (1, 2, 3), HeldOut())
    assert {rank for _, rank, _ in found.ridge.tried} == set(probe_ranks((1, 2, 3)))
    assert found.solver.ridge == found.ridge.ridge
    assert plan.solver.ridge == "auto"
    given = find_rank(small_plan(solver=WNMF(max_iter=40, ridge=found.ridge.ridge)), (1, 2, 3), HeldOut())
    assert given.ridge is None
    assert_same_path(found.path, given.path)


@pytest.mark.filterwarnings("ignore:Rank . is not confirmed")
def test_a_search_that_holds_nothing_out_has_nothing_to_choose_by():
    regime = real().set_params(speckle=0)
    found = find_rank(small_plan(solver=RNMF(max_iter=60), regime=regime), (1, 2), HeldOut())
    assert (found.ridge.ridge, found.solver.ridge) == (1.0, 1.0)
    assert found.ridge.reason == (
        "ridge 1, the solver's own: nothing is held out by which another could be chosen"
    )
    given = find_rank(small_plan(solver=RNMF(max_iter=60, ridge=1.0), regime=regime), (1, 2), HeldOut())
    assert_same_path(found.path, given.path)


@pytest.mark.parametrize(
    ("search", "ranks"),
    [
        (Every(ranks=(3, 1, 2, 9)), (2, 3, 9)),
        (Bisect(1, 64), (2, 4, 11)),
        (Upward(), (2, 4, 8)),
        (Bisect(2, 3), (2, 3)),
    ],
    ids=str,
)
def test_every_search_has_ranks_to_try_ridges_at(search, ranks):
    assert probe_ranks(search.probes(11)) == ranks


@given(st.lists(st.integers(1, 100), min_size=1))
def test_probe_ranks_are_few_and_spread_upwards(ranks):
    probes = probe_ranks(ranks)
    assert 1 <= len(probes) <= 3
    assert list(probes) == sorted(set(probes))
    assert set(probes) <= set(ranks)
    assert probes[-1] == max(ranks)
    assert sum(rank < probes[0] for rank in set(ranks)) >= (len(set(ranks)) - 1) // 4


def test_a_ridge_that_was_chosen_does_not_depend_on_the_unit_of_the_data():
    """Factors have half the unit of the values each, biases the whole: their penalties differ by a unit."""
    paths, units = [], []
    for scale in (1.0, 1024.0):
        network = products().with_values(scale * products().values)
        found = find_rank(small_plan(network=network, solver=RNMF(max_iter=60)), (1, 2, 3), HeldOut())
        paths.append([record.held_out_error / scale for record in found.path])
        units.append(found.solver.ridge / found.solver.ridge_row_bias / scale)
    np.testing.assert_allclose(paths[0], paths[1], rtol=1e-6)
    np.testing.assert_allclose(units[0], units[1], rtol=1e-12)


def test_penalties_of_biases_that_are_given_are_kept():
    plan = small_plan(solver=RNMF(max_iter=30, ridge_row_bias=0.7))
    found = find_rank(plan, (1, 2), HeldOut())
    assert found.solver.ridge_row_bias == 0.7
    assert found.solver.ridge_col_bias is not None
