"""Devices of array libraries, most of which are not installed here: pretended modules of each."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from latentlink.errors import IncompatibleError
from latentlink.solvers.devices import array_device, array_libraries
from latentlink.solvers.devices.array_device import ArrayDevice
from latentlink.solvers.devices.array_libraries import cuda_count, named_device


def pretended(x64=True, cuda=2):
    """Modules by name, as far as devices are asked for."""

    def devices(kind):
        if kind == "cuda" and not cuda:
            raise RuntimeError("Unknown backend cuda")
        return [f"{kind} {number}" for number in range(cuda if kind == "cuda" else 1)]

    def device(name):
        if name not in {"cpu", "cuda", "cuda:0", "cuda:1"}:
            raise RuntimeError(f"no {name}")
        return f"torch {name}"

    available = SimpleNamespace(is_available=lambda: cuda > 0, device_count=lambda: max(cuda, 5))
    runtime = SimpleNamespace(getDeviceCount=lambda: max(cuda, 7))
    return {
        "torch": SimpleNamespace(device=device, cuda=available),
        "cupy": SimpleNamespace(
            cuda=SimpleNamespace(
                is_available=lambda: cuda > 0, runtime=runtime, Device=lambda number: f"cupy {number}"
            )
        ),
        "jax": SimpleNamespace(
            config=SimpleNamespace(jax_enable_x64=x64), numpy="jax.numpy", devices=devices
        ),
        "numpy": SimpleNamespace(),
        "array_api_compat.torch": "array API of torch",
        "array_api_compat.cupy": "array API of cupy",
        "array_api_compat.numpy": "array API of numpy",
    }


@pytest.fixture
def install(monkeypatch):
    """Return a function that pretends that modules are installed."""

    def pretend(**options):
        modules = pretended(**options)
        monkeypatch.setattr(array_libraries, "find_spec", lambda name: modules.get(name))
        monkeypatch.setattr(array_libraries, "import_module", lambda name: modules[name])

    return pretend


@pytest.mark.parametrize(
    ("library", "name", "shown", "namespace", "handle", "host"),
    [
        ("torch", "cpu", "torch:cpu", "array API of torch", "torch cpu", "cpu"),
        ("torch", "cuda:1", "cuda:1", "array API of torch", "torch cuda:1", "cpu"),
        ("cupy", "cuda:3", "cuda:3", "array API of cupy", "cupy 3", "cpu"),
        ("cupy", "cuda", "cuda", "array API of cupy", "cupy 0", "cpu"),
        ("jax", "cpu", "jax:cpu", "jax.numpy", "cpu 0", "cpu 0"),
        ("jax", "cuda", "cuda", "jax.numpy", "cuda 0", "cpu 0"),
        ("jax", "cuda:1", "cuda:1", "jax.numpy", "cuda 1", "cpu 0"),
        ("numpy", "cpu", "numpy:cpu", "array API of numpy", "cpu", "cpu"),
    ],
)
def test_devices_by_name(install, library, name, shown, namespace, handle, host):
    install()
    found = named_device(library, name, "NMF()")
    assert (found.name, found.library) == (shown, library)
    assert (found.xp, found.handle, found.host) == (namespace, handle, host)


@pytest.mark.parametrize(
    ("name", "host"), [("cpu", True), ("CPU_DEVICE", True), ("device1", False), ("device2", False)]
)
def test_pretended_devices_beside_the_host(name, host):
    import array_api_strict

    found = named_device("array_api_strict", name, "NMF()")
    assert found.name == f"array_api_strict:{name}"
    assert found.host == array_api_strict.Device("CPU_DEVICE")
    assert (found.handle == found.host) is host
    assert found.xp is array_api_strict


@pytest.mark.parametrize(
    ("options", "library", "name", "reason"),
    [
        ({}, "torch", "cuda:2", "PyTorch does not offer .no cuda:2"),
        ({}, "jax", "cuda:2", "JAX does not offer .list index out of range"),
        ({"cuda": 0}, "jax", "cuda:0", "JAX does not offer .Unknown backend cuda"),
        ({"x64": False}, "jax", "cpu", "JAX does not offer .sums need double precision"),
        ({}, "numpy", "gpu", "NumPy does not offer .its arrays are on the CPU"),
        ({}, "array_api_strict", "cpu", "array-api-strict is not installed"),
    ],
)
def test_devices_that_are_not_there(install, options, library, name, reason):
    install(**options)
    with pytest.raises(IncompatibleError, match=rf'NMF\(\) has device="{library}:{name}", .*{reason}'):
        named_device(library, name, "NMF()")


@pytest.mark.parametrize(("cuda", "counts"), [(2, (5, 7, 2)), (0, (0, 0, 0))])
def test_numbers_of_cuda_devices(install, cuda, counts):
    install(cuda=cuda)
    assert tuple(map(cuda_count, ("torch", "cupy", "jax"))) == counts


def test_a_library_that_is_not_installed_has_none():
    assert cuda_count("a_library_that_nobody_has") == 0


def test_where_a_library_computes(monkeypatch):
    """CuPy on its current device, JAX in the precision of its arrays, others where their arrays are."""
    monkeypatch.setattr(
        array_device,
        "import_module",
        lambda name: SimpleNamespace(default_matmul_precision=lambda precision: f"{name} {precision}"),
    )
    contexts = {
        library: ArrayDevice("", library, None, "handle").active() for library in ("cupy", "jax", "numpy")
    }
    assert contexts["cupy"] == "handle"
    assert contexts["jax"] == "jax highest"
    assert isinstance(contexts["numpy"], nullcontext)


def test_devices_are_the_same_by_name_and_library():
    device = ArrayDevice("cuda:0", "torch", "module", "handle", "host")
    assert device == ArrayDevice("cuda:0", "torch", None, None, None)
    assert device != ArrayDevice("cuda:1", "torch", "module", "handle", "host")
    assert device != ArrayDevice("cuda:0", "cupy", "module", "handle", "host")
    assert repr(device) == "ArrayDevice(name='cuda:0', library='torch')"
