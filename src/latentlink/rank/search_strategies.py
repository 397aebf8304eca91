"""Search strategies: which ranks to fit next, given the results at the ranks visited so far."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import count, takewhile
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from latentlink.errors import IncompatibleError, warn_user
from latentlink.rank.results import RankPath, RankRecord
from latentlink.rank.selection import Selection, best_record, by_error, clearly_worse
from latentlink.strategy import Strategy, strategy
from latentlink.validation.numbers import check_number

__all__ = ["Bisect", "Every", "RankSearch", "Upward", "as_search"]


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

    @abstractmethod
    def following(self, path: RankPath, selection: Selection, max_rank: int) -> tuple[int, ...]:
        """Return the ranks to visit next, at most ``max_rank``; an empty tuple ends the search."""

    @abstractmethod
    def probes(self, max_rank: int) -> Sequence[int]:
        """Return ranks that the search is likely to visit, at which the ridge is chosen beforehand."""


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

    def check(self) -> None:
        """Raise IncompatibleError unless all ranks are whole numbers >= 1."""
        as_search(self.ranks)

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
        The largest rank that may be visited.

    Examples
    --------
    >>> Bisect(2, 40)
    Bisect(high=40, low=2)
    """

    low: int = 1
    high: int = 64

    def __init__(self, low: int = 1, high: int = 64) -> None:
        self.low, self.high = low, high

    def check(self) -> None:
        """Raise IncompatibleError unless low and high are whole numbers with 1 <= low <= high."""
        check_number(self, "low", 1, whole=True)
        check_number(self, "high", self.low, whole=True)

    def following(self, path: RankPath, selection: Selection, max_rank: int) -> tuple[int, ...]:
        """Return the next rank of the bisection, and at its end the neighbours of the choice."""
        if not len(path):
            return self.probes(max_rank)
        threshold = selection.stability_threshold
        if np.isnan(best_record(path).held_out_error):
            threshold = selection.threshold  # without held-out errors every rule chooses by stability
        if threshold is None:
            midpoint = _bisect_error(path, self.probes(max_rank))
        else:
            midpoint = _bisect_stability(path, threshold)
        if midpoint is not None:
            return (midpoint,)
        return _neighbours(path, selection, self.low, min(self.high, max_rank))

    def probes(self, max_rank: int) -> tuple[int, ...]:
        """Return the doubled ranks, which are visited first."""
        if self.low > max_rank:
            raise IncompatibleError(
                f"The search {self} begins at rank {self.low}, but the smaller side of the data is "
                f"{max_rank}; expected a low of at most {max_rank}."
            )
        high = min(self.high, max_rank)
        doubled = (self.low * 2**step for step in count())
        return (*takewhile(lambda rank: rank < high, doubled), high)


