"""The option ``--device``: a model whose factorization is fitted on a device."""

from __future__ import annotations

from typing import Any

from latentlink.errors import IncompatibleError
from latentlink.estimators import LinkModel
from latentlink.solvers.devices.device_choice import devices_of

__all__ = ["on_chosen_device"]


def on_chosen_device(model: LinkModel, device: str | None, method: str) -> LinkModel:
    """Return a model whose solver has a device; raise IncompatibleError if there is none, or no such device.

    Parameters
    ----------
    model : LinkModel
        Not fitted: a factorization, one with a logistic head, or a stack, which has none on devices.
    device : str or None
        As the ``device`` of a solver; None leaves the model as it is.
    method : str
        The name of the method, for messages.
    """
    if device is None:
        return model
    factorization: Any = getattr(model, "estimator", model)
    if not hasattr(factorization, "used_solver"):
        if device in ("auto", "cpu"):
            return model
        raise IncompatibleError(
            f"--device is {device}, but the method is {method}, most of which runs on the CPU; expected a "
            "factorization. Name one, such as --method wnmfk or --method lmf, or leave --device out."
        )
    factorization.set_params(solver__device=device)
    devices_of(factorization.used_solver())  # raises before the fit begins
    return model
