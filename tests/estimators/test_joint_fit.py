"""What several factorizers of one network share, and what their inner folds take."""

from __future__ import annotations

import pytest

from latentlink import LogisticHead, RankedFactorizer, WNMFk
from latentlink.estimators.joint_fit import (
    as_symmetric_if_needed,
    last_stage_of_inner_folds,
    seconds_of_inner_folds,
)
from latentlink.progress.task_costs import fit_cost, summary_cost, trial_cost
from latentlink.solvers import LMF, WNMF, SymLMF
from tests.helpers.joint_fits import groups


def directed(network):
    """The network as one whose rows and columns differ, with both directions of each pair."""
    return type(network).from_dense(network.to_dense())


@pytest.mark.slow
def test_inner_folds_take_their_share_of_the_search():
    network = groups()
    model = WNMFk((1, 2), solver=WNMF(max_iter=10), n_perturbs=4, random_state=0).fit(network)
    tried = sum(trial_cost(rank, 2 * len(WNMF.ridge_grid)) for rank in (1, 2))
    search = tried + sum(fit_cost(rank, 4) + summary_cost(rank, 4) for rank in (1, 2))
    expected = 5 * 0.8 * fit_cost(model.rank_, 4) / search
    assert seconds_of_inner_folds([model], [1.0], 4) == pytest.approx(expected)
    given = WNMFk((2,), solver=WNMF(ridge=0.1, max_iter=10), n_perturbs=4, random_state=0).fit(network)
    assert seconds_of_inner_folds([given], [1.0], 4) == pytest.approx(4 / 1.5)
    assert seconds_of_inner_folds([model, given], [2.0, 3.0], 4) == pytest.approx(2 * expected + 8.0)


@pytest.mark.slow
def test_the_last_stage_takes_the_longer_the_more_pairs_and_the_smaller_the_models():
    model = WNMFk((2,), solver=WNMF(ridge=0.1, max_iter=10), n_perturbs=4, random_state=0).fit(groups())
    inner = 4 * fit_cost(2, 16)  # four members take as long as sixteen
    assert last_stage_of_inner_folds([model], 4, 1000) == pytest.approx(1350 * 3 / inner)
    assert last_stage_of_inner_folds([model] * 2, 4, 10**6) == pytest.approx(1350 * 0.062 / (2 * inner))


@pytest.mark.parametrize(("solver", "expected"), [(LMF(), False), (SymLMF(), True)])
def test_a_network_becomes_undirected_if_a_model_needs_it(solver, expected):
    network = directed(groups())
    assert not network.symmetric
    models = [WNMFk((1,)), RankedFactorizer((1,), solver=solver)]
    assert as_symmetric_if_needed(network, models).symmetric is expected


@pytest.mark.slow
@pytest.mark.parametrize("form", ["learned", "paper"])
def test_of_a_head_the_end_is_open_until_both_searches_have_doubled_the_last_time(form):
    """The paper's form fits LMF at the rank of the other model, which is no search."""
    base = WNMFk(solver=WNMF(ridge=0.1, max_iter=10), n_perturbs=2, random_state=0)
    lmf = RankedFactorizer(solver=LMF(ridge=1.0, max_iter=10), n_perturbs=2, random_state=0)
    network, reports = groups(), []
    assert min(network.shape) > 8
    LogisticHead(base, lmf=lmf, form=form).fit(network, callback=reports.append)
    of_base = [each.open_ended for each in reports if each.model == "WNMF" and not each.finished]
    of_lmf = [each.open_ended for each in reports if each.model == "LMF" and not each.finished]
    assert of_base[0]
    assert of_base[-1] is of_lmf[0] is (form == "learned")
    assert not of_lmf[-1]
    assert max(each.share for each in reports[:-1]) < reports[-1].share == 1.0
    first = next(number for number, each in enumerate(reports) if each.seconds_left is not None)
    assert 0 < first < 4
    assert min(each.seconds_left for each in reports[first:-1]) > 0
