"""Which devices a solver's ``device`` names, and which of them this computer has.

None, "cpu"     the compiled kernels on the CPU
"cuda"          all CUDA devices of the first library that has one
"cuda:1"        one of them
"auto"          "cuda" where there is one, else "cpu"
"torch:cuda:1"  the same, of a named library: torch, cupy or jax
"torch:cpu"     the device of a library under its own name, to measure or to test without a GPU
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from latentlink.errors import IncompatibleError
from latentlink.solvers.devices.array_libraries import LIBRARIES, cuda_count, named_device
from latentlink.validation.wording import shown_repr

if TYPE_CHECKING:
    from latentlink.solvers.base import Solver
    from latentlink.solvers.devices.array_device import ArrayDevice

__all__ = ["check_device", "devices_of"]

_CUDA = re.compile(r"cuda(?::(\d{1,3}))?")
_OF_LIBRARY = re.compile(r"(\w+):(\w+(?::\d{1,3})?)")
_WITH_CUDA = ("torch", "cupy", "jax")
_EXPECTED = (
    'expected None or "cpu" for the compiled kernels, "cuda" for all GPUs, "cuda:1" for one of them, "auto" '
    'for GPUs where there are any, or a library and its device, such as "torch:cpu"'
)


def check_device(solver: Solver) -> None:
    """Raise IncompatibleError for a ``device`` that is none, or that the solver has no updates for.

    Whether this computer has it is checked by `devices_of`: a saved model is loaded without its device.
    """
    device: Any = solver.device
    if device is None or device in ("cpu", "auto"):
        return
    _parsed(device, type(solver).__name__)
    if not solver.on_devices:
        raise IncompatibleError(
            f"{solver} has no updates for devices; expected NMF, WNMF, RNMF, LMF or BNMF with coordinate "
            "descent. Set device=None to fit it on the CPU."
        )


def devices_of(solver: Solver) -> tuple[ArrayDevice, ...]:
    """Return the devices that a solver's members are divided among; none for the compiled kernels.

    Raises IncompatibleError if this computer does not have them.
    """
    check_device(solver)
    device = solver.device
    if device is None or device == "cpu" or not solver.on_devices:
        return ()
    if device == "auto":
        return _cuda_devices(solver, None, None)
    library, name = _parsed(device, type(solver).__name__)
    if _CUDA.fullmatch(name):
        return _cuda_devices(solver, library, name)
    _check_extra(type(solver).__name__, device)
    return (named_device(str(library), name, type(solver).__name__),)


def _parsed(device: Any, owner: str) -> tuple[str | None, str]:
    """Return library and device of a valid text; None for any library."""
    if isinstance(device, str):
        if _CUDA.fullmatch(device):
            return None, device
        parts = _OF_LIBRARY.fullmatch(device)
        if parts and parts[1] in LIBRARIES:
            return parts[1], parts[2]
    raise IncompatibleError(f"{owner} has device={shown_repr(device)}; {_EXPECTED}.")


def _cuda_devices(solver: Solver, library: str | None, index: str | None) -> tuple[ArrayDevice, ...]:
    """Return one or all CUDA devices; without any, none for "auto", else raise IncompatibleError."""
    owner, found = type(solver).__name__, []
    for name in (library,) if library else _WITH_CUDA:
        count = cuda_count(name)
        if not count:
            found.append(_without_cuda(name))
            continue
        _check_extra(owner, solver.device)
        number = (index or "cuda").partition(":")[2]
        wanted = range(count) if not number else (int(number),)
        if wanted[-1] < count:
            return tuple(named_device(name, f"cuda:{each}", owner) for each in wanted)
        found.append(f"{LIBRARIES[name]} has {count}, cuda:0 to cuda:{count - 1}")
    if solver.device == "auto":
        return ()
    raise IncompatibleError(
        f"{owner} has device={solver.device!r}, but no such device was found: {', '.join(found)}. Install a "
        'driver and a library with CUDA, such as PyTorch (pip install "latentlink[gpu]"), or set device=None '
        'to fit on the CPU, or device="auto" to do so where there is no GPU.'
    )


def _without_cuda(library: str) -> str:
    """Return in words that a library has no CUDA device."""
    if find_spec(library) is None:
        return f"{LIBRARIES[library]} is not installed"
    try:
        return f"{LIBRARIES[library]} {version(library)} sees no CUDA device"
    except PackageNotFoundError:  # the distributions of CuPy are named after the version of CUDA
        return f"{LIBRARIES[library]} sees no CUDA device"


def _check_extra(owner: str, device: Any) -> None:
    missing = [name for name in ("array_api_compat", "array_api_extra") if find_spec(name) is None]
    if missing:
        raise IncompatibleError(
            f"{owner} has device={device!r}, which needs {' and '.join(missing)}, not installed here. "
            'Install it with: pip install "latentlink[gpu]".'
        )
