"""Re-initialization of Boolean components of little use, to leave local minima of the error."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink import kernels
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
        if not failures:  # after a failure all is as before
            accepted = fit.state()
            extended, by_use = _extended(fit)
        fit.restore(extended)
        _reinitialize(fit, int(by_use[failures % fit.rank]))
        fit.optimize(max_rounds)
        length, errors = description_length(fit), fit.error()
        if length < shortest and errors <= fewest:
            shortest, fewest, failures = length, errors, 0
        else:
            failures += 1
            fit.restore(accepted)


def _extended(fit: BooleanFit) -> tuple[tuple[Array, Array], Array]:
    """Extend all components by what costs nothing; return the state, and the components by use."""
    for c in range(fit.rank):
        for side in (0, 1):
            fit.assign(side, c, fit.gains(side, c) >= 0)
    own_gain = [float(fit.gains(0, c)[fit.lines(0, c)].sum()) for c in range(fit.rank)]
    return fit.state(), np.argsort(own_gain, kind="stable")


def _reinitialize(fit: BooleanFit, c: int) -> None:
    """Empty a component, and grow it from the row with the largest weight of uncovered ones."""
    rows, cols = fit.patterns
    fit.assign(0, c, np.zeros(len(rows), bool))
    lines = fit.cells.rows
    missed, _, _ = kernels.boolean_errors(lines, rows, cols)
    row = int(np.argmax(missed))
    of_row = slice(lines.indptr[row], lines.indptr[row + 1])
    indices = lines.indices[of_row]
    uncovered = ~(cols[indices] & rows[row]).any(axis=1)
    columns = np.zeros(len(cols), bool)
    columns[indices[uncovered & (lines.signed[of_row] > 0)]] = True
    fit.assign(1, c, columns)
    for _ in range(_GROWTH_ROUNDS):
        changes = sum(fit.assign(side, c, fit.gains(side, c) > 0) for side in (0, 1))
        if not changes:
            break
