"""Columns of numbers: what is accepted, what raises InputError, and with which message."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.validation.columns import (
    amount_column,
    binary_column,
    number_column,
    parsed_numbers,
    probability_column,
    raise_if_masked,
    raise_if_rounded,
    raise_if_unusable,
    spread_column,
    to_float,
)


def entry(position):
    return f"entry {position}"


def test_numbers_and_their_text_are_accepted():
    assert number_column(["1", "2.5"], "score").tolist() == [1.0, 2.5]
    assert number_column([True, 3], "score").dtype == np.float64
    assert binary_column([0, 1], "mark", np.zeros(2)).tolist() == [False, True]
    assert binary_column([True, False], "mark").tolist() == [True, False]
    assert probability_column([0, 0.5, 1], "probability").tolist() == [0.0, 0.5, 1.0]
    assert spread_column([0.0, 2.0]).tolist() == [0.0, 2.0]


def test_empty_columns_are_accepted_unless_excluded():
    assert len(number_column([], "score")) == 0
    assert len(spread_column([])) == 0
    for column in (number_column, amount_column, binary_column, probability_column):
        assert len(column([], "score")) == 0
        with pytest.raises(InputError, match=r"There are no .*; expected at least one"):
            column([], "score", empty=False)


def test_the_input_is_never_changed():
    given = np.array([1.0, 2.0])
    for column in (number_column(given, "score"), amount_column(given, "score"), spread_column(given)):
        column[0] = 9
    assert given.tolist() == [1.0, 2.0]


def test_masked_numbers_raise():
    masked = np.ma.masked_array([0.0, 9.0, 1.0], [False, True, False])
    for column in (number_column, amount_column, binary_column):
        with pytest.raises(InputError, match=r"score of pair 1 is masked; expected a finite number\. Leave"):
            column(masked, "score")
    with pytest.raises(InputError, match="score value of pair 1 is masked"):
        probability_column(masked, "score")
    with pytest.raises(InputError, match="SMR of experiment 1 is masked"):
        raise_if_masked(masked, "SMR", "experiment")
    unmasked = np.ma.masked_array([0.5, 0.25], False)
    assert number_column(unmasked, "score").tolist() == [0.5, 0.25]


def test_the_shape_is_checked():
    with pytest.raises(InputError, match=r"scores have shape \(1, 2\); expected \(2,\)"):
        number_column([[1, 2]], "score")
    with pytest.raises(InputError, match=r"scores have shape \(1,\); expected \(2,\)"):
        number_column([1], "score", np.zeros(2))
    with pytest.raises(InputError, match=r"The scores are .* column of numbers"):
        number_column([[1], [2, 3]], "score", np.zeros(2))


def test_other_values_raise_with_their_position():
    with pytest.raises(InputError, match="score of pair 0 is 'high'; expected a finite number"):
        number_column(["high"], "score")
    with pytest.raises(InputError, match="score of repeat 1 is nan; expected a finite number"):
        number_column([1, np.nan], "score", each="repeat")
    with pytest.raises(InputError, match="amount of pair 1 is -2; expected 0 or more"):
        amount_column([1, -2], "amount")
    with pytest.raises(InputError, match="spread of pair 0 is -1; expected a standard deviation"):
        spread_column([-1.0, 2.0])
    with pytest.raises(InputError, match=r"mark of pair 1 is 0\.5; expected 0 or 1"):
        binary_column([1, 0.5], "mark", np.zeros(2))
    for outside in (1.5, -0.5):
        with pytest.raises(InputError, match=f"share of pair 1 is {outside}; expected a number from 0 to 1"):
            probability_column([0.5, outside], "share")
    with pytest.raises(InputError, match="weight of pair 1 is -1; expected 0"):
        number_column([1, -1], "weight")


def test_a_number_as_text_is_parsed_as_by_float_but_without_underscores():
    assert to_float(" 1e3 ") == 1000.0
    assert parsed_numbers(["1e3", 2, 3.5], 3, "value", entry).tolist() == [1000.0, 2.0, 3.5]
    with pytest.raises(ValueError, match="1_000"):
        to_float("1_000")
    with pytest.raises(InputError, match="value of entry 1 is '1_000'; expected a finite number"):
        parsed_numbers(["1", "1_000"], 2, "value", entry)


def test_a_number_too_large_for_a_float_is_described_by_its_bits():
    with pytest.raises(InputError, match="value of entry 1 is a whole number of 1,101 bits, too large"):
        parsed_numbers([1, 2**1100], 2, "value", entry)


def test_unusable_numbers_raise():
    raise_if_unusable(np.array([-1.0, 2.0]), "value", entry)
    with pytest.raises(
        InputError, match=r"value of entry 1 is inf; .* leave the pair out if its value is not known"
    ):
        raise_if_unusable(np.array([0.0, np.inf]), "value", entry)
    with pytest.raises(InputError, match=r"weight of entry 0 is -1; expected 0 \(hidden\) or more \(known\)"):
        raise_if_unusable(np.array([-1.0, 2.0]), "weight", entry)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("9007199254740993", 2.0**53),
        ("-9007199254740993 ", -(2.0**53)),
        ("1e-400", 0.0),
        (" -0.2E-500", -0.0),
    ],
)
def test_texts_that_no_float_is_raise(text, number):
    with pytest.raises(InputError, match=rf"The value of line 1 is '{text}', which no float is"):
        raise_if_rounded(["1", text], np.array([1.0, number]), "value", lambda position: f"line {position}")


def test_texts_that_are_floats_pass():
    texts = [
        "0",
        "-0.00",
        "0e7",
        "+0",
        "9007199254740992",
        "1e300",
        "9007199254740993.0",
        "0.1",
        "000" * 2000,
    ]
    numbers = np.array([float(text) for text in texts])
    assert raise_if_rounded(texts, numbers, "value", str) is None


def test_whole_numbers_beyond_floats_raise_in_columns():
    with pytest.raises(InputError, match=r"The weight of pair 1 is 9007199254740993, which no float is"):
        number_column(np.array([1, 2**53 + 1]), "weight")
