"""Fits in shards of networks with one column, or of which one column is known with a small weight."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink.network import Ensemble, Network
from latentlink.solvers import RNMF, WNMF
from tests.solvers.shards.test_solve_shards import assert_equal_fits, in_one_piece, solved

SOLVERS = [WNMF(ridge=0.1, max_iter=15), RNMF(ridge=0.1, ridge_cols=0.3, max_iter=15)]


def assert_as_in_one_piece(network, solver):
    with warnings.catch_warnings(action="ignore"):
        ensemble = Ensemble.of(network, 2)
        assert_equal_fits(solved(ensemble, [0, 2], solver, rank=1), in_one_piece(ensemble, solver, rank=1))


@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_a_network_of_one_column(solver):
    assert_as_in_one_piece(Network.from_dense(np.arange(6.0)[:, None]), solver)


@pytest.mark.parametrize("weight", [1.0, 0.1])
@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_the_only_known_column_is_the_average_of_the_others(solver, weight):
    at = np.array([0, 1, 3, 5])
    values, weights = np.array([1.0, 4.0, 2.0, 3.0]), np.full(4, weight)
    assert_as_in_one_piece(Network(at, np.ones(4, int), values, weights, shape=(6, 3)), solver)
