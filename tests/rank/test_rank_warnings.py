"""Warnings of a rank that is not stable or not confirmed: their advice fits data, method and rule."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from latentlink.errors import RankWarning
from latentlink.network import Network
from latentlink.rank import HeldOut, LStatistic, SilhouetteCutoff, find_rank
from latentlink.regime import boolean, real
from latentlink.solvers import BNMF, NMF, RNMF, WNMF
from tests.rank.paths import small_plan


def with_warnings(*args, **kwargs):
    """The result of `find_rank` and the warnings that it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = find_rank(*args, **kwargs)
    return result, caught


def test_the_advice_for_an_unconfirmed_rank_fits_its_cause():
    single = small_plan(solver=WNMF(ridge=0.1, max_iter=20), n_members=1)
    with pytest.warns(RankWarning, match="Raise n_perturbs to 2 or more to measure stability"):
        find_rank(single, (1, 2), HeldOut())
    blind = small_plan(solver=WNMF(ridge=0.1, max_iter=20), regime=real().set_params(speckle=0.0))
    with pytest.warns(RankWarning, match="Set a speckle above 0 in the regime"):
        find_rank(blind, (1, 2), HeldOut())


RAMP = np.add.outer(np.arange(8.0), np.arange(6.0))


@pytest.mark.parametrize(
    ("X", "solver", "regime", "advice"),
    [
        (0 * RAMP, WNMF(ridge=0.1), real(), "All known values are 0, so that there is nothing to factorize"),
        (0 * RAMP, NMF(), real(), "All known values are 0"),
        (0 * RAMP, RNMF(ridge=0.1), real(), "All known values are 0"),
        (0 * RAMP, BNMF(ridge=0.1), boolean(), "All known values are 0"),
        (RAMP, WNMF(ridge=1e6), real(), r"The ridge, 1e\+06, outweighs the data. Choose a smaller one"),
        (RAMP, RNMF(ridge=1e6), real(), r"explain the known values, or the ridge, 1e\+06, outweighs"),
        (3 + 0 * RAMP, RNMF(ridge=0.5), real(), "Biases alone explain the known values, or the ridge, 0.5"),
    ],
)
def test_the_advice_for_empty_components_fits_the_data_and_the_method(X, solver, regime, advice):
    """Only a method with biases has biases that explain anything, and only one with a ridge has a ridge."""
    plan = small_plan(network=Network.from_dense(X), solver=solver.set_params(max_iter=50), regime=regime)
    _, caught = with_warnings(plan, (1, 2), HeldOut())
    (sentence,) = [str(each.message) for each in caught if each.category is RankWarning]
    reason = "no component of the model has a non-zero entry" if X.any() else "no rank of zeros is better"
    assert reason in sentence
    assert re.search(advice, sentence)
    assert ("iases" in sentence) == (solver.biased and X.any())


@pytest.mark.parametrize("rule", [SilhouetteCutoff(0.5), LStatistic(threshold=0.5)], ids=repr)
def test_a_rule_by_stability_alone_does_not_ask_for_held_out_errors(rule):
    plan = small_plan(solver=WNMF(ridge=0.1), regime=real().set_params(speckle=0.0))
    result, caught = with_warnings(plan, (1, 2), rule)
    assert result.choice.status == "unconfirmed"
    assert [each for each in caught if each.category is RankWarning] == []
    result, caught = with_warnings(plan, (3, 4), rule.set_params(threshold=1.0))
    (sentence,) = [str(each.message) for each in caught if each.category is RankWarning]
    assert sentence.startswith("No rank is stable: no rank has a least silhouette >= 1")
    assert "speckle" not in sentence


def test_without_stability_a_rule_by_stability_asks_for_members():
    plan = small_plan(solver=WNMF(ridge=0.1, max_iter=20), n_members=1)
    with pytest.warns(RankWarning, match="Raise n_perturbs to 2 or more to measure stability"):
        find_rank(plan, (1, 2), SilhouetteCutoff())


def test_a_search_that_ends_after_one_rank_warns():
    """A single rank that was given does not."""
    plan = small_plan(solver=WNMF(ridge=0.1, max_iter=20))
    result, caught = with_warnings(plan, (1, 2, 3), HeldOut(), time_limit=1e-9)
    assert (result.choice.status, result.complete, len(result.path)) == ("unconfirmed", False, 1)
    (sentence,) = [str(each.message) for each in caught if each.category is RankWarning]
    assert re.search(r"Rank 1 is not confirmed: .*time limit.* Give more time, or name a few ranks", sentence)
    _, caught = with_warnings(plan, (1,), HeldOut(), time_limit=1e-9)
    assert [each for each in caught if each.category is RankWarning] == []


def test_infinite_time_is_no_limit():
    plan = small_plan(solver=WNMF(ridge=0.1, max_iter=20))
    for limit in (np.inf, float("inf"), None):
        assert with_warnings(plan, (1, 2), HeldOut(), time_limit=limit)[0].complete


@pytest.mark.parametrize("ranks", [range(1, 4), (2, 3), (3, 1)])
def test_of_ranks_without_components_the_least_is_chosen(ranks):
    """On a constant matrix rank 3 was chosen, though all models were the same."""
    plan = small_plan(network=Network.from_dense(np.ones((12, 8))), solver=RNMF(ridge=0.1))
    result, _ = with_warnings(plan, ranks, HeldOut())
    assert all(record.empty == record.rank for record in result.path)
    assert result.choice.rank == min(ranks)
    assert "no component of the model" in result.choice.reason
    assert "predicts best" not in result.choice.reason
