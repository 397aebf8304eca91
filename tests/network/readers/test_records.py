"""Records of delimited text: fields and line numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.network.readers.text.records import LineNumbers, split_line


@pytest.mark.parametrize(
    ("line", "delimiter", "fields"),
    [
        ("a,b,", ",", ["a", "b", ""]),
        (",", ",", ["", ""]),
        ('"a"', ",", ["a"]),
        ('"a" ', ",", ["a"]),
        ('"a", "b c"\n', ",", ["a", "b c"]),
        ('  x   "y z"  \n', " ", ["x", "y z"]),
        ('"a', ",", None),
        ('a::"b::c"', "::", ["a", "b::c"]),
    ],
)
def test_a_line_is_split_into_fields(line, delimiter, fields):
    assert split_line(line, delimiter) == fields


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=5), max_size=5))
def test_line_numbers_are_right_after_skipped_lines(gaps):
    lines, line_numbers = [], LineNumbers()
    for gap in gaps:
        start = lines[-1] if lines else 0
        block = start + np.cumsum(gap)
        line_numbers.add(block)
        lines += block.tolist()
    assert [line_numbers(record) for record in range(len(lines))] == [f"line {line}" for line in lines]


def test_text_after_a_closing_quote_raises():
    with pytest.raises(ValueError, match="x,d"):
        split_line('"c"x,d', ",")
