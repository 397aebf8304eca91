"""Text of counts, lists and values in messages."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.validation.wording import counted, few, names, percent, shortened, shown, shown_repr


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (0, ("link",), "0 links"),
        (1, ("link",), "1 link"),
        (2, ("link",), "2 links"),
        (5131, ("link",), "5,131 links"),
        (1, ("entry", "entries"), "1 entry"),
        (1_000_000, ("entry", "entries"), "1,000,000 entries"),
    ],
)
def test_counts_agree_with_their_noun(number, noun, text):
    assert counted(number, *noun) == text


@pytest.mark.parametrize(
    ("items", "most", "text"),
    [
        ([], 10, ""),
        (["a"], 10, "a"),
        (["a", "b"], 2, "a, b"),
        (["a", "b", "c"], 2, "a, b and 1 more"),
        (["a"] * 1500, 1, "a and 1,499 more"),
    ],
)
def test_lists_end_with_the_number_of_the_others(items, most, text):
    assert few(items, most) == text


@given(st.integers(0, 30))
def test_ten_items_are_listed_by_default(count):
    text = few(["x"] * count)
    assert text.count("x") == min(count, 10)
    assert text.endswith("more") == (count > 10)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.1, "10 %"), (0.025, "2.5 %"), (1, "100 %"), (0, "0 %"), (1 / 3, "33.33 %"), (1e-7, "1e-05 %")],
)
def test_shares_are_percentages(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("value", "text", "representation"),
    [
        (2, "2", "2"),
        (0.5, "0.5", "0.5"),
        (math.nan, "nan", "nan"),
        (True, "True", "True"),
        (np.float64(0.5), "0.5", "np.float64(0.5)"),
        (np.int8(-3), "-3", "np.int8(-3)"),
        (np.True_, "True", "np.True_"),
        ("2", "'2'", "'2'"),
        (None, "None", "None"),
        ([1], "[1]", "[1]"),
        (10**99, "1" + "0" * 99, "1" + "0" * 99),
        (10**100, "a whole number of 333 bits", "a whole number of 333 bits"),
        (-(16**5000), "a whole number of 20,001 bits", "a whole number of 20,001 bits"),
    ],
    ids=lambda value: value if isinstance(value, str) else "value",
)
def test_values_are_written_as_in_python(value, text, representation):
    assert shown(value) == text
    assert shown_repr(value) == representation


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("model", "'model'"),
        (3, "3"),
        (None, "None"),
        (16**5000, "a whole number of 20,001 bits"),
        ("x" * 59, "'" + "x" * 56 + "..."),
        ("x" * 58, "'" + "x" * 58 + "'"),
        ([1, 2], "a list"),
        ({}, "a dict"),
        (np.arange(3), "a ndarray"),
    ],
    ids=lambda value: value[:10] if isinstance(value, str) else "value",
)
def test_long_values_are_shortened(value, text):
    assert shortened(value) == text


@given(st.text() | st.integers() | st.floats() | st.none() | st.lists(st.integers()))
def test_no_value_is_longer_than_60_characters(value):
    assert len(shortened(value)) <= 60


def test_names_are_sorted_and_at_most_ten():
    assert names([]) == ""
    assert names({"b": 1, "a": 2}) == "'a', 'b'"
    assert names(["b", 3, "a"]) == "'a', 'b', 3"
    assert names(f"{letter}" for letter in "abcdefghij") == ", ".join(map(repr, "abcdefghij"))
    assert names("abcdefghijk") == ", ".join(map(repr, "abcdefghij")) + ", ..."
