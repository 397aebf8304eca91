"""Whether a rank was chosen at the end of its search, beyond which no other was compared with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from latentlink.rank.searches.search_strategies import RankSearch

__all__ = ["ends_clause"]


def ends_clause(asked: Any, search: RankSearch, visited: Sequence[int], chosen: int, max_rank: int) -> str:
    """Return a clause for a choice at the largest or smallest rank of its search, or if the data end it.

    Parameters
    ----------
    asked : range or object
        The ranks of a user, of which only a range may go on beyond the ``search`` made of it.
    search : RankSearch
    visited : sequence of int
        All ranks that were fitted, ascending.
    chosen : int
    max_rank : int
        The smaller side of the data.

    Returns
    -------
    str
        Empty if the choice has smaller and larger ranks beside it, and if one rank alone was visited.
    """
    if len(visited) < 2:
        return ""
    smallest, largest = search.ends
    largest = max(asked[0], asked[-1]) if isinstance(asked, range) else largest
    # Listed ranks above the smaller side are visited, so that the data do not end such a search.
    ended_by_data = visited[-1] <= max_rank and (largest is None or largest > max_rank)
    if chosen == smallest > 1:
        return f"; {chosen} is the smallest rank of the search, so that no smaller one was compared"
    if ended_by_data and chosen == max_rank:
        return f"; the search ends at this rank, {chosen}, since it is the smaller side of the data"
    if ended_by_data and largest is not None:
        return f"; the search ends at rank {max_rank}, the smaller side of the data"
    if chosen == largest:
        return f"; {chosen} is the largest rank of the search, so that no larger one was compared"
    return ""
