"""Default solver and regime of the members of an ensemble."""

from __future__ import annotations

from typing import Any

from latentlink.regime import AsIs, Regime, real
from latentlink.solvers import Solver

__all__ = ["member_regime", "member_solver"]


def member_solver(method: type[Solver]) -> Solver:
    """Return a solver with the settings of ensemble members: a fifth of the sweeps, ``tol=1e-4``, float32.

    Members differ by their perturbations and starts by more than that. The central model is fitted in double
    precision whatever the members' precision is.

    Examples
    --------
    >>> from latentlink.solvers import WNMF
    >>> member_solver(WNMF)
    WNMF(max_iter=100, precision='float32', tol=0.0001)
    """
    return method(max_iter=method().max_iter // 5, tol=1e-4, precision="float32")


def member_regime(solver: Any) -> Regime:
    """Return the real-valued regime for a solver: values are scaled at random, unless the loss is logistic.

    With a logistic loss a value of 1.01 has no minimum. There members differ by the entries that are held out
    of each, which predicted better than random weights in addition.
    """
    regime = real()
    if getattr(solver, "logistic", False):
        regime.set_params(perturb=AsIs())
    return regime
