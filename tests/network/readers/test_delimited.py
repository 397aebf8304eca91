"""Reader of delimited text."""

import csv
import gzip
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network, drop_duplicates, resolve_conflicts
from latentlink.network.readers.text import source
from latentlink.network.readers.text.layout import detect_delimiter
from tests.network.strategies import edge_lists

PLAIN = "ann,tea,1\nbob,tea,0\nbob,milk,0.5\n"
EXPECTED = Network.from_edges([("ann", "tea", 1), ("bob", "tea", 0), ("bob", "milk", 0.5)])


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.rstrip("\n"),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        "\ufeff" + PLAIN,
        "\ufeffsource,target,value\n" + PLAIN,
        "a,b,rating\n" + PLAIN,
        "\n# comment, with comma\n  % another\n\n" + PLAIN,
        PLAIN.replace("\n", "\n\n"),
        PLAIN.replace("\n", "\n   \n") + "\n\n",
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "|"),
        PLAIN.replace(",", " "),
        PLAIN.replace(",", "  \t "),
        PLAIN.replace(",", "::"),
        PLAIN.replace(",", " , "),
        PLAIN.replace("ann", '"ann"'),
        PLAIN.replace("0.5", '"0.5"'),
        PLAIN.replace("ann", ' "ann" '),
        PLAIN.replace(",1\n", ",1e0\n"),
    ],
)
def test_different_texts_of_the_same_edges_give_the_same_network(file, content):
    assert Network.from_file(file(content)) == EXPECTED
    assert Network.from_file(str(file(gzip.compress(content.encode()), "links.csv.gz"))) == EXPECTED
    assert Network.from_file(file(gzip.compress(content.encode()), "unnamed")) == EXPECTED


def test_the_detected_layout_is_in_the_history(file):
    path = file("# about\nwho\twhat\tmuch\tnote\nann\ttea\t1\tx\n\nbob\ttea\t0\ty\n", "t.tsv")
    (step,) = Network.from_file(path, columns=("who", "what", "much")).history
    assert step.touched == 2
    for part in (str(path), "by tab", "Line 2 is the header", "value: 'much'", "Not read: 'note'"):
        assert part in step.sentence
    assert "1 comment or blank line at the top" in step.sentence
    assert "Skipped 1 blank line." in step.sentence


def test_a_file_of_two_columns_lists_links(file):
    network = Network.from_file(file("a b\nb c\n"), symmetric=True)
    assert network == Network.from_edges([("a", "b"), ("b", "c")], symmetric=True)
    headed = Network.from_file(file("Node_1 Node_2\na b\nb c\n"), symmetric=True)
    assert headed == network


def test_a_first_line_of_two_words_is_data_unless_they_are_common_names(file):
    assert Network.from_file(file("person,drink\nann,tea\n")).n_listed == 2
    assert Network.from_file(file("person,drink\nann,tea\n"), header=True).n_listed == 1
    assert Network.from_file(file("source,target\nann,tea\n"), header=False).n_listed == 2


def test_a_first_line_with_a_missing_value_is_data(file):
    with pytest.raises(InputError, match="line 1"):
        Network.from_file(file("a,b,NA\nc,d,1\n"))


def test_the_history_counts_skipped_lines(file):
    network = Network.from_file(file("# one\n# two\na,b,1\n\n\nb,c,0\n"))
    for part in ("Skipped 2 comment or blank lines at the top.", "Skipped 2 blank lines."):
        assert part in network.history[0].sentence


def test_messages_show_only_the_first_of_many_columns(file):
    path = file(",".join(f"name{column}" for column in range(1001)) + "\n" + ",".join(["5"] * 1001) + "\n")
    with pytest.raises(InputError) as error:
        Network.from_file(path)
    for part in ("1001 columns", "'name9' and 991 more", "columns=('name0', 'name1', 'name2')"):
        assert part in str(error.value)
    network = Network.from_file(path, columns=("name0", "name1"))
    assert "Not read: 'name2'" in network.history[0].sentence
    assert "'name11' and 989 more" in network.history[0].sentence


def test_columns_are_given_by_name_or_by_position(file):
    path = file("v,w,b,a\n1,0.5,tea,ann\n0,0,tea,bob\n")
    named = Network.from_file(path, columns=("a", "b", "v", "w"))
    assert named.values.tolist() == [1, 0]
    assert named.weights.tolist() == [0.5, 0]
    assert Network.from_file(path, columns=(3, 2, 0, 1)) == named
    assert Network.from_file(path, columns=(3, 2), header=True).values.tolist() == [1, 1]


