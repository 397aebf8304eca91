"""Confidence in the predicted label of a pair, computed from its score and spread."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from latentlink.validation.choices import checked_choice
from latentlink.validation.columns import Floats, number_column, spread_column
from latentlink.validation.numbers import checked_number

__all__ = ["CONFIDENCES", "confidence_of"]

_DIGITS = 12  # decimals of a margin; smaller differences are rounding errors


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


def confidence_of(score: ArrayLike, spread: ArrayLike, by: str = "margin", threshold: float = 0.5) -> Floats:
    """Return the confidence in the predicted label, link or non-link, of each pair.

    ==========  ==========================  ========================================================
    ``by``      confidence                  high where
    ==========  ==========================  ========================================================
    "margin"    ``|score - threshold|``     the score is far from the decision threshold
    "spread"    ``-spread``                 members agree (the paper's; the one for real values)
    "both"      ``|score - threshold|       the score would be far from the threshold even if moved
                - spread``                  towards it by one standard deviation of the members
    ==========  ==========================  ========================================================

    None of them has fitted parameters, so that all calibration pairs can be used in `RiskControl`. On the
    protein networks the margin ranks errors best. For other data compare them by the area under the
    risk-coverage curve (`latentlink.metrics.aurc`), on pairs that are not used in calibration.

    Parameters
    ----------
    score, spread : arrays, shape (pairs,)
    by : {"margin", "spread", "both"}
    threshold : float
        Decision threshold: scores above it are predicted to be links.

    Examples
    --------
    >>> for by in CONFIDENCES:
    ...     print(by, confidence_of([0.75, 0.0], [0.125, 0.5], by))
    margin [0.25 0.5 ]
    spread [-0.125 -0.5  ]
    both [0.125 0.   ]
    """
    checked_choice(by, CONFIDENCES, "by")
    checked_number(threshold, "threshold")
    scores = number_column(score, "score")
    # Shares of 1/5 and 4/5 of the votes have equal margins, in floats 0.3 and 0.30000000000000004.
    return CONFIDENCES[by](np.abs(scores - threshold).round(_DIGITS), spread_column(spread, scores))
