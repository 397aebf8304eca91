"""Selection of new links among candidates with a bounded false discovery rate."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import false_discovery_control

from latentlink.errors import IncompatibleError, InputError
from latentlink.uncertainty.rounding import ROUNDING, least_whole
from latentlink.validation.columns import Floats, number_column
from latentlink.validation.numbers import checked_share
from latentlink.validation.wording import counted, percent

__all__ = ["Discoveries", "discover"]


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
    """

    selected: NDArray[np.bool_]
    p_values: Floats
    fdr: float
    threshold: float
    n_nonlinks: int

    def __len__(self) -> int:
        return int(np.count_nonzero(self.selected))

    @property
    def shortest(self) -> int:
        """The least size of a non-empty list, reached if all in it score above every known non-link."""
        return max(1, least_whole(len(self.p_values) / (self.fdr * (self.n_nonlinks + 1))))

    @property
    def limits(self) -> str:
        """What is guaranteed and what is not, in sentences."""
        candidates = counted(len(self.p_values), "candidate")
        return (
            f"Of the {len(self):,} selected among {candidates} at most {percent(self.fdr)} are non-links, on "
            f"average over draws of the {self.n_nonlinks:,} known non-links, if those are drawn in the same "
            "way as the non-links among the candidates and were not used in fitting or in the choice of the "
            "rank. The guarantee holds for the whole list, not for a part of it chosen later, nor for each "
            f"node. With so many candidates and non-links a list has {self.shortest:,} or more, or none; "
            "fewer candidates or more non-links allow shorter lists."
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
    least = least_whole(1 / share - 1)
    if len(known) < least:
        raise IncompatibleError(
            f"discover has {counted(len(known), 'known non-link')} for fdr={share:g}; expected at least "
            f"{least:,}, since with fewer nothing can ever be selected. Hold out more non-links, or allow a "
            "larger fdr."
        )
    at_or_above = len(known) - np.searchsorted(np.sort(known), scores, side="left")
    p_values = (1 + at_or_above) / (1 + len(known))
    selected = false_discovery_control(p_values, method="bh") <= share * (1 + ROUNDING)
    threshold = float(scores[selected].min()) if selected.any() else math.inf
    return Discoveries(selected, p_values, share, threshold, len(known))
