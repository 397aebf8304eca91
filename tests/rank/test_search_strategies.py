"""Search strategies, on hand-made paths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.rank import (
    Agreement,
    BestPrediction,
    Bisect,
    Doubling,
    Every,
    HeldOut,
    LStatistic,
    SilhouetteCutoff,
)
from latentlink.rank.searches.ranks_of_user import as_search
from tests.rank.paths import path_of, record, walk

DIFFICULTY = np.array([0.7, 0.9, 1.0, 1.3])  # of each member's held-out entries, the same at every rank
RULES = [HeldOut(), Agreement(), SilhouetteCutoff(), LStatistic()]
every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)
# All small ranks, the doubled ranks with their neighbours, midpoints between them, and the ends of the range.
MINIMA = [*range(1, 11), 12, 15, 16, 17, 20, 24, 31, 32, 33, 40, 47, 48, 49, 56, 62, 63, 64]
every_minimum = pytest.mark.parametrize("at", MINIMA)
searches = st.one_of(
    st.tuples(st.integers(1, 40), st.integers(0, 40)).map(lambda ends: Bisect(ends[0], sum(ends))),
    st.builds(Doubling, gain=st.floats(0, 0.3)),
)


def minimum_at(at, slope=0.05, ensemble=False):
    """Records whose error is smallest at a rank, and which are stable up to that rank."""

    def record_at(rank):
        errors = DIFFICULTY * (1 + slope * abs(rank - at)) ** 2
        made = record(rank, 0.95 if rank <= at else 0.3, errors, 0.5 / rank)
        return replace(made, held_out_ensemble=errors) if ensemble else made

    return record_at


# -------------------------------------------------------------------- every rank


def test_every_rank_is_visited_once_in_ascending_order():
    search = as_search([5, 2, np.int64(3), 2])
    path, visits = walk(search, HeldOut(), minimum_at(3))
    assert visits == [2, 3, 5] == list(path.ranks)
    assert search.following(path_of(record(3)), HeldOut(), 64) == (2, 5)
    assert sorted(search.probes(64)) == [2, 2, 3, 5]


# -------------------------------------------------------------------- bisection


@pytest.mark.parametrize("rule", [HeldOut(), Agreement()], ids=repr)
@every_minimum
def test_bisection_finds_the_smallest_error(rule, at):
    path, visits = walk(Bisect(1, 64), rule, minimum_at(at))
    assert rule.choose(path).rank == at
    assert {at - 1, at + 1} & set(range(1, 65)) <= set(path.ranks)
    assert len(visits) <= 3 * 6 + 2


@every_minimum
def test_bisection_finds_the_largest_stable_rank(at):
    path, visits = walk(Bisect(1, 64), SilhouetteCutoff(), minimum_at(at))
    assert SilhouetteCutoff().choose(path).rank == at
    assert {at - 1, at + 1} & set(range(1, 65)) <= set(path.ranks)
    assert len(visits) <= 3 * 6 + 2


def test_bisection_of_a_large_range_takes_few_visits():
    _, visits = walk(Bisect(1, 4096), HeldOut(), minimum_at(700, slope=1e-3), max_rank=10_000)
    assert len(visits) <= 3 * 14


def test_bisection_finds_the_first_minimum_if_the_error_decreases_again_at_large_ranks():
    """A strong ridge makes the error decrease once more at ranks far above the true one."""

    def record_at(rank):
        error = 1 + abs(rank - 3) if rank < 20 else 8 - rank / 10
        return record(rank, 0.9, DIFFICULTY * error)

    path, _ = walk(Bisect(1, 64), HeldOut(), record_at)
    assert HeldOut().choose(path).rank == 3


def test_bisection_stays_within_its_range_and_the_matrix():
    path, _ = walk(Bisect(3, 40), HeldOut(), minimum_at(1), max_rank=20)
    assert path.ranks[0] == 3
    assert path.ranks[-1] == 20
    assert walk(Bisect(7, 7), HeldOut(), minimum_at(3))[1] == [7]
    assert Bisect(5, 9).probes(5) == (5,)
    with pytest.raises(IncompatibleError, match="begins at rank 10, but the smaller side of the data is 5"):
        Bisect(10, 20).probes(5)


def test_without_a_stable_rank_bisection_visits_the_smallest_ranks():
    path, _ = walk(Bisect(1, 64), SilhouetteCutoff(), lambda rank: record(rank, 0.5 - rank / 1000))
    assert {1, 2} <= set(path.ranks)
    assert len(path) < 11
    unstable = walk(Bisect(3, 48), SilhouetteCutoff(), lambda rank: record(rank, 0.5 - rank / 1000))
    assert unstable[1] == [3, 6, 12, 24, 48, 4]


def test_without_held_out_errors_bisection_uses_stability():
    def record_at(rank):
        return record(rank, 0.9 if rank <= 6 else 0.3, [np.nan] * 4, relative_error=1 / rank)

    path, _ = walk(Bisect(1, 20), HeldOut(), record_at)
    choice = HeldOut().choose(path)
    assert (choice.rank, choice.status) == (6, "unconfirmed")
    assert "(nothing could be held out)" in choice.reason
    assert {5, 7} <= set(path.ranks)


def test_ranks_with_empty_components_count_as_worse_and_are_passed_over():
    def record_at(rank):
        W = np.ones((4, rank))
        W[:, 5:] = 0
        whole = record(rank, 0.9, DIFFICULTY / rank)
        return replace(whole, model=Factors(W, np.ones((rank, 5))))

    for search in (Doubling(), Bisect(1, 40)):
        path, _ = walk(search, HeldOut(), record_at)
        assert HeldOut().choose(path).rank == 5
        assert path[6].empty == 1


def test_bisection_starts_with_doubled_ranks():
    assert Bisect(1, 64).probes(1000) == (1, 2, 4, 8, 16, 32, 64)
    assert Bisect(3, 64).probes(20) == (3, 6, 12, 20)
    assert Bisect(4, 4).probes(9) == (4,)


# -------------------------------------------------------------------- doubling


@pytest.mark.parametrize("rule", [HeldOut(), Agreement()], ids=repr)
@every_minimum
def test_doubling_finds_the_smallest_error(rule, at):
    path, visits = walk(Doubling(), rule, minimum_at(at), max_rank=200)
    assert rule.choose(path).rank == at
    assert {at - 1, at + 1} - {0} <= set(path.ranks)
    assert max(path.ranks) <= max(8, 4 * at)
    assert len(visits) <= 3 * 7 + 1


@every_minimum
def test_the_rank_for_prediction_is_found_to_an_eighth(at):
    path, visits = walk(Doubling(), BestPrediction(), minimum_at(at, ensemble=True), max_rank=200)
    assert abs(BestPrediction().choose(path).rank - at) <= max(0, at // 8)
    assert len(visits) <= 3 * 5 + 1


def test_doubling_stops_when_a_doubling_gains_too_little():
    def record_at(rank):  # each doubling gains a tenth of what the one before did
        error = 1 + 10.0 ** (2 - np.log2(rank))
        return replace(record(rank, 0.3, DIFFICULTY * error**2), held_out_ensemble=DIFFICULTY * error**2)

    for gain, top in ((0.5, 8), (0.05, 32), (5e-3, 64)):
        path, visits = walk(Doubling(gain=gain), BestPrediction(), record_at, max_rank=500)
        assert [rank for rank in visits if rank & (rank - 1) == 0] == [
            2**k for k in range(int(np.log2(top)) + 1)
        ]
        assert path.ranks[-1] == top


def test_doubling_continues_while_the_ensemble_gains_though_the_members_do_not():
    def record_at(rank):
        worse, better = DIFFICULTY * (1 + 0.1 * rank), DIFFICULTY * (1 + 1 / rank)
        return replace(record(rank, 0.3, worse), held_out_ensemble=better)

    path, _ = walk(Doubling(), Agreement(), record_at, max_rank=100)
    assert path.ranks[-1] == 100
    assert Agreement().choose(path).rank == 1
    assert path[64].ensemble_error > path[100].ensemble_error


def test_doubling_ends_at_the_size_of_the_matrix():
    assert walk(Doubling(), HeldOut(), minimum_at(9), max_rank=3)[1] == [1, 2, 3]
    assert walk(Doubling(), HeldOut(), minimum_at(9), max_rank=1)[1] == [1]
    path, _ = walk(Doubling(), HeldOut(), minimum_at(1000, slope=1e-3), max_rank=100)
    assert path.ranks[-1] == 100
    assert HeldOut().choose(path).rank == 100
    assert Doubling().probes(64) == [2, 4, 8]
    assert Doubling().probes(3) == [2, 3]


def test_ranks_that_are_likely_to_follow_are_about_as_many_as_do():
    for search in (Doubling(), Bisect(1, 64)):
        path, expected = path_of(), []
        while following := search.following(path, HeldOut(), 64):
            expected.append(len(following) + len(search.likely(path, following, HeldOut(), 64)))
            path = path_of(*path.records, *map(minimum_at(20), following))
        left = len(path) - np.concatenate([[0], np.cumsum([4, *[1] * len(expected)])])[: len(expected)]
        if isinstance(search, Doubling):
            np.testing.assert_array_less(np.abs(expected[3:] - left[3:]), 6)
        assert expected[-1] <= 2
        assert not search.likely(path, (), HeldOut(), 64)


# -------------------------------------------------------------------- random paths


@pytest.mark.slow
@every_rule
@settings(max_examples=30)
@given(search=searches, max_rank=st.integers(40, 90), seed=st.integers(0, 10_000))
def test_the_neighbours_of_the_choice_are_visited_on_any_path(rule, search, max_rank, seed):
    def record_at(rank):
        rng = np.random.default_rng([seed, rank])
        columns = rng.uniform(0, 1, 5) * rng.choice([0.1, 1.0])
        return record(rank, rng.uniform(0.5, 1), rng.uniform(0.5, 1, 4), rng.random(), columns)

    path, visits = walk(search, rule, record_at, max_rank)
    rank = rule.choose(path).rank
    low, high = (
        (1, path.ranks[-1])
        if isinstance(search, Doubling)
        else (min(search.low, max_rank), min(search.high, max_rank))
    )
    assert all(low <= visited <= high for visited in visits)
    assert {rank - 1, rank + 1} & set(range(low, high + 1)) <= set(path.ranks)


@given(search=searches, max_rank=st.integers(40, 90))
def test_probes_are_ranks_that_can_be_visited(search, max_rank):
    probes = search.probes(max_rank)
    assert list(probes) == sorted(set(probes))
    assert 1 <= probes[0] <= probes[-1] <= max_rank


# -------------------------------------------------------------------- ranks of a user


@pytest.mark.parametrize(
    ("given_ranks", "expected"),
    [
        (range(1, 4), (1, 2, 3)),
        ([2, 5], (2, 5)),
        (np.array([3, 4]), (3, 4)),
        (iter((2, 3)), (2, 3)),
        ({4}, (4,)),
        (7, (7,)),
        (np.int32(7), (7,)),
    ],
)
def test_ranks_may_be_any_iterable_or_a_number(given_ranks, expected):
    search = as_search(given_ranks)
    assert isinstance(search, Every)
    assert search.ranks == expected
    assert all(type(rank) is int for rank in search.ranks)


def test_none_means_doubling_and_a_search_is_returned_as_it_is():
    assert isinstance(as_search(None), Doubling)
    search = Bisect(2, 9)
    assert as_search(search) is search


def test_a_search_has_parameters_as_in_scikit_learn():
    assert repr(clone(Bisect(2, 40))) == "Bisect(high=40, low=2)"
    assert Bisect(2, 40).set_params(high=5).get_params() == {"low": 2, "high": 5}
    assert repr(Bisect(low=2, high=40)) == repr(Bisect(2, 40))


@pytest.mark.parametrize(
    "wrong", [[], (), "3", 2.5, 0, -1, True, [0], [1, -2], [True], [1.5], ["2"], [None], Bisect, object()]
)
def test_invalid_ranks_raise(wrong):
    with pytest.raises(IncompatibleError, match=r"expected whole numbers >= 1.*Bisect\(1, 64\), or None"):
        as_search(wrong)


@pytest.mark.parametrize(
    ("search", "sentence"),
    [
        (Bisect(0, 5), "Bisect has low=0; expected a whole number >= 1"),
        (Bisect(5, 2), "Bisect has high=2; expected a whole number >= 5"),
        (Bisect(1, 2.5), r"Bisect has high=2\.5"),
        (Bisect("1", 3), "Bisect has low='1'"),
        (Bisect(1.5, 3), r"Bisect has low=1\.5; expected a whole number"),
        (Doubling(gain=-0.1), r"Doubling has gain=-0\.1; expected a number from 0 to 1"),
        (Every(ranks=(2, 0)), "with 0 among them; expected whole numbers >= 1"),
        (Every(ranks=()), "with none; expected"),
    ],
    ids=str,
)
def test_parameters_out_of_range_raise(search, sentence):
    with pytest.raises(IncompatibleError, match=sentence):
        as_search(search)


# -------------------------------------------------------------------- limits


def test_a_doubling_without_any_gain_is_the_last_even_if_none_is_asked_for():
    flat = path_of(*(record(rank, 0.3, DIFFICULTY) for rank in (1, 2, 4, 8)))
    assert Doubling(gain=0).following(flat, HeldOut(), 64) != (16,)
    better = path_of(*flat.records[:-1], record(8, 0.3, DIFFICULTY * (1 - 1e-12)))
    assert Doubling(gain=0).following(better, HeldOut(), 64) == (16,)


def test_a_search_from_rank_1_alone_goes_on_with_rank_2():
    assert Doubling().following(path_of(record(1)), HeldOut(), 64) == (2,)


@pytest.mark.parametrize(("max_rank", "expected"), [(1, []), (2, []), (5, [4]), (8, [4] * 3), (64, [4] * 3)])
def test_before_any_visit_the_middle_rank_is_expected_to_be_the_best(max_rank, expected):
    """The gaps next to it are 2 and 4, which take one and two bisections; the end of the doubling is open."""
    first = Doubling().following(path_of(), HeldOut(), max_rank)
    assert Doubling().likely(path_of(), first, HeldOut(), max_rank) == expected


def test_the_ranks_that_are_likely_to_follow_by_name():
    """Those of the bisections and the neighbours of the choice, if no rank to come is the best."""
    path = path_of(*map(minimum_at(8), (1, 2, 4, 8)))
    for max_rank in (64, 20):
        assert Doubling().likely(path, (16,), HeldOut(), max_rank) == [6, 7, 12, 10, 9]
    wider = path_of(*map(minimum_at(8), (1, 2, 4, 8, 16)))
    assert Doubling().likely(wider, (12,), HeldOut(), 64) == [6, 7, 10, 9]
    assert Doubling().likely(wider, (11,), HeldOut(), 64) == [6, 7, 9]
    assert Bisect(1, 64).likely(path_of(), (1, 2, 4, 8, 16, 32, 64), HeldOut(), 64) == [8] * (2 + 3)
    ensemble = path_of(*map(minimum_at(32, ensemble=True), (8, 16, 32, 64)))
    # For prediction gaps of 4 are narrow enough at rank 32.
    assert Bisect(8, 64).likely(ensemble, (24,), BestPrediction(), 64) == [28, 48, 40, 36]
    # Beyond rank 8 the choice is expected to move once more.
    assert Bisect(8, 64).likely(ensemble, (24,), HeldOut(), 64) == [28, 30, 31, 48, 40, 36, 34, 33, 32]


def test_one_rank_and_no_other_is_single():
    assert Every(ranks=(3, 3)).is_single
    assert not Every(ranks=(2, 3)).is_single
    assert not Bisect(2, 2).is_single
    assert not Doubling().is_single


def test_a_silhouette_at_the_threshold_is_stable_in_a_bisection():
    path = path_of(record(1, 1.0), record(2, 0.8), record(8, 0.1))
    assert Bisect(1, 8).following(path, SilhouetteCutoff(0.8), 8) == (5,)
