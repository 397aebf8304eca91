"""A rank search of counts under the Kullback-Leibler divergence, from data to new rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from latentlink import Network, NMFk, RankedFactorizer, load
from latentlink.rank.engine import Plan, fit_members, summarise
from latentlink.regime import Bootstrap, Poisson, UniformScale, real
from latentlink.solvers import KLNMF

FEW = {"n_perturbs": 6, "random_state": 0}


def counts(shape=(50, 35), rank=3, mean=6.0, seed=0, unknown=0.15):
    """Return Poisson counts of planted means, some of them unknown."""
    rng = np.random.default_rng(seed)
    means = rng.gamma(0.5, 1, (shape[0], rank)) @ rng.gamma(0.5, 1, (rank, shape[1]))
    X = rng.poisson(means * mean / means.mean()).astype(float)
    return np.where(rng.random(shape) < unknown, np.nan, X)


@pytest.mark.parametrize("perturb", [Poisson(), UniformScale(), Bootstrap()], ids=str)
def test_the_planted_rank_of_counts_is_found(perturb):
    for seed in range(3):
        regime = real().set_params(perturb=perturb)
        model = NMFk(range(1, 6), solver=KLNMF.for_members(), regime=regime, **FEW).fit(counts(seed=seed))
        assert (model.rank_, model.choice_.status) == (3, "agreed")


def test_a_fitted_model_answers_is_saved_and_takes_new_rows(tmp_path):
    X = counts()
    regime = real().set_params(perturb=Poisson())
    model = RankedFactorizer((3,), solver=KLNMF(max_iter=200, tol=1e-4), regime=regime, **FEW).fit(X)
    pairs = np.argwhere(np.isnan(X))[:10]
    scores, spread = model.predict_links(pairs, return_std=True)
    assert np.all(scores >= 0)
    assert np.all(spread >= 0)
    model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert str(again.solver_) == str(model.solver_)
    np.testing.assert_array_equal(again.predict_links(pairs), scores)
    np.testing.assert_allclose(model.transform(X[:5]) @ model.H_, (model.W_ @ model.H_)[:5], atol=0.05)


@pytest.mark.parametrize("background", [0.2, 1.0])
def test_unlisted_counts_may_be_zeros_of_any_weight(background):
    """Some of them are held out of each member, with the weight of the background."""
    X = sparse.csr_array(counts(mean=3.0, unknown=0.0))
    network = Network.from_sparse(X, unstored="zero").with_background(background)
    model = NMFk((2, 3, 4), solver=KLNMF.for_members(), **FEW).fit(network)
    assert model.rank_ == 3


def test_losses_up_to_a_millionth_of_the_sum_of_counts_are_alike():
    """For large counts that is far below a millionth of the sum of squares, the unit of the other losses."""
    X = 1e4 * counts((12, 10), 2, unknown=0.0)
    plan = Plan(Network.from_dense(X), KLNMF(), real().set_params(starts=1), n_members=4)
    members = fit_members(plan, 2, range(4))
    for share, outliers in ((0.99, ()), (1.01, (3,))):
        losses = [0.0, 0.0, 0.0, share * 1e-6 * X.sum()]
        given = [replace(member, loss=loss) for member, loss in zip(members, losses, strict=True)]
        assert summarise(plan, 2, given).set_aside == outliers
