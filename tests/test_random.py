"""Generators depend on their key, not on the order in which they are made."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.random import member_rngs, rng_for

keys = st.lists(st.integers(0, 1000), min_size=1, max_size=3).map(tuple)


@given(st.integers(0, 2**63), keys)
def test_same_key_same_numbers(seed, key):
    np.testing.assert_array_equal(rng_for(seed, *key).random(4), rng_for(seed, *key).random(4))


@given(st.integers(0, 2**31), keys, keys)
@pytest.mark.slow
def test_other_key_other_numbers(seed, one, other):
    same = np.array_equal(rng_for(seed, *one).random(4), rng_for(seed, *other).random(4))
    assert same == (one == other)


def test_the_numbers_of_a_key_are_the_same_on_every_host():
    """Stored numbers: if they change, saved seeds no longer reproduce saved results."""
    assert rng_for(0, 3, 1).integers(1_000_000) == 133_741
    assert rng_for(7, 2, 0, 1).integers(1_000_000) == 461_221


def test_a_member_does_not_depend_on_how_many_there_are():
    few, many = member_rngs(5, 3, 2), member_rngs(5, 3, 9)
    assert len(many) == 9
    for one, other in zip(few, many, strict=False):
        np.testing.assert_array_equal(one.random(3), other.random(3))


def test_members_ranks_starts_and_seeds_differ():
    drawn = {
        tuple(rng.random(2))
        for seed in (0, 1)
        for rank in (2, 3)
        for start in (0, 1)
        for rng in member_rngs(seed, rank, 3, start)
    }
    assert len(drawn) == 24


def test_the_global_generator_is_not_changed():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    member_rngs(0, 1, 3)[0].random()
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_a_negative_seed_raises():
    with pytest.raises(ValueError, match="non-negative"):
        rng_for(-1, 0)
