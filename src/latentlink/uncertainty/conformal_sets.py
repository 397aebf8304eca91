"""Yes, no, or either: answers that leave out the truth no more often than they say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import IncompatibleError
from latentlink.strategy import Strategy, strategy
from latentlink.uncertainty.conformal_intervals import least_for
from latentlink.uncertainty.limits import VOID
from latentlink.uncertainty.rounding import most_whole
from latentlink.validation.columns import Floats, binary_column, number_column
from latentlink.validation.numbers import check_shares
from latentlink.validation.wording import counted, percent

__all__ = ["ConformalSets", "SetRule"]


@dataclass(frozen=True)
class SetRule:
    """Which answers cannot be left out.

    Attributes
    ----------
    level : float
        How often a set holds the truth, among links and among non-links.
    least_link : float
        Pairs of at least this score may be links.
    most_nonlink : float
        Pairs of at most this score may be non-links.
    n_links, n_nonlinks : int
        How many calibration pairs it rests on.
    """

    level: float
    least_link: float
    most_nonlink: float
    n_links: int
    n_nonlinks: int

    @property
    def limits(self) -> str:
        """What is promised and what is not, in sentences."""
        return (
            f"Sets hold the truth of {percent(self.level)} of the links and of {percent(self.level)} of the "
            f"non-links, on average over draws of the {self.n_links:,} links and {self.n_nonlinks:,} "
            f"non-links that calibrated them. {VOID}"
        )

    def sets(self, score: ArrayLike) -> NDArray[np.bool_]:
        """Tell for each pair whether it may be a non-link and whether it may be a link, shape (pairs, 2).

        Both: the score decides nothing. Neither: a score such as neither links nor non-links often have.
        """
        found = number_column(score, "score")
        return np.column_stack([found <= self.most_nonlink, found >= self.least_link])


@strategy
class ConformalSets(Strategy):
    """Sets of answers that hold the truth with the same frequency among links and among non-links.

    A pair may be a link if its score is not among the lowest of the calibration links, and a non-link if it
    is not among the highest of the calibration non-links:

        link in set      if  score >= the k-th lowest score of a link,       k = floor((1 - level) (n + 1)),
        non-link in set  if  score <= the k-th highest score of a non-link,

    with n the number of links or of non-links (class-conditional split conformal; Vovk 2012). Scores may be
    of any scale, and links as rare among the pairs asked as they like.

    Parameters
    ----------
    level : float
        How often a set shall hold the truth.

    Examples
    --------
    >>> score, label = np.linspace(0, 1, 100), np.repeat([0, 1], 50)
    >>> rule = ConformalSets(0.9).calibrate(score, label)
    >>> rule.sets([0.1, 0.5, 0.9])
    array([[ True, False],
           [False, False],
           [False,  True]])
    """

    level: float = 0.9

    def __init__(self, level: float = 0.9) -> None:
        self.level = level

    def calibrate(self, score: ArrayLike, label: ArrayLike) -> SetRule:
        """Learn from pairs that had no say in the fit.

        Parameters
        ----------
        score : array, shape (pairs,)
            Higher for links.
        label : array of 0 and 1, shape (pairs,)
        """
        check_shares(self, "level")
        found = number_column(score, "score")
        links = binary_column(label, "label", found)
        for which, what in ((links, "link"), (~links, "non-link")):
            count, least = int(np.count_nonzero(which)), least_for(self.level)
            if count < least:
                raise IncompatibleError(
                    f"{self!r} has {counted(count, f'calibration {what}')}; expected at least {least:,}, "
                    f"since with fewer no pair could be said to be no {what}. Hold out more pairs, or ask "
                    "for a lower level."
                )
        return SetRule(
            float(self.level),
            self._lowest(found[links]),
            -self._lowest(-found[~links]),
            int(np.count_nonzero(links)),
            int(np.count_nonzero(~links)),
        )

    def _lowest(self, scores: Floats) -> float:
        """Return the k-th lowest score."""
        k = most_whole((1 - self.level) * (len(scores) + 1))
        return float(np.partition(scores, k - 1)[k - 1])
