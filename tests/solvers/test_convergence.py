"""The descent loop: the stopping rule, separate convergence of members, and the records."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import BNMF, KLNMF, LMF, RNMF, WNMF
from latentlink.solvers.descent import fit_blocks
from latentlink.solvers.descent.convergence import Convergence, Stopping, descend, warn_if_stopped_early
from tests.helpers.cases import Case, solved


def toy(losses, max_iter=20, tol=0.1, floor=0.0):
    """Descend along given losses, one row per member, at index 0 before the first sweep."""
    losses = np.array(losses, float)
    state = np.zeros((1, len(losses)))

    def loss():
        return losses[np.arange(len(losses)), np.minimum(state[0].astype(int), losses.shape[1] - 1)]

    def sweep():
        before = loss()
        state[0] += 1
        return before

    stopping = Stopping(max_iter, tol, np.full(len(losses), floor))
    return descend(sweep, loss, [state], stopping), state


def test_a_member_stops_when_its_loss_has_converged():
    (record,), _ = toy([[8, 4, 3.9, 3.8, 3.7, 3.6]])
    # The change from 4 to 3.9 is less than a tenth; it is known after the next sweep, which is the last.
    np.testing.assert_array_equal(record.loss, [8, 4, 3.9, 3.8])
    assert (record.sweeps, record.converged) == (3, True)


def test_members_converge_separately():
    quick, slow = [8, 7.9, 7.8, 7.7, 7.6, 7.5], [32, 16, 8, 4, 3.9, 3.8]
    records, state = toy([quick, slow])
    assert [record.sweeps for record in records] == [2, 5]
    np.testing.assert_array_equal(state[0], [2, 5])  # the state of a member at its own last sweep
    for record, alone in zip(records, (quick, slow), strict=True):
        (single,), _ = toy([alone])
        np.testing.assert_array_equal(record.loss, single.loss)
        assert record.sweeps == single.sweeps


def test_running_out_of_sweeps():
    (record,), state = toy([[32, 16, 8, 4, 2, 1]], max_iter=3)
    np.testing.assert_array_equal(record.loss, [32, 16, 8, 4])
    assert (record.sweeps, record.converged) == (3, False)
    assert state[0, 0] == 3


def test_one_sweep_is_not_enough_to_converge():
    (record,), _ = toy([[8, 8, 8]], max_iter=1)
    assert (record.sweeps, record.converged, len(record.loss)) == (1, False, 2)


def test_an_exact_fit_stops_at_the_floor():
    """Below the floor the tolerance is relative to the floor, not to the loss."""
    falling = 10.0 ** -np.arange(30)
    (record,), _ = toy([falling], max_iter=29, tol=0.1, floor=1e-6)
    assert record.converged
    assert record.sweeps < 12
    (record,), _ = toy([falling], max_iter=29, tol=0.1)
    assert not record.converged


def test_a_tolerance_of_zero_stops_when_the_loss_is_constant():
    (record,), _ = toy([[4, 3, 2.9999999, 2.9999999, 2.9999999]], tol=0.0)
    assert (record.sweeps, record.converged) == (4, True)


def test_a_rising_loss_has_not_converged():
    (record,), _ = toy([[4, 8, 16, 32, 64, 128]], max_iter=4)
    assert not record.converged


@pytest.mark.parametrize("tol", [1e-2, 1e-5])
def test_a_smaller_tolerance_takes_more_sweeps(tol):
    network = Case(WNMF(ridge=0.1), False, 0.0).network()
    sweeps = [
        solved(WNMF(ridge=0.1, max_iter=5000, tol=tolerance), network).records[0].sweeps
        for tolerance in (tol, tol / 10)
    ]
    assert sweeps[0] < sweeps[1]


def test_members_that_stop_at_different_sweeps_equal_themselves_alone():
    case = Case(WNMF(ridge=0.1), False, 0.0)
    ensemble = case.ensemble(members=11)
    result = solved(case.settings(tol=1e-3), ensemble)
    assert len({record.sweeps for record in result.records}) > 2
    for member in (0, 7, 8, 10):
        chosen = Ensemble(ensemble.network, ensemble.values[:, [member]], ensemble.weights[:, [member]])
        alone = case.settings(tol=1e-3).solve(chosen, 2, [member_rngs(0, 2, 11)[member]])
        np.testing.assert_array_equal(alone.members[0].W, result.members[member].W)
        np.testing.assert_array_equal(alone.records[0].loss, result.records[member].loss)


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_an_exact_fit_under_a_background_stops(precision):
    """Its loss is a difference of large sums, and cannot fall below their rounding error."""
    rng = np.random.default_rng(0)
    W, H = (rng.random(shape) * (rng.random(shape) < 0.3) for shape in ((60, 2), (2, 60)))
    network = Network.from_sparse(sparse.csr_array(W @ H), unstored="zero")
    record = WNMF(precision=precision).solve(network, 2, 0).records[0]
    assert record.converged
    assert record.sweeps < 200


@pytest.mark.parametrize("max_iter", [1, 4])
def test_the_warning_states_by_how_much_the_last_sweep_changed_the_loss(max_iter):
    network = Case(WNMF(ridge=0.1), False, 0.0).network()
    with pytest.warns(ConvergenceWarning) as caught:
        record = WNMF(ridge=0.1, max_iter=max_iter, tol=1e-9).solve(network, 2, 0).records[0]
    change = (record.loss[-2] - record.loss[-1]) / record.loss[-2]
    assert change > 0
    assert f"at rank 2 did not converge within max_iter={max_iter} sweeps in 1 of 1 members" in str(
        caught[0].message
    )
    assert f"changed the loss by {change:.1e} of its value" in str(caught[0].message)


@pytest.mark.parametrize("background", [0.0, 0.5])
def test_a_solver_stops_by_the_documented_rule(background):
    """At the first change of at most tol times the loss, or times a millionth of the sum of squares."""
    rng = np.random.default_rng(1)
    X = rng.random((12, 2)) @ rng.random((2, 15))
    X = np.where(rng.random(X.shape) < 0.7, X, 0.0 if background else np.nan)
    network = Network.from_dense(np.where(X == 0, np.nan, X)).with_background(background)
    for tol in (1e-2, 1e-4):
        record = WNMF(ridge=0.0, tol=tol, max_iter=9000, extrapolate=False).solve(network, 2, 0).records[0]
        assert record.converged
        share = max(1e-6, 8 * np.finfo(np.float64).eps / tol) if background else 1e-6
        floor = share * np.sum(network.weights * network.values**2)
        changes, before = np.abs(np.diff(record.loss[:-1])), record.loss[:-2]
        small = changes <= tol * np.maximum(before, floor)
        assert small[-1]
        assert not small[:-1].any()
        assert background or record.loss[-1] < 100 * floor


@pytest.mark.parametrize(
    ("losses", "change"), [([8.0, 4.0, 3.0], "2.5e-01"), ([4.0, 5.0], "-2.5e-01"), ([0.0, 0.0], "0.0e+00")]
)
def test_the_warning_has_the_last_change_of_the_first_member_that_did_not_converge(losses, change):
    records = [
        Convergence(9, np.array([1.0, 1.0]), True),
        Convergence(2, np.array(losses), False),
        Convergence(2, np.array([7.0, 1.0]), False),
    ]
    with pytest.warns(ConvergenceWarning) as warned:
        warn_if_stopped_early(WNMF(max_iter=2, tol=1e-3), 5, records)
    assert str(warned[0].message) == (
        "WNMF at rank 5 did not converge within max_iter=2 sweeps in 2 of 3 members (the last sweep changed "
        f"the loss by {change} of its value, tol=0.001). Raise max_iter, or tol if that accuracy suffices."
    )


@pytest.mark.parametrize("solver", [WNMF, RNMF, BNMF, LMF, KLNMF])
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("background", [0.0, 0.5])
def test_the_floor_is_a_share_of_the_sum_of_squares(solver, precision, background, monkeypatch):
    """A millionth, or with a background what rounding leaves of it; the cross-entropy has no floor."""
    floors, descend_as_usual = [], fit_blocks.descend

    def noted(sweep, loss, state, stopping, extrapolation):
        floors.append(stopping.floor[0])
        return descend_as_usual(sweep, loss, state, stopping, extrapolation)

    monkeypatch.setattr(fit_blocks, "descend", noted)
    case = Case(solver(), False, background)
    network = case.network()
    for tol in (0.0, 1e-12, 1e-4, 0.5):
        model = solved(case.settings(max_iter=2, tol=tol, precision=precision), network).members[0]
        share = 1e-6
        if background and tol:
            share = max(share, 8 * float(np.finfo(precision).eps) / tol)
        size = np.sum(network.weights * (network.values - model.offset) ** 2)
        if solver is KLNMF:  # the unit of its loss is that of the values
            size = np.sum(network.weights * network.values)
        assert floors.pop() == pytest.approx(0.0 if solver is LMF else share * size, rel=1e-6)


class Extrapolated:
    """Notes which members are accepted and which are reverted."""

    def __init__(self):
        self.calls = []

    def extrapolate(self, better):
        self.calls.append(("accepted", better.tolist()))

    def revert(self, worse):
        self.calls.append(("reverted", worse.tolist()))


def test_members_whose_loss_rises_are_reverted_and_not_accepted():
    """An equal loss is accepted; the record of a member that is reverted repeats its last loss."""
    losses = iter(np.array([[8.0, 8.0], [9.0, 4.0], [4.0, 4.0], [2.0, np.nan]]))
    steps = Extrapolated()
    stopping = Stopping(4, 0.0, np.zeros(2))
    with np.errstate(invalid="ignore"):
        records = descend(lambda: next(losses), lambda: np.ones(2), [np.zeros((1, 2))], stopping, steps)
    assert steps.calls == [
        ("reverted", [False, False]),
        ("accepted", [True, True]),
        ("reverted", [True, False]),
        ("accepted", [False, True]),
        ("reverted", [False, False]),
        ("accepted", [True, True]),
        ("reverted", [False, True]),
    ]
    assert [record.loss.tolist() for record in records] == [[8, 8, 4, 2, 1], [8, 4, 4, 1]]
    assert [(record.sweeps, record.converged) for record in records] == [(4, False), (3, True)]