@strategy
class Upward(RankSearch):
    """Increase the rank from 1 until the held-out error rises (early stopping), then visit the neighbours.

    Steps are of one rank up to rank 16, and of an eighth of the rank above. The search stops when the error
    exceeds the smallest one by more than one paired standard error at ``patience`` ranks in a row, or at the
    smaller side of the data. Ranks with empty components count as worse. Then the neighbours of the choice
    are visited, where they were skipped.

    Parameters
    ----------
    patience : int, default=3
        Number of larger ranks in a row that must be clearly worse than the best.
    """

    patience: int = 3

    needs_held_out: ClassVar[bool] = True

    def check(self) -> None:
        """Raise IncompatibleError unless patience is a whole number >= 1."""
        check_number(self, "patience", 1, whole=True)

    def following(self, path: RankPath, selection: Selection, max_rank: int) -> tuple[int, ...]:
        """Return the next larger rank, and at the end of the climb the neighbours of the choice."""
        if not len(path):
            return tuple(range(1, min(4, max_rank) + 1))
        top = path.ranks[-1]
        if top < max_rank and not self._error_rises(path):
            return (min(max_rank, top + max(1, top // 8)),)
        return _neighbours(path, selection, 1, max_rank)

    def probes(self, max_rank: int) -> Sequence[int]:
        """Return ranks 2, 4 and 8, at most ``max_rank``."""
        return sorted({min(max_rank, rank) for rank in (2, 4, 8)})

    def _error_rises(self, path: RankPath) -> bool:
        """Whether the last ``patience`` ranks above the best are all clearly worse."""
        best = best_record(path)
        last = [record for record in path if record.rank > best.rank][-self.patience :]
        return len(last) == self.patience and all(
            record.empty or clearly_worse(record, best) for record in last
        )


def as_search(ranks: Iterable[int] | RankSearch | int | None, max_rank: int | None = None) -> RankSearch:
    """Return the search strategy for the ``ranks`` of a user; raise IncompatibleError for invalid ranks.

    Ranks above ``max_rank`` are visited only if they are listed by name: a ``range`` ends there, with a
    warning.
    """
    if isinstance(ranks, range) and max_rank is not None:
        ranks = _within(ranks, max_rank)
    if ranks is None:
        return Upward()
    if isinstance(ranks, RankSearch):
        ranks.check()
        return ranks
    listed: list[Any] = [ranks] if isinstance(ranks, (Integral, str)) else _listed(ranks)
    wrong = [rank for rank in listed if isinstance(rank, bool) or not isinstance(rank, Integral) or rank < 1]
    if wrong or not listed:
        first_wrong = f"{wrong[0]!r} among them" if wrong else "none"
        raise IncompatibleError(
            f"The ranks are {ranks!r}, with {first_wrong}; expected whole numbers >= 1, such as "
            "range(1, 11), a search such as Bisect(1, 64), or None to search upwards."
        )
    return Every(ranks=tuple(int(rank) for rank in listed))


def _within(ranks: range, max_rank: int) -> range | tuple[int, ...]:
    """Return the ranks of a range up to ``max_rank``; warn of the others."""
    kept = tuple(rank for rank in ranks if rank <= max_rank)
    if len(kept) == len(ranks):
        return ranks
    if not kept:
        raise IncompatibleError(
            f"The ranks are {ranks!r}, but the smaller side of the data is {max_rank}; expected ranks up to "
            f"{max_rank}. To visit larger ranks, list them: {[*ranks][:2]}."
        )
    warn_user(
        f"The ranks {ranks!r} end at {max_rank} here, the smaller side of the data. To visit larger ranks, "
        "list them by name."
    )
    return kept


def _listed(ranks: Any) -> list[Any]:
    """Return the items of an iterable, or a list of the object itself if it is none."""
    try:
        return list(ranks)
    except TypeError:
        return [ranks]


def _bisect_stability(path: RankPath, threshold: float) -> int | None:
    """Return the rank halfway between the largest stable rank and the next one visited; None at the end."""
    stable = [record.rank for record in path if record.stability >= threshold]
    low = max(stable, default=path.ranks[0])
    above = [rank for rank in path.ranks if rank > low]
    return (low + above[0]) // 2 if above and above[0] - low > 1 else None


def _bisect_error(path: RankPath, doubled: Sequence[int]) -> int | None:
    """Return the next rank next to a minimum of the held-out error; None if no gap is left there.

    The minima are those in the neighbourhoods of two doubled ranks: the first local minimum, and the best.
    """
    errors = [by_error(path[rank]) for rank in doubled]
    following = [*errors[1:], errors[-1]]
    first = next(index for index, error in enumerate(errors) if error <= following[index])
    for index in (first, errors.index(min(errors))):
        low, high = doubled[max(index - 1, 0)], doubled[min(index + 1, len(doubled) - 1)]
        midpoint = _bisect_gap_at_minimum([record for record in path if low <= record.rank <= high])
        if midpoint is not None:
            return midpoint
    return None


def _bisect_gap_at_minimum(records: Sequence[RankRecord]) -> int | None:
    """Return the middle of the wider gap next to the smallest error; None if both neighbours are visited."""
    ranks = [record.rank for record in records]
    index = records.index(min(records, key=by_error))
    gaps = [
        (ranks[right] - ranks[left], (ranks[left] + ranks[right]) // 2)
        for left, right in ((index - 1, index), (index, index + 1))
        if left >= 0 and right < len(ranks)
    ]
    widest = max(gaps, default=(1, 0))
    return widest[1] if widest[0] > 1 else None


def _neighbours(path: RankPath, selection: Selection, low: int, high: int) -> tuple[int, ...]:
    """Return the ranks next to the choice that were not visited, from low to high."""
    chosen = selection.choose(path).rank
    return tuple(k for k in (chosen - 1, chosen + 1) if low <= k <= high and k not in path.ranks)
