"""The ranks between doubled ranks that a search visits next, and those that it is likely to visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count, takewhile
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from latentlink.rank.criterion import OF_ENSEMBLE, OF_MEMBERS, ErrorCriterion
from latentlink.rank.results import RankPath, RankRecord
from latentlink.rank.selection import Selection

if TYPE_CHECKING:
    from latentlink.rank.searches.search_strategies import RankSearch

__all__ = [
    "FIRST_DOUBLED",
    "bisections_about",
    "doubled_ranks",
    "foreseen",
    "is_doubled",
    "neighbours_of_choice",
    "rank_between",
]

FIRST_DOUBLED = 8  # ranks up to here are visited in any case
_EXACT_RANK = 16  # ranks above need not be found exactly for prediction


def doubled_ranks(low: int, high: int) -> tuple[int, ...]:
    """Return ``low`` and its doubles below ``high``, and ``high``.

    Examples
    --------
    >>> doubled_ranks(1, 10)
    (1, 2, 4, 8, 10)
    """
    doubled = (low * 2**step for step in count())
    return (*takewhile(lambda rank: rank < high, doubled), high)


def is_doubled(rank: int, max_rank: int) -> bool:
    """Whether a rank is a power of two, or the largest rank of all."""
    return rank & (rank - 1) == 0 or rank == max_rank


def rank_between(path: RankPath, selection: Selection, doubled: Sequence[int]) -> tuple[int, ...]:
    """Return the next rank between the doubled ones, by stability or by error; empty at the end.

    For prediction the ranks about the least error of the members are visited too: the true rank, if there is
    one, predicts best, and the error of the ensemble alone may be too flat to lead there.
    """
    criterion = selection.criterion
    # Without held-out errors every rule chooses by stability.
    if selection.by_stability or not np.isfinite(criterion.error(criterion.best(path))):
        midpoint = _bisect_stability(path, selection)
        return () if midpoint is None else (midpoint,)
    for each in dict.fromkeys((OF_MEMBERS, criterion)):
        midpoint = _bisect_error(path, each, doubled, roughly=criterion is OF_ENSEMBLE)
        if midpoint is not None:
            return (midpoint,)
    return ()


def _bisect_stability(path: RankPath, selection: Selection) -> int | None:
    """Return the rank halfway between the largest stable rank and the next one visited; None at the end."""
    low = selection.stable_rank(path) or path.ranks[0]
    above = [rank for rank in path.ranks if rank > low]
    return (low + above[0]) // 2 if above and above[0] - low > 1 else None


def _bisect_error(
    path: RankPath, criterion: ErrorCriterion, doubled: Sequence[int], roughly: bool
) -> int | None:
    """Return the next rank next to a minimum of the held-out error; None if no gap is left there.

    The minima are those in the neighbourhoods of two doubled ranks: the first local minimum, and the best.
    """
    errors = [criterion.key(path[rank]) for rank in doubled]
    following = [*errors[1:], errors[-1]]
    first = next(index for index, error in enumerate(errors) if error <= following[index])
    for index in (first, errors.index(min(errors))):
        low, high = doubled[max(index - 1, 0)], doubled[min(index + 1, len(doubled) - 1)]
        records = [path[k] for k in path.ranks if low <= k <= high]
        midpoint = _bisect_gap_at_minimum(records, criterion, roughly)
        if midpoint is not None:
            return midpoint
    return None


def _bisect_gap_at_minimum(
    records: Sequence[RankRecord], criterion: ErrorCriterion, roughly: bool
) -> int | None:
    """Return the middle of a gap next to the smallest error; None if neither is wider than needed."""
    ranks = [record.rank for record in records]
    index = records.index(criterion.best(records))
    enough = _narrow_gap(ranks[index], roughly)
    # The lower gap first: above the true rank the errors of noise-free data are erratic, and cost more.
    for left, right in ((index - 1, index), (index, index + 1)):
        if left >= 0 and right < len(ranks) and ranks[right] - ranks[left] > enough:
            return (ranks[left] + ranks[right]) // 2
    return None


def _narrow_gap(rank: int, roughly: bool) -> int:
    """Return the width of a gap next to a rank that is not bisected any more: 1, or an eighth of the rank."""
    return max(1, rank // 8) if roughly else 1


def foreseen(
    search: RankSearch, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
) -> list[int]:
    """Return the ranks that follow if each rank to come is as good as the worse one of those next to it.

    Before the first rank the middle one of those to be visited stands for the best.
    """
    if not len(path):
        return bisections_about(following[len(following) // 2], following, selection)
    ranks: list[int] = []
    while following:
        path = _as_if_visited(path, following, selection)
        following = search.following(path, selection, max_rank)
        ranks.extend(following)
        if not (following or selection.by_stability or selection.criterion is OF_ENSEMBLE):
            # Errors at neighbours of a large rank hardly differ: the choice often moves to one of them.
            chosen = selection.choose(path).rank
            ranks.extend([chosen] if chosen > FIRST_DOUBLED else [])
    return ranks


def _as_if_visited(path: RankPath, ranks: Sequence[int], selection: Selection) -> RankPath:
    """Return the path with records of further ranks, which are copies of those next to them."""
    added = []
    for rank in ranks:
        below = [record for record in path if record.rank < rank][-1:]
        above = [record for record in path if record.rank > rank][:1]
        # By stability the larger rank is the worse one, and so it is where both are equal.
        worse = (above or below) if selection.by_stability else above + below
        added.append(replace(max(worse, key=selection.criterion.key), rank=rank))
    return RankPath(tuple(sorted((*path, *added), key=lambda record: record.rank)))


def bisections_about(best: int, visited: Sequence[int], selection: Selection) -> list[int]:
    """Return a rank as often as the gaps next to it would be bisected."""
    narrow = _narrow_gap(best, selection.criterion is OF_ENSEMBLE)
    gaps = [best - max((k for k in visited if k < best), default=best)]
    gaps.append(min((k for k in visited if k > best), default=best) - best)
    return [best] * sum(ceil(log2(gap / narrow)) for gap in gaps if gap > narrow)


def neighbours_of_choice(path: RankPath, selection: Selection, low: int, high: int) -> tuple[int, ...]:
    """Return the ranks next to the choice that were not visited, from low to high."""
    chosen = selection.choose(path).rank
    if selection.criterion is OF_ENSEMBLE:
        chosen = OF_MEMBERS.rank(path) or chosen
        if chosen > _EXACT_RANK:
            return ()
    return tuple(k for k in (chosen - 1, chosen + 1) if low <= k <= high and k not in path.ranks)
