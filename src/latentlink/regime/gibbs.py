"""Gibbs sampling of the entries of Boolean factors that the known cells leave undetermined."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors, sigmoid
from latentlink.regime.boolean_fit import BooleanFit
from latentlink.regime.cells import Cells
from latentlink.regime.patterns import distinct, without

__all__ = ["gibbs_sample"]

_PRIOR = 1.0  # weight of a component's overall share, in rows or columns of the same pattern


def gibbs_sample(factors: Factors, cells: Cells, rng: np.random.Generator, rounds: int = 10) -> Factors:
    """Sample the rows and columns of Boolean factors from their conditional distribution (Gibbs sampling).

    Given all other entries, row i (or column i) belongs to component c with the probability

        P(w_ic = 1 | rest) = sigmoid( b g_ic + log( s_c / (1 - s_c) ) ),

    where g_ic is the gain on known cells (`BooleanFit.gains`), s_c the share of component c among the rows
    that have the same other components, and b = log((1 - e) / e) for the error rate e of the model on known
    cells. Entries that the known cells determine keep their values. Where several patterns explain the known
    cells of a row equally well, polishing takes the smallest in every member, and the mean of the members
    would be overconfident. Samples differ as often as the data are ambiguous, so that their mean is a
    probability.

    Parameters
    ----------
    factors : Factors
        W and H of 0 and 1, without biases.
    cells : Cells
        The known cells.
    rng : Generator
    rounds : int, default=10
        Number of Gibbs sweeps over all components.
    """
    fit = BooleanFit(cells, factors.W, factors.H)
    error_rate = (fit.error() + 0.5) / (cells.total + 1)
    scale = np.log((1 - error_rate) / error_rate) if error_rate < 0.5 else 0.0
    for _ in range(rounds):
        for c in range(fit.rank):
            for side in (0, 1):
                log_odds = scale * fit.gains(side, c) + _prior_log_odds(fit, side, c)
                fit.assign(side, c, rng.random(len(log_odds)) < sigmoid(log_odds))
    W, H = fit.factors(factors.W.dtype)
    return replace(factors, W=W, H=H)


def _prior_log_odds(fit: BooleanFit, side: int, c: int) -> NDArray[Any]:
    """Return the log odds that each row or column belongs to component c, given only its other components."""
    contained = fit.lines(side, c)
    overall_share = (np.count_nonzero(contained) + 0.5) / (len(contained) + 1)
    _, pattern_of, count = distinct(without(fit.patterns[side], c))
    share = (np.bincount(pattern_of, contained) + _PRIOR * overall_share) / (count + _PRIOR)
    return np.log(share / (1 - share))[pattern_of]
