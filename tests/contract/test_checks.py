"""Needs of the data are checked once per fit, before any work."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import BNMFk, NMFk, RankedFactorizer, RNMFk, WNMFk
from latentlink.errors import IncompatibleError
from latentlink.network import Ensemble, Network
from latentlink.solvers import LMF, RNMF, WNMF, Solver, SymLMF, base

RANKS = (1, 2, 3)


@pytest.fixture
def counts(monkeypatch):
    """Count the calls of `Solver.check` and of the checks of needs and members in it."""
    counts = {"check": 0, "check_needs": 0, "check_members": 0}

    def counted(name, function):
        def call(*arguments):
            counts[name] += 1
            return function(*arguments)

        return call

    monkeypatch.setattr(Solver, "check", counted("check", Solver.check))
    for name in ("check_needs", "check_members"):
        monkeypatch.setattr(base, name, counted(name, getattr(base, name)))
    return counts


def binary(symmetric):
    rng = np.random.default_rng(0)
    X = (rng.random((12, 12)) < 0.4).astype(float)
    if symmetric:
        X = np.triu(X, 1) + np.triu(X, 1).T
        np.fill_diagonal(X, np.nan)
    return X


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "model",
    [
        WNMFk(RANKS),
        NMFk(RANKS),
        RNMFk(RANKS),
        BNMFk(RANKS),
        RankedFactorizer(RANKS, solver=LMF(ridge=1.0)),
        RankedFactorizer(RANKS, solver=SymLMF(ridge=1.0)),
    ],
    ids=str,
)
def test_a_rank_search_checks_its_data_once(model, counts):
    """Also with a search for the ridge, several members and blocks, refit and polish."""
    symmetric = model.used_solver().needs_symmetric
    model.set_params(n_perturbs=3, random_state=0).fit(binary(symmetric))
    assert counts == {"check": 1, "check_needs": 1, "check_members": 1}


def test_solve_and_refit_check_their_data_once_each(counts):
    data = Network.from_dense(binary(symmetric=False))
    solver = WNMF(max_iter=2000, ridge=0.1)
    model = solver.solve(data, 2, 0).members[0]
    assert counts == {"check": 1, "check_needs": 1, "check_members": 1}
    solver.refit(data, model)
    assert counts == {"check": 2, "check_needs": 2, "check_members": 2}


def test_an_ensemble_marked_as_checked_is_not_checked_again(counts):
    ensemble = Ensemble.of(Network.from_dense(binary(symmetric=False)), 2)
    solver = WNMF(max_iter=2000, ridge=0.1)
    solver.check(ensemble)
    solved = solver.solve(ensemble.as_checked(solver), 2, 0)
    refitted = solver.refit(ensemble.as_checked(solver), solved.members)
    assert counts["check_needs"] == 1
    for one, other in zip(solved.members, solver.solve(ensemble, 2, 0).members, strict=True):
        np.testing.assert_array_equal(one.W, other.W)
    for one, other in zip(refitted.members, solver.refit(ensemble, solved.members).members, strict=True):
        np.testing.assert_array_equal(one.H, other.H)


def test_the_mark_of_one_solver_does_not_count_for_another():
    ensemble = Ensemble.of(Network.from_dense([[-1.0, 2.0], [3.0, 1.0]])).as_checked(RNMF())
    with pytest.raises(IncompatibleError, match="values >= 0"):
        WNMF().solve(ensemble, 1, 0)
