"""Which ranks to visit next, given what those visited say."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import count, takewhile
from numbers import Integral
from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.rank.results import RankPath, RankRecord
from latentlink.rank.selection import Selection, best_record, by_error, clearly_worse
from latentlink.strategy import Strategy, strategy
from latentlink.validation.numbers import check_number

__all__ = ["Bisect", "Every", "RankSearch", "Upward", "as_search"]


@strategy
class RankSearch(Strategy):
    """A way through the ranks."""

    def check(self) -> None:
        """Refuse settings that make no sense."""

    @abstractmethod
    def following(self, path: RankPath, selection: Selection, most: int) -> tuple[int, ...]:
        """Return the ranks to visit next, of at most ``most``; none if the search is at its end."""

    @abstractmethod
    def probes(self, most: int) -> Sequence[int]:
        """Return ranks that the search is likely to visit, for trials of other settings."""


@strategy
class Every(RankSearch):
    """Visit given ranks, all of them.

    Parameters
    ----------
    ranks : sequence of int
        In any order.
    """

    ranks: Sequence[int]

    def check(self) -> None:
        """Refuse what are no ranks."""
        as_search(self.ranks)

    def following(self, path: RankPath, selection: Selection, most: int) -> tuple[int, ...]:
        """Return those that are left."""
        del selection, most
        return tuple(sorted({int(rank) for rank in self.ranks} - set(path.ranks)))

    def probes(self, most: int) -> Sequence[int]:
        """Return all of them."""
        del most
        return self.ranks


@strategy
class Bisect(RankSearch):
    """Double the rank through the range, then halve gaps until the choice and its neighbours are known.

    Under a rule of stability the gap beyond the largest stable rank is halved, which supposes that ranks are
    stable up to some rank and not beyond it. Under other rules the gaps beside the least held-out error are,
    about the first of the doubled ranks at which it turns, and about the best of them: far beyond the true
    rank a ridge may let the error fall once more.

    Parameters
    ----------
    low, high : int
        The least and the largest rank that may be visited.

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
        """Refuse a range that is none."""
        check_number(self, "low", 1, whole=True)
        check_number(self, "high", self.low, whole=True)

    def following(self, path: RankPath, selection: Selection, most: int) -> tuple[int, ...]:
        """Return the next rank to look at, or the neighbours of the choice."""
        if not len(path):
            return self.probes(most)
        threshold = selection.stability_threshold
        if np.isnan(best_record(path).held_out_error):
            threshold = selection.threshold  # nothing was held out: every rule goes by stability
        if threshold is None:
            turn = _turn_of_error(path, self.probes(most))
        else:
            turn = _turn_of_stability(path, threshold)
        if turn is not None:
            return (turn,)
        return _neighbours(path, selection, self.low, min(self.high, most))

    def probes(self, most: int) -> tuple[int, ...]:
        """Return the doubled ranks: those that are visited first."""
        if self.low > most:
            raise IncompatibleError(
                f"The search {self} begins at rank {self.low}, but the smaller side of the data is {most}; "
                f"expected a low of at most {most}."
            )
        high = min(self.high, most)
        doubled = (self.low * 2**step for step in count())
        return (*takewhile(lambda rank: rank < high, doubled), high)


@strategy
class Upward(RankSearch):
    """Climb from rank 1 until the held-out error has clearly turned; then look closely around the choice.

    Steps are of one rank up to 16, and grow with the rank beyond. The error has turned when it was clearly
    above the least, by more than one paired standard error, at ``patience`` ranks in a row.

    Parameters
    ----------
    patience : int
        Ranks beyond the best that must be clearly worse.
    """

    patience: int = 3

    def check(self) -> None:
        """Refuse a patience of no rank."""
        check_number(self, "patience", 1, whole=True)

    def following(self, path: RankPath, selection: Selection, most: int) -> tuple[int, ...]:
        """Return the next ranks up, or the neighbours of the choice."""
        if not len(path):
            return tuple(range(1, min(4, most) + 1))
        top = path.ranks[-1]
        if top < most and not self._turned(path):
            return (min(most, top + max(1, top // 8)),)
        return _neighbours(path, selection, 1, most)

    def probes(self, most: int) -> Sequence[int]:
        """Return small and middling ranks."""
        return sorted({min(most, rank) for rank in (2, 4, 8)})

    def _turned(self, path: RankPath) -> bool:
        best = best_record(path)
        last = [record for record in path if record.rank > best.rank][-self.patience :]
        return len(last) == self.patience and all(
            record.empty or clearly_worse(record, best) for record in last
        )


def as_search(ranks: Iterable[int] | RankSearch | int | None) -> RankSearch:
    """Return what a user means by ranks, or refuse it."""
    if ranks is None:
        return Upward()
    if isinstance(ranks, RankSearch):
        ranks.check()
        return ranks
    listed: list[Any] = [ranks] if isinstance(ranks, (Integral, str)) else _listed(ranks)
    wrong = [rank for rank in listed if isinstance(rank, bool) or not isinstance(rank, Integral) or rank < 1]
    if wrong or not listed:
        found = f"{wrong[0]!r} among them" if wrong else "none"
        raise IncompatibleError(
            f"The ranks are {ranks!r}, with {found}; expected whole numbers >= 1, such as range(1, 11), a "
            "search such as Bisect(1, 64), or None to search upwards."
        )
    return Every(ranks=tuple(int(rank) for rank in listed))


def _listed(ranks: Any) -> list[Any]:
    try:
        return list(ranks)
    except TypeError:
        return [ranks]


def _turn_of_stability(path: RankPath, threshold: float) -> int | None:
    """Return the rank halfway between the largest stable one and the next unstable; None if none is left."""
    stable = [record.rank for record in path if record.stability >= threshold]
    low = max(stable, default=path.ranks[0])
    above = [rank for rank in path.ranks if rank > low]
    return (low + above[0]) // 2 if above and above[0] - low > 1 else None


def _turn_of_error(path: RankPath, doubled: Sequence[int]) -> int | None:
    """Return a rank beside the least error, about the first turn and the best one of the doubled ranks.

    It is the middle of the larger gap beside the least error there; None if all neighbours are known.
    """
    errors = [by_error(path[rank]) for rank in doubled]
    following = [*errors[1:], errors[-1]]
    first = next(place for place, error in enumerate(errors) if error <= following[place])
    for place in (first, errors.index(min(errors))):
        low, high = doubled[max(place - 1, 0)], doubled[min(place + 1, len(doubled) - 1)]
        turn = _beside_the_least([record for record in path if low <= record.rank <= high])
        if turn is not None:
            return turn
    return None


def _beside_the_least(records: Sequence[RankRecord]) -> int | None:
    ranks = [record.rank for record in records]
    place = records.index(min(records, key=by_error))
    gaps = [
        (ranks[right] - ranks[left], (ranks[left] + ranks[right]) // 2)
        for left, right in ((place - 1, place), (place, place + 1))
        if left >= 0 and right < len(ranks)
    ]
    widest = max(gaps, default=(1, 0))
    return widest[1] if widest[0] > 1 else None


def _neighbours(path: RankPath, selection: Selection, low: int, high: int) -> tuple[int, ...]:
    """Return the neighbours of the choice that were not visited."""
    rank = selection.choose(path).rank
    return tuple(each for each in (rank - 1, rank + 1) if low <= each <= high and each not in path.ranks)
