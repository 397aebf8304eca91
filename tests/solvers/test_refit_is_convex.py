"""Refit under multiplicative updates: a convex problem is solved as such."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.solvers import BNMF, NMF, RNMF

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def solvable(seed=0):
    """W, H and their product, all known; the start of H is 0 throughout."""
    rng = np.random.default_rng(seed)
    return rng.random((20, 3)), rng.random((3, 15))


@pytest.mark.parametrize(
    "solver",
    [NMF(updates="multiplicative", max_iter=3000, tol=0.0), NMF(max_iter=3000, tol=0.0)],
    ids=["multiplicative", "descent"],
)
def test_columns_are_found_from_a_start_of_zeros(solver):
    W, H = solvable()
    refitted = solver.refit(Network.from_dense(W @ H), Factors(W, np.zeros_like(H))).members[0]
    assert np.sum((W @ refitted.H - W @ H) ** 2) < 1e-20


def test_the_papers_steps_of_rnmf_are_refitted_exactly():
    W, H = solvable(1)
    network = Network.from_dense(W @ H + 2.0)
    start = Factors(W, np.zeros_like(H), np.zeros(20), np.zeros(15), offset=2.0)
    settings = {"ridge": 0.0, "max_iter": 5000, "tol": 0.0}
    exact, paper = (
        RNMF(updates=updates, **settings).refit(network, start).members[0] for updates in ("descent", "paper")
    )
    np.testing.assert_array_equal(paper.H, exact.H)
    assert np.sum((W @ paper.H + paper.col_bias - W @ H) ** 2) < 1e-8


def test_boolean_columns_are_found_from_a_start_of_zeros():
    W = np.kron(np.eye(2), np.ones((5, 1)))
    H = np.kron(np.eye(2), np.ones((1, 4)))
    solver = BNMF(updates="multiplicative", max_iter=2000, tol=0.0)
    refitted = solver.refit(Network.from_dense(W @ H), Factors(W, np.zeros_like(H))).members[0]
    product = W @ refitted.H
    assert np.all(product[W @ H == 1] >= 1 - 1e-9)  # a known one may be fitted by more than 1
    np.testing.assert_allclose(product[W @ H == 0], 0, atol=1e-9)
