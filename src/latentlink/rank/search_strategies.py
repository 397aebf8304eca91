"""Search strategies: which ranks to fit next, given the results at the ranks visited so far."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count, takewhile
from math import ceil, log2
from typing import Any, ClassVar

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.rank.criterion import OF_ENSEMBLE, OF_MEMBERS, ErrorCriterion
from latentlink.rank.listed_ranks import check_listed, checked_listed, up_to
from latentlink.rank.results import RankPath, RankRecord
from latentlink.rank.selection import Selection
from latentlink.strategy import Strategy, strategy
from latentlink.validation.choices import is_base
from latentlink.validation.numbers import check_number

_FIRST_DOUBLED = 8  # ranks up to here are visited in any case
_EXACT_RANK = 16  # ranks above need not be found exactly for prediction

__all__ = ["Bisect", "Doubling", "Every", "RankSearch", "as_search", "check_ranks", "has_open_end"]


@strategy
class RankSearch(Strategy):
    """Base class of strategies that decide which ranks are visited."""

    def check(self) -> None:
        """Raise IncompatibleError for parameters out of range."""

    needs_held_out: ClassVar[bool] = False

    @property
    def is_single(self) -> bool:
        """Whether the search visits one rank and no other, so that there is nothing to compare."""
        return False

    @property
    def ends(self) -> tuple[int, int | None]:
        """The smallest and the largest rank that may be visited; None if the data alone limit it."""
        return 1, None

    @abstractmethod
    def following(self, path: RankPath, selection: Selection, max_rank: int) -> tuple[int, ...]:
        """Return the ranks to visit next, at most ``max_rank``; an empty tuple ends the search."""

    @abstractmethod
    def probes(self, max_rank: int) -> Sequence[int]:
        """Return ranks that the search is likely to visit, at which the ridge is chosen beforehand."""

    def likely(
        self, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
    ) -> Sequence[int]:
        """Return ranks that the search is likely to visit after the ``following``, to estimate its time.

        If the search may go further than that, see `further`, these are the ranks if it does not.
        """
        del path, following, selection, max_rank
        return ()

    def further(
        self, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
    ) -> Sequence[int]:
        """Return ranks after the ``following`` if the search goes on beyond them; empty if it cannot."""
        del path, following, selection, max_rank
        return ()


@strategy
class Every(RankSearch):
    """Visit all of the given ranks.

    Parameters
    ----------
    ranks : sequence of int
        The ranks, in any order.
    """

    ranks: Sequence[int]

    @property
    def is_single(self) -> bool:
        """Whether one rank is given."""
        return len(set(self.ranks)) == 1

    @property
    def ends(self) -> tuple[int, int | None]:
        """The smallest and the largest of the given ranks."""
        return int(min(self.ranks)), int(max(self.ranks))

    def check(self) -> None:
        """Raise IncompatibleError unless the ranks are a sequence of whole numbers >= 1."""
        listed = isinstance(self.ranks, Sequence | np.ndarray) and not isinstance(self.ranks, str)
        if not listed:
            raise IncompatibleError(
                f"Every has ranks={self.ranks!r}; expected a sequence of whole numbers >= 1, such as "
                "(2, 4, 8)."
            )
        checked_listed(self.ranks)

    def following(self, path: RankPath, selection: Selection, max_rank: int) -> tuple[int, ...]:
        """Return the ranks that were not visited yet."""
        del selection, max_rank
        return tuple(sorted({int(rank) for rank in self.ranks} - set(path.ranks)))

    def probes(self, max_rank: int) -> Sequence[int]:
        """Return all ranks."""
        del max_rank
        return self.ranks


@strategy
class Bisect(RankSearch):
    """Visit ranks that double through the range, then bisect until the choice and its neighbours are visited.

    With a rule that chooses by stability, the gap above the largest stable rank is bisected; this assumes
    that ranks are stable up to some rank and unstable above it. With other rules, the gaps next to the
    smallest held-out error are bisected, both around the first local minimum among the doubled ranks and
    around their best: far above the true rank, a ridge may make the error decrease once more.

    Parameters
    ----------
    low : int, default=1
        The smallest rank that may be visited.
    high : int, default=64
        The largest rank that may be visited; in smaller data that is their smaller side.

    Examples
    --------
    >>> Bisect(2, 40)
    Bisect(high=40, low=2)
    """

    low: int
    high: int

    def __init__(self, low: int = 1, high: int = 64) -> None:
        self.low, self.high = low, high

    @property
    def ends(self) -> tuple[int, int | None]:
        """The parameters low and high."""
        return self.low, self.high

    def check(self) -> None:
        """Raise IncompatibleError unless low and high are whole numbers with 1 <= low <= high."""
        check_number(self, "low", 1, whole=True)
        check_number(self, "high", self.low, whole=True)

    def following(self, path: RankPath, selection: Selection, max_rank: int) -> tuple[int, ...]:
        """Return the next rank of the bisection, and at its end the neighbours of the choice."""
        if not len(path):
            return self.probes(max_rank)
        between = _between(path, selection, self.probes(max_rank))
        return between or _neighbours(path, selection, self.low, min(self.high, max_rank))

    def probes(self, max_rank: int) -> tuple[int, ...]:
        """Return the doubled ranks, which are visited first."""
        if self.low > max_rank:
            raise IncompatibleError(
                f"The search {self} begins at rank {self.low}, but the smaller side of the data is "
                f"{max_rank}; expected a low of at most {max_rank}."
            )
        return doubled_ranks(self.low, min(self.high, max_rank))

    def likely(
        self, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
    ) -> Sequence[int]:
        """Return the ranks of further bisections, and the neighbours of the choice."""
        return _foreseen(self, path, following, selection, max_rank)


@strategy
class Doubling(RankSearch):
    """Double the rank while that lowers the error, then bisect around the best rank.

    Ranks 1, 2, 4 and 8 are visited first, then their doubles, until a doubling lowers neither the held-out
    error of the members nor that of their mean by a share of ``gain``, or until the smaller side of the data.
    Between the doubled ranks the search goes on as `Bisect`, by the error of the selection rule. The rank for
    prediction is found to an eighth, since the error of an ensemble changes little from rank to rank.

    Parameters
    ----------
    gain : float, default=0.002
        Share of the error by which a doubling must lower it for another one to follow.
    """

    gain: float = 0.002

    needs_held_out: ClassVar[bool] = True

    def check(self) -> None:
        """Raise IncompatibleError unless the gain is a share from 0 to 1."""
        check_number(self, "gain", 0, 1)

    def following(self, path: RankPath, selection: Selection, max_rank: int) -> tuple[int, ...]:
        """Return the next doubled rank, then the ranks between, at the end the neighbours of the choice."""
        if not len(path):
            return doubled_ranks(1, min(max_rank, _FIRST_DOUBLED))
        top = max(rank for rank in path.ranks if _is_doubled(rank, max_rank))
        if top < max_rank and self._gains(path, top):
            return (min(max_rank, 2 * top),)
        doubled = tuple(rank for rank in path.ranks if _is_doubled(rank, max_rank))
        return _between(path, selection, doubled) or _neighbours(path, selection, 1, top)

    def probes(self, max_rank: int) -> Sequence[int]:
        """Return ranks 2, 4 and 8, at most ``max_rank``."""
        return sorted({min(max_rank, rank) for rank in (2, 4, 8)})

    def likely(
        self, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
    ) -> Sequence[int]:
        """Return the ranks of bisections and the neighbours of the choice, if the doubling ends here."""
        return _foreseen(self, path, following, selection, max_rank)

    def further(
        self, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
    ) -> Sequence[int]:
        """Return the next two doubled ranks, and bisections next to the one under way; empty at the last."""
        doubling = following and (not len(path) or following[0] > path.ranks[-1])
        if not doubling or following[-1] >= max_rank:
            return ()
        top, *more = doubled_ranks(following[-1], max_rank)[:3]
        visited = (*path.ranks, *following, *more)
        return [*more, *_bisections_about(top, visited, selection)]

    def _gains(self, path: RankPath, top: int) -> bool:
        """Whether the last doubling lowered one of the errors by a share of ``gain``."""
        below = [record for record in path if record.rank < top]
        if not below:
            return True
        before = path[max(record.rank for record in below if _is_doubled(record.rank, top))]
        return not path[top].empty and any(
            criterion.error(path[top]) < (1 - self.gain) * criterion.error(before)
            for criterion in (OF_MEMBERS, OF_ENSEMBLE)
        )


def as_search(ranks: Iterable[int] | RankSearch | int | None, max_rank: int | None = None) -> RankSearch:
    """Return the search strategy for the ``ranks`` of a user; raise IncompatibleError for invalid ranks.

    Ranks above ``max_rank`` are visited only if they are listed by name: a ``range`` ends there, with a
    warning.
    """
    if ranks is None:
        return Doubling()
    if isinstance(ranks, RankSearch) and not is_base(type(ranks)):
        ranks.check()
        return ranks
    if isinstance(ranks, range) and max_rank is not None:
        ranks = up_to(ranks, max_rank)
    return Every(ranks=checked_listed(ranks))


def has_open_end(ranks: Any, max_rank: int) -> bool:
    """Return whether the ``ranks`` of a user are a search that goes on as long as that lowers the error."""
    return (ranks is None or isinstance(ranks, Doubling)) and max_rank > _FIRST_DOUBLED


def check_ranks(ranks: Any) -> None:
    """Raise IncompatibleError for ``ranks`` that `as_search` refuses for any data."""
    if isinstance(ranks, RankSearch) and not is_base(type(ranks)):
        ranks.check()
    elif ranks is not None:
        check_listed(ranks)


def doubled_ranks(low: int, high: int) -> tuple[int, ...]:
    """Return ``low`` and its doubles below ``high``, and ``high``.

    Examples
    --------
    >>> doubled_ranks(1, 10)
    (1, 2, 4, 8, 10)
    """
    doubled = (low * 2**step for step in count())
    return (*takewhile(lambda rank: rank < high, doubled), high)


def _is_doubled(rank: int, max_rank: int) -> bool:
    """Whether a rank is a power of two, or the largest rank of all."""
    return rank & (rank - 1) == 0 or rank == max_rank


def _between(path: RankPath, selection: Selection, doubled: Sequence[int]) -> tuple[int, ...]:
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


def _foreseen(
    search: RankSearch, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
) -> list[int]:
    """Return the ranks that follow if each rank to come is as good as the worse one of those next to it.

    Before the first rank the middle one of those to be visited stands for the best.
    """
    if not len(path):
        return _bisections_about(following[len(following) // 2], following, selection)
    ranks: list[int] = []
    while following:
        path = _as_if_visited(path, following, selection)
        following = search.following(path, selection, max_rank)
        ranks.extend(following)
        if not (following or selection.by_stability or selection.criterion is OF_ENSEMBLE):
            # Errors at neighbours of a large rank hardly differ: the choice often moves to one of them.
            chosen = selection.choose(path).rank
            ranks.extend([chosen] if chosen > _FIRST_DOUBLED else [])
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


def _bisections_about(best: int, visited: Sequence[int], selection: Selection) -> list[int]:
    """Return a rank as often as the gaps next to it would be bisected."""
    narrow = _narrow_gap(best, selection.criterion is OF_ENSEMBLE)
    gaps = [best - max((k for k in visited if k < best), default=best)]
    gaps.append(min((k for k in visited if k > best), default=best) - best)
    return [best] * sum(ceil(log2(gap / narrow)) for gap in gaps if gap > narrow)


def _neighbours(path: RankPath, selection: Selection, low: int, high: int) -> tuple[int, ...]:
    """Return the ranks next to the choice that were not visited, from low to high."""
    chosen = selection.choose(path).rank
    if selection.criterion is OF_ENSEMBLE:
        chosen = OF_MEMBERS.rank(path) or chosen
        if chosen > _EXACT_RANK:
            return ()
    return tuple(k for k in (chosen - 1, chosen + 1) if low <= k <= high and k not in path.ranks)
