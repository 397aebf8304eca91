"""Records of delimited text: fields and line numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.readers.text import records
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
        ("a    b  c d", "  ", ["a", "b", "c d"]),
        ('"a"    b  "c"', "  ", ["a", "b", "c"]),
        ('x , "y" , z', ",", ["x", "y", "z"]),
        ('"a""b"', ",", ['a"b']),
        ('"a""', ",", None),
        ('""', ",", [""]),
        ('"",""', ",", ["", ""]),
        ('5" x,"y"', ",", ['5" x', "y"]),
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


def test_an_open_quote_continues_on_the_next_lines():
    lines = iter(['""x\n', "\n", '", "z" ,"1\n', '2"\n', "unread"])
    assert split_line('a,"b\n', ",", lambda: next(lines)) == ["a", 'b\n"x\n\n', "z", "1\n2"]
    assert list(lines) == ["unread"]
    assert split_line('a,"b\n', ",", lambda: "") is None


@given(
    st.lists(st.lists(st.text('ab," \n\t', max_size=5), min_size=1, max_size=4), min_size=1, max_size=4),
    st.sampled_from([",", "::", " "]),
)
def test_quoted_fields_are_read_as_they_are_written(listed, delimiter):
    text = "".join(
        delimiter.join('"' + field.replace('"', '""') + '"' for field in record) + "\n" for record in listed
    )
    lines = iter(text.splitlines(keepends=True))
    found = [split_line(line, delimiter, lambda: next(lines, "")) for line in lines]
    assert found == listed


@pytest.mark.slow
@pytest.mark.parametrize("quotes", ["", '""'])
def test_a_stray_quote_raises_in_linear_time(file, quotes):
    content = 'a,b,1\n"' + "".join(f"row{row},{quotes}col,1\n" for row in range(300_000))
    with pytest.raises(InputError, match="line 2: a quote is opened and never closed"):
        Network.from_file(file(content))


def test_a_stray_quote_of_a_large_file_raises_before_its_end(file, monkeypatch):
    monkeypatch.setattr(records, "LONGEST_RECORD", 10_000)
    with pytest.raises(InputError, match="line 2: a quote is opened and not closed in 10,"):
        Network.from_file(file('a,b,1\n"' + "c,d,1\n" * 5000))


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    ["a" + " " * 10**6 + "b,c,1\n", ('"a"' + " " * 10**5) * 10, '"a" ,' * 50_000, "1" * 10**6 + "x,b\n1,c\n"],
)
def test_runs_of_blanks_quotes_and_digits_take_linear_time(file, content):
    with pytest.raises(InputError) as error:
        Network.from_file(file(content + "\nd,e,1,2,3\n"))
    assert len(str(error.value)) < 800
