"""Out of local minima: components that others can do without begin again where errors are left."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.regime.boolean_fit import BooleanFit
from latentlink.regime.description_length import description_length

__all__ = ["reseed"]

Array = NDArray[Any]

_TRIES = 3  # components that may begin again in vain, one after the other
_ROUNDS = 10  # of a component that begins


def reseed(fit: BooleanFit, max_rounds: int) -> None:
    """Free the components of least use, begin them again on what is not covered, and keep what is better.

    First every component takes hold of all that costs it nothing, though others hold it too. Some of those
    others may then be worth little, such as one that holds what all have in common. Flips alone never leave
    such a state: each of them, on its own, gains nothing. Better is what takes fewer bits to write down, with
    its errors, and has no more of them: errors alone would have components begin again for the sake of noise.
    """
    shortest, fewest = description_length(fit), fit.error()
    vain = 0
    while vain < _TRIES and fewest > 0:
        before = [side.copy() for side in fit.sides]
        for c in range(fit.rank):
            for side in (0, 1):
                fit.hold(side, c, fit.gains(side, c) >= 0)
        worth = [float(fit.gains(0, c)[fit.sides[0][:, c] > 0].sum()) for c in range(fit.rank)]
        _begin(fit, int(np.argsort(worth, kind="stable")[vain % fit.rank]))
        fit.settle(max_rounds)
        length, errors = description_length(fit), fit.error()
        if length < shortest and errors <= fewest:
            shortest, fewest, vain = length, errors, 0
        else:
            vain += 1
            _restore(fit, before)


def _begin(fit: BooleanFit, c: int) -> None:
    """Let a component go, and grow it anew from the row with the most ones that no component covers."""
    rows, size = fit.lines[0], len(fit.sides[0])
    fit.hold(0, c, np.zeros(size, bool))
    of_row = np.repeat(np.arange(size), np.diff(rows.indptr))
    missed = np.maximum(fit.cells.signed, 0)[rows.where] * (fit.count[rows.where] == 0)
    row = int(np.argmax(np.bincount(of_row, missed, size)))
    seed = np.zeros(len(fit.sides[1]), bool)
    part = slice(rows.indptr[row], rows.indptr[row + 1])
    seed[rows.indices[part][missed[part] > 0]] = True
    fit.hold(1, c, seed)
    for _ in range(_ROUNDS):
        changes = sum(fit.hold(side, c, fit.gains(side, c) > 0) for side in (0, 1))
        if not changes:
            break


def _restore(fit: BooleanFit, sides: list[Array]) -> None:
    """Go back to an earlier state."""
    for c in range(fit.rank):
        for side in (0, 1):
            fit.hold(side, c, sides[side][:, c] > 0)
