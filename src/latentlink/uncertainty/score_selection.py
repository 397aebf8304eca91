"""A test of whether candidates were chosen by their scores, which voids a false discovery rate."""

from __future__ import annotations

import numpy as np
from scipy.stats import hypergeom

from latentlink.errors import InputError
from latentlink.random import rng_for
from latentlink.validation.columns import Floats
from latentlink.validation.wording import counted

__all__ = ["require_not_chosen_by_score", "require_several_candidates", "selection_p_value"]

FEWEST = 20  # fewer candidates cannot be told from chosen ones
EVIDENT = 1e-3  # a p-value below it tells candidates from random untested pairs
UNLIKE = 1e-2  # a p-value below it tells them from the calibration pairs too
_FEW = 0.1  # share of the untested pairs: the best of more of them are no small choice
_MOST = 2_000  # candidates that are compared
_KEY = -6 % 2**32  # keeps these draws apart from those of other purposes
_ALL = "Call discover() without pairs, which goes over all untested pairs"


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
    if k > _MOST:
        candidates = rng_for(0, _KEY).choice(candidates, _MOST, replace=False)
        k = _MOST
    if not k or not len(reference):
        return 1.0
    below = np.searchsorted(np.sort(reference), np.sort(candidates), side="left")
    earlier = np.arange(k)
    p_values = hypergeom.cdf(earlier, k + len(reference), k, earlier + below)
    return float(min(1.0, k * p_values.min()))


def require_several_candidates(count: int, instead: str = _ALL) -> None:
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


def require_not_chosen_by_score(
    candidates: Floats, untested: Floats, calibration: Floats, fdr: float = 0.1, instead: str = _ALL
) -> None:
    """Raise InputError if candidates were evidently chosen by their scores.

    They were if they score higher than untested pairs (a p-value below 0.001), and higher than the
    calibration pairs too (below 0.01): a test part that was drawn like the calibration pairs may have more
    links than untested pairs have. For the very best of all, than which no other untested pair scores higher,
    p-values below ``fdr`` suffice: with less evidence than that they are not selected anyway. Candidates that
    are too few for the second comparison are judged by the first alone.

    Parameters
    ----------
    candidates, untested, calibration : arrays
        Scores of the candidates, of a random sample of all untested pairs, and of the calibration pairs.
    fdr : float
        False discovery rate of the selection.
    instead : str
        What to do, for the message.
    """
    if not len(candidates):
        return
    p_value, own = (selection_p_value(candidates, each) for each in (untested, calibration))
    k = len(candidates)
    best = k <= _FEW * len(untested) and np.count_nonzero(untested > candidates.min()) < k
    least = selection_p_value(np.ones(k), np.zeros(len(calibration)))
    levels = [(EVIDENT, UNLIKE), (fdr, fdr)] if best else [(EVIDENT, UNLIKE)]
    if any(p_value < first and (own < second or least >= second) for first, second in levels):
        verb = "scores" if k == 1 else "score"
        raise InputError(
            f"{counted(k, 'candidate')} {verb} higher than random untested pairs and than the calibration "
            f"pairs (p = {p_value:.1g} and {own:.1g}): evidently chosen by score, which voids the false "
            f"discovery rate. {instead}, or choose candidates before looking at scores. If other information "
            "chose them, set chosen_without_scores=True."
        )
