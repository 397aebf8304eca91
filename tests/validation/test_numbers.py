"""Checks of single numbers."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.validation.numbers import (
    check_number,
    check_shares,
    checked_count,
    checked_number,
    checked_share,
    is_number,
)

HUGE = 16**5000  # Python does not even convert it to text

WHOLE = [0, 1, -3, 10**30, HUGE, np.int8(3), np.uint64(2**63), np.intp(0)]
FRACTIONS = [0.5, -1e300, 5e-324, 2.0, np.float16(0.5), np.float32(2), np.float64(0.1), Fraction(1, 3)]
NO_NUMBERS = [
    True, False, np.True_, np.False_, None, "1", "", b"1", 1j, np.complex128(1), Decimal(2), [1], (1,), {},
    np.array(1), np.array([1]), math.nan, math.inf, -math.inf, np.float32("nan"), np.float64("inf"), object,
    np.datetime64("2020-01-01"), int,
]  # fmt: skip

numbers = st.one_of(
    st.integers(),
    st.floats(),
    st.integers(-100, 100).map(np.int16),
    st.floats(width=32).map(np.float32),
    st.fractions(),
)


def named(value):
    """Return the name of a value in the output of pytest, which cannot print the largest integers."""
    return "huge" if isinstance(value, int) and abs(value) > 10**100 else repr(value)


class Blur:
    def __init__(self, **settings):
        self.__dict__.update(settings)


class TestIsNumber:
    @pytest.mark.parametrize("value", WHOLE, ids=named)
    def test_integers_are_whole_numbers(self, value):
        assert is_number(value, whole=True)

    @pytest.mark.parametrize(
        "value", [*FRACTIONS, *(value for value in WHOLE if value is not HUGE)], ids=named
    )
    def test_real_numbers_are_numbers(self, value):
        assert is_number(value)

    @pytest.mark.parametrize("value", FRACTIONS, ids=named)
    def test_floats_are_not_whole_numbers(self, value):
        assert not is_number(value, whole=True)

    @pytest.mark.parametrize("value", NO_NUMBERS, ids=named)
    @pytest.mark.parametrize("whole", [True, False])
    def test_anything_else_is_not_a_number(self, value, whole):
        assert not is_number(value, whole=whole)

    @pytest.mark.parametrize("value", [HUGE, -HUGE, 10**309], ids=named)
    def test_an_integer_beyond_the_largest_float_is_whole_but_not_finite(self, value):
        assert is_number(value, whole=True)
        assert not is_number(value)
        assert is_number(value, 1, whole=True) == (value > 0)

    @given(
        numbers, st.integers(-10, 10) | st.floats(-10, 10), st.integers(0, 10), st.booleans(), st.booleans()
    )
    def test_bounds_are_included_or_excluded(self, value, low, width, above, below):
        high = low + width
        finite = not isinstance(value, float | np.floating) or math.isfinite(value)
        if isinstance(value, int | Fraction) and abs(value) > 10**308:
            finite = False
        expected = (
            finite and (value > low if above else value >= low) and (value < high if below else value <= high)
        )
        assert is_number(value, low, high, above=above, below=below) == expected

    @given(numbers)
    def test_every_number_is_within_its_own_bounds_only_if_they_are_included(self, value):
        if is_number(value):
            assert is_number(value, value, value)
            assert not is_number(value, value, above=True)
            assert not is_number(value, high=value, below=True)


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("value", "bounds", "expected"),
    [
        (-1, {"low": 0}, "a number >= 0"),
        (0, {"low": 0, "above": True}, "a number > 0"),
        (0, {"low": 1, "whole": True}, "a whole number >= 1"),
        (2.0, {"low": 1, "whole": True}, "a whole number >= 1"),
        ("2", {}, "a finite number"),
        (math.nan, {}, "a finite number"),
        (0.5, {"whole": True}, "a whole number"),
        (True, {"low": 0}, "a number >= 0"),
        (None, {"low": 0, "high": 0.5}, "a number from 0 to 0.5"),
        (7, {"low": 2, "high": 5, "whole": True}, "a whole number from 2 to 5"),
        (2, {"low": 0, "high": 1, "above": True}, "a number above 0 and at most 1"),
        (1, {"low": 0, "high": 1, "below": True}, "a number of at least 0 and below 1"),
        (9, {"high": 8}, "a number <= 8"),
        (9, {"high": 9, "below": True}, "a number < 9"),
        (1, {"low": 1_500_000}, "a number >= 1,500,000"),
        (1, {"low": 1.2345678}, "a number >= 1.2345678"),
        (np.float64(-1), {"low": 0}, "a number >= 0"),
    ],
)
def test_an_invalid_setting_is_named_with_what_was_expected(value, bounds, expected):
    with pytest.raises(IncompatibleError) as error:
        check_number(Blur(width=value), "width", **bounds)
    assert str(error.value) == f"Blur has width={value!r}; expected {expected}."


def test_integers_that_python_does_not_print_are_named_by_their_size():
    with pytest.raises(IncompatibleError) as error:
        check_number(Blur(width=HUGE), "width")
    assert str(error.value) == "Blur has width=a whole number of 20,001 bits; expected a finite number."
    with pytest.raises(IncompatibleError) as error:
        check_number(Blur(width=1), "width", HUGE, whole=True)
    assert str(error.value) == ("Blur has width=1; expected a whole number >= a whole number of 20,001 bits.")
    with pytest.raises(InputError) as error:
        checked_number(HUGE, "at")
    assert str(error.value) == "at is a whole number of 20,001 bits; expected a finite number."


@pytest.mark.parametrize("value", [1, 0.5, np.float32(0.25), HUGE], ids=named)
def test_a_valid_setting_passes(value):
    assert check_number(Blur(width=value), "width", 0, whole=value is HUGE) is None


@given(numbers | st.sampled_from(NO_NUMBERS))
def test_a_setting_raises_exactly_if_it_is_not_a_number(value):
    try:
        check_number(SimpleNamespace(width=value), "width", -1, 1, below=True)
    except IncompatibleError:
        assert not is_number(value, -1, 1, below=True)
    else:
        assert is_number(value, -1, 1, below=True)


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.5, "0.5", True, math.nan], ids=repr)
def test_shares_are_above_0_and_below_1(value):
    assert check_shares(Blur(alpha=0.5, level=1e-9), "alpha", "level") is None
    with pytest.raises(IncompatibleError) as error:
        check_shares(Blur(alpha=0.5, level=value), "alpha", "level")
    assert str(error.value) == f"Blur has level={value!r}; expected a number above 0 and below 1."


# ---------------------------------------------------------------- arguments


@pytest.mark.parametrize("value", [0, 3, 0.5, np.int8(3), np.float32(0.5), Fraction(1, 2)], ids=repr)
def test_a_number_is_returned_as_a_float(value):
    number = checked_number(value, "noise", 0)
    assert type(number) is float
    assert number == value


@pytest.mark.parametrize("value", [1, 7, np.int32(3), np.uint8(200), HUGE], ids=named)
def test_a_count_is_returned_as_an_int(value):
    count = checked_count(value, "repeats")
    assert type(count) is int
    assert count == value


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: checked_number("x", "noise", 0), "noise is 'x'; expected a number >= 0."),
        (lambda: checked_number(True, "noise", 0), "noise is True; expected a number >= 0."),
        (lambda: checked_number(np.float64(-1), "noise", 0), "noise is -1.0; expected a number >= 0."),
        (lambda: checked_number(math.nan, "at"), "at is nan; expected a finite number."),
        (lambda: checked_number(-math.inf, "at"), "at is -inf; expected a finite number."),
        (
            lambda: checked_number(0, "ratio", 0, above=True, meaning=", the number of non-links for a link"),
            "ratio is 0; expected a number > 0, the number of non-links for a link.",
        ),
        (lambda: checked_number([1], "at", 0, 1), "at is [1]; expected a number from 0 to 1."),
        (lambda: checked_count(0, "repeats"), "repeats is 0; expected a whole number >= 1."),
        (lambda: checked_count(2.0, "repeats"), "repeats is 2.0; expected a whole number >= 1."),
        (lambda: checked_count("2", "repeats"), "repeats is '2'; expected a whole number >= 1."),
        (lambda: checked_count(np.True_, "repeats"), "repeats is True; expected a whole number >= 1."),
        (
            lambda: checked_count(9, "folds", 2, 8, meaning=", the number of known entries"),
            "folds is 9; expected a whole number from 2 to 8, the number of known entries.",
        ),
        (
            lambda: checked_count(HUGE, "rank", 1, 8),
            "rank is a whole number of 20,001 bits; expected a whole number from 1 to 8.",
        ),
        (lambda: checked_share(1, "share"), "share is 1; expected a number above 0 and below 1."),
        (lambda: checked_share(None, "share"), "share is None; expected a number above 0 and below 1."),
    ],
)  # fmt: skip
def test_an_invalid_argument_is_named_with_what_was_expected(call, message):
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_a_share_is_returned_as_it_is(share):
    assert checked_share(share, "share") == share


@given(st.sampled_from(NO_NUMBERS) | st.integers(max_value=0) | st.floats())
def test_what_is_not_a_count_raises(value):
    with pytest.raises(InputError, match=r"^repeats is [\s\S]*; expected a whole number >= 1\.$"):
        checked_count(value, "repeats")
