"""Numbers too large or too small for their squares to be summed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.network import Ensemble

if TYPE_CHECKING:
    from latentlink.solvers.base import Solver

__all__ = ["check_magnitude"]


def check_magnitude(solver: Solver, ensemble: Ensemble) -> None:
    """Refuse values, weights and penalties whose squares and sums the solver's precision cannot hold."""
    numbers = np.finfo(solver.precision)
    # Four digits below the edge: squares are summed over many entries, and products of factors squared.
    most, least = 1e-4 * float(np.sqrt(numbers.max)), 1e4 * float(np.sqrt(numbers.tiny))
    for member in range(1 if ensemble.is_uniform else ensemble.n_members):
        values, weights = ensemble.member_entries(member)
        sizes = np.abs(values) * np.sqrt(weights)
        place = int(np.argmax(sizes))
        if not sizes[place] <= most:
            _refuse(solver, ensemble, place, values, weights, f"up to {most:.0e}", "Divide")
        if 0 < sizes[place] < least:
            _refuse(solver, ensemble, place, values, weights, f"from {least:.0e} up", "Multiply")
    for name, value in solver.get_params().items():
        if not name.startswith("ridge"):
            continue
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, (int, float)) and each > 1e-8 * float(numbers.max):
                raise IncompatibleError(
                    f"{solver} has {name}={each:g}, which {solver.precision} cannot hold. Choose a smaller "
                    "one."
                )


def _refuse(
    solver: Solver,
    ensemble: Ensemble,
    place: int,
    values: NDArray[Any],
    weights: NDArray[Any],
    needed: str,
    remedy: str,
) -> None:
    network = ensemble.network
    weight = "" if weights[place] == 1 else f" with weight {weights[place]:g}"
    raise IncompatibleError(
        f"{solver} sums squares in {solver.precision} and needs largest values {needed}, but here the "
        f"largest is {values[place]:g}{weight}, at ({network.rows[place]}, {network.cols[place]}). "
        f"{remedy} all values by a common number."
    )
