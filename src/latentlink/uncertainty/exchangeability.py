"""Comparison of candidates with calibration pairs: whether scores and degrees are distributed alike."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import kolmogorov

from latentlink.errors import warn_user
from latentlink.random import rng_for
from latentlink.validation.columns import Floats
from latentlink.validation.wording import counted

__all__ = ["Exchangeability", "compare_pairs"]

CLEAR = 1e-3  # a p-value below it is reported as a difference, and warned of
_MOST = 10_000  # pairs of either kind that are compared: more would find differences that do not matter
_KEY = -5 % 2**32  # keeps these draws apart from those of other purposes
_LEAST = 10  # links, and as many non-links, to compare up to the share of links
_STEPS = 60  # of the search for the share of links: each leaves 0.62 of the range


@dataclass(frozen=True)
class Exchangeability:
    """Result of the comparison of candidates with calibration pairs.

    Guarantees rest on candidates that are drawn like the calibration pairs. That cannot be proved from the
    data, but a difference in scores or degrees disproves it. Both are compared by the Kolmogorov-Smirnov
    distance, the largest difference of two distribution functions.

    Attributes
    ----------
    score_distance, degree_distance : float
        Distances, NaN where nothing can be compared. The degree of a pair is the product of the numbers of
        known entries of both its nodes, each plus 1.
    score_p_value, degree_p_value : float
        Probability of so large a distance among pairs that are drawn alike.
    n_calibration, n_candidates : int
        Numbers of pairs.
    any_link_share : bool
        Whether candidates may have another share of links than the calibration pairs: the distance is then
        that to the nearest mixture of calibration links and non-links.
    """

    score_distance: float
    degree_distance: float
    score_p_value: float
    degree_p_value: float
    n_calibration: int
    n_candidates: int
    any_link_share: bool

    @property
    def p_value(self) -> float:
        """Of both comparisons together (Bonferroni); NaN where nothing can be compared."""
        p_value = 2 * min(self.score_p_value, self.degree_p_value)
        return p_value if math.isnan(p_value) else min(1.0, p_value)

    @property
    def differ(self) -> bool:
        """Whether candidates clearly differ from the calibration pairs: a p-value below 0.001."""
        return self.p_value < CLEAR

    @property
    def limits(self) -> str:
        """What was compared and found, in a sentence."""
        if math.isnan(self.p_value):
            return (
                "Whether the candidates are like the calibration pairs could not be compared, since there "
                f"are fewer than {_LEAST} calibration links or non-links, or no candidates."
            )
        which = " up to the share of links" if self.any_link_share else ""
        numbers = f"(p = {self.score_p_value:.2g} and {self.degree_p_value:.2g})"
        if not self.differ:
            return (
                f"Scores and degrees of {counted(self.n_candidates, 'candidate')} and of "
                f"{counted(self.n_calibration, 'calibration pair')} show no clear difference{which} "
                f"{numbers}; other differences are not excluded."
            )
        what = [
            f"{name} (Kolmogorov-Smirnov distance {distance:.2f}, p = {p_value:.2g})"
            for name, distance, p_value in (
                ("scores", self.score_distance, self.score_p_value),
                ("degrees", self.degree_distance, self.degree_p_value),
            )
            if 2 * p_value < CLEAR
        ]
        return (
            f"The {counted(self.n_candidates, 'candidate')} differ{'s' if self.n_candidates == 1 else ''} "
            f"from the {counted(self.n_calibration, 'calibration pair')}{which} in {' and '.join(what)}, so "
            "that what was calibrated, guarantees or probabilities, need not hold for them."
        )

    def warn_if_different(self) -> None:
        """Warn if candidates clearly differ from the calibration pairs."""
        if self.differ:
            warn_user(
                f"{self.limits} Calibrate on pairs that are drawn like the candidates, or take candidates "
                "that are drawn like the calibration pairs."
            )


def compare_pairs(
    calibration: Floats,
    candidates: Floats,
    links: NDArray[np.bool_] | None = None,
    weights: Floats | None = None,
) -> Exchangeability:
    """Compare candidates with calibration pairs by score and degree.

    Of more than 10,000 pairs a random 10,000 are compared, always the same.

    Parameters
    ----------
    calibration, candidates : arrays, shape (2, pairs)
        Score and degree of each pair.
    links : array of bool, shape (calibration pairs,), optional
        The calibration links. If given, candidates may have any share of links.
    weights : array, shape (calibration pairs,), optional
        How much more often a candidate is like this pair; equal by default.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> calibration, alike, higher = rng.random((2, 500)), rng.random((2, 300)), rng.random((2, 300)) + 0.5
    >>> compare_pairs(calibration, alike).differ, compare_pairs(calibration, higher).differ
    (False, True)
    """
    n, k = calibration.shape[1], candidates.shape[1]
    counts = (n, k, links is not None)
    classes = [np.ones(n, bool)] if links is None else [links, ~links]
    if not k or min(int(each.sum()) for each in classes) < (1 if links is None else _LEAST):
        return Exchangeability(math.nan, math.nan, math.nan, math.nan, *counts)
    weight = np.ones(n) if weights is None else weights
    rng = rng_for(0, _KEY)
    kept, asked = _sample(n, rng), _sample(k, rng)
    parts = [weight[kept] * each[kept] for each in classes]
    results = [_distance_and_p_value(calibration[row, kept], candidates[row, asked], parts) for row in (0, 1)]
    (score, score_p), (degree, degree_p) = results
    return Exchangeability(score, degree, score_p, degree_p, *counts)


def _sample(count: int, rng: np.random.Generator) -> Any:
    """Return positions of at most 10,000 of so many pairs."""
    return slice(None) if count <= _MOST else rng.choice(count, _MOST, replace=False)


def _distance_and_p_value(own: Floats, asked: Floats, weights: list[Floats]) -> tuple[float, float]:
    """Return the least distance of the asked to a mixture of weighted parts of our own, and its p-value."""
    points = np.unique(np.concatenate([own, asked]))
    target = np.searchsorted(np.sort(asked), points, side="right") / len(asked)
    order = np.argsort(own, kind="stable")
    upto = np.searchsorted(own[order], points, side="right")
    parts = [np.append(0.0, np.cumsum(each[order]))[upto] / each.sum() for each in weights]
    sizes = [float(each.sum() ** 2 / np.square(each).sum()) for each in weights]
    share = _nearest_share(target, parts) if len(parts) == 2 else 1.0
    shares = (share, 1 - share)[: len(parts)]
    distance = float(np.abs(target - sum(s * part for s, part in zip(shares, parts, strict=True))).max())
    own_size = 1 / sum(s**2 / size for s, size in zip(shares, sizes, strict=True))
    size = own_size * len(asked) / (own_size + len(asked))
    return distance, float(kolmogorov(math.sqrt(size) * distance))


def _nearest_share(target: Floats, parts: list[Floats]) -> float:
    """Return the share of the first part in the nearest mixture: the distance is convex in it."""
    difference, rest = parts[0] - parts[1], target - parts[1]
    low, high, golden = 0.0, 1.0, (math.sqrt(5) - 1) / 2
    for _ in range(_STEPS):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if np.abs(rest - left * difference).max() <= np.abs(rest - right * difference).max():
            high = right
        else:
            low = left
    return (low + high) / 2
