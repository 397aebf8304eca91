"""Confidence in a yes/no answer, by name: what ranks errors last decides how much can be answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from latentlink.validation.choices import checked_choice
from latentlink.validation.columns import Floats, number_column, spread_column
from latentlink.validation.numbers import checked_number

__all__ = ["CONFIDENCES", "confidence_of"]

_DIGITS = 12  # of a margin; what differs by less differs by rounding


def _spread(margin: Floats, spread: Floats) -> Floats:
    del margin
    return -spread


def _margin(margin: Floats, spread: Floats) -> Floats:
    del spread
    return margin


def _both(margin: Floats, spread: Floats) -> Floats:
    return margin - spread


CONFIDENCES: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "margin": _margin,
    "spread": _spread,
    "both": _both,
}


def confidence_of(score: ArrayLike, spread: ArrayLike, by: str = "margin", middle: float = 0.5) -> Floats:
    """Return how sure a yes/no answer is, higher where surer.

    ==========  ==========================  ====================================================
    ``by``      confidence                  sure where
    ==========  ==========================  ====================================================
    "margin"    ``|score - middle|``        the score is far from the middle
    "spread"    ``-spread``                 members agree (the paper's; the one for real values)
    "both"      ``|score - middle|          the score would be far from the middle even if it moved
                - spread``                  towards it by one standard deviation of the members
    ==========  ==========================  ====================================================

    None of them has anything fitted in it, so that calibration pairs can go to `RiskControl` whole. On the
    protein networks the margin ranks errors best; which one does on other data is for the risk-coverage curve
    to say (`latentlink.metrics.aurc`), on pairs that are not used to calibrate.

    Parameters
    ----------
    score, spread : arrays, shape (pairs,)
    by : {"margin", "spread", "both"}
    middle : float
        Above it the answer is yes: 0.5 of probabilities.

    Examples
    --------
    >>> for by in CONFIDENCES:
    ...     print(by, confidence_of([0.75, 0.0], [0.125, 0.5], by))
    margin [0.25 0.5 ]
    spread [-0.125 -0.5  ]
    both [0.125 0.   ]
    """
    checked_choice(by, CONFIDENCES, "by")
    checked_number(middle, "middle")
    scores = number_column(score, "score")
    # One fifth and four fifths of the votes are as sure, but 0.3 and 0.30000000000000004 away from one half.
    return CONFIDENCES[by](np.abs(scores - middle).round(_DIGITS), spread_column(spread, scores))
