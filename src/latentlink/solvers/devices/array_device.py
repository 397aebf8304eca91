"""A device of an array library, and the two ways between it and the host."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ArrayDevice"]


@dataclass(frozen=True, slots=True)
class ArrayDevice:
    """A device of a library with the Python array API.

    `put` and `get` are the only copies between host and device: data and starts go up before the descent; one
    loss for each member comes down after each sweep, with which members are extrapolated or reverted goes up;
    factors come down at the end.

    Attributes
    ----------
    name : str
        What results say: ``cuda:0``, or library and device, such as ``torch:cpu``.
    library : str
        The name of the module.
    xp : module
        The namespace of the standard.
    handle : object
        The device as the library takes it.
    host : object
        The library's name of the host.
    """

    name: str
    library: str
    xp: Any = field(compare=False, repr=False)
    handle: Any = field(compare=False, repr=False)
    host: Any = field(default="cpu", compare=False, repr=False)

    def put(self, array: NDArray[Any]) -> Any:
        """Copy an array from the host to the device."""
        # Without a copy, an array of PyTorch on the CPU is a view, and changing it would change the input.
        return self.xp.asarray(np.ascontiguousarray(array), device=self.handle, copy=True)

    def get(self, array: Any) -> NDArray[Any]:
        """Copy an array from the device to the host."""
        from array_api_compat import to_device

        return np.array(np.from_dlpack(to_device(array, self.host)))

    def active(self) -> AbstractContextManager[Any]:
        """Return a context in which the library computes on this device, in the precision of its arrays."""
        context: AbstractContextManager[Any] = nullcontext()
        if self.library == "cupy":  # kernels run on the current device, whichever one the arrays are on
            context = self.handle
        elif self.library == "jax":  # single precision would otherwise be rounded to ten bits on a GPU
            context = import_module("jax").default_matmul_precision("highest")
        return context
