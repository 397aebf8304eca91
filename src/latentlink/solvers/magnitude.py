"""Check that values, weights and penalties neither overflow nor underflow when squared and summed."""

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
    """Raise IncompatibleError for values, weights or penalties outside the range of the precision."""
    numbers = np.finfo(solver.precision)
    # A margin of four digits: squares are summed over many entries, and products of factors are squared.
    most, least = 1e-4 * float(np.sqrt(numbers.max)), 1e4 * float(np.sqrt(numbers.tiny))
    for member in range(1 if ensemble.is_uniform else ensemble.n_members):
        values, weights = ensemble.member_entries(member)
        sizes = np.abs(values) * np.sqrt(weights)
        position = int(np.argmax(sizes))
        if not sizes[position] <= most:
            _raise_for_entry(solver, ensemble, position, values, weights, f"up to {most:.0e}", "Divide")
        if 0 < sizes[position] < least:
            _raise_for_entry(solver, ensemble, position, values, weights, f"from {least:.0e} up", "Multiply")
    for name, value in solver.get_params().items():
        if not name.startswith("ridge"):
            continue
        for ridge in value if isinstance(value, tuple) else (value,):
            if isinstance(ridge, (int, float)) and ridge > 1e-8 * float(numbers.max):
                raise IncompatibleError(
                    f"{solver} has {name}={ridge:g}, which exceeds the range of {solver.precision}. Choose a "
                    "smaller one."
                )


def _raise_for_entry(
    solver: Solver,
    ensemble: Ensemble,
    position: int,
    values: NDArray[Any],
    weights: NDArray[Any],
    needed: str,
    remedy: str,
) -> None:
    network = ensemble.network
    weight = "" if weights[position] == 1 else f" with weight {weights[position]:g}"
    raise IncompatibleError(
        f"{solver} sums squares in {solver.precision} and needs largest values {needed}, but here the "
        f"largest is {values[position]:g}{weight}, at ({network.rows[position]}, {network.cols[position]}). "
        f"{remedy} all values by a common number."
    )
