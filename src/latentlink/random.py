"""Seeds that belong to what they are used for, never to the order in which things run."""

from __future__ import annotations

import numpy as np

__all__ = ["member_rngs", "rng_for"]


def rng_for(seed: int, *key: int) -> np.random.Generator:
    """Return the generator that belongs to ``key``, such as (rank, member, start), under ``seed``.

    Examples
    --------
    >>> rng_for(0, 3, 1).integers(100) == rng_for(0, 3, 1).integers(100)
    np.True_
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def member_rngs(seed: int, rank: int, members: int, start: int = 0) -> list[np.random.Generator]:
    """Return one generator for each of the first ``members`` members at a rank."""
    return [rng_for(seed, rank, member, start) for member in range(members)]
