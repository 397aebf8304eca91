"""A choice at an end of its search says so, whatever kind of search it was."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.network import Network
from latentlink.rank import Bisect, Doubling, Every, HeldOut, RankSearch, find_rank
from latentlink.rank.searches.search_ends import ends_clause
from tests.rank.paths import small_plan

LARGEST = "; {0} is the largest rank of the search, so that no larger one was compared"
SMALLEST = "; {0} is the smallest rank of the search, so that no smaller one was compared"
DATA = "; the search ends at this rank, {0}, since it is the smaller side of the data"
ENDED = "; the search ends at rank 12, the smaller side of the data"


class Own(RankSearch):
    """A search of a user that does not say how far it goes."""

    def following(self, path, selection, max_rank):
        return ()

    def probes(self, max_rank):
        return (1, max_rank)


def clause(ranks, visited, chosen, max_rank=12):
    """The clause for the ranks of a user, as `find_rank` asks for it."""
    search = ranks if isinstance(ranks, RankSearch) else Every(ranks=tuple(visited))
    return ends_clause(ranks, search, visited, chosen, max_rank)


@pytest.mark.parametrize(
    ("ranks", "visited", "chosen", "expected"),
    [
        # Inside of a search there is nothing to say.
        (range(1, 6), (1, 2, 3, 4, 5), 4, ""),
        (Bisect(2, 9), (2, 4, 8, 9), 4, ""),
        (None, (1, 2, 4, 8), 8, ""),
        (range(1, 6), (1, 2, 3, 4, 5), 1, ""),  # there is no smaller one
        # At its own ends.
        (range(1, 6), (1, 2, 3, 4, 5), 5, LARGEST),
        (range(5, 0, -1), (1, 2, 3, 4, 5), 5, LARGEST),
        ((2, 4, 8), (2, 4, 8), 8, LARGEST),
        (Bisect(2, 9), (2, 4, 8, 9), 9, LARGEST),
        (range(3, 6), (3, 4, 5), 3, SMALLEST),
        (Bisect(2, 9), (2, 4, 8, 9), 2, SMALLEST),
        ((12, 14), (12, 14), 14, LARGEST),  # listed by name, so that the data do not end it
        ((2, 14), (2, 14), 2, SMALLEST),
        # Where the data end it.
        (range(1, 200), (*range(1, 13),), 12, DATA),
        (range(199, 0, -1), (*range(1, 13),), 12, DATA),
        (Bisect(1, 64), (1, 2, 4, 8, 12), 12, DATA),
        (None, (1, 2, 4, 8, 12), 12, DATA),
        (Doubling(), (1, 2, 4, 8, 12), 12, DATA),
        (Own(), (1, 12), 12, DATA),
        # More was asked than the data have; a search without a number of its own asked for no more.
        (range(1, 200), (*range(1, 13),), 5, ENDED),
        (Bisect(1, 13), (1, 2, 4, 8, 12), 4, ENDED),
        (None, (1, 2, 4, 8, 12), 4, ""),
        # A range up to the smaller side ends where it was to end.
        (range(1, 13), (*range(1, 13),), 12, LARGEST),
        (Bisect(1, 12), (1, 2, 4, 8, 12), 12, LARGEST),
        # A single rank was not compared at all, which the choice says already.
        ((12,), (12,), 12, ""),
        (Bisect(7, 7), (7,), 7, ""),
    ],
)
def test_ends_of_searches_are_told(ranks, visited, chosen, expected):
    search = Doubling() if ranks is None else ranks
    assert clause(search, visited, chosen) == expected.format(chosen)


@pytest.mark.parametrize("ranks", [range(1, 40), Bisect(1, 40), Doubling(gain=0)], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_the_choice_itself_tells_it(ranks):
    """The identity needs all of its rows as components, and there are no more."""
    network = Network.from_dense(np.repeat(np.eye(4), 6, axis=1))
    result = find_rank(small_plan(network=network), ranks, HeldOut())
    assert result.choice.rank == 4
    assert result.choice.reason.endswith(DATA.format(4))


@pytest.mark.filterwarnings("ignore")
def test_a_search_that_was_cancelled_is_said_to_be_that_alone():
    result = find_rank(small_plan(), range(1, 5), HeldOut(), callback=lambda report: report.rank is None)
    assert "cancelled" in result.choice.reason
    assert "of the search, so" not in result.choice.reason
