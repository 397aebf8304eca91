"""Discoveries that hinge on a few candidates, valid whichever pairs these are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy.stats import poisson

from latentlink.errors import InputError
from latentlink.uncertainty.discovery.chosen_nodes import ALL_UNTESTED
from latentlink.uncertainty.discovery.score_selection import MOST_COMPARED
from latentlink.validation.columns import Floats
from latentlink.validation.wording import counted, percent

__all__ = ["ChosenPairs", "hinges_on_few", "most_by_choice"]

_EVIDENT = 1e-4  # so rare a number of high scores is left to the comparison of all candidates


@dataclass(frozen=True)
class ChosenPairs:
    """Candidates of which a few were perhaps chosen for their scores, among all untested pairs.

    The best of all pairs have high scores on pure noise too. Selected at

        fdr * count / total,

    candidates hold the rate on noise whichever pairs they are: what Benjamini and Hochberg select among them
    at this rate fulfils their condition among all untested pairs at ``fdr``.

    Attributes
    ----------
    count, total : int
        Number of the candidates, and of all untested pairs.
    """

    count: int
    total: int

    @property
    def share(self) -> float:
        """The share of a false discovery rate at which candidates are selected."""
        return self.count / self.total

    def limits(self, fdr: float) -> str:
        """Say what is guaranteed at a rate, in sentences."""
        return (
            f" The candidates are {self.count:,} of {self.total:,} untested pairs. They are selected at a "
            f"rate of {percent(fdr * self.share)}, so that on pure noise {percent(fdr)} holds whichever "
            "pairs were chosen."
        )

    def raise_as_chosen(self, fdr: float, instead: str = ALL_UNTESTED) -> NoReturn:
        """Raise InputError: what is selected hinges on a few candidates, which scores may have chosen.

        The sentence ``instead`` says what to do.
        """
        raise InputError(
            f"Of {counted(self.count, 'candidate')} so few would be selected that they could be the best of "
            f"all {self.total:,} untested pairs, chosen for their scores, which would void the false "
            f"discovery rate of {percent(fdr)}; at {percent(fdr * self.share)}, which makes up for any such "
            f"choice, nothing is selected. {instead}. If scores did not choose the candidates, set "
            "chosen_without_scores=True."
        )


def most_by_choice(count: int, fdr: float) -> int:
    """Return how many candidates a choice by score may have added without standing out among the others.

    Where Benjamini and Hochberg select k of ``count`` candidates, about ``fdr * k`` random ones would score
    as high. If k do, and

        count * P(Poisson(fdr * k) >= k) <= 0.0001,

    the comparison of all candidates with untested pairs shows it. The result is the largest k below.

    Parameters
    ----------
    count : int
        Number of candidates.
    fdr : float

    Examples
    --------
    >>> most_by_choice(21, 0.1), most_by_choice(1000, 0.1), most_by_choice(21, 0.3)
    (7, 10, 20)
    """
    numbers = np.arange(1, count + 1)
    evident = poisson.sf(numbers - 1, fdr * numbers) * min(count, MOST_COMPARED) <= _EVIDENT
    return int(np.argmax(evident)) if evident.any() else count


def hinges_on_few(score: Floats, few: int, selects: Callable[[NDArray[np.bool_]], Any]) -> bool:
    """Return whether nothing is selected without a few of the best candidates.

    Parameters
    ----------
    score : array, shape (candidates,)
    few : int
        How many of the best are left out; of ties as many as are needed.
    selects : function
        Whether anything is selected among the candidates of a mask.

    Examples
    --------
    >>> hinges_on_few(np.array([0.9, 0.8, 0.1]), 1, lambda kept: kept[1])
    False
    >>> hinges_on_few(np.array([0.9, 0.8, 0.1]), 2, lambda kept: kept[1])
    True
    """
    kept = np.ones(len(score), np.bool_)
    kept[np.argsort(-score, kind="stable")[:few]] = False
    return not (kept.any() and selects(kept))
