"""Seeds and random states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.validation.seeds import checked_rng, fresh_seed, seed_of

seeds = st.integers(0, 2**64) | st.integers(0, 1000).map(np.int64) | st.just(0)


def test_fresh_seeds_differ():
    drawn = {fresh_seed() for _ in range(10)}
    assert len(drawn) == 10
    assert all(type(seed) is int and 0 <= seed < 2**32 for seed in drawn)


@given(seeds)
def test_the_generator_of_a_seed_is_that_of_numpy(seed):
    assert checked_rng(seed).integers(2**60) == np.random.default_rng(seed).integers(2**60)


def test_a_generator_is_returned_itself():
    rng = np.random.default_rng(0)
    assert checked_rng(rng) is rng


def test_none_draws_a_fresh_generator():
    assert checked_rng(None).integers(2**60) != checked_rng(None).integers(2**60)


@pytest.mark.parametrize("value", [-1, 0.5, 1.0, "x", True, False, np.True_, object, np.int64(-3)], ids=repr)
def test_what_is_not_a_seed_raises(value):
    shown = str(value) if isinstance(value, np.generic) else repr(value)
    with pytest.raises(InputError) as error:
        checked_rng(value)
    assert str(error.value) == (
        f"rng is {shown}; expected a seed (a whole number >= 0), a numpy.random.Generator or None."
    )


@given(seeds)
def test_a_whole_number_is_the_seed(seed):
    assert seed_of(seed) == seed
    assert type(seed_of(seed)) is int


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_a_generator_draws_the_next_seed(make):
    generator, again = make(0), make(0)
    drawn = [seed_of(generator) for _ in range(3)]
    assert drawn == [seed_of(again) for _ in range(3)]
    assert len(set(drawn)) == 3
    assert all(0 <= seed < 2**31 for seed in drawn)


def test_none_draws_a_fresh_seed():
    assert seed_of(None) != seed_of(None)


def test_the_global_random_state_is_neither_read_nor_changed():
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first = seed_of(None)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    assert seed_of(None) != first


@pytest.mark.parametrize("value", [-1, 0.5, 1.0, "seven", True, np.True_, [1], np.random, 2j], ids=repr)
def test_what_is_not_a_random_state_raises(value):
    with pytest.raises(IncompatibleError) as error:
        seed_of(value)
    assert str(error.value) == (
        f"random_state is {value!r}; expected a whole number >= 0, a numpy.random.Generator, a RandomState "
        "or None."
    )
