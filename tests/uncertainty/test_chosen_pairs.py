"""Levels and sentences for candidates of which a few may have been chosen for their scores."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.uncertainty import ChosenPairs, discover
from latentlink.uncertainty.discovery.chosen_pairs import hinges_on_few, most_by_choice


def test_the_level_is_that_of_all_untested_pairs():
    assert ChosenPairs(20, 8000).share == 1 / 400
    assert ChosenPairs(8000, 8000).share == 1


def test_the_sentences_name_the_pairs_and_both_rates():
    assert ChosenPairs(21, 8400).limits(0.1) == (
        " The candidates are 21 of 8,400 untested pairs. They are selected at a rate of 0.025 %, so that on "
        "pure noise 10 % holds whichever pairs were chosen."
    )
    with pytest.raises(InputError, match=r"Of 21 candidates .* rate of 10 %; at 0.025 %, .*Do that\. If"):
        ChosenPairs(21, 8400).raise_as_chosen(0.1, "Do that")


@pytest.mark.parametrize(("count", "fdr"), [(21, 0.1), (21, 0.3), (500, 0.05), (5000, 0.1)])
def test_so_many_as_a_choice_may_add_without_standing_out(count, fdr):
    """The number behind it is as rare as stated, that number itself is not; from 2,000 on all are equal."""

    def tail(k):
        mean = fdr * k
        return 1 - sum(math.exp(-mean) * mean**j / math.factorial(j) for j in range(k))

    few = most_by_choice(count, fdr)
    assert min(count, 2000) * tail(few + 1) <= 1e-4 * (1 + 1e-6)
    assert min(count, 2000) * tail(few) > 1e-4


def test_all_of_a_few_candidates_may_be_chosen():
    assert most_by_choice(3, 0.5) == 3


def test_what_hinges_on_few():
    score = np.array([3.0, 1.0, 2.0, 0.0])
    kept = []
    assert hinges_on_few(score, 2, lambda mask: kept.append(mask.tolist()))
    assert kept == [[False, True, False, True]]
    assert not hinges_on_few(score, 2, lambda mask: mask.any())
    assert hinges_on_few(score, 4, lambda mask: True)  # nothing is left to select
    assert not hinges_on_few(np.ones(4), 3, lambda mask: mask.any())  # of ties as many as are said


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.sampled_from([0.1, 0.3]))
def test_at_the_level_of_any_choice_a_part_selects_nothing_that_the_whole_does_not(seed, count, fdr):
    """What the procedure selects of k of N pairs at fdr k / N fulfils its condition among all N at fdr."""
    rng = np.random.default_rng(seed)
    nonlinks, every = rng.normal(size=400), rng.normal(size=60)
    every[: rng.integers(0, 30)] += 3
    part = rng.choice(60, count, replace=False)
    level = fdr * ChosenPairs(count, 60).share
    if level * 401 < 1:
        return
    of_part = discover(every[part], nonlinks, level).selected
    assert discover(every, nonlinks, fdr).selected[part][of_part].all()
