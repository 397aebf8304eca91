"""Re-initialization of Boolean components of little use, to leave local minima of the error."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.regime.boolean_fit import BooleanFit
from latentlink.regime.description_length import description_length

__all__ = ["reseed"]

Array = NDArray[Any]

_MAX_FAILURES = 3  # re-initializations in a row without an improvement
_GROWTH_ROUNDS = 10  # updates of a new component before all others follow


def reseed(fit: BooleanFit, max_rounds: int) -> None:
    """Re-initialize the components of least use on uncovered cells, while that improves the fit in place.

    First every component is extended by all rows and columns that cost nothing, even where others cover the
    cells already. A component that contains what others have in common then has little gain of its own, and
    is re-initialized; single flips never leave such a state, since none of them has a gain. A result is
    accepted if its description length is smaller and its error is not larger: by errors alone, components
    would be re-initialized to fit noise. Otherwise the factors are restored.

    Parameters
    ----------
    fit : BooleanFit
        The factors; changed in place.
    max_rounds : int
        Largest number of rounds of the coordinate descent after a re-initialization.
    """
    shortest, fewest = description_length(fit), fit.error()
    failures = 0
    while failures < _MAX_FAILURES and fewest > 0:
        before = [side.copy() for side in fit.sides]
        for c in range(fit.rank):
            for side in (0, 1):
                fit.assign(side, c, fit.gains(side, c) >= 0)
        own_gain = [float(fit.gains(0, c)[fit.sides[0][:, c] > 0].sum()) for c in range(fit.rank)]
        _reinitialize(fit, int(np.argsort(own_gain, kind="stable")[failures % fit.rank]))
        fit.optimize(max_rounds)
        length, errors = description_length(fit), fit.error()
        if length < shortest and errors <= fewest:
            shortest, fewest, failures = length, errors, 0
        else:
            failures += 1
            _restore(fit, before)


def _reinitialize(fit: BooleanFit, c: int) -> None:
    """Empty a component, and grow it from the row with the largest weight of uncovered ones."""
    rows, size = fit.lines[0], len(fit.sides[0])
    fit.assign(0, c, np.zeros(size, bool))
    of_row = np.repeat(np.arange(size), np.diff(rows.indptr))
    missed = np.maximum(fit.cells.signed, 0)[rows.positions] * (fit.count[rows.positions] == 0)
    row = int(np.argmax(np.bincount(of_row, missed, size)))
    columns = np.zeros(len(fit.sides[1]), bool)
    entries = slice(rows.indptr[row], rows.indptr[row + 1])
    columns[rows.indices[entries][missed[entries] > 0]] = True
    fit.assign(1, c, columns)
    for _ in range(_GROWTH_ROUNDS):
        changes = sum(fit.assign(side, c, fit.gains(side, c) > 0) for side in (0, 1))
        if not changes:
            break


def _restore(fit: BooleanFit, sides: list[Array]) -> None:
    """Set the factors to those of an earlier state."""
    for c in range(fit.rank):
        for side in (0, 1):
            fit.assign(side, c, sides[side][:, c] > 0)
