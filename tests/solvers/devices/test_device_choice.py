"""Which devices a text names, what is missing in a sentence, and that nothing is imported unasked."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.network import Network
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF, BayesianNMF, SymLMF
from latentlink.solvers.devices import device_choice
from latentlink.solvers.devices.array_device import ArrayDevice
from latentlink.solvers.devices.device_choice import devices_of
from tests.solvers.devices.places import needs_torch

NETWORK = Network.from_dense(np.random.default_rng(0).random((6, 5)))
ON_DEVICES = [NMF(), WNMF(), RNMF(), LMF(), BNMF()]
NOT_ON_DEVICES = [
    NMF(updates="multiplicative"),
    RNMF(updates="paper"),
    BNMF(updates="multiplicative"),
    KLNMF(),
    SymLMF(),
    BayesianNMF(),
]


@pytest.fixture
def cuda(monkeypatch):
    """Pretend that libraries have CUDA devices: ``cuda(torch=2)``."""

    def pretend(**counts):
        monkeypatch.setattr(device_choice, "cuda_count", lambda library: counts.get(library, 0))
        monkeypatch.setattr(
            device_choice,
            "find_spec",
            lambda library: library in {*counts, "array_api_compat", "array_api_extra"} or None,
        )
        monkeypatch.setattr(
            device_choice, "named_device", lambda library, name, owner: ArrayDevice(name, library, None, None)
        )

    return pretend


@pytest.mark.parametrize("device", [None, "cpu"])
@pytest.mark.parametrize("solver", [*ON_DEVICES, *NOT_ON_DEVICES], ids=repr)
def test_every_solver_runs_on_the_cpu(solver, device):
    assert devices_of(solver.__class__(**solver.get_params() | {"device": device})) == ()


@pytest.mark.parametrize("solver", [*ON_DEVICES, *NOT_ON_DEVICES], ids=repr)
def test_auto_without_a_gpu_is_quiet_and_takes_the_cpu(solver, cuda):
    cuda(torch=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert devices_of(solver.__class__(**solver.get_params() | {"device": "auto"})) == ()


def test_a_fit_with_auto_has_the_bits_of_the_cpu_where_there_is_no_gpu(cuda):
    cuda()
    here, there = (WNMF(device=device).solve(NETWORK, 2, 0) for device in (None, "auto"))
    np.testing.assert_array_equal(here.members[0].W, there.members[0].W)
    assert there.devices == ("cpu",)


@pytest.mark.parametrize("device", ["cuda", "auto"])
def test_cuda_takes_all_devices_of_the_first_library_that_has_any(device, cuda):
    cuda(torch=0, cupy=2, jax=3)
    found = devices_of(WNMF(device=device))
    assert [(each.library, each.name) for each in found] == [("cupy", "cuda:0"), ("cupy", "cuda:1")]


@pytest.mark.parametrize(
    ("device", "library", "name"), [("cuda:1", "torch", "cuda:1"), ("jax:cuda:2", "jax", "cuda:2")]
)
def test_a_number_takes_one_device(device, library, name, cuda):
    cuda(torch=2, jax=3)
    (found,) = devices_of(WNMF(device=device))
    assert (found.library, found.name) == (library, name)


def test_cuda_without_a_gpu_says_what_was_looked_for(cuda):
    cuda(torch=0)
    with pytest.raises(
        IncompatibleError, match=r"PyTorch .*sees no CUDA device, CuPy is not installed, JAX is"
    ):
        devices_of(WNMF(device="cuda"))


def test_a_device_beyond_the_last_says_how_many_there_are(cuda):
    cuda(torch=2)
    with pytest.raises(IncompatibleError, match="PyTorch has 2, cuda:0 to cuda:1"):
        devices_of(WNMF(device="cuda:2"))


@needs_torch
def test_cuda_raises_before_any_work_on_a_computer_without_it():
    import torch

    if torch.cuda.is_available():
        pytest.skip("this computer has a CUDA device")
    with pytest.raises(IncompatibleError, match=r'device="auto" to do so where there is no GPU'):
        WNMF(device="cuda").solve(NETWORK, 2, 0)


@pytest.mark.parametrize("device", ["gpu", "CUDA", "cuda:", "cuda:x", "torch", "tpu:0", "", 1, True, b"cpu"])
def test_another_device_raises(device):
    with pytest.raises(IncompatibleError, match=r"WNMF has device=.*; expected None or \"cpu\""):
        WNMF(device=device).solve(NETWORK, 2, 0)


@pytest.mark.parametrize("device", ["numpy:gpu", "array_api_strict:device9"])
def test_a_device_that_a_library_does_not_have_raises(device):
    with pytest.raises(IncompatibleError, match="does not offer"):
        devices_of(WNMF(device=device))


def test_a_library_that_is_not_installed_raises(monkeypatch):
    monkeypatch.setattr("latentlink.solvers.devices.array_libraries.find_spec", lambda _: None)
    with pytest.raises(IncompatibleError, match=r"JAX is not installed"):
        devices_of(WNMF(device="jax:cpu"))


def test_without_the_array_api_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(device_choice, "find_spec", lambda name: None)
    with pytest.raises(IncompatibleError, match=r'array_api_compat and .*pip install "latentlink\[gpu\]"'):
        devices_of(WNMF(device="numpy:cpu"))


@pytest.mark.parametrize("solver", NOT_ON_DEVICES, ids=repr)
def test_a_solver_without_updates_for_devices_raises(solver):
    with pytest.raises(IncompatibleError, match="has no updates for devices; expected NMF, WNMF, RNMF, LMF"):
        devices_of(solver.__class__(**solver.get_params() | {"device": "cuda"}))


def test_new_rows_are_fitted_on_the_cpu_whatever_the_device_was():
    for solver in ON_DEVICES:
        new_rows, _ = solver.__class__(device="cuda:7").for_new_rows(NETWORK)
        assert new_rows.device is None


def test_nothing_is_imported_before_a_device_is_asked_for():
    code = (
        "import sys, numpy as np, latentlink\n"
        "from latentlink.solvers import WNMF\n"
        "WNMF().solve(latentlink.Network.from_dense(np.ones((3, 2))), 1, 0)\n"
        "print({name.partition('.')[0] for name in sys.modules}"
        " & {'torch', 'cupy', 'jax', 'array_api_compat', 'array_api_extra'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
