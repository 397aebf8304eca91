"""Host and device exchange data at the documented ends only, and devices never mix."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.solvers import LMF, WNMF
from latentlink.solvers.devices import fit_on_devices
from latentlink.solvers.devices.array_device import ArrayDevice
from latentlink.solvers.devices.fit_on_devices import device_groups
from tests.helpers.cases import Case
from tests.solvers.devices.places import STRICT, needs_torch, strict_device

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SWEEPS = 6


@pytest.fixture
def copies(monkeypatch):
    """Record the number of elements of each copy, up and down."""
    sizes = {"put": [], "get": []}
    for way, original in (("put", ArrayDevice.put), ("get", ArrayDevice.get)):

        def counted(self, array, way=way, original=original):
            sizes[way].append(int(np.prod(array.shape)))
            return original(self, array)

        monkeypatch.setattr(ArrayDevice, way, counted)
    return sizes


def test_the_pretended_device_raises_where_a_gpu_would_copy_in_silence_or_fail():
    first, second = strict_device(1), strict_device(2)
    array = first.put(np.ones(3))
    with pytest.raises(RuntimeError, match=r"Can't (convert|extract)"):
        np.asarray(array)
    with pytest.raises(ValueError, match="two different devices"):
        array + second.put(np.ones(3))
    np.testing.assert_array_equal(first.get(array), np.ones(3))


@pytest.mark.parametrize("solver", [WNMF(ridge=0.1), LMF(ridge=0.5)], ids=repr)
@pytest.mark.parametrize("background", [0, 0.2])
def test_a_sweep_brings_down_one_loss_for_each_member_and_nothing_else(solver, background, copies):
    case = Case(solver, False, background)
    data, members = case.ensemble(), 3
    fitted = case.settings(device=STRICT, max_iter=SWEEPS, tol=0.0, extrapolate=False).solve(data, 2, 0)
    nodes, size = data.network.shape, 2 + 2 * solver.biased
    factors = [count * size * members for count in nodes]
    assert copies["get"] == [members] * (SWEEPS + 1) + factors  # losses of sweeps, the last one, factors
    assert fitted.records[0].sweeps == SWEEPS


def test_more_sweeps_copy_no_more_data_up(copies):
    case = Case(WNMF(ridge=0.1), False, 0)
    uploads = []
    for sweeps in (2, 9):
        copies["put"].clear()
        case.settings(device=STRICT, max_iter=sweeps, tol=0.0, extrapolate=False).solve(case.ensemble(), 2, 0)
        uploads.append(len(copies["put"]))
    per_half = 3  # which coordinates form a pair, and the pair of each element of a square
    assert uploads[1] - uploads[0] <= 7 * 2 * per_half


def test_extrapolation_copies_up_one_number_for_each_member(copies):
    case = Case(WNMF(ridge=0.1), False, 0)
    plain, extrapolated = [], []
    for extrapolate, uploads in ((False, plain), (True, extrapolated)):
        copies["put"].clear()
        settings = case.settings(device=STRICT, max_iter=SWEEPS, tol=0.0, extrapolate=extrapolate)
        settings.solve(case.ensemble(), 2, 0)
        uploads += copies["put"]
    more = sorted(extrapolated)[: len(extrapolated) - len(plain)]
    assert more
    assert max(more) <= 3


@needs_torch
def test_the_arrays_of_the_host_are_never_those_of_the_device():
    from latentlink.solvers.devices.array_libraries import named_device

    device, array = named_device("torch", "cpu", "A test"), np.ones((2, 3))
    there = device.put(array)
    there[0, 0] = 7.0
    assert array[0, 0] == 1.0
    back = device.get(there)
    back[0, 1] = 5.0
    assert float(there[0, 1]) == 1.0


def test_members_on_two_devices_are_those_of_one(monkeypatch):
    case = Case(WNMF(ridge=0.1), False, 0.2)
    data = case.ensemble(5)
    one = case.settings(device=STRICT).solve(data, 2, 0)
    devices = (strict_device(1), strict_device(2))
    monkeypatch.setattr("latentlink.solvers.descent.fit_blocks.devices_of", lambda _: devices)
    two = case.solver.solve(data, 2, 0)
    assert set(two.devices) == {device.name for device in devices}
    for here, there in zip(one.records, two.records, strict=True):
        np.testing.assert_allclose(there.loss[-1], here.loss[-1], rtol=1e-9)


def test_an_error_on_one_of_several_devices_is_raised():
    groups = device_groups(4, (strict_device(1), strict_device(2)), 1)

    def fail(group, device):
        raise MemoryError(f"{device.name} is full")

    with pytest.raises(MemoryError, match="is full"):
        fit_on_devices.each_on_its_device(fail, groups)


@pytest.mark.parametrize("members", [1, 2, 3, 7, 16])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_groups_have_every_member_once_and_equal_sizes(members, count):
    groups = device_groups(members, tuple(range(count)), rank=5)
    assert [member for group, _ in groups for member in group] == list(range(members))
    sizes = [len(group) for group, _ in groups]
    assert max(sizes) - min(sizes) <= 1
    assert len({device for _, device in groups}) == len(groups) == min(members, count)


def test_central_models_of_several_ranks_are_spread_over_the_devices():
    assert [device_groups(1, (0, 1), rank)[0][1] for rank in (2, 3, 4, 5)] == [0, 1, 0, 1]
