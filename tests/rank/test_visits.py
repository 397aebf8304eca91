"""The ranks that searches visit, in their order, and those that they expect to visit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink.rank import Agreement, BestPrediction, Bisect, Doubling, HeldOut, SilhouetteCutoff
from latentlink.rank.searches.ranks_of_user import has_open_end
from tests.rank.paths import path_of, record

SEARCHES = {
    "doubling": Doubling(),
    "doubling with a gain": Doubling(gain=0.1),
    "bisect": Bisect(),
    "bisect 3 to 40": Bisect(low=3, high=40),
}
RULES = {
    "agreement": Agreement(),
    "held out": HeldOut(),
    "prediction": BestPrediction(),
    "cutoff": SilhouetteCutoff(),
}
DIFFICULTY = np.array([0.7, 0.9, 1.0, 1.3])


def made(rank, at, best_mean):
    """Return a record that is stable up to a rank, with the least error there; of the mean at another."""
    errors = DIFFICULTY * (1 + 0.05 * abs(rank - at)) ** 2
    of_mean = DIFFICULTY * (1 + 0.04 * abs(rank - best_mean)) ** 2
    return replace(record(rank, 0.95 if rank <= at else 0.3, errors, 0.5 / rank), held_out_ensemble=of_mean)


def visits(search, rule, at, max_rank):
    """Return the ranks visited, in order, and the expected further ranks at each step."""
    path, visited, likely = path_of(), [], []
    while following := search.following(path, rule, max_rank):
        likely.append(len(search.likely(path, following, rule, max_rank)))
        visited.extend(following)
        path = path_of(*path.records, *(made(rank, at, 2 * at) for rank in following))
    return visited, likely


VISITS = {
    ("doubling", "agreement", 1, 64): ("1 2 4 8", "3"),
    ("doubling", "agreement", 5, 64): ("1 2 4 8 16 3 6 5", "3 3 2 1 0"),
    ("doubling", "agreement", 13, 30): ("1 2 4 8 16 30 12 10 11 14 13", "3 7 7 6 4 3 2 1"),
    ("doubling", "agreement", 24, 100): (
        "1 2 4 8 16 32 64 12 14 15 24 20 22 23 28 26 25",
        "3 7 9 8 7 6 5 4 6 5 4 3 2 1",
    ),
    ("doubling", "agreement", 7, 7): ("1 2 4 7 5 6", "3 1 0"),
    ("doubling", "agreement", 40, 70): (
        "1 2 4 8 16 32 64 70 24 28 30 31 48 40 36 38 39 44 42 41",
        "3 7 9 11 10 9 8 7 6 5 4 6 5 4 3 2 1",
    ),
    ("doubling", "held out", 1, 64): ("1 2 4 8", "3"),
    ("doubling", "held out", 5, 64): ("1 2 4 8 16 3 6 5", "3 3 2 1 0"),
    ("doubling", "held out", 13, 30): ("1 2 4 8 16 30 12 10 11 14 13", "3 5 7 6 4 3 2 1"),
    ("doubling", "held out", 24, 100): (
        "1 2 4 8 16 32 64 12 14 15 24 20 22 23 28 26 25",
        "3 5 8 8 7 6 5 4 6 5 4 3 2 1",
    ),
    ("doubling", "held out", 7, 7): ("1 2 4 7 5 6", "3 1 0"),
    ("doubling", "held out", 40, 70): (
        "1 2 4 8 16 32 64 70 24 28 30 31 48 40 36 38 39 44 42 41",
        "3 5 8 10 10 9 8 7 6 5 4 6 5 4 3 2 1",
    ),
    ("doubling", "prediction", 1, 64): ("1 2 4 8 3", "3 0"),
    ("doubling", "prediction", 5, 64): ("1 2 4 8 16 3 6 5 7 12 10 9 11", "3 7 6 5 4 3 2 1 1 0"),
    ("doubling", "prediction", 13, 30): (
        "1 2 4 8 16 30 12 10 11 14 13 23 19 21 26 28",
        "3 5 6 7 6 5 4 3 2 3 2 1 0",
    ),
    ("doubling", "prediction", 24, 100): (
        "1 2 4 8 16 32 64 12 14 24 20 22 28 26 48 40 44 56 52",
        "3 5 7 11 10 9 8 6 5 4 3 2 3 2 1 0",
    ),
    ("doubling", "prediction", 7, 7): ("1 2 4 7 5 6", "3 1 0"),
    ("doubling", "prediction", 40, 70): ("1 2 4 8 16 32 64 70 24 28 48 40 36 44", "3 5 7 5 6 4 3 2 1 1 0"),
    ("doubling", "cutoff", 1, 64): ("1 2 4 8", "3"),
    ("doubling", "cutoff", 5, 64): ("1 2 4 8 16 6 5", "3 3 2 1"),
    ("doubling", "cutoff", 13, 30): ("1 2 4 8 16 30 12 14 13", "3 1 4 3 2 1"),
    ("doubling", "cutoff", 24, 100): ("1 2 4 8 16 32 64 24 28 26 25 23", "3 1 1 5 4 3 2 1 0"),
    ("doubling", "cutoff", 7, 7): ("1 2 4 7 6", "3 0"),
    ("doubling", "cutoff", 40, 70): ("1 2 4 8 16 32 64 70 48 40 44 42 41 39", "3 1 1 1 6 5 4 3 2 1 0"),
    ("doubling with a gain", "agreement", 1, 64): ("1 2 4 8", "3"),
    ("doubling with a gain", "agreement", 5, 64): ("1 2 4 8 16 3 6 5", "3 3 2 1 0"),
    ("doubling with a gain", "agreement", 13, 30): ("1 2 4 8 16 30 12 10 11 14 13", "3 7 7 6 4 3 2 1"),
    ("doubling with a gain", "agreement", 24, 100): ("1 2 4 8 6 7", "3 1 0"),
    ("doubling with a gain", "agreement", 7, 7): ("1 2 4 7 5 6", "3 1 0"),
    ("doubling with a gain", "agreement", 40, 70): ("1 2 4 8 6 7", "3 1 0"),
    ("doubling with a gain", "held out", 1, 64): ("1 2 4 8", "3"),
    ("doubling with a gain", "held out", 5, 64): ("1 2 4 8 16 3 6 5", "3 3 2 1 0"),
    ("doubling with a gain", "held out", 13, 30): ("1 2 4 8 16 30 12 10 11 14 13", "3 5 7 6 4 3 2 1"),
    ("doubling with a gain", "held out", 24, 100): ("1 2 4 8 6 7", "3 1 0"),
    ("doubling with a gain", "held out", 7, 7): ("1 2 4 7 5 6", "3 1 0"),
    ("doubling with a gain", "held out", 40, 70): ("1 2 4 8 6 7", "3 1 0"),
    ("doubling with a gain", "prediction", 1, 64): ("1 2 4 8 3", "3 0"),
    ("doubling with a gain", "prediction", 5, 64): ("1 2 4 8 16 3 6 5 7 12 10 9 11", "3 7 6 5 4 3 2 1 1 0"),
    ("doubling with a gain", "prediction", 13, 30): (
        "1 2 4 8 16 30 12 10 11 14 13 23 19 21 26 28",
        "3 5 6 7 6 5 4 3 2 3 2 1 0",
    ),
    ("doubling with a gain", "prediction", 24, 100): ("1 2 4 8 6 7", "3 1 0"),
    ("doubling with a gain", "prediction", 7, 7): ("1 2 4 7 5 6", "3 1 0"),
    ("doubling with a gain", "prediction", 40, 70): ("1 2 4 8 6 7", "3 1 0"),
    ("doubling with a gain", "cutoff", 1, 64): ("1 2 4 8", "3"),
    ("doubling with a gain", "cutoff", 5, 64): ("1 2 4 8 16 6 5", "3 3 2 1"),
    ("doubling with a gain", "cutoff", 13, 30): ("1 2 4 8 16 30 12 14 13", "3 1 4 3 2 1"),
    ("doubling with a gain", "cutoff", 24, 100): ("1 2 4 8 7", "3 0"),
    ("doubling with a gain", "cutoff", 7, 7): ("1 2 4 7 6", "3 0"),
    ("doubling with a gain", "cutoff", 40, 70): ("1 2 4 8 7", "3 0"),
    ("bisect", "agreement", 1, 64): ("1 2 4 8 16 32 64", "5"),
    ("bisect", "agreement", 5, 64): ("1 2 4 8 16 32 64 3 6 5", "5 2 1 0"),
    ("bisect", "agreement", 13, 30): ("1 2 4 8 16 30 12 10 11 14 13", "5 6 4 3 2 1"),
    ("bisect", "agreement", 24, 100): (
        "1 2 4 8 16 32 64 12 14 15 24 20 22 23 28 26 25",
        "5 7 6 5 4 6 5 4 3 2 1",
    ),
    ("bisect", "agreement", 7, 7): ("1 2 4 7 5 6", "3 1 0"),
    ("bisect", "agreement", 40, 70): (
        "1 2 4 8 16 32 64 24 28 30 31 48 40 36 38 39 44 42 41",
        "5 9 8 7 6 5 4 6 5 4 3 2 1",
    ),
    ("bisect", "held out", 1, 64): ("1 2 4 8 16 32 64", "5"),
    ("bisect", "held out", 5, 64): ("1 2 4 8 16 32 64 3 6 5", "5 2 1 0"),
    ("bisect", "held out", 13, 30): ("1 2 4 8 16 30 12 10 11 14 13", "5 6 4 3 2 1"),
    ("bisect", "held out", 24, 100): (
        "1 2 4 8 16 32 64 12 14 15 24 20 22 23 28 26 25",
        "5 7 6 5 4 6 5 4 3 2 1",
    ),
    ("bisect", "held out", 7, 7): ("1 2 4 7 5 6", "3 1 0"),
    ("bisect", "held out", 40, 70): (
        "1 2 4 8 16 32 64 24 28 30 31 48 40 36 38 39 44 42 41",
        "5 9 8 7 6 5 4 6 5 4 3 2 1",
    ),
    ("bisect", "prediction", 1, 64): ("1 2 4 8 16 32 64 3", "5 0"),
    ("bisect", "prediction", 5, 64): ("1 2 4 8 16 32 64 3 6 5 7 12 10 9 11", "5 6 5 4 3 2 1 1 0"),
    ("bisect", "prediction", 13, 30): (
        "1 2 4 8 16 30 12 10 11 14 13 23 19 21 26 28",
        "5 7 6 5 4 3 2 3 2 1 0",
    ),
    ("bisect", "prediction", 24, 100): (
        "1 2 4 8 16 32 64 12 14 24 20 22 28 26 48 40 44 56 52",
        "5 10 9 8 6 5 4 3 2 3 2 1 0",
    ),
    ("bisect", "prediction", 7, 7): ("1 2 4 7 5 6", "3 1 0"),
    ("bisect", "prediction", 40, 70): ("1 2 4 8 16 32 64 24 28 48 40 36 44 56", "5 5 4 3 2 2 1 0"),
    ("bisect", "cutoff", 1, 64): ("1 2 4 8 16 32 64", "5"),
    ("bisect", "cutoff", 5, 64): ("1 2 4 8 16 32 64 6 5", "5 2 1"),
    ("bisect", "cutoff", 13, 30): ("1 2 4 8 16 30 12 14 13", "5 3 2 1"),
    ("bisect", "cutoff", 24, 100): ("1 2 4 8 16 32 64 24 28 26 25 23", "5 4 3 2 1 0"),
    ("bisect", "cutoff", 7, 7): ("1 2 4 7 6", "3 0"),
    ("bisect", "cutoff", 40, 70): ("1 2 4 8 16 32 64 48 40 44 42 41 39", "5 5 4 3 2 1 0"),
    ("bisect 3 to 40", "agreement", 1, 64): ("3 6 12 24 40 4", "7 0"),
    ("bisect 3 to 40", "agreement", 5, 64): ("3 6 12 24 40 4 5", "7 3 0"),
    ("bisect 3 to 40", "agreement", 13, 30): ("3 6 12 24 30 9 10 11 18 15 13 14", "7 6 5 4 3 2 1 1"),
    ("bisect 3 to 40", "agreement", 24, 100): ("3 6 12 24 40 18 21 22 23 32 28 26 25", "7 8 7 6 5 4 3 2 1"),
    ("bisect 3 to 40", "agreement", 7, 7): ("3 6 7", "2"),
    ("bisect 3 to 40", "agreement", 40, 70): ("3 6 12 24 40 32 36 38 39", "7 4 3 2 1"),
    ("bisect 3 to 40", "held out", 1, 64): ("3 6 12 24 40 4", "7 0"),
    ("bisect 3 to 40", "held out", 5, 64): ("3 6 12 24 40 4 5", "7 3 0"),
    ("bisect 3 to 40", "held out", 13, 30): ("3 6 12 24 30 9 10 11 18 15 13 14", "7 6 5 4 3 2 1 1"),
    ("bisect 3 to 40", "held out", 24, 100): ("3 6 12 24 40 18 21 22 23 32 28 26 25", "7 8 7 6 5 4 3 2 1"),
    ("bisect 3 to 40", "held out", 7, 7): ("3 6 7", "2"),
    ("bisect 3 to 40", "held out", 40, 70): ("3 6 12 24 40 32 36 38 39", "7 4 3 2 1"),
    ("bisect 3 to 40", "prediction", 1, 64): ("3 6 12 24 40 4", "7 0"),
    ("bisect 3 to 40", "prediction", 5, 64): ("3 6 12 24 40 4 5 9 7 8 10 11", "7 8 6 5 2 1 0 0"),
    ("bisect 3 to 40", "prediction", 13, 30): (
        "3 6 12 24 30 9 10 11 18 15 13 14 21 27",
        "7 7 6 5 4 3 2 2 1 0",
    ),
    ("bisect 3 to 40", "prediction", 24, 100): ("3 6 12 24 40 18 21 32 28 26 36", "7 5 4 3 2 1 0"),
    ("bisect 3 to 40", "prediction", 7, 7): ("3 6 7", "2"),
    ("bisect 3 to 40", "prediction", 40, 70): ("3 6 12 24 40 32 36", "7 1 0"),
    ("bisect 3 to 40", "cutoff", 1, 64): ("3 6 12 24 40 4", "7 0"),
    ("bisect 3 to 40", "cutoff", 5, 64): ("3 6 12 24 40 4 5", "7 0 0"),
    ("bisect 3 to 40", "cutoff", 13, 30): ("3 6 12 24 30 18 15 13 14", "7 3 2 1 0"),
    ("bisect 3 to 40", "cutoff", 24, 100): ("3 6 12 24 40 32 28 26 25 23", "7 4 3 2 1 0"),
    ("bisect 3 to 40", "cutoff", 7, 7): ("3 6 7", "2"),
    ("bisect 3 to 40", "cutoff", 40, 70): ("3 6 12 24 40 39", "7 0"),
}


@pytest.mark.parametrize(("search", "rule", "at", "max_rank"), VISITS)
def test_visits(search, rule, at, max_rank):
    visited, likely = visits(SEARCHES[search], RULES[rule], at, max_rank)
    expected = VISITS[search, rule, at, max_rank]
    assert (" ".join(map(str, visited)), " ".join(map(str, likely))) == expected


@pytest.mark.parametrize("max_rank", [1, 2, 3, 8, 9, 64])
def test_probes(max_rank):
    assert list(Doubling().probes(max_rank)) == sorted({min(max_rank, rank) for rank in (2, 4, 8)})


@pytest.mark.parametrize(
    ("at", "visited", "expected"),
    [(16, (1, 2, 4, 8, 14, 16, 18, 32), (15, 17)), (17, (1, 2, 4, 8, 15, 16, 17, 19, 32), ())],
)
def test_for_prediction_ranks_up_to_sixteen_are_found_exactly(at, visited, expected):
    """Gaps of an eighth are left beside the best rank of the ensemble; ranks next to 16 are visited."""
    path = path_of(*(made(rank, at, at) for rank in visited))
    assert Doubling().following(path, BestPrediction(), 64) == expected


def test_what_is_expected_has_the_neighbours_of_the_choice():
    """The doubled ranks are visited, and the gaps next to the best are bisected: 4 and 6 remain."""
    path = path_of(*(made(rank, 5, 5) for rank in (1, 2, 4, 8, 16, 3, 6)))
    assert Bisect().following(path, HeldOut(), 16) == (5,)
    assert Bisect().likely(path, (5,), HeldOut(), 16) == []
    path = path_of(*(made(rank, 8, 8) for rank in (1, 2, 4, 8, 16)))
    assert Bisect().likely(path, (6,), HeldOut(), 16) == [7, 12, 10, 9]


def test_expecting_ranks_leaves_the_path_alone_and_takes_no_rank_twice():
    path = path_of(*(made(rank, 24, 48) for rank in (1, 2, 4, 8, 16, 32, 64)))
    for rule in RULES.values():
        following = Bisect().following(path, rule, 64)
        expected = Bisect().likely(path, following, rule, 64)
        assert path.ranks == (1, 2, 4, 8, 16, 32, 64)
        assert not set(expected[:-1]) & {*path.ranks, *following}  # the last may stand for a neighbour


@pytest.mark.parametrize(
    ("visited", "following", "max_rank", "expected"),
    [
        ((), (1, 2, 4, 8), 64, [16, 32, 8, 8, 8, 8, 8]),
        ((), (1, 2, 4, 8), 12, [12, 8, 8, 8, 8]),
        ((), (1, 2, 4, 8), 8, []),
        ((1, 2, 4, 8), (16,), 64, [32, 64, 16, 16, 16, 16, 16, 16, 16]),
        ((1, 2, 4, 8), (16,), 20, [20, 16, 16, 16, 16, 16]),
        ((1, 2, 4, 8), (16,), 16, []),
        ((1, 2, 4, 8, 16), (6,), 64, []),
        ((1, 2, 4, 8, 16), (), 64, []),
    ],
)
def test_two_doublings_more_while_the_rank_is_doubled(visited, following, max_rank, expected):
    """With bisections about the doubled rank that is visited next."""
    path = path_of(*(made(rank, 6, 6) for rank in visited))
    assert list(Doubling().further(path, following, HeldOut(), max_rank)) == expected
    assert list(Bisect().further(path, following, HeldOut(), max_rank)) == []


@pytest.mark.parametrize(
    ("ranks", "expected"), [(None, True), (Doubling(), True), (Bisect(), False), ((1, 2), False), (3, False)]
)
def test_a_search_by_doubling_has_an_open_end(ranks, expected):
    assert has_open_end(ranks, 9) is expected
    assert not has_open_end(ranks, 8)  # these ranks are visited in any case