def test_files_of_movielens_need_no_options(file):
    network = Network.from_file(file("1::122::5::838985046\n10::122::3::838983525\n", "ratings.dat"))
    assert network.values.tolist() == [5, 3]
    assert network.row_names.tolist() == ["1", "10"]
    assert "Not read: column 3" in network.history[0].sentence


def test_the_delimiter_may_be_given(file):
    assert Network.from_file(file(PLAIN.replace(",", "~")), delimiter="~") == EXPECTED
    assert Network.from_file(file("a b,c d,1\n")).row_names.tolist() == ["a b"]
    assert Network.from_file(file("a,x b,y 1\n"), delimiter=" ").col_names.tolist() == ["b,y"]


@pytest.mark.parametrize(
    ("content", "row", "col"),
    [
        ("New York;Paris;0.5\nRome, Italy;Paris;1\n", "Rome, Italy", "Paris"),
        ("Smith, J\tDoe, K\t1\nx\ty\t1\n", "Smith, J", "Doe, K"),
        ('"a, b","c ""d"" e",1\n', "a, b", 'c "d" e'),
        ('" kept ",  stripped  ,1\n', " kept ", "stripped"),
        ('"two\nlines",x,1\n', "two\nlines", "x"),
        ('"two\r\nlines",x,1\r\n', "two\r\nlines", "x"),
        ("007,7,1\n", "007", "7"),
        ("\U0001f600,e\u0301,1\n", "\U0001f600", "e\u0301"),
        ("5\" pipe,O'Brien,1\n", '5" pipe', "O'Brien"),
        ('"#tag","%rate",1\n', "#tag", "%rate"),
        ('"a ""\nb"" c",x,1\n', 'a "\nb" c', "x"),
        ('x,"""\n\n""\n""",1\n', "x", '"\n\n"\n"'),
        ('x,"a\n""" ,1\ny,z,0\n', "x", 'a\n"'),
        ('"a b" c 1\n', "a b", "c"),
    ],
)
def test_names_are_read_exactly_as_written(file, content, row, col):
    network = Network.from_file(file(content))
    assert network.positions([row], [col]).tolist() == [network.position(row, col)]


def test_rows_and_columns_of_a_symmetric_file_share_their_names(file):
    network = Network.from_file(file("b,a,1\nc,b,0\n"), symmetric=True)
    assert network.row_names.tolist() == ["a", "b", "c"]
    assert network.shape == (3, 3)
    assert Network.from_file(file("b,a,1\na,b,0\n"), square=True).n_listed == 2


def test_duplicates_raise_with_file_and_lines(file):
    path = file("# top\na,b,1\n\nc,d,1\nb,a,0\n")
    with pytest.raises(InputError) as error:
        Network.from_file(path, symmetric=True)
    for part in (str(path), "('a', 'b')", "line 2 has the value 1", "line 5 has 0", "values differ"):
        assert part in str(error.value)
    assert Network.from_file(path, symmetric=True, duplicates="keep").n_listed == 3


