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


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).normal(size=500),  # measurements: extremes occur once
        np.random.default_rng(0).poisson(30, 500),  # counts
        np.full(500, 3.0),
        [1.0, 2.0, 5.0],  # too few to tell
    ],
    ids=["measurements", "counts", "constant", "few"],
)
def test_other_values_are_not_bounded(values):
    assert bounded_range(of_values(values)) is None


def test_an_end_must_occur_in_two_of_a_hundred_known_values():
    inside = np.repeat([2.0, 3.0, 4.0], 100)
    for ends, expected in ((6, None), (7, (1.0, 5.0))):  # of 312 and of 314 values
        assert bounded_range(of_values([*inside, *[1.0] * ends, *[5.0] * ends])) == expected


def test_an_end_must_occur_five_times():
    for ends, expected in ((4, None), (5, (1.0, 5.0))):
        assert bounded_range(of_values([2.0, 3.0, *[1.0] * ends, *[5.0] * ends])) == expected


def test_links_and_non_links_are_bounded_however_few_there_are():
    assert bounded_range(of_values([0.0, 1.0, 0.0])) == (0.0, 1.0)
    assert bounded_range(of_values([1.0, 1.0])) is None
    assert bounded_range(of_values([1.0, 2.0, 1.0])) is None  # two counts are no scale
    assert bounded_range(of_values([-1.0, 1.0] * 5)) == (-1.0, 1.0)


def test_hidden_values_do_not_count():
    ratings = of_values([*[1.0, 5.0, 9.0] * 5, 3.0])
    assert bounded_range(ratings) == (1.0, 9.0)
    assert bounded_range(ratings.hide(range(2, 15, 3))) == (1.0, 5.0)
    assert bounded_range(ratings.hide(range(16))) is None


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
    assert (bounded_range(known) is None) == (value != 1 and links != 40)


def test_a_background_without_unlisted_pairs_has_no_zeros():
    ratings = of_values([*[1.0, 5.0] * 5, 3.0])
    assert bounded_range(ratings.with_background(0.1)) == (1.0, 5.0)
