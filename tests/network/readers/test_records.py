"""Records of delimited text: fields and line numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.readers.text import records, source
from latentlink.network.readers.text.line_numbers import LineNumbers
from latentlink.network.readers.text.records import split_line


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
        (',"y"', ",", ["", "y"]),
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


@pytest.mark.parametrize(
    ("length", "what"), [(2**24, "never closed"), (2**24 + 1, "not closed in 16,777,217 ")]
)
def test_a_record_may_have_16_million_characters(file, length, what):
    first = '"' + "a" * (length - 5) + "\n"
    with pytest.raises(InputError, match=f"line 2: a quote is opened and {what}"):
        Network.from_file(file(f"a,b\n{first}b\n\n"), delimiter=",", header=False)


@pytest.mark.parametrize(
    ("content", "where"),
    [
        ('"a",b,x\n"c",d,1\n', "line 1, column 2"),
        ('"a",b,1\n"c",d,x\n', "line 2, column 2"),
        ('"a",b,1\n"c\nc",d,1\ne,f,x\n', "line 4, column 2"),
        ('"a",b,1\n\n"c\nd" x,e,1\n', "line 4: ' x,e,1' follows a closing quote"),
    ],
)
def test_lines_of_errors_beside_quotes(file, content, where):
    with pytest.raises(InputError, match=where):
        Network.from_file(file(content), header=False)


def test_a_line_end_within_quotes_belongs_to_the_name(file):
    network = Network.from_file(file('"two\n",x,1\n"\nthree",x,0\n'))
    assert network.row_names.tolist() == ["\nthree", "two\n"]


@pytest.mark.parametrize("first", ["a,b,1\n", '"a",b,1\n'])
def test_a_comment_at_the_beginning_of_a_piece_raises(file, monkeypatch, first):
    monkeypatch.setattr(source, "PIECE_CHARACTERS", 1)
    with pytest.raises(InputError, match="line 2: '# c,d,1' looks like a comment"):
        Network.from_file(file(f"{first}# c,d,1\n"))


@pytest.mark.parametrize("piece", [1, 8, 2**20])
def test_blank_lines_within_quotes_count(file, monkeypatch, piece):
    monkeypatch.setattr(source, "PIECE_CHARACTERS", piece)
    with pytest.raises(InputError, match="line 8: 'z,e,1' follows a closing quote"):
        Network.from_file(file('a,b,1\n"c\n\n\n\n\n\nd"z,e,1\n'), header=False)


@pytest.mark.parametrize("first", ["a", '"a"'])
def test_nothing_is_skipped_in_a_file_without_blank_lines(file, first):
    path = file(f"{first},b,1\nc,d,0\n")
    assert Network.from_file(path).history[0].sentence == (
        f"Read 2 entries from {path}. Fields are separated by comma. There is no header. row: column 0 "
        "(counted from 0), column: column 1 (counted from 0), value: column 2 (counted from 0)."
    )


def test_five_columns_raise(file):
    with pytest.raises(InputError, match="expected two to four names"):
        Network.from_file(file("1,2,3,4,5\n"), columns=(0, 1, 2, 3, 4))


def test_four_bytes_that_are_not_text_are_shown(file):
    with pytest.raises(InputError, match=r"line 1: the bytes b'\\xe9,12' are not UTF-8 text"):
        Network.from_file(file(b"a,b\xe9,1234\n"))
