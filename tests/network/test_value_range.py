"""The range of values that are bounded by their scale."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.network import Network
from latentlink.network.value_range import bounded_range


def of_values(values):
    """A network that lists these values in one row."""
    values = np.asarray(values, float)
    return Network(np.zeros(len(values), int), np.arange(len(values)), values, shape=(1, len(values)))


def test_ratings_are_bounded_by_their_ends():
    rng = np.random.default_rng(0)
    assert bounded_range(of_values(rng.integers(1, 6, 500))) == (1.0, 5.0)
    assert bounded_range(of_values(rng.integers(0, 11, 500) / 2 - 1)) == (-1.0, 4.0)


SIZES = (60, 200, 1000, 5000)
UNBOUNDED = {
    "Poisson 0.5": lambda rng, n: rng.poisson(0.5, n),
    "Poisson 1": lambda rng, n: rng.poisson(1, n),
    "Poisson 4": lambda rng, n: rng.poisson(4, n),
    "Poisson 30": lambda rng, n: rng.poisson(30, n),
    "Poisson of two components": lambda rng, n: rng.poisson(
        rng.gamma(1, 1, (n // 20, 2)) @ rng.gamma(1, 1, (2, 20))
    ).ravel(),
    "listed counts": lambda rng, n: np.trim_zeros(np.sort(rng.poisson(1.5, n))),
    "geometric": lambda rng, n: rng.geometric(0.5, n),
    "negative binomial": lambda rng, n: rng.negative_binomial(2, 0.3, n),
    "heavy tail": lambda rng, n: np.minimum(rng.zipf(2, n), 10**9),
    "normal": lambda rng, n: rng.normal(size=n),
    "normal, rounded to tenths": lambda rng, n: np.rint(10 * rng.normal(size=n)) / 10,
    "exponential, rounded to tenths": lambda rng, n: np.rint(10 * rng.exponential(size=n)) / 10,
    "measurements, each three times": lambda rng, n: np.repeat(rng.normal(size=n // 3), 3),
}
BOUNDED = {
    "as MovieLens": (1, 5, lambda rng, n: 1 + rng.choice(5, n, p=[0.06, 0.11, 0.27, 0.34, 0.22])),
    "0.5 % are 1": (1, 5, lambda rng, n: 1 + rng.choice(5, n, p=[0.005, 0.045, 0.25, 0.4, 0.3])),
    "bell": (1, 5, lambda rng, n: 1 + rng.choice(5, n, p=[0.03, 0.17, 0.6, 0.17, 0.03])),
    "half stars": (
        0.5,
        5,
        lambda rng, n: 0.5 + rng.choice(10, n, p=np.array([2, 3, 1, 7, 5, 20, 12, 27, 8, 15]) / 100) / 2,
    ),
    "signed": (-3, 3, lambda rng, n: np.clip(np.rint(rng.normal(0, 1.3, n)), -3, 3)),
    "percentages": (0, 100, lambda rng, n: rng.integers(0, 101, n)),
    "clipped": (0, 100, lambda rng, n: np.clip(rng.normal(50, 28, n), 0, 100)),
}


@pytest.mark.parametrize("kind", UNBOUNDED)
def test_counts_and_measurements_end_at_zero_or_nowhere(kind):
    drawn = [
        bounded_range(of_values(UNBOUNDED[kind](np.random.default_rng([seed, n]), n)))
        for n in SIZES
        for seed in range(50)
    ]
    wrong = [ends for ends in drawn if ends is not None and ends != (0, np.inf)]
    assert len(wrong) <= 4  # of 200


@pytest.mark.parametrize(
    "kind", ["Poisson 0.5", "Poisson 1", "Poisson of two components", "negative binomial"]
)
def test_counts_with_zeros_end_there(kind):
    drawn = [
        bounded_range(of_values(UNBOUNDED[kind](np.random.default_rng(seed), 300))) for seed in range(50)
    ]
    assert drawn.count((0.0, np.inf)) >= 48
    debts = [
        bounded_range(of_values(-UNBOUNDED[kind](np.random.default_rng(seed), 300))) for seed in range(50)
    ]
    assert debts.count((-np.inf, 0.0)) == drawn.count((0.0, np.inf))


ONE_ENDED = {
    "grades of which many are 100": (
        (-np.inf, 100.0),
        lambda rng, n: np.minimum(np.rint(rng.normal(70, 15, n)), 100),
    ),
    "rain": ((0.0, np.inf), lambda rng, n: np.maximum(rng.normal(1, 1, n), 0)),
    "capped": ((-np.inf, 3.5), lambda rng, n: np.minimum(rng.normal(0, 2, n), 3.5)),
    "percentages with few at the ends": ((0.0, 100.0), lambda rng, n: np.clip(rng.normal(50, 23, n), 0, 100)),
}


@pytest.mark.parametrize("kind", ONE_ENDED)
def test_an_end_at_which_values_pile_up_bounds_its_side(kind):
    ends, draw = ONE_ENDED[kind]
    drawn = [bounded_range(of_values(draw(np.random.default_rng(seed), 2000))) for seed in range(50)]
    assert drawn.count(ends) >= 48


STARS = [0.13, 0.17, 0.2, 0.27, 0.23]


@pytest.mark.parametrize(("n", "least"), [(30, 25), (60, 45), (120, 49)])
def test_few_ratings_from_1_to_5_are_a_scale(n, least):
    drawn = [
        bounded_range(of_values(1 + np.random.default_rng(seed).choice(5, n, p=STARS))) for seed in range(50)
    ]
    assert drawn.count((1.0, 5.0)) >= least


def test_few_whole_numbers_end_where_counts_would_go_on():
    thirty = [1.0] * 4 + [2.0] * 5 + [3.0] * 6 + [4.0] * 8 + [5.0] * 7
    assert bounded_range(of_values(thirty)) == (1.0, 5.0)
    assert bounded_range(of_values([1.0] * 14 + [2.0] * 9 + [3.0] * 4 + [4.0] * 2 + [5.0])) is None
    assert bounded_range(of_values([*thirty, 30.0])) is None


@pytest.mark.parametrize("kind", BOUNDED)
def test_scales_are_bounded_whatever_the_share_at_an_end(kind):
    low, high, draw = BOUNDED[kind]
    drawn = [bounded_range(of_values(draw(np.random.default_rng(seed), 10_000))) for seed in range(50)]
    assert drawn.count((low, high)) >= 48


def test_one_end_is_enough_for_a_short_scale():
    rng = np.random.default_rng(0)
    ratings = 1 + rng.choice(5, 2000, p=[0.0, 0.02, 0.18, 0.5, 0.3])
    ratings[0] = 1  # a single one
    assert bounded_range(of_values(ratings)) == (1.0, 5.0)
    assert bounded_range(of_values(6 - ratings)) is None  # as counts are
    assert bounded_range(of_values((6 - ratings) / 2)) == (0.5, 2.5)  # halves are no counts
    assert bounded_range(of_values(2 - ratings)) == (-3.0, 1.0)
    assert bounded_range(of_values([*ratings, -40])) is None


@pytest.mark.parametrize("values", [np.full(500, 3.0), [1.0, 2.0, 5.0]], ids=["constant", "few"])
def test_too_few_values_are_not_bounded(values):
    assert bounded_range(of_values(values)) is None


def test_whole_numbers_end_where_eight_more_are_expected_beyond():
    for top, expected in ((39, (0.0, np.inf)), (40, (0.0, 2.0))):  # 40 * 40 / 200 = 8
        assert bounded_range(of_values([*[0.0] * 200, *[1.0] * 200, *[2.0] * top])) == expected


def test_an_end_of_measurements_must_occur_in_one_of_a_hundred_known_values():
    inside = 1 + np.random.default_rng(0).random(980)
    for ends, expected in ((9, None), (10, (0.5, 3.5))):  # of 998 and of 1,000 values
        assert bounded_range(of_values([*inside, *[0.5] * ends, *[3.5] * ends])) == expected
    assert bounded_range(of_values([*inside, *[0.5] * 10, 3.5])) == (0.5, np.inf)
    assert bounded_range(of_values([*inside, 0.5, *[3.5] * 10])) == (-np.inf, 3.5)


def test_values_pile_up_if_they_are_three_times_as_many_as_their_neighbours():
    inside = 1 + np.random.default_rng(0).random(480)
    for neighbours, expected in ((3, (-np.inf, 3.5)), (4, None)):
        assert bounded_range(of_values([*inside, *[3.2] * neighbours, *[3.5] * 9])) == expected


def test_an_end_of_measurements_must_occur_five_times():
    for ends, expected in ((4, None), (5, (0.5, 3.5))):
        assert bounded_range(of_values([1.23, 1.31, *[0.5] * ends, *[3.5] * ends])) == expected


def test_links_and_non_links_are_bounded_however_few_there_are():
    assert bounded_range(of_values([0.0, 1.0, 0.0])) == (0.0, 1.0)
    assert bounded_range(of_values([1.0, 1.0])) is None
    assert bounded_range(of_values([1.0, 2.0, 1.0])) is None  # two counts are no scale
    assert bounded_range(of_values([-1.0, 1.0] * 5)) == (-1.0, 1.0)


def test_hidden_values_do_not_count():
    ratings = of_values([*[1.0, 5.0, 9.0] * 8, 3.0])
    assert bounded_range(ratings) == (1.0, 9.0)
    assert bounded_range(ratings.hide(range(2, 24, 3))) == (1.0, 5.0)
    assert bounded_range(ratings.hide(range(25))) is None


@pytest.mark.parametrize("links", [1, 40, 59])
@pytest.mark.parametrize("value", [1.0, 3.0, -2.0])
def test_unlisted_zeros_of_a_background_count_as_listed_ones(links, value):
    dense = np.zeros(60)
    dense[:links] = value
    listed = of_values(dense)
    known = Network.from_edges(
        np.zeros(links, int), np.arange(links), dense[:links], shape=(1, 60), background=0.5
    )
    assert bounded_range(known) == bounded_range(listed)
    far = value if value == 1 or links > 1 else np.inf * value  # one link alone is no end, unless it is 1
    assert bounded_range(known) == (min(far, 0.0), max(far, 0.0))


def test_a_background_without_unlisted_pairs_has_no_zeros():
    ratings = of_values([*[1.0, 5.0] * 8, 3.0])
    assert bounded_range(ratings.with_background(0.1)) == (1.0, 5.0)
