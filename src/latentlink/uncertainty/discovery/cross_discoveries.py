"""Discoveries by several models, each calibrated on a fold: e-values with a bounded false discovery rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.uncertainty.discovery.chosen_nodes import ChosenNodes
from latentlink.uncertainty.discovery.chosen_pairs import ChosenPairs
from latentlink.uncertainty.discovery.discoveries import kind_of_nonlinks, last_selected_rank
from latentlink.uncertainty.limits import CROSS_CONDITIONS
from latentlink.uncertainty.rounding import ROUNDING, least_whole
from latentlink.validation.columns import Floats
from latentlink.validation.wording import counted, percent

__all__ = ["CrossDiscoveries", "FoldThreshold", "fold_threshold", "least_e_value"]

# Each fold selects at this share of the rate: with less it selects too little, with more too few pairs are
# selected by enough folds.
FOLD_SHARE = 0.7


@dataclass(frozen=True)
class FoldThreshold:
    """What one fold selects: candidates with at most ``rank`` non-links of the fold at or above their score.

    Attributes
    ----------
    rank : int
        -1 if it selects nothing.
    e_value : float
        The e-value of every candidate that it selects; the others have 0.
    """

    rank: int
    e_value: float


def fold_threshold(counts: NDArray[np.int64], fdr: float) -> FoldThreshold:
    """Return what a fold selects, from the number of candidates at each rank among its non-links.

        e_j = (1 + n) / (1 + rank)  if candidate j is selected at the rate 0.7 fdr, else 0,

    with n the number of non-links of the fold and ``rank`` that of the last selected: conformal e-values
    (Bashari, Epstein, Romano and Sesia 2023). Their sum over non-links has an expectation of at most the
    number of candidates, and so has that of their mean over folds.

    Parameters
    ----------
    counts : array of int, shape (n + 1,)
        As for `last_selected_rank`.
    fdr : float
        False discovery rate of all folds together.

    Examples
    --------
    >>> fold_threshold(np.array([10] + [0] * 98 + [90]), 0.2)
    FoldThreshold(rank=0, e_value=100.0)
    """
    least = least_whole(1 / (FOLD_SHARE * fdr) - 1)
    if len(counts) - 1 < least:
        raise IncompatibleError(
            f"discover has {counted(len(counts) - 1, 'known non-link')} in a fold for fdr={fdr:g}; expected "
            f"at least {least:,}, since with fewer nothing can ever be selected. Choose fewer folds, or "
            "allow a larger fdr."
        )
    rank = last_selected_rank(counts, FOLD_SHARE * fdr)
    return FoldThreshold(rank, len(counts) / (1 + rank) if rank >= 0 else 0.0)


def least_e_value(e_values: Floats, n_candidates: int, fdr: float) -> float:
    """Return the least e-value that is selected at a false discovery rate (e-BH); infinity if none is.

        the largest number R of candidates with an e-value of at least  n_candidates / (fdr R)

    holds the rate however the e-values depend on each other (Wang and Ramdas 2022).

    Parameters
    ----------
    e_values : array
        Those of all candidates, or the positive ones alone.
    n_candidates : int
    fdr : float

    Examples
    --------
    >>> least_e_value(np.array([50.0, 50.0, 1.0]), 10, 0.1)
    50.0
    """
    ordered = np.sort(e_values)[::-1]
    enough = ordered * fdr * np.arange(1, len(ordered) + 1) * (1 + ROUNDING) >= n_candidates
    return float(ordered[np.flatnonzero(enough)[-1]]) if enough.any() else float("inf")


@dataclass(frozen=True, eq=False)
class CrossDiscoveries:
    """Candidates selected by the mean of their e-values over the folds.

    Attributes
    ----------
    selected : array of bool, shape (candidates,)
    e_values : array, shape (candidates,)
    fdr : float
        Largest expected share of non-links among the selected.
    n_nonlinks : sequence of int
        Number of known non-links in each fold.
    n_candidates : int
        Number of candidates; more than ``len(selected)`` where the selected alone are listed.
    drawn : bool
        Whether the non-links are unlisted pairs that were drawn, instead of known ones.
    chosen : ChosenNodes, ChosenPairs or None
        What scores may have chosen: the few nodes of the candidates, or a few of these. The selection makes
        up for such a choice.
    """

    selected: NDArray[np.bool_]
    e_values: Floats
    fdr: float
    n_nonlinks: Sequence[int]
    n_candidates: int
    drawn: bool = False
    chosen: ChosenNodes | ChosenPairs | None = None

    def __len__(self) -> int:
        return int(np.count_nonzero(self.selected))

    @property
    def limits(self) -> str:
        """What is guaranteed and what is not, in sentences."""
        return (
            f"Of the {len(self):,} selected among {counted(self.n_candidates, 'candidate')} at most "
            f"{percent(self.fdr)} are non-links, on average over draws of the {sum(self.n_nonlinks):,} "
            f"{kind_of_nonlinks(self.drawn)}, if those are drawn in the same way as the non-links among the "
            "candidates. The guarantee holds for the whole list, not for a part of it chosen later, nor for "
            f"each node.{self.chosen.limits(self.fdr) if self.chosen else ''} {CROSS_CONDITIONS}"
        )
