"""Probabilities within what the calibration pairs support, at the link share of other pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from latentlink.uncertainty.probabilities.curves import Calibrator
from latentlink.uncertainty.probabilities.stated_rate import shifted_odds
from latentlink.validation.columns import Floats
from latentlink.validation.wording import counted, percent

__all__ = ["SupportedCurve"]


@dataclass(frozen=True, eq=False)
class SupportedCurve:
    """A calibration curve that claims no more than its calibration pairs support.

        1 / (non-links + 2)  <=  p  <=  1 - 1 / (links + 2)

    These are the estimates of Laplace's rule of succession if all calibration links scored above all
    non-links: even then, only so many links were seen without a single exception. A curve alone goes on
    rising beyond the scores that it was fitted to. With a ``base_rate`` the odds are then multiplied,

        p' / (1 - p')  =  p / (1 - p)  *  odds(base_rate) / odds(share of links in calibration),

    which is right if links score like the calibration links, non-links like the calibration non-links, and
    the share of links alone differs (prior shift; Saerens, Latinne and Decaestecker 2002).

    Attributes
    ----------
    curve : Calibrator
        Fitted to the calibration pairs.
    n_links, n_nonlinks : int
        Numbers of calibration pairs.
    base_rate : float or None
        The share of links among the pairs that are asked for; None is that of the calibration pairs.
    drawn : bool
        Whether non-links of the calibration are unlisted pairs that were drawn, instead of known ones.

    Examples
    --------
    >>> from latentlink.uncertainty import SigmoidCurve
    >>> curve = SigmoidCurve(40.0, -20.0)
    >>> curve([1.0]), SupportedCurve(curve, 48, 98)([0.0, 0.5, 1.0])
    (array([1.]), array([0.01, 0.5 , 0.98]))
    >>> SupportedCurve(curve, 98, 98, base_rate=0.01)([0.5, 1.0]).round(2)
    array([0.01, 0.5 ])
    """

    curve: Calibrator
    n_links: int
    n_nonlinks: int
    base_rate: float | None = None
    drawn: bool = False

    @property
    def calibration_rate(self) -> float:
        """The share of links among the calibration pairs."""
        return self.n_links / (self.n_links + self.n_nonlinks)

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest probability that can be returned."""
        low, high = self._shifted(np.array([1 / (self.n_nonlinks + 2), 1 - 1 / (self.n_links + 2)])).tolist()
        return low, high

    def __call__(self, scores: ArrayLike) -> Floats:
        """Return the probability of a link for each score."""
        return self._shifted(
            np.clip(self.curve(scores), 1 / (self.n_nonlinks + 2), 1 - 1 / (self.n_links + 2))
        )

    def _shifted(self, probabilities: Floats) -> Floats:
        """Return probabilities at the base rate."""
        if self.base_rate is None:
            return probabilities
        ratio = self.base_rate / (1 - self.base_rate) * self.n_nonlinks / self.n_links
        return shifted_odds(probabilities, ratio)

    @property
    def limits(self) -> str:
        """What the probabilities suppose, in sentences."""
        low, high = self.bounds
        others = counted(self.n_nonlinks, "drawn unlisted pair" if self.drawn else "non-link")
        pairs = f"{counted(self.n_links, 'link')} and {others}"
        if self.base_rate is None:
            rate = (
                f"Probabilities suppose that {percent(self.calibration_rate)} of the pairs are links, as "
                f"among the calibration pairs ({pairs}). For pairs with another share, as untested pairs "
                "often have, give base_rate."
            )
        else:
            rate = (
                f"Probabilities suppose that {percent(self.base_rate)} of the pairs are links, as stated, "
                f"and that links and non-links score like those in calibration ({pairs}, "
                f"{percent(self.calibration_rate)} links)."
            )
        return (
            f"{rate} They lie between {low:.2g} and {high:.4g}, since so many pairs support no more. Nothing "
            "is guaranteed: they are as good as the calibration pairs and the curve."
        )
