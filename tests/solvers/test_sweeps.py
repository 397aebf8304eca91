"""What all sweeps have in common: the balance of rows against columns."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers import RNMF, WNMF
from latentlink.solvers.descent.blocks import make_block
from latentlink.solvers.descent.packing import pack


def sweeps_of(solver, factors):
    """Return the sweeps of a solver of one member that begins with the factors."""
    shape = factors.shape
    network = Network.from_dense(np.random.default_rng(0).random(shape))
    block = make_block(Ensemble.of(network), range(1), "float64")
    return solver.sweeps(block, *pack([factors], block.width, solver.biased, "float64"))


@pytest.mark.parametrize("size", [1e-3, 1.0, 50.0])
def test_components_are_balanced_and_their_products_stay(size):
    rng = np.random.default_rng(1)
    W, H = size * rng.random((6, 3)) * [1.0, 20.0, 0.1], rng.random((3, 5))
    sweeps = sweeps_of(WNMF(ridge=0.7), Factors(W, H))
    before = sweeps.loss()[0]
    sweeps.balance()
    rows, cols = sweeps.rows[..., 0], sweeps.cols[..., 0]
    np.testing.assert_allclose(rows[:, :, None] * cols.T, W[:, :, None] * H)
    np.testing.assert_allclose((rows**2).sum(axis=0), (cols**2).sum(axis=0))
    assert sweeps.loss()[0] < before


@pytest.mark.parametrize("empty", ["row", "column", "both"])
def test_an_empty_component_is_not_rescaled(empty):
    rng = np.random.default_rng(1)
    W, H = rng.random((6, 2)), rng.random((2, 5))
    W[:, 1] *= empty == "column"
    H[1] *= empty == "row"
    sweeps = sweeps_of(WNMF(ridge=0.7), Factors(W, H))
    sweeps.balance()
    np.testing.assert_array_equal(sweeps.rows[:, 1, 0], W[:, 1])
    np.testing.assert_array_equal(sweeps.cols[:, 1, 0], H[1])
    assert not np.allclose(sweeps.rows[:, 0, 0], W[:, 0])


@pytest.mark.parametrize("ridges", [{"ridge": 0.0, "ridge_cols": 0.5}, {"ridge": 0.5, "ridge_cols": 0.0}])
def test_without_a_penalty_of_both_sides_nothing_is_rescaled(ridges):
    rng = np.random.default_rng(1)
    solver = RNMF(ridge_row_bias=0.0, ridge_col_bias=0.0, ridge_counts=None, **ridges)
    sweeps = sweeps_of(solver, Factors(rng.random((6, 2)), rng.random((2, 5))))
    before = sweeps.rows.copy(), sweeps.cols.copy()
    sweeps.balance()
    np.testing.assert_array_equal(sweeps.rows, before[0])
    np.testing.assert_array_equal(sweeps.cols, before[1])


def test_biases_are_not_rescaled():
    rng = np.random.default_rng(1)
    factors = Factors(rng.random((6, 2)), 9 * rng.random((2, 5)), rng.normal(size=6), rng.normal(size=5), 0.8)
    sweeps = sweeps_of(RNMF(ridge=0.3, ridge_counts=None), factors)
    sweeps.balance()
    np.testing.assert_allclose(sweeps.rows[:, 0, 0], factors.row_bias + 0.4)
    np.testing.assert_allclose(sweeps.cols[:, -1, 0], factors.col_bias + 0.4)
    np.testing.assert_array_equal(sweeps.rows[:, -1, 0], 1)
    np.testing.assert_array_equal(sweeps.cols[:, 0, 0], 1)
    inner = sweeps.rows[:, 1:-1, 0], sweeps.cols[:, 1:-1, 0]
    np.testing.assert_allclose(*((side**2).sum(axis=0) for side in inner))


def test_penalties_without_a_ridge_are_zero_even_where_squares_overflow():
    solver = RNMF(ridge=0.0, ridge_row_bias=2.0, ridge_col_bias=0.0, ridge_counts=None)
    factors = Factors(np.full((6, 2), 1e200), np.ones((2, 5)), np.ones(6), np.ones(5), 0.0)
    sweeps = sweeps_of(solver, factors)
    with np.errstate(over="ignore"):
        penalty = sweeps.penalty(sweeps.rows, sweeps.row_coordinates)
    assert penalty[0] == 2.0 * 6
