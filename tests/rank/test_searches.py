"""Ways through the ranks, on paths made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.rank import Agreement, Bisect, Every, HeldOut, LStatistic, SilhouetteCutoff, Upward
from latentlink.rank.search_strategies import as_search
from tests.rank.paths import path_of, record, walk

DIFFICULTY = np.array([0.7, 0.9, 1.0, 1.3])  # of what each member was not shown, the same at every rank
RULES = [HeldOut(), Agreement(), SilhouetteCutoff(), LStatistic()]
every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)
searches = st.one_of(
    st.tuples(st.integers(1, 40), st.integers(0, 40)).map(lambda ends: Bisect(ends[0], sum(ends))),
    st.builds(Upward, patience=st.integers(1, 4)),
)


def turning(at, slope=0.05):
    """Errors fall up to a rank and rise beyond it; all is stable up to there."""
    return lambda rank: record(
        rank, 0.95 if rank <= at else 0.3, DIFFICULTY * (1 + slope * abs(rank - at)) ** 2, 0.5 / rank
    )


# -------------------------------------------------------------------- every rank


def test_every_rank_is_visited_once_in_ascending_order():
    search = as_search([5, 2, np.int64(3), 2])
    path, visits = walk(search, HeldOut(), turning(3))
    assert visits == [2, 3, 5] == list(path.ranks)
    assert search.following(path_of(record(3)), HeldOut(), 64) == (2, 5)
    assert sorted(search.probes(64)) == [2, 2, 3, 5]


# -------------------------------------------------------------------- bisecting


@pytest.mark.parametrize("rule", [HeldOut(), Agreement()], ids=repr)
@pytest.mark.parametrize("at", range(1, 65))
def test_bisecting_finds_where_the_error_turns(rule, at):
    path, visits = walk(Bisect(1, 64), rule, turning(at))
    assert rule.choose(path).rank == at
    assert {at - 1, at + 1} & set(range(1, 65)) <= set(path.ranks)
    assert len(visits) <= 3 * 6 + 1


@pytest.mark.parametrize("at", range(1, 65))
def test_bisecting_finds_the_last_stable_rank(at):
    path, visits = walk(Bisect(1, 64), SilhouetteCutoff(), turning(at))
    assert SilhouetteCutoff().choose(path).rank == at
    assert {at - 1, at + 1} & set(range(1, 65)) <= set(path.ranks)
    assert len(visits) <= 3 * 6 + 1


def test_bisecting_a_range_of_thousands_takes_few_visits():
    _, visits = walk(Bisect(1, 4096), HeldOut(), turning(700, slope=1e-3), most=10_000)
    assert len(visits) <= 3 * 12 + 3


def test_bisecting_is_not_taken_in_by_a_second_fall_of_the_error_far_beyond():
    """A ridge that is strong enough lets the error fall once more at ranks far above the true one."""

    def made(rank):
        error = 1 + abs(rank - 3) if rank < 20 else 8 - rank / 10
        return record(rank, 0.9, DIFFICULTY * error)

    path, _ = walk(Bisect(1, 64), HeldOut(), made)
    assert HeldOut().choose(path).rank == 3


def test_bisecting_stays_within_its_range_and_within_the_matrix():
    path, _ = walk(Bisect(3, 40), HeldOut(), turning(1), most=20)
    assert path.ranks[0] == 3
    assert path.ranks[-1] == 20
    assert walk(Bisect(7, 7), HeldOut(), turning(3))[1] == [7]
    with pytest.raises(IncompatibleError, match="begins at rank 10, but the smaller side of the data is 5"):
        Bisect(10, 20).probes(5)


def test_without_anything_stable_bisecting_looks_at_the_smallest_ranks():
    path, _ = walk(Bisect(1, 64), SilhouetteCutoff(), lambda rank: record(rank, 0.5 - rank / 1000))
    assert {1, 2} <= set(path.ranks)
    assert len(path) < 11


def test_where_nothing_was_held_out_bisecting_goes_by_stability():
    def made(rank):
        return record(rank, 0.9 if rank <= 6 else 0.3, [np.nan] * 4, relative_error=1 / rank)

    path, _ = walk(Bisect(1, 20), HeldOut(), made)
    choice = HeldOut().choose(path)
    assert (choice.rank, choice.status) == (6, "unconfirmed")
    assert "(nothing could be held out)" in choice.reason
    assert {5, 7} <= set(path.ranks)


def test_ranks_with_empty_components_end_a_climb_and_are_passed_over():
    def made(rank):
        W = np.ones((4, rank))
        W[:, 5:] = 0
        whole = record(rank, 0.9, DIFFICULTY / rank)
        return replace(whole, model=Factors(W, np.ones((rank, 5))))

    for search in (Upward(), Bisect(1, 40)):
        path, _ = walk(search, HeldOut(), made)
        assert HeldOut().choose(path).rank == 5
        assert path[6].empty == 1


def test_bisecting_doubles_the_rank_first():
    assert Bisect(1, 64).probes(1000) == (1, 2, 4, 8, 16, 32, 64)
    assert Bisect(3, 64).probes(20) == (3, 6, 12, 20)
    assert Bisect(4, 4).probes(9) == (4,)


# -------------------------------------------------------------------- upwards


def test_climbing_stops_when_the_error_has_clearly_turned():
    _, visits = walk(Upward(), HeldOut(), turning(6))
    assert visits == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert walk(Upward(patience=1), HeldOut(), turning(6))[1][-1] == 7
    assert walk(Upward(), HeldOut(), turning(1))[1] == [1, 2, 3, 4]


def test_climbing_goes_on_over_what_is_no_more_than_chance():
    """Members disagree on whether a rank beyond the best one is worse."""
    chance = np.array([1.2, 0.8, 1.2, 0.81])

    def made(rank):
        return record(rank, 0.9, DIFFICULTY * (chance if rank > 3 else 4.0 / rank))

    path, _ = walk(Upward(), HeldOut(), made, most=15)
    assert path.ranks == tuple(range(1, 16))


def test_one_rank_that_is_worse_by_accident_does_not_stop_the_climb():
    def made(rank):
        return record(rank, 0.9, DIFFICULTY * (9.0 if rank in {3, 5} else 1 + abs(rank - 9)))

    path, _ = walk(Upward(), HeldOut(), made)
    assert HeldOut().choose(path).rank == 9


def test_steps_grow_with_the_rank_up_to_the_size_of_the_matrix():
    path, visits = walk(Upward(), HeldOut(), turning(1000, slope=1e-3), most=200)
    assert visits[-1] == 199  # the neighbour of the choice, which is the last rank
    climbed = visits[:-1]
    assert climbed[-1] == 200
    steps = np.diff(climbed)
    np.testing.assert_array_equal(steps[:-1], np.maximum(1, np.array(climbed[:-2]) // 8))
    assert list(path.ranks[:17]) == [*range(1, 17), 18]
    assert len(path) < 45


def test_a_small_matrix_has_few_ranks():
    assert walk(Upward(), HeldOut(), turning(9), most=3)[1] == [1, 2, 3]
    assert walk(Upward(), HeldOut(), turning(9), most=1)[1] == [1]
    assert Upward().probes(64) == [2, 4, 8]
    assert Upward().probes(3) == [2, 3]


def test_after_a_large_step_the_neighbours_are_looked_at():
    path, visits = walk(Upward(), HeldOut(), turning(40), most=200)
    assert HeldOut().choose(path).rank == 40
    assert {39, 41} <= set(visits)
    assert visits[-1] < 41


# -------------------------------------------------------------------- whatever the path is


@every_rule
@settings(deadline=None, max_examples=100)
@given(search=searches, most=st.integers(40, 90), seed=st.integers(0, 10_000))
def test_the_neighbours_of_the_choice_are_visited_on_any_path(rule, search, most, seed):
    def made(rank):
        rng = np.random.default_rng([seed, rank])
        columns = rng.uniform(0, 1, 5) * rng.choice([0.1, 1.0])
        return record(rank, rng.uniform(0.5, 1), rng.uniform(0.5, 1, 4), rng.random(), columns)

    path, visits = walk(search, rule, made, most)
    rank = rule.choose(path).rank
    low, high = (1, most) if isinstance(search, Upward) else (min(search.low, most), min(search.high, most))
    assert all(low <= each <= high for each in visits)
    assert {rank - 1, rank + 1} & set(range(low, high + 1)) <= set(path.ranks)


@given(search=searches, most=st.integers(40, 90))
def test_probes_are_ranks_that_can_be_visited(search, most):
    probes = search.probes(most)
    assert list(probes) == sorted(set(probes))
    assert 1 <= probes[0] <= probes[-1] <= most


# -------------------------------------------------------------------- what a user means


@pytest.mark.parametrize(
    ("meant", "ranks"),
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
def test_ranks_are_listed_in_many_ways(meant, ranks):
    search = as_search(meant)
    assert isinstance(search, Every)
    assert search.ranks == ranks
    assert all(type(rank) is int for rank in search.ranks)


def test_none_climbs_and_a_search_is_taken_as_it_is():
    assert isinstance(as_search(None), Upward)
    search = Bisect(2, 9)
    assert as_search(search) is search


def test_a_search_is_a_settings_object():
    assert repr(clone(Bisect(2, 40))) == "Bisect(high=40, low=2)"
    assert Bisect(2, 40).set_params(high=5).get_params() == {"low": 2, "high": 5}
    assert repr(Bisect(low=2, high=40)) == repr(Bisect(2, 40))


@pytest.mark.parametrize(
    "wrong", [[], (), "3", 2.5, 0, -1, True, [0], [1, -2], [True], [1.5], ["2"], [None], Bisect, object()]
)
def test_what_are_no_ranks_is_refused_in_a_sentence(wrong):
    with pytest.raises(IncompatibleError, match=r"expected whole numbers >= 1.*Bisect\(1, 64\), or None"):
        as_search(wrong)


@pytest.mark.parametrize(
    ("search", "sentence"),
    [
        (Bisect(0, 5), "Bisect has low=0; expected a whole number >= 1"),
        (Bisect(5, 2), "Bisect has high=2; expected a whole number >= 5"),
        (Bisect(1, 2.5), r"Bisect has high=2\.5"),
        (Bisect("1", 3), "Bisect has low='1'"),
        (Upward(patience=0), "Upward has patience=0; expected a whole number >= 1"),
        (Every(ranks=(2, 0)), "with 0 among them; expected whole numbers >= 1"),
        (Every(ranks=()), "with none; expected"),
    ],
    ids=str,
)
def test_searches_that_make_no_sense_are_refused_in_a_sentence(search, sentence):
    with pytest.raises(IncompatibleError, match=sentence):
        as_search(search)
