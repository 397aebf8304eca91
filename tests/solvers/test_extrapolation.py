"""Extrapolation with restart: the loss never rises, the same minimum, fewer sweeps."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF
from latentlink.solvers.descent.extrapolation import Extrapolation, Moving
from tests.helpers.cases import EVERY_CASE, solved, unfinished


def planted(seed=0):
    rng = np.random.default_rng(seed)
    X = np.abs(rng.normal(size=(40, 4))) @ np.abs(rng.normal(size=(4, 50)))
    return Network.from_dense(np.where(rng.random(X.shape) < 0.5, X, np.nan))


@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_the_loss_never_rises(case):
    for record in solved(case.solver, case.network(), 2).records:
        if getattr(case.solver, "updates", "descent") == "descent":
            assert np.all(np.diff(record.loss) <= 1e-9 * np.abs(record.loss[:-1]))


def test_the_same_loss_in_less_than_half_the_sweeps():
    ensemble = Ensemble.of(planted(), 8)
    with unfinished():
        plain, extrapolated = (
            WNMF(max_iter=600, tol=1e-6, extrapolate=extrapolate, ridge=0.1).solve(ensemble, 4, rngs)
            for extrapolate, rngs in ((False, member_rngs(0, 4, 8)), (True, member_rngs(0, 4, 8)))
        )
    sweeps = [np.median([record.sweeps for record in each.records]) for each in (plain, extrapolated)]
    losses = [np.median([record.loss[-1] for record in each.records]) for each in (plain, extrapolated)]
    assert sweeps[1] < sweeps[0] / 2
    assert losses[1] <= losses[0]


@pytest.mark.parametrize("solver", [NMF(), KLNMF(), WNMF(), RNMF()], ids=str)
def test_factors_stay_at_or_above_zero(solver):
    model = solved(type(solver)(max_iter=30, tol=0.0), planted(), 4).members[0]
    assert min(model.W.min(), model.H.min()) >= 0


def test_a_member_does_not_depend_on_other_members():
    network = planted()
    with unfinished():
        together = WNMF(max_iter=40).solve(Ensemble.of(network, 3), 3, member_rngs(0, 3, 3))
        alone = WNMF(max_iter=40).solve(network, 3, member_rngs(0, 3, 3)[1])
    np.testing.assert_array_equal(together.members[1].W, alone.members[0].W)


def test_a_step_and_a_restart_by_hand():
    x = np.array([[[1.0, 1.0]], [[2.0, 2.0]]])
    extrapolation = Extrapolation([Moving(x, np.zeros(1), 0, 1)])
    x += np.array([[[1.0, 1.0]], [[-2.0, -2.0]]])
    extrapolation.revert(np.array([False, True]))
    extrapolation.extrapolate(np.array([True, False]))
    beta = 0.5 * 1.1
    np.testing.assert_allclose(x[:, 0, 0], [2 + beta, 0.0])  # bounded by 0
    np.testing.assert_allclose(x[:, 0, 1], [1.0, 2.0])  # reverted


def test_extrapolate_must_be_true_or_false():
    for solver in (WNMF(extrapolate=2), LMF(extrapolate="no"), BNMF(extrapolate=None)):
        with pytest.raises(IncompatibleError, match=r"extrapolate=.*expected True or False"):
            solver.solve(Network.from_dense(np.eye(3)), 1, 0)


def test_every_row_is_extrapolated():
    """Two sweeps of 9,000 rows, compared with the formula on whole arrays."""
    rng = np.random.default_rng(0)
    x, lower = rng.uniform(0, 1, (9000, 2, 2)), np.array([0.1, -np.inf])
    factor, before, beta = x.copy(), x.copy(), 0.5
    extrapolation = Extrapolation([Moving(factor, lower, 0, 2)])
    for _ in range(2):
        step = rng.normal(size=x.shape)
        factor += step
        moved, beta = factor.copy(), min(1.1 * beta, 0.98)
        extrapolation.extrapolate(np.array([True, True]))
        np.testing.assert_allclose(factor, np.maximum(moved + beta * (moved - before), lower[:, None]))
        before = moved
    extrapolation.revert(np.array([True, False]))
    np.testing.assert_array_equal(factor[..., 0], before[..., 0])


@pytest.mark.parametrize("steps", [2, 9])
def test_the_coefficient_is_bounded_and_recovers_slowly_after_a_failure(steps):
    """Coefficients seen through unit steps: growth by 1.1 up to 0.98, half after a failure, then a limit."""
    x = np.zeros((1, 1, 1))
    extrapolation = Extrapolation([Moving(x, np.full(1, -np.inf), 0, 1)])

    def coefficient(better):
        accepted = float(x[0, 0, 0])
        x[...] = last[0] + 1.0
        last[0] = accepted = float(x[0, 0, 0])
        extrapolation.extrapolate(np.array([better]))
        return float(x[0, 0, 0]) - accepted

    last = [0.0]
    expected = 0.5
    for _ in range(steps):
        expected = min(1.1 * expected, 0.98)
        assert coefficient(True) == pytest.approx(expected)
    extrapolation.revert(np.array([True]))
    limit, expected = expected, expected / 2
    assert coefficient(False) == pytest.approx(expected)
    for _ in range(12):
        expected, limit = min(1.1 * expected, limit, 0.98), min(1.03 * limit, 1.0)
        assert coefficient(True) == pytest.approx(expected)
