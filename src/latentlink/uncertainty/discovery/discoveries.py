"""Selection of new links among candidates with a bounded false discovery rate."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import IncompatibleError, InputError
from latentlink.uncertainty.discovery.chosen_nodes import ChosenNodes
from latentlink.uncertainty.discovery.chosen_pairs import ChosenPairs
from latentlink.uncertainty.rounding import ROUNDING, least_whole
from latentlink.validation.columns import Floats, number_column
from latentlink.validation.numbers import checked_share
from latentlink.validation.wording import counted, percent

__all__ = [
    "Discoveries",
    "discover",
    "kind_of_nonlinks",
    "last_selected_rank",
    "ranks_among_nonlinks",
    "require_enough_nonlinks",
]


@dataclass(frozen=True, eq=False)
class Discoveries:
    """Candidates selected as links, as `discover` returns them.

    Attributes
    ----------
    selected : array of bool, shape (candidates,)
    p_values : array, shape (candidates,)
        Conformal p-values: how often a non-link has so high a score.
    fdr : float
        Largest expected share of non-links among the selected.
    threshold : float
        The lowest score among the selected; infinity if nothing is selected.
    n_nonlinks : int
        Number of known non-links.
    n_candidates : int
        Number of candidates; more than ``len(selected)`` where the selected alone are listed.
    drawn : bool
        Whether the non-links are unlisted pairs that were drawn, instead of known ones.
    chosen : ChosenNodes, ChosenPairs or None
        What scores may have chosen: the few nodes of the candidates, or a few of these. The selection makes
        up for such a choice.
    """

    selected: NDArray[np.bool_]
    p_values: Floats
    fdr: float
    threshold: float
    n_nonlinks: int
    n_candidates: int
    drawn: bool = False
    chosen: ChosenNodes | ChosenPairs | None = None

    def __len__(self) -> int:
        return int(np.count_nonzero(self.selected))

    @property
    def shortest(self) -> int:
        """The least size of a non-empty list, reached if all in it score above every known non-link."""
        level = self.fdr * (self.chosen.share if self.chosen else 1.0)
        return max(1, least_whole(self.n_candidates / (level * (self.n_nonlinks + 1))))

    @property
    def limits(self) -> str:
        """What is guaranteed and what is not, in sentences."""
        candidates = counted(self.n_candidates, "candidate")
        return (
            f"Of the {len(self):,} selected among {candidates} at most {percent(self.fdr)} are non-links, on "
            f"average over draws of the {self.n_nonlinks:,} {kind_of_nonlinks(self.drawn)}, if those are "
            "drawn in the same way as the non-links among the candidates and were not used in fitting or in "
            "the choice of the rank. The guarantee holds for the whole list, not for a part of it chosen "
            f"later, nor for each node. With so many candidates and non-links a list has {self.shortest:,} "
            "or more, or none; fewer candidates or more non-links allow shorter lists."
            f"{self.chosen.limits(self.fdr) if self.chosen else ''}"
        )


def discover(candidates: ArrayLike, nonlinks: ArrayLike, fdr: float = 0.1) -> Discoveries:
    """Select candidates as links with a false discovery rate of at most ``fdr``.

        p_j = (1 + number of known non-links with a score >= that of j) / (1 + number of known non-links),

    and the procedure of Benjamini and Hochberg (conformal p-values: Bates, Candes, Lei, Romano and Sesia
    2023; for links: Marandon 2024, Blanchard et al. 2024).

    Parameters
    ----------
    candidates : array, shape (candidates,)
        Scores of the pairs that may be links.
    nonlinks : array, shape (nonlinks,)
        Scores of known non-links that were not used in fitting. They must be drawn like the non-links among
        the candidates: if they were chosen among hubs, or among pairs that somebody thought worth testing,
        the candidates must be chosen so too.
    fdr : float
        Largest expected share of non-links among the selected.

    Notes
    -----
    The bound is fdr times the share of non-links among the candidates, also for scores with ties. It requires
    only that each candidate non-link is exchangeable with the known ones, given all other scores: counted
    among the known ones, it does not change the number selected if it is selected itself, and its rank among
    them is uniform or conservative.

    Examples
    --------
    >>> nonlinks = np.linspace(0, 0.5, 99)
    >>> discoveries = discover([0.9, 0.8, 0.3, 0.1], nonlinks, fdr=0.1)
    >>> discoveries.selected, discoveries.p_values
    (array([ True,  True, False, False]), array([0.01, 0.01, 0.41, 0.8 ]))
    """
    share = checked_share(fdr, "fdr")
    scores, known = (
        number_column(candidates, "candidate's score"),
        number_column(nonlinks, "non-link's score"),
    )
    if not len(scores):
        raise InputError("There are no candidates; expected at least one.")
    require_enough_nonlinks(len(known), share)
    ranks = ranks_among_nonlinks(scores, np.sort(known))
    selected = ranks <= last_selected_rank(np.bincount(ranks, minlength=len(known) + 1), share)
    threshold = float(scores[selected].min()) if selected.any() else math.inf
    p_values = (1 + ranks) / (1 + len(known))
    return Discoveries(selected, p_values, share, threshold, len(known), len(scores))


def kind_of_nonlinks(drawn: bool) -> str:
    """Return what stands for the non-links among candidates, in the words of a statement of limits."""
    return "drawn unlisted pairs, which stand for non-links" if drawn else "known non-links"


def require_enough_nonlinks(count: int, fdr: float, drawn: bool = False) -> None:
    """Raise IncompatibleError if there are so few non-links that nothing can ever be selected.

    ``drawn`` says that they are unlisted pairs, drawn beside as many links.
    """
    least = least_whole(1 / fdr - 1)
    if count < least:
        nonlinks = counted(count, "drawn unlisted pair" if drawn else "known non-link")
        more = "links, beside which as many are drawn" if drawn else "non-links"
        raise IncompatibleError(
            f"discover has {nonlinks} for fdr={fdr:g}; expected at least {least:,}, since with fewer nothing "
            f"can ever be selected. Hold out more {more}, or allow a larger fdr."
        )


def ranks_among_nonlinks(scores: Floats, nonlinks: Floats) -> NDArray[np.int64]:
    """Return for each score the number of known non-links at or above it; non-links are ascending.

    Examples
    --------
    >>> ranks_among_nonlinks(np.array([0.9, 0.5, 0.1]), np.array([0.2, 0.5]))
    array([0, 1, 2])
    """
    ranks: NDArray[np.int64] = len(nonlinks) - np.searchsorted(nonlinks, scores, side="left")
    return ranks


def last_selected_rank(counts: NDArray[np.int64], fdr: float) -> int:
    """Return the largest rank that the procedure of Benjamini and Hochberg selects, -1 if it selects none.

    All candidates of one rank have one p-value, (1 + rank) / (1 + n), so that their numbers suffice.

    Parameters
    ----------
    counts : array of int, shape (n + 1,)
        Number of candidates of each rank among n known non-links.
    fdr : float

    Examples
    --------
    >>> last_selected_rank(np.array([2, 0, 1]), 0.5)
    0
    """
    p_values = np.arange(1, len(counts) + 1) / len(counts)
    at_most = np.maximum(np.cumsum(counts), 1)
    passed = (counts > 0) & (p_values * counts.sum() / at_most <= fdr * (1 + ROUNDING))
    return int(np.flatnonzero(passed)[-1]) if passed.any() else -1
