"""Descent on a device reaches the loss of the compiled kernels from the same start."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.network import Network
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF
from latentlink.solvers.devices import row_terms
from tests.helpers.cases import Case
from tests.solvers.devices.places import DEVICES, STRICT, needs_torch, starts

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

CASES = [
    Case(solver, symmetric, background)
    for solver, backgrounds in (
        (NMF(), (0, 1)),
        (WNMF(ridge=0.1), (0, 0.3)),
        (RNMF(ridge=0.1), (0, 0.2)),
        (LMF(ridge=0.5), (0, 0.2)),
        (BNMF(ridge=0.05), (0, 0.5)),
    )
    for symmetric in (False, True)
    for background in backgrounds
]


def assert_same_losses(solver, data, device, rank=2, within=1e-6, **changes):
    """Fit on the CPU and on a device from the same start, and compare every loss on the way."""
    given = starts(solver, data, rank)
    settings = solver.get_params() | {"max_iter": 15, "tol": 0.0} | changes
    here = type(solver)(**settings).solve(data, rank, start=given)
    there = type(solver)(**settings | {"device": device}).solve(data, rank, start=given)
    assert set(there.devices) == {device}
    assert set(here.devices) == {"cpu"}
    for one, other in zip(here.records, there.records, strict=True):
        assert one.sweeps == other.sweeps
        np.testing.assert_allclose(other.loss, one.loss, rtol=within, atol=within * 1e-3 * one.loss[0])
    return here, there


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_members_with_entries_of_their_own_reach_the_same_loss(case, device):
    here, there = assert_same_losses(case.solver, case.ensemble(), device)
    for one, other in zip(here.members, there.members, strict=True):
        np.testing.assert_allclose(other.W, one.W, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(other.H, one.H, rtol=1e-5, atol=1e-7)


@pytest.mark.filterwarnings("ignore:Nothing is known of")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", [case for case in CASES if not case.symmetric], ids=str)
def test_a_sparse_network_reaches_the_same_loss(case, device):
    data = sparse_network(case)
    assert data.n_listed < 0.25 * data.shape[0] * data.shape[1]
    assert_same_losses(case.solver, data, device)


def sparse_network(case):
    """Return a network in which most pairs are unlisted, one row has many entries, and one has none."""
    rng = np.random.default_rng(3)
    listed = rng.random((30, 24)) < 0.1
    listed[4], listed[7] = rng.random(24) < 0.9, False
    rows, cols = np.nonzero(listed)
    values = (rng.random((30, 2)) @ rng.random((2, 24)))[rows, cols]
    values = (values > 0.5).astype(float) if case.binary else values
    return Network(rows, cols, values, shape=(30, 24), background=case.background)


@pytest.mark.filterwarnings("ignore:Nothing is known of")
@pytest.mark.parametrize("case", CASES[:6:2], ids=str)
def test_parts_of_a_few_rows_give_the_same_loss(case, monkeypatch):
    monkeypatch.setattr(row_terms, "MOST_NUMBERS", 40)
    monkeypatch.setattr("latentlink.solvers.devices.gathered_entries.MOST_NUMBERS", 40)
    assert_same_losses(case.solver, case.ensemble(), STRICT)
    assert_same_losses(case.solver, sparse_network(case), STRICT)


@pytest.mark.parametrize("solver", [NMF(), WNMF(), BNMF()], ids=repr)
def test_a_matrix_without_unknown_entries_reaches_the_same_loss(solver):
    X = np.random.default_rng(0).random((12, 9))
    X = (X > 0.5).astype(float) if solver.needs_binary else X
    assert_same_losses(solver, Network.from_dense(X), STRICT)


def test_weights_of_entries_count_as_they_do_on_the_cpu():
    rng = np.random.default_rng(0)
    network = Network.from_dense(rng.random((12, 9))).with_weights(rng.random(108) * 3)
    assert_same_losses(WNMF(ridge=0.1), network, STRICT)
    assert_same_losses(RNMF(ridge=0.1), network, STRICT)


@pytest.mark.parametrize("ridges", [(0.1, 0.5, 2.0)])
def test_members_with_ridges_of_their_own(ridges):
    case = Case(WNMF(ridge=ridges), False, 0)
    assert_same_losses(case.solver, case.ensemble(), STRICT)


@pytest.mark.parametrize("device", DEVICES)
def test_single_precision_reaches_the_same_loss_within_its_rounding(device):
    case = Case(WNMF(ridge=0.1), False, 0)
    _, there = assert_same_losses(case.solver, case.ensemble(), device, within=1e-5, precision="float32")
    assert there.members[0].W.dtype == np.float32


@pytest.mark.parametrize("device", DEVICES)
def test_each_member_converges_at_its_own_sweep_and_is_then_frozen(device):
    case = Case(WNMF(ridge=0.1), False, 0)
    data = case.ensemble(4)
    given = starts(case.solver, data)
    here = case.solver.solve(data, 2, start=given)
    there = case.settings(device=device).solve(data, 2, start=given)
    assert len({record.sweeps for record in there.records}) > 1
    for one, other, member in zip(here.records, there.records, there.members, strict=True):
        assert (one.sweeps, one.converged) == (other.sweeps, other.converged)
        np.testing.assert_allclose(other.loss[-1], one.loss[-1], rtol=1e-6)
        assert (member.W >= 0).all()


@pytest.mark.parametrize("solver", [NMF(), WNMF(ridge=0.1), RNMF(ridge=0.1), LMF(ridge=0.5)], ids=repr)
def test_a_refit_of_the_columns_leaves_the_rows_as_they_are(solver):
    case = Case(solver, False, 0)
    network = case.network()
    centre = solver.solve(network, 2, 1).members[0]
    here = solver.refit(network, centre)
    there = case.settings(device=STRICT).refit(network, centre)
    np.testing.assert_array_equal(there.members[0].W, centre.W)
    np.testing.assert_allclose(there.records[0].loss[-1], here.records[0].loss[-1], rtol=1e-6)


@pytest.mark.filterwarnings("ignore:Nothing is known of")
def test_rows_without_known_entries_get_the_average():
    case = Case(WNMF(ridge=0.1), False, 0)
    member = case.settings(device=STRICT).solve(sparse_network(case), 2, 0).members[0]
    others = np.arange(30) != 7
    np.testing.assert_allclose(member.W[7], member.W[others].mean(axis=0))


@needs_torch
def test_a_fit_repeated_on_a_device_has_the_same_bits():
    case = Case(WNMF(ridge=0.1), False, 0.3)
    solver = case.settings(device="torch:cpu")
    one, other = (solver.solve(sparse_network(case), 2, 0).members[0] for _ in range(2))
    np.testing.assert_array_equal(one.W, other.W)
    np.testing.assert_array_equal(one.H, other.H)
