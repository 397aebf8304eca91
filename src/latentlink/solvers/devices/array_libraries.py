"""Array libraries: how many CUDA devices each has, and its device of a name."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from latentlink.errors import IncompatibleError
from latentlink.solvers.devices.array_device import ArrayDevice

__all__ = ["LIBRARIES", "cuda_count", "named_device"]

LIBRARIES = {
    "torch": "PyTorch",
    "cupy": "CuPy",
    "jax": "JAX",
    "numpy": "NumPy",
    "array_api_strict": "array-api-strict",
}
"""The libraries by their modules; the last two are for tests and measurements."""


def cuda_count(library: str) -> int:
    """Return the number of CUDA devices that a library sees; 0 if it is not installed."""
    if find_spec(library) is None:
        return 0
    module = import_module(library)
    if library == "torch":
        return int(module.cuda.device_count()) if module.cuda.is_available() else 0
    if library == "cupy":
        return int(module.cuda.runtime.getDeviceCount()) if module.cuda.is_available() else 0
    try:
        return len(module.devices("cuda"))
    except RuntimeError:  # JAX has no such platform
        return 0


def named_device(library: str, name: str, owner: str) -> ArrayDevice:
    """Return the device of a library; raise IncompatibleError if it has none of that name."""
    if find_spec(library) is None:
        raise IncompatibleError(
            f'{owner} has device="{library}:{name}", but {LIBRARIES[library]} is not installed. Install it, '
            "or set device=None to fit on the CPU."
        )
    try:
        xp, handle, host = _of_library(library, name)
    except (RuntimeError, ValueError, LookupError) as error:
        raise IncompatibleError(
            f'{owner} has device="{library}:{name}", which {LIBRARIES[library]} does not offer ({error}). '
            "Name another one, or set device=None to fit on the CPU."
        ) from error
    shown = name if name.startswith("cuda") else f"{library}:{name}"
    return ArrayDevice(shown, library, xp, handle, host)


def _of_library(library: str, name: str) -> tuple[Any, Any, Any]:
    """Return namespace, device and host of a library; raise what the library raises for another name."""
    module = import_module(library)
    kind, _, index = name.partition(":")
    if library == "jax":
        if not module.config.jax_enable_x64:
            raise ValueError("sums need double precision: set JAX_ENABLE_X64=1 in the environment")
        return module.numpy, module.devices(kind)[int(index or 0)], module.devices("cpu")[0]
    if library == "array_api_strict":
        host = "CPU_DEVICE"
        return module, module.Device(host if name == "cpu" else name), module.Device(host)
    xp = import_module(f"array_api_compat.{library}")
    if library == "cupy":
        return xp, module.cuda.Device(int(index or 0)), "cpu"
    if library == "numpy" and name != "cpu":
        raise ValueError("its arrays are on the CPU")
    return xp, module.device(name) if library == "torch" else "cpu", "cpu"
