"""Checks of seeds and random states, in the forms that scikit-learn and NumPy accept."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError, InputError
from latentlink.validation.numbers import is_number
from latentlink.validation.wording import shown, shown_repr

__all__ = ["check_random_state", "checked_rng", "fresh_seed", "seed_of"]


def fresh_seed() -> int:
    """Return a seed drawn from the operating system."""
    return int(np.random.SeedSequence().generate_state(1)[0])


def checked_rng(rng: Any) -> np.random.Generator:
    """Return the generator of a seed, or the given generator; None draws a fresh seed.

    Examples
    --------
    >>> checked_rng(7).integers(100) == checked_rng(7).integers(100)
    np.True_
    """
    try:
        if isinstance(rng, bool):
            raise TypeError(rng)  # default_rng accepts True as the seed 1
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise InputError(
            f"rng is {shown(rng)}; expected a seed (a whole number >= 0), a numpy.random.Generator or None."
        ) from None


def seed_of(random_state: Any) -> int:
    """Return one seed for a fit; NumPy's global random state is neither read nor changed.

    An integer is the seed itself. A generator draws the seed, so that two fits with one generator differ.
    None draws a fresh seed.

    Examples
    --------
    >>> seed_of(7)
    7
    """
    check_random_state(random_state)
    if random_state is None:
        return fresh_seed()
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)


def check_random_state(random_state: Any) -> None:
    """Raise IncompatibleError unless a random state is one that `seed_of` accepts; nothing is drawn."""
    generators = (np.random.Generator, np.random.RandomState)
    if random_state is None or isinstance(random_state, generators):
        return
    if not is_number(random_state, 0, whole=True):
        raise IncompatibleError(
            f"random_state is {shown_repr(random_state)}; expected a whole number >= 0, a "
            "numpy.random.Generator, a RandomState or None."
        )
