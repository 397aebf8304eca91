"""Random generators that depend on what they are used for, not on the order of execution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.validation.numbers import is_number
from latentlink.validation.seeds import fresh_seed

__all__ = ["checked_rngs", "member_rngs", "rng_for"]


def rng_for(seed: int, *key: int) -> np.random.Generator:
    """Return the generator of a key, such as (rank, member, start), under a seed.

    Parameters
    ----------
    seed : int
    *key : int
        Integers >= 0. Generators of different keys are independent.

    Examples
    --------
    >>> rng_for(0, 3, 1).integers(100) == rng_for(0, 3, 1).integers(100)
    np.True_
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def member_rngs(seed: int, rank: int, members: int, start: int = 0) -> list[np.random.Generator]:
    """Return the generators of members 0 to ``members - 1`` at a rank."""
    return [rng_for(seed, rank, member, start) for member in range(members)]


def checked_rngs(rngs: Any, rank: int, members: int) -> list[np.random.Generator]:
    """Return one generator per member; raise IncompatibleError for anything but a seed or generators.

    Parameters
    ----------
    rngs : int, Generator, sequence of Generator, or None
        A seed, one generator for a single member, or one for each member; None draws a seed.
    rank : int
    members : int
        Number of members.
    """
    if rngs is None:
        rngs = fresh_seed()
    if is_number(rngs, 0, whole=True):
        return member_rngs(int(rngs), rank, members)
    if isinstance(rngs, np.random.Generator):
        rngs = [rngs]
    if not isinstance(rngs, Sequence) or not all(isinstance(rng, np.random.Generator) for rng in rngs):
        raise IncompatibleError(
            f"The random generators are {rngs!r}; expected a seed >= 0, or a numpy.random.Generator for each "
            "member."
        )
    if len(rngs) != members:
        raise IncompatibleError(
            f"There are {len(rngs)} random generators for {members} members; expected one for each, "
            "or a seed for all."
        )
    return list(rngs)
