"""What is left open is drawn: Boolean members that differ wherever the data do not decide."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors, sigmoid
from latentlink.regime.boolean_fit import BooleanFit, patterns
from latentlink.regime.cells import Cells

__all__ = ["redraw"]

_PRIOR = 1.0  # lines that the component's share of all lines counts for, among those of the same pattern


def redraw(factors: Factors, cells: Cells, rng: np.random.Generator, rounds: int = 10) -> Factors:
    """Draw rows and columns of a Boolean model from their odds, given what is known.

        P(line i is held by component c | the rest) = sigmoid( b g_ic + log( s_c / (1 - s_c) ) ),

    where g is what the line gains on known cells, s_c the share that the component holds of the lines that
    the same other components hold, and b = log((1 - e) / e) for the share e of known cells that the model has
    wrong (Gibbs sampling). Where known cells decide, nothing changes. Where several patterns explain all that
    is known of a row equally well, polishing takes the smallest, and so does every member: their mean would
    be as sure as each of them. Drawn, they differ as often as the data leave it open, and their mean is a
    probability.

    Parameters
    ----------
    factors : Factors
        W and H of 0 and 1, without biases.
    cells : Cells
        What is known.
    rng : Generator
    rounds : int
        How often each component's rows and columns are drawn.
    """
    fit = BooleanFit(cells, factors.W, factors.H)
    known = float(np.abs(cells.signed).sum())
    if cells.background:
        known += cells.background * (len(fit.sides[0]) * len(fit.sides[1]) - len(cells.signed))
    wrong = (fit.error() + 0.5) / (known + 1)
    scale = np.log((1 - wrong) / wrong) if wrong < 0.5 else 0.0
    for _ in range(rounds):
        for c in range(fit.rank):
            for side in (0, 1):
                odds = scale * fit.gains(side, c) + _log_odds(fit.sides[side], c)
                fit.hold(side, c, rng.random(len(odds)) < sigmoid(odds))
    W, H = fit.factors(factors.W.dtype)
    return replace(factors, W=W, H=H)


def _log_odds(lines: NDArray[np.uint8], c: int) -> NDArray[Any]:
    """Return for each line the log odds of being held by component c, before its own cells are looked at."""
    held = lines[:, c]
    everywhere = (held.sum(dtype=np.int64) + 0.5) / (len(held) + 1)
    _, alike, count = patterns(lines[:, np.arange(lines.shape[1]) != c])
    share = (np.bincount(alike, held) + _PRIOR * everywhere) / (count + _PRIOR)
    return np.log(share / (1 - share))[alike]
