"""Search strategies: which ranks to fit next, given the results at the ranks visited so far."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.rank.criterion import OF_ENSEMBLE, OF_MEMBERS
from latentlink.rank.results import RankPath
from latentlink.rank.searches.bisections import (
    FIRST_DOUBLED,
    bisections_about,
    doubled_ranks,
    foreseen,
    is_doubled,
    neighbours_of_choice,
    rank_between,
)
from latentlink.rank.searches.listed_ranks import checked_listed
from latentlink.rank.selection import Selection
from latentlink.strategy import Strategy, strategy
from latentlink.validation.numbers import check_number

__all__ = ["Bisect", "Doubling", "Every", "RankSearch"]


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

    def further_probe(self, least: Mapping[int, float], max_rank: int) -> int | None:
        """Return the next rank at which ridges are tried for prediction; None if there is none.

        Parameters
        ----------
        least : mapping of int to float
            The least held-out error of all ridges, of each rank at which they were tried.
        max_rank : int
            The smaller side of the data.
        """
        del least, max_rank
        return None

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
        The ranks, in any order. A range, or an array of consecutive numbers, ends at the smaller side of the
        data; others are visited as they are named.
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
        between = rank_between(path, selection, self.probes(max_rank))
        return between or neighbours_of_choice(path, selection, self.low, min(self.high, max_rank))

    def probes(self, max_rank: int) -> tuple[int, ...]:
        """Return the doubled ranks, which are visited first."""
        if self.low > max_rank:
            raise IncompatibleError(
                f"The search begins at rank {self.low}, but the smaller side of the data is {max_rank}; "
                f"expected a lowest rank of at most {max_rank}."
            )
        return doubled_ranks(self.low, min(self.high, max_rank))

    def likely(
        self, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
    ) -> Sequence[int]:
        """Return the ranks of further bisections, and the neighbours of the choice."""
        return foreseen(self, path, following, selection, max_rank)


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
            return doubled_ranks(1, min(max_rank, FIRST_DOUBLED))
        top = max(rank for rank in path.ranks if is_doubled(rank, max_rank))
        if top < max_rank and self._gains(path, top):
            return (min(max_rank, 2 * top),)
        doubled = tuple(rank for rank in path.ranks if is_doubled(rank, max_rank))
        return rank_between(path, selection, doubled) or neighbours_of_choice(path, selection, 1, top)

    def probes(self, max_rank: int) -> Sequence[int]:
        """Return ranks 2, 4 and 8, at most ``max_rank``."""
        return sorted({min(max_rank, rank) for rank in (2, 4, 8)})

    def further_probe(self, least: Mapping[int, float], max_rank: int) -> int | None:
        """Return the double of the largest rank if the best ridge gains there, as it does for a search."""
        top = max(least)
        before = min((error for rank, error in least.items() if rank < top), default=np.inf)
        return min(max_rank, 2 * top) if top < max_rank and least[top] < (1 - self.gain) * before else None

    def likely(
        self, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
    ) -> Sequence[int]:
        """Return the ranks of bisections and the neighbours of the choice, if the doubling ends here."""
        return foreseen(self, path, following, selection, max_rank)

    def further(
        self, path: RankPath, following: Sequence[int], selection: Selection, max_rank: int
    ) -> Sequence[int]:
        """Return the next two doubled ranks, and bisections next to the one under way; empty at the last."""
        doubling = following and (not len(path) or following[0] > path.ranks[-1])
        if not doubling or following[-1] >= max_rank:
            return ()
        top, *more = doubled_ranks(following[-1], max_rank)[:3]
        visited = (*path.ranks, *following, *more)
        return [*more, *bisections_about(top, visited, selection)]

    def _gains(self, path: RankPath, top: int) -> bool:
        """Whether the last doubling lowered one of the errors by a share of ``gain``."""
        below = [record for record in path if record.rank < top]
        if not below:
            return True
        before = path[max(record.rank for record in below if is_doubled(record.rank, top))]
        return not path[top].empty and any(
            criterion.error(path[top]) < (1 - self.gain) * criterion.error(before)
            for criterion in (OF_MEMBERS, OF_ENSEMBLE)
        )
