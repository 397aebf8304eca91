"""Class-conditional conformal prediction sets: link, non-link, both or neither."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import IncompatibleError
from latentlink.strategy import Strategy, strategy
from latentlink.uncertainty.conformal_intervals import min_calibration_pairs
from latentlink.uncertainty.limits import CONDITIONS
from latentlink.uncertainty.rounding import most_whole
from latentlink.validation.columns import Floats, binary_column, number_column
from latentlink.validation.numbers import check_shares
from latentlink.validation.wording import counted, percent

__all__ = ["ConformalSets", "SetRule"]


@dataclass(frozen=True)
class SetRule:
    """Calibrated prediction sets, as `ConformalSets.calibrate` returns them.

    Attributes
    ----------
    level : float
        Coverage among links, and among non-links.
    least_link : float
        The set contains "link" for scores of at least this.
    most_nonlink : float
        The set contains "non-link" for scores of at most this.
    n_links, n_nonlinks : int
        Numbers of calibration pairs.
    """

    level: float
    least_link: float
    most_nonlink: float
    n_links: int
    n_nonlinks: int

    @property
    def limits(self) -> str:
        """What is guaranteed and what is not, in sentences."""
        return (
            f"Prediction sets contain the true label of {percent(self.level)} of the links and of "
            f"{percent(self.level)} of the non-links, on average over draws of the {self.n_links:,} links "
            f"and {self.n_nonlinks:,} non-links used in calibration. {CONDITIONS}"
        )

    def sets(self, score: ArrayLike) -> NDArray[np.bool_]:
        """Return whether the set of each pair contains "non-link", and whether "link", shape (pairs, 2).

        Both: the score excludes neither label. Neither: the score is rare among links and among non-links.
        """
        scores = number_column(score, "score")
        return np.column_stack([scores <= self.most_nonlink, scores >= self.least_link])


@strategy
class ConformalSets(Strategy):
    """Conformal prediction sets of labels with the same coverage among links and among non-links.

    The set of a pair contains "link" unless the score is among the lowest of the calibration links, and
    "non-link" unless it is among the highest of the calibration non-links:

        link in set      if  score >= the k-th lowest score of a link,       k = floor((1 - level) (n + 1)),
        non-link in set  if  score <= the k-th highest score of a non-link,

    with n the number of links or of non-links (class-conditional split conformal prediction; Vovk 2012).
    Scores may have any scale, and links may be arbitrarily rare among new pairs.

    Parameters
    ----------
    level : float
        Coverage of the sets, between 0 and 1.

    Examples
    --------
    >>> score, label = np.linspace(0, 1, 100), np.repeat([0, 1], 50)
    >>> rule = ConformalSets(0.9).calibrate(score, label)
    >>> rule.sets([0.1, 0.5, 0.9])
    array([[ True, False],
           [False, False],
           [False,  True]])
    """

    level: float

    def __init__(self, level: float = 0.9) -> None:
        self.level = level

    def calibrate(self, score: ArrayLike, label: ArrayLike) -> SetRule:
        """Compute the thresholds from pairs that were not used in fitting.

        Parameters
        ----------
        score : array, shape (pairs,)
            Higher for links.
        label : array of 0 and 1, shape (pairs,)

        Returns
        -------
        SetRule
        """
        check_shares(self, "level")
        scores = number_column(score, "score")
        links = binary_column(label, "label", scores)
        least = min_calibration_pairs(self.level)
        for of_class, what in ((links, "link"), (~links, "non-link")):
            count = int(np.count_nonzero(of_class))
            if count < least:
                raise IncompatibleError(
                    f"{self!r} has {counted(count, f'calibration {what}')}; expected at least {least:,}, "
                    f"since with fewer every set contains {what!r}. Hold out more pairs, or choose a lower "
                    "level."
                )
        return SetRule(
            float(self.level),
            self._kth_lowest(scores[links]),
            -self._kth_lowest(-scores[~links]),
            int(np.count_nonzero(links)),
            int(np.count_nonzero(~links)),
        )

    def _kth_lowest(self, scores: Floats) -> float:
        """Return the k-th lowest score, with k as in the formula above."""
        k = most_whole((1 - self.level) * (len(scores) + 1))
        return float(np.sort(scores)[k - 1])
