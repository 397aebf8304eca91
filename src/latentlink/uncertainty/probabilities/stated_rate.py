"""Probabilities as a model states them, at the share of links that it was trained with or at another one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from latentlink.validation.columns import Floats
from latentlink.validation.wording import percent

__all__ = ["StatedRate", "shifted_odds"]


def shifted_odds(probabilities: Floats, ratio: float) -> Floats:
    """Return probabilities whose odds are multiplied by a ratio.

    Examples
    --------
    >>> shifted_odds(np.array([0.5, 1.0]), 0.25)
    array([0.2, 1. ])
    """
    shifted: Floats = probabilities * ratio / (probabilities * ratio + (1 - probabilities))
    return shifted


@dataclass(frozen=True)
class StatedRate:
    """Scores of a model as probabilities, which no held-out pairs have calibrated.

    With a ``base_rate`` their odds are multiplied, as in `SupportedCurve`:

        p' / (1 - p')  =  p / (1 - p)  *  odds(base_rate) / odds(rate)

    Attributes
    ----------
    rate : float
        The share of links among the pairs that the model was trained with, by weight.
    drawn : bool
        Whether the others are unlisted pairs that were drawn, instead of known non-links.
    base_rate : float or None
        The share of links among the pairs that are asked for; None is that of training.
    background : float
        The weight with which unlisted pairs were fitted as non-links; 0 if they were not.

    Examples
    --------
    >>> StatedRate(0.5, drawn=True, base_rate=0.1)([0.5, 0.9]).round(2)
    array([0.1, 0.5])
    """

    rate: float
    drawn: bool
    base_rate: float | None = None
    background: float = 0.0

    def __call__(self, scores: ArrayLike) -> Floats:
        """Return the probability of a link for each score."""
        probabilities = np.asarray(scores, np.float64)
        if self.base_rate is None or not 0 < self.rate < 1:
            return probabilities
        odds = self.base_rate / (1 - self.base_rate)
        return shifted_odds(probabilities, odds * (1 - self.rate) / self.rate)

    @property
    def limits(self) -> str:
        """What the probabilities suppose, in sentences."""
        if self.base_rate is None:
            by_weight = ", by weight" if self.background else ""
            rate = (
                f"{percent(self.rate)} of the pairs are links, as among the pairs of the training{by_weight}"
            )
            advice = " For pairs with another share, as untested pairs often have, give base_rate."
        else:
            rate = f"{percent(self.base_rate)} of the pairs are links, as stated"
            advice = ""
        return (
            f"{self._meaning}Probabilities suppose that {rate}.{advice} They are not calibrated on held-out "
            "pairs, and nothing is guaranteed: call calibrate for probabilities that are."
        )

    @property
    def _meaning(self) -> str:
        """What the non-links of the training are, where they are not known ones alone."""
        if self.drawn:
            return (
                "A probability is that of a link against an unlisted pair drawn at random, since no "
                "non-links are known: some of the drawn pairs may be links. "
            )
        if self.background:
            return (
                "In training every unlisted pair is a non-link that counts as much as "
                f"{self.background:g} of a known pair of weight 1, though some may be links: a probability "
                "is that of a link against such a pair, at the share of links that these weights make. "
            )
        return ""
