"""The search strategy for the ranks that a user gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from latentlink.rank.searches.bisections import FIRST_DOUBLED
from latentlink.rank.searches.listed_ranks import as_range, check_listed, checked_listed, up_to
from latentlink.rank.searches.search_strategies import Doubling, Every, RankSearch
from latentlink.validation.choices import is_base

__all__ = ["as_search", "asked_ranks", "check_ranks", "has_open_end"]


def asked_ranks(ranks: Any) -> Any:
    """Return the ranks of a user as a range, if that is what they are; else as they are.

    An array of consecutive numbers is a range, and so is what `Every` visits, if it is given one.

    Examples
    --------
    >>> asked_ranks(Every(ranks=range(1, 200))), asked_ranks((1, 2))
    (range(1, 200), (1, 2))
    """
    listed = as_range(ranks.ranks if type(ranks) is Every else ranks)
    return listed if isinstance(listed, range) else ranks


def as_search(ranks: Iterable[int] | RankSearch | int | None, max_rank: int | None = None) -> RankSearch:
    """Return the search strategy for the ``ranks`` of a user; raise IncompatibleError for invalid ranks.

    Ranks above ``max_rank`` are visited only if they are listed by name: a range ends there, with a warning,
    also as an array of consecutive numbers and within `Every`.
    """
    ranks = asked_ranks(ranks)
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
    return (ranks is None or isinstance(ranks, Doubling)) and max_rank > FIRST_DOUBLED


def check_ranks(ranks: Any) -> None:
    """Raise IncompatibleError for ``ranks`` that `as_search` refuses for any data."""
    if isinstance(ranks, RankSearch) and not is_base(type(ranks)):
        ranks.check()
    elif ranks is not None:
        check_listed(ranks)
