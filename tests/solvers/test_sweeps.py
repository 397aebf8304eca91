"""What all sweeps have in common: balance, what is extrapolated, defaults, and Gram matrices where needed."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import kernels
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF
from latentlink.solvers.descent.blocks import make_block
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.packing import pack, plain_coordinates
from tests.helpers.cases import Case, solved


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


# -------------------------------------------------------------------- extrapolation


@pytest.mark.parametrize(
    "solver", [NMF(), KLNMF(), WNMF(), RNMF(), BNMF(), LMF(), SymLMF(), SymLMF(repelling=0.5)], ids=str
)
def test_both_sides_are_extrapolated_or_the_columns_alone_given_the_rows(solver):
    """A column of SymLMF is a copy of its row, so that both move together."""
    sweeps = sweeps_of(solver, Factors(np.ones((5, 2)), np.ones((2, 5))))
    sides = [(sweeps.rows, sweeps.row_coordinates), (sweeps.cols, sweeps.col_coordinates)]
    for whole in (True, False):
        moving = sweeps.moving_parts(whole)
        expected = sides if whole or solver.needs_symmetric else sides[1:]
        assert len(moving) == len(expected)
        for part, (factors, coordinates) in zip(moving, expected, strict=True):
            assert part.factor is factors
            assert (part.first, part.last) == (coordinates.first, coordinates.last)
            np.testing.assert_array_equal(part.lower, coordinates.lower)


@pytest.mark.parametrize(
    "solver",
    [
        NMF(updates="multiplicative"),
        KLNMF(updates="multiplicative"),
        BNMF(updates="multiplicative"),
        RNMF(updates="paper"),
        BNMF(),
        NMF(),
        KLNMF(),
    ],
    ids=str,
)
def test_multiplicative_updates_are_never_extrapolated(solver):
    case = Case(solver, False, 0.0)
    with_it, without = (
        solved(case.settings(max_iter=8, tol=0.0, extrapolate=extrapolate), case.network()).records[0].loss
        for extrapolate in (True, False)
    )
    assert np.array_equal(with_it, without) == (solver.updates != "descent")


# -------------------------------------------------------------------- defaults and work that is not done


def test_descent_has_the_squared_loss_and_one_cycle_by_default():
    rng = np.random.default_rng(3)
    factors = Factors(rng.random((6, 2)), rng.random((2, 5)))
    block = make_block(Ensemble.of(Network.from_dense(rng.random((6, 5)))), range(1), "float64")
    coordinates = plain_coordinates(2, block.width, "float64")
    default, one, two = (
        Descent(block, *pack([factors], block.width, False, "float64")[:2], coordinates, coordinates, **more)
        for more in ({}, {"logistic": False, "cycles": 1}, {"cycles": 2})
    )
    for sweeps in (default, one, two):
        sweeps.sweep()
    np.testing.assert_array_equal(default.rows, one.rows)
    np.testing.assert_array_equal(default.cols, one.cols)
    assert not np.allclose(default.rows, two.rows)


@pytest.mark.parametrize("background", [0.0, 0.1])
@pytest.mark.parametrize(
    "solver", [NMF(), NMF(updates="multiplicative"), WNMF(), RNMF(), RNMF(updates="paper"), LMF()], ids=str
)
def test_gram_matrices_are_computed_for_a_background_alone(solver, background, monkeypatch):
    """LMF lists the background instead."""
    calls, gram = [], kernels.gram
    monkeypatch.setattr(kernels, "gram", lambda factors: calls.append(1) or gram(factors))
    case = Case(solver, False, background)
    solved(case.settings(max_iter=3), case.network())
    assert bool(calls) == (background > 0 and not solver.logistic)


def test_a_fit_without_any_known_entry_stays_finite():
    """Self loops are left out of SymLMF; where nothing else is known, no node has others to be averaged."""
    network = Network([0], [0], [0.0], shape=(3, 3), symmetric=True)
    with pytest.warns(UserWarning, match=r"known self loop|Nothing is known of 3 nodes") as warned:
        model = SymLMF().solve(network, 2, 0).members[0]
    assert len(warned) == 2
    np.testing.assert_allclose(model.W, 0, atol=1e-6)


def test_penalties_without_a_ridge_are_zero_even_where_squares_overflow():
    solver = RNMF(ridge=0.0, ridge_row_bias=2.0, ridge_col_bias=0.0, ridge_counts=None)
    factors = Factors(np.full((6, 2), 1e200), np.ones((2, 5)), np.ones(6), np.ones(5), 0.0)
    sweeps = sweeps_of(solver, factors)
    with np.errstate(over="ignore"):
        penalty = sweeps.penalty(sweeps.rows, sweeps.row_coordinates)
    assert penalty[0] == 2.0 * 6
