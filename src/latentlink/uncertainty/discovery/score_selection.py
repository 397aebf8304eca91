"""A test of whether candidates were chosen by their scores, which voids a false discovery rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import hypergeom

from latentlink.errors import InputError
from latentlink.random import rng_for
from latentlink.uncertainty.discovery.chosen_nodes import ALL_UNTESTED
from latentlink.validation.columns import Floats
from latentlink.validation.wording import counted

__all__ = [
    "MOST_COMPARED",
    "Comparison",
    "require_not_chosen_by_score",
    "require_several_candidates",
    "selection_p_value",
]

FEWEST = 20  # fewer candidates cannot be told from chosen ones
EVIDENT = 1e-3  # a p-value below it tells candidates from random untested pairs
UNLIKE = 1e-2  # a p-value below it tells them from the calibration pairs too
MOST_COMPARED = 2_000  # candidates
_KEY = -6 % 2**32  # keeps these draws apart from those of other purposes


def selection_p_value(candidates: Floats, reference: Floats) -> float:
    """Return the p-value of the hypothesis that candidates are a random draw like the reference.

    The alternative is that some of them were chosen for their high scores, all or a few. With candidates in
    ascending order and r_j of N reference scores below the j-th of k,

        p_j = P( at most j - 1 candidates among the lowest j - 1 + r_j of all k + N )

    is hypergeometric, and the p-value is k times the least of them (Bonferroni). It is exact up to that bound
    for scores without ties, and conservative with ties. Of more than 2,000 candidates a random 2,000 are
    used, always the same.

    Parameters
    ----------
    candidates : array, shape (candidates,)
        Scores.
    reference : array, shape (N,)
        Scores of pairs that were not chosen by them.

    Examples
    --------
    >>> scores = np.random.default_rng(0).random(1000)
    >>> selection_p_value(scores[:50], scores[50:]) > 0.05
    True
    >>> selection_p_value(np.sort(scores)[-5:], np.sort(scores)[:-5]) < 1e-9
    True
    """
    k = len(candidates)
    if k > MOST_COMPARED:
        candidates = rng_for(0, _KEY).choice(candidates, MOST_COMPARED, replace=False)
        k = MOST_COMPARED
    if not k or not len(reference):
        return 1.0
    below = np.searchsorted(np.sort(reference), np.sort(candidates), side="left")
    earlier = np.arange(k)
    p_values = hypergeom.cdf(earlier, k + len(reference), k, earlier + below)
    return float(min(1.0, k * p_values.min()))


def require_several_candidates(count: int, instead: str = ALL_UNTESTED) -> None:
    """Raise InputError for a few candidates: whether they were chosen by their scores cannot be told.

    The best column of one row, for instance, scores no higher than many untested pairs do. The sentence
    ``instead`` says what to do.
    """
    if 0 < count < FEWEST:
        raise InputError(
            f"{counted(count, 'candidate')} cannot be told from candidates that were chosen by score, which "
            f"voids the false discovery rate; expected {FEWEST} or more. {instead}. If other information "
            "than scores chose them, set chosen_without_scores=True."
        )


@dataclass(frozen=True, eq=False)
class Comparison:
    """Scores of candidates, or percentiles of their scores, beside those of pairs that were not chosen.

    Attributes
    ----------
    candidates, untested, calibration : arrays
        Of the candidates, of random untested pairs, and of the calibration pairs.
    alone : bool
        Whether this comparison alone is evidence.
    """

    candidates: Floats
    untested: Floats
    calibration: Floats
    alone: bool = True

    def p_value(self) -> float:
        """Return the p-value against untested pairs; a higher one if the calibration pairs are as high.

        A p-value of 0.01 against the calibration pairs counts as 0.001. Candidates that are too few for such
        a p-value are judged by untested pairs alone.
        """
        if not len(self.candidates):
            return 1.0
        least = selection_p_value(np.ones(len(self.candidates)), np.zeros(len(self.calibration)))
        own = selection_p_value(self.candidates, self.calibration) if least < UNLIKE else 0.0
        return max(selection_p_value(self.candidates, self.untested), own * EVIDENT / UNLIKE)


def require_not_chosen_by_score(
    comparisons: Sequence[Comparison], count: int, instead: str = ALL_UNTESTED
) -> None:
    """Raise InputError if candidates were evidently chosen by their scores.

    They were if they score higher than untested pairs (a p-value below 0.001), and higher than the
    calibration pairs too (below 0.01): a test part that was drawn like the calibration pairs may have more
    links than untested pairs have. Comparisons that are no evidence alone have to agree (below 0.01, and one
    of them below 0.001).

    Parameters
    ----------
    comparisons : sequence of Comparison
    count : int
        Number of candidates, for the message.
    instead : str
        What to do, for the message.
    """
    p_values = [comparison.p_value() for comparison in comparisons]
    alone = [p for p, comparison in zip(p_values, comparisons, strict=True) if comparison.alone]
    if min(alone, default=1.0) < EVIDENT or (min(p_values) < EVIDENT and max(p_values) < UNLIKE):
        verb = "scores" if count == 1 else "score"
        raise InputError(
            f"{counted(count, 'candidate')} {verb} higher than random untested pairs and than the "
            f"calibration pairs (p = {min(p_values):.1g}): evidently chosen by score, which voids the false "
            f"discovery rate. {instead}, or choose candidates before looking at scores. If other information "
            "chose them, set chosen_without_scores=True."
        )
