"""One random generator for each member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.random import member_rngs

__all__ = ["checked_rngs"]


def checked_rngs(rngs: Any, rank: int, members: int) -> list[np.random.Generator]:
    """Return one generator a member."""
    if rngs is None:
        rngs = int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(rngs, (int, np.integer)) and not isinstance(rngs, bool) and rngs >= 0:
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
            f"There are {len(rngs)} random generators for {members} members; expected one for each "
            "or a seed for all."
        )
    return list(rngs)
