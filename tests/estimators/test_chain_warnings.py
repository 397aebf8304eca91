"""Warnings of chains that do not represent the posterior."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from latentlink import BayesianFactorizer
from latentlink.solvers import BPMF


def low_rank():
    """Return a table of rank 2 with noise, of which a third is unknown."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 30)) + 0.3 * rng.normal(size=(40, 30))
    return np.where(rng.random((40, 30)) < 0.67, X, np.nan)


def test_chains_that_are_too_short_warn():
    X = low_rank()
    for settings in ({"max_iter": 4, "burn_in": 1, "draws": 1}, {"max_iter": 12, "burn_in": 0, "draws": 3}):
        with pytest.warns(ConvergenceWarning, match=r"have not mixed after .* Raise max_iter and burn_in"):
            BayesianFactorizer((2,), solver=BPMF(**settings), n_perturbs=4, random_state=0).fit(X)


def test_few_independent_draws_and_a_single_one_warn():
    X = low_rank()
    with pytest.warns(
        ConvergenceWarning, match=r"are short: .*effective sample size of at least 50.*Raise max"
    ):
        BayesianFactorizer((2,), solver=BPMF(max_iter=60, burn_in=40), n_perturbs=2, random_state=0).fit(X)
    with pytest.warns(ConvergenceWarning, match=r"a single draw, so that every spread is 0 .*Raise draws"):
        BayesianFactorizer((2,), solver=BPMF(max_iter=400, draws=1), n_perturbs=1, random_state=0).fit(X)


def test_chains_that_have_mixed_are_kept():
    """By their last draws, chains of 16 of 30 such tables were set aside."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(8, 1)) @ rng.normal(size=(1, 6)) + 0.4 * rng.normal(size=(8, 6))
        X[rng.random((8, 6)) > 0.7] = np.nan
        X[np.arange(8), rng.integers(6, size=8)] = 1.0
        X[rng.integers(8, size=6), np.arange(6)] = 1.0
        assert BayesianFactorizer((1,), random_state=seed).fit(X).record_.set_aside == ()
