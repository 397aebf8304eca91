"""What an estimator's parameters mean, checked before any work."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.rank import Agreement, Selection
from latentlink.regime import AsIs, Regime, real
from latentlink.solvers import Solver

__all__ = [
    "checked_choice",
    "checked_count",
    "checked_object",
    "default_selection",
    "default_solver",
    "real_for",
    "seed_of",
]


def default_selection() -> Selection:
    """Return the rule that chooses the rank where none is given."""
    return Agreement()


def default_solver(method: type[Solver]) -> Solver:
    """Return a solver as the members of an ensemble want it: quick, and exact to what they differ by anyway.

    The model itself is fitted in double precision whatever the members' is.
    """
    return method(max_iter=method().max_iter // 5, tol=1e-4, precision="float32")


def real_for(solver: Any) -> Regime:
    """Return the real-valued regime of a solver: values are scaled, but not where the loss is logistic.

    Under a logistic loss a value of 1.01 has no minimum. There members differ by what they are not shown,
    which was measured to predict better than weighing entries at random besides.
    """
    regime = real()
    if getattr(solver, "logistic", False):
        regime.set_params(perturb=AsIs())
    return regime


def checked_object(owner: object, name: str, found: Any, kind: type) -> Any:
    """Refuse what is no object of the kind that a slot is for."""
    if not isinstance(found, kind):
        hint = f" Call it: {found.__name__}()." if isinstance(found, type) else ""
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={found!r}; expected an object of type {kind.__name__}, or "
            f"None for the method's own.{hint}"
        )
    return found


def checked_choice(owner: object, name: str, found: Any, choices: tuple[str, ...]) -> str:
    """Refuse what is none of some words."""
    if found not in choices:
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={found!r}; expected {' or '.join(map(repr, choices))}."
        )
    return str(found)


def checked_count(owner: object, name: str, found: Any) -> int:
    """Refuse what is no whole number of at least 1."""
    if isinstance(found, bool) or not hasattr(found, "__index__") or found < 1:
        raise IncompatibleError(f"{type(owner).__name__} has {name}={found!r}; expected a whole number >= 1.")
    return int(found)


def seed_of(random_state: Any) -> int:
    """Return one seed for a fit; global random state is neither read nor changed.

    A whole number is the seed. A generator gives its next number, so that two fits with one generator
    differ. None draws a fresh seed.

    Examples
    --------
    >>> seed_of(7)
    7
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if (
        isinstance(random_state, int | np.integer)
        and not isinstance(random_state, bool)
        and random_state >= 0
    ):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):  # what scikit-learn hands around
        return int(random_state.randint(2**31 - 1))
    raise IncompatibleError(
        f"random_state is {random_state!r}; expected a whole number >= 0, a numpy.random.Generator, a "
        "RandomState or None."
    )