@settings(max_examples=25)
@given(edge_lists(), st.sampled_from([",", "\t", ";", "|"]), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_unusual_names_are_read_as_csv_writes_them(tmp_path_factory, edges, delimiter, header, end):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([("source", "target", "value")] * header + edges)
    path = tmp_path_factory.getbasetemp() / "round.csv"
    path.write_bytes(text.getvalue().encode())
    expected = Network.from_edges(edges)
    assert Network.from_file(path, delimiter=delimiter, header=header) == expected


@pytest.mark.parametrize("piece", [20, 25, 100, 2**20])
def test_quotes_may_span_pieces(file, monkeypatch, piece):
    monkeypatch.setattr(source, "PIECE_CHARACTERS", piece)
    count = 300
    lines = [f'"name\n{number}",x,{number}\n' for number in range(count)]
    network = Network.from_file(file("".join(lines)))
    assert network.n_listed == count
    assert network.values[network.position(f"name\n{count - 1}", "x")] == count - 1
    with pytest.raises(InputError, match=f"line {2 * count + 3},"):
        Network.from_file(file("".join(lines) + "a,b,1\n\na,b,oops\n"))


@pytest.mark.parametrize("piece", [1, 7, 100, 2**20])
def test_a_plain_file_is_the_same_in_pieces_of_any_size(file, monkeypatch, piece):
    monkeypatch.setattr(source, "PIECE_CHARACTERS", piece)
    edges = [(f"row{number}", f"col{number % 7}", number) for number in range(600)]
    content = "".join(f"{row},{col},{value}\n" for row, col, value in edges)
    assert Network.from_file(file(content)) == Network.from_edges(edges)
    with pytest.raises(InputError, match=r"line 601, column 2.*'x'"):
        Network.from_file(file(content + "a,b,x\n"))
    assert Network.from_file(file("source,target,value\n" + content)) == Network.from_edges(edges)


@pytest.mark.slow
def test_a_file_longer_than_a_piece_is_read(file):
    count = source.PIECE_CHARACTERS // 20
    edges = [(f"row{number}", f"col{number % 7}", number) for number in range(10**6, 10**6 + count)]
    content = "".join(f"{row},{col},{value}\n" for row, col, value in edges)
    assert len(content) > source.PIECE_CHARACTERS
    assert Network.from_file(file(content)) == Network.from_edges(edges)


INVALID_FILES = {
    "empty": ("", {}, ["nothing", "empty"]),
    "comments only": ("# a\n\n", {}, ["only blank lines and comments"]),
    "header only": ("source,target,value\n", {}, ["header and no data"]),
    "header of two only": ("source,target\n", {}, ["header and no data"]),
    "one column": ("a\nb\n", {}, ["line 1", "one column", "'a'", "delimiter="]),
    "short row": ("a,b,1\nc,d\n", {}, ["line 2", "2 fields", "['c', 'd']", "expected 3"]),
    "short row, names with blanks": ("a x,b,1\nc y,d\n", {}, ["line 2", "2 fields", "expected 3"]),
    "long row": ("a,b,1\n\nc,d,1,5\n", {}, ["line 3", "4 fields", "expected 3"]),
    "long row with blanks": ("a b 1\nc d 1 5\ne f 1\n", {}, ["line 2", "4 fields", "expected 3"]),
    "text as value": ("a,b,1\nc,d,high\n", {}, ["line 2", "column 2", "'high'", "finite number"]),
    "text under a header": ("a,b,rate\nx,y,1\nz,y,high\n", {}, ["line 3", "column 'rate'", "'high'"]),
    "text everywhere": ("source,target,value\na,b,x\nc,d,y\n", {}, ["line 2", "column 'value'", "'x'"]),
    "decimal comma": ("a;b;0,5\nc;d;0,7\n", {}, ["line 1", "'0,5'"]),
    "underscore": ("a,b,1\nc,d,1_000\n", {}, ["line 2", "'1_000'"]),
    "no value": ("a,b,1\nc,d,\n", {}, ["line 2", "column 2", "''"]),
    "nan": ("a,b,1\nc,d,NaN\n", {}, ["line 2", "column 2", "nan", "finite"]),
    "infinity": ("a,b,1\nc,d,-inf\n", {}, ["line 2", "column 2", "-inf", "finite"]),
    "negative weight": ("a,b,1,1\nc,d,1,-2\n", {"columns": (0, 1, 2, 3)}, ["line 2", "column 3", "-2"]),
    "no row name": ("a,b,1\n,d,1\n", {}, ["line 2", "column 0", "found nothing", "name"]),
    "no column name": ("a,b,1\nc,,1\n", {}, ["line 2", "column 1", "found nothing"]),
    "quoted nothing": ('a,b,1\n"",b,1\n', {}, ["line 2", "column 0", "found nothing"]),
    "no name, symmetric": ("a,b,1\nc,,1\n", {"symmetric": True}, ["line 2", "column 1", "found nothing"]),
    "open quote": ('a,b,1\n"c,d,1\ne,f,1\n', {}, ["line 2", "never closed"]),
    "open quote at once": ('"a,b,1\nc,d,1\n', {}, ["line 1", "never closed"]),
    "text after quote": ('a,b,1\n"c"x,d,1\n', {}, ["line 2", "'x,d,1'", "closing quote"]),
    "text after first quote": ('"c"x,d,1\na,b,1\n', {}, ["line 1", "closing quote"]),
    "late comment": ("a,b,1\n# so\nc,d,1\n", {}, ["line 2", "'# so'", "comment"]),
    "many columns": ("a,b,c,d\n1,2,3,4\n", {}, ["line 1", "4 columns", "'c'", "columns=("]),
    "many columns, no header": ("1,2,3,4\n", {}, ["4 columns", "3 ('4')", "columns=(0, 1, 2)"]),
    "no such column": ("a,b,c\n1,2,3\n", {"columns": ("a", "z")}, ["no column 'z'", "'a', 'b', 'c'"]),
    "column twice": ("a,a,c\n1,2,3\n", {"columns": ("a", "c")}, ["2 columns 'a'"]),
    "no such position": ("1,2,3\n", {"columns": (0, 5)}, ["no column 5"]),
    "not UTF-8": (b"a,b,1\nc\xff\xfe,d,1\n", {}, ["line 2", "\\xff\\xfe", "UTF-8"]),
    "unstored": ("a,b,1\n", {"unstored": "zero"}, ["unstored='zero'", "no meaning"]),
    "truncated gzip": (gzip.compress(PLAIN.encode() * 50)[:-12], {}, ["damaged", "after line"]),
}


@pytest.mark.parametrize(("content", "options", "parts"), INVALID_FILES.values(), ids=INVALID_FILES.keys())
def test_invalid_files_raise_with_file_line_and_value(file, content, options, parts):
    path = file(content)
    with pytest.raises(InputError) as error:
        Network.from_file(path, **options)
    for part in [*parts, str(path)]:
        assert part in str(error.value)


INVALID_OPTIONS = {
    "same column twice": ("1,2,3\n", {"columns": (0, 0)}, ["a different column"]),
    "mixed columns": ("1,2,3\n", {"columns": (0, "b")}, ["names or", "positions"]),
    "one column given": ("1,2,3\n", {"columns": (0,)}, ["two to four"]),
    "names without header": ("a,b\n1,2\n", {"columns": ("a", "b"), "header": False}, ["header=False"]),
    "bad background": ("a,b,high\n", {"background": -1}, ["background weight is -1"]),
    "background of text": ("a,b,1\n", {"background": "x"}, ["background weight is 'x'"]),
    "no background": ("a,b,1\n", {"background": None}, ["background weight is None"]),
    "delimiter a number": ("a,b,1\n", {"delimiter": 5}, ["delimiter is 5"]),
    "delimiter empty": ("a,b,1\n", {"delimiter": ""}, ["delimiter is ''"]),
    "delimiter a quote": ("a,b,1\n", {"delimiter": '"'}, ["delimiter is '\"'", 'such as "," or "\\t"']),
    "header a word": ("a,b,1\n", {"header": "yes"}, ["header is 'yes'", "True", "False"]),
    "columns a number": ("a,b,1\n", {"columns": 5}, ["columns is 5", "two to four names"]),
    "columns a word": ("a,b,1\n", {"columns": "ab"}, ["columns is 'ab'", "two to four names"]),
    "bad duplicates": ("a,b,1\n", {"duplicates": "drop"}, ["duplicates is 'drop'"]),
}


@pytest.mark.parametrize(
    ("content", "options", "parts"), INVALID_OPTIONS.values(), ids=INVALID_OPTIONS.keys()
)
def test_invalid_options_raise_by_name(file, content, options, parts):
    with pytest.raises(InputError) as error:
        Network.from_file(file(content), **options)
    for part in parts:
        assert part in str(error.value)


def test_a_truncated_file_raises_with_its_last_readable_line(file):
    count = 5_000
    columns = np.random.default_rng(0).integers(10**9, size=count)
    lines = [f"{row},{col},1\n" for row, col in enumerate(columns)]
    packed = gzip.compress("".join(lines).encode())
    with pytest.raises(InputError) as error:
        Network.from_file(file(packed[: len(packed) // 2], "links.csv.gz"))
    reached = int(str(error.value).split("after line ")[1].split(" ")[0])
    assert count / 4 < reached < count


def test_an_invalid_name_raises_with_its_file(file):
    path = file("a\0,b,1\n")
    with pytest.raises(InputError, match="null character") as error:
        Network.from_file(path)
    assert str(error.value).startswith(f"{path}, line 1: ")


def test_the_metabolism_network_has_the_counts_of_the_paper(data_folder):
    path = data_folder / "ppi_disease_of_metabolism.tsv"
    columns = ("Uniprot_A", "Uniprot_B", "Interaction")
    with pytest.raises(InputError, match="8 entries repeat a pair"):
        Network.from_file(path, columns=columns, symmetric=True)
    raw = Network.from_file(path, columns=columns, symmetric=True, duplicates="keep")
    network = resolve_conflicts(drop_duplicates(raw), "drop")
    assert repr(network) == "Network: 1,036 x 1,036, symmetric, 5,131 links, 5,123 non-links, rest unknown"
    assert [step.touched for step in network.history] == [10_262, 8, 0]


@pytest.mark.parametrize("preferred", ["\t", "::"])
def test_tabs_and_double_colons_are_preferred_if_most_records_have_them(preferred):
    for having, count, expected in ((5, 5, preferred), (3, 5, preferred), (2, 4, ",")):
        lines = [f"a{k},b{preferred if k < having else ' '}c,1\n" for k in range(count)]
        assert detect_delimiter(lines) == expected


@pytest.mark.parametrize("delimiter", ["::", "\t", ";", "|", ",", " ", "  ", "--"])
@pytest.mark.parametrize("quoted", [True, False])
def test_names_in_quotes_beside_every_delimiter(file, delimiter, quoted):
    """Quotes keep delimiters, blanks and quotes within names; every delimiter gives the same network."""
    names = [("a b", 'c"d'), (f"x{delimiter}y", "e"), ("f", "  g")] if quoted else [("a", "b"), ("c", "d")]
    edges = [(row, col, float(number)) for number, (row, col) in enumerate(names)]
    fields = [[row, col] for row, col in names]
    if quoted:
        fields = [['"' + name.replace('"', '""') + '"' for name in pair] for pair in fields]
    content = "".join(delimiter.join([*pair, str(number)]) + "\n" for number, pair in enumerate(fields))
    assert Network.from_file(file(content), delimiter=delimiter) == Network.from_edges(edges)


def test_pieces_of_blank_lines_alone_are_passed_over(file, monkeypatch):
    monkeypatch.setattr(source, "PIECE_CHARACTERS", 4)
    network = Network.from_file(file("a,b,1\n" + "\n" * 30 + "c,d,2\n" + "\n" * 9))
    assert network.values.tolist() == [1, 2]
    assert "39 blank lines" in network.history[0].sentence
    with pytest.raises(InputError, match="line 32, column 2"):
        Network.from_file(file("a,b,1\n" + "\n" * 30 + "c,d,x\n"))


@pytest.mark.parametrize(
    ("lines", "delimiter"),
    [
        (["a,b c\n", "d e\n"], " "),
        (["New York City,Los Angeles,1\n"] * 2, ","),
        (['"p,\n', 'q";r,s;1\n'] * 3, ";"),
        (["a|b,c\n"] * 2 + ["d|e\n"], "|"),
    ],
)
def test_the_delimiter_that_splits_most_records_is_detected(lines, delimiter):
    assert detect_delimiter(lines) == delimiter


def test_a_hundred_lines_tell_the_delimiter(file):
    lines = [f"a{k},b{chr(9) if k % 2 else ' '}c,1\n" for k in range(100)]
    assert Network.from_file(file("".join([*lines, "a,b\tc,1\n"]))).row_names[0] == "a"


def test_twenty_records_tell_the_header(file):
    """Words above whole numbers are a header; what follows is not looked at."""
    lines = ["here,there\n", *(f"{k},{k + 50}\n" for k in range(19)), "x,y\n"]
    assert Network.from_file(file("".join(lines))).n_listed == 20
    with_word = [*lines[:19], "x,y\n"]
    assert Network.from_file(file("".join(with_word))).n_listed == 20


@pytest.mark.parametrize("value", ["high", "h5"])
def test_a_first_value_that_is_a_word(file, monkeypatch, value):
    """It may belong to a header or to triples; a word further down does not."""
    hints = "If these are triples .* If this line names the columns, give header=True."
    with pytest.raises(InputError, match=f"line 1, .*{hints}"):
        Network.from_file(file(f"a,b,{value}\nc,d,{value}\n"))
    monkeypatch.setattr(source, "PIECE_CHARACTERS", 1)
    with pytest.raises(InputError, match=r"line 2, .* number, the value\.$"):
        Network.from_file(file(f"a,b,1\nc,d,{value}\n"))
