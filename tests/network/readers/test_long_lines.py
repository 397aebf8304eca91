"""Lines of many delimiters: a list of all their fields is never made."""

from __future__ import annotations

import tracemalloc

import pandas
import pytest

from latentlink import Network
from latentlink.errors import InputError
from latentlink.network.readers.text.records import MOST_FIELDS, split_line
from latentlink.network.readers.text.source import TextSource

COUNT = 300_000
LINES = {
    "commas": ("a,b,1\n", "," * COUNT),
    "tabs": ("a\tb\t1\n", "x\t" * COUNT),
    "blanks": ("a b 1\n", "x " * COUNT),
    "quotes": ("a,b,1\n", '"",' * COUNT),
    "blanks and quotes": ("a,b,1\n", ' "" ,' * COUNT),
}


@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("first", [True, False], ids=["first line", "second line"])
def test_a_line_of_many_fields_raises_without_a_list_of_them(kind, first, tmp_path):
    good, bad = LINES[kind]
    path = tmp_path / "links.txt"
    path.write_text(bad + "\n" + good if first else good + bad + "\n")
    tracemalloc.start()
    with pytest.raises(InputError, match=r"10,00[01]") as error:
        Network.from_file(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(str(error.value)) < 400
    assert peak < 12 * len(bad)  # about 60 times as much as a list of strings


def test_splitting_ends_after_the_most_fields():
    assert split_line("a,b,c,d", ",", most=2) == ["a", "b", "c,d"]
    assert split_line("a b  c d", " ", most=2) == ["a", "b", "c d"]
    assert len(split_line('"a",' * (MOST_FIELDS + 5), ",")) == MOST_FIELDS + 1


def test_a_long_name_on_a_long_line_is_read(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text(f"{'x' * 200_000},b,2\nc,d,3\n")
    network = Network.from_file(path)
    assert sorted(map(len, network.row_names)) == [1, 200_000]


class Line(str):
    """A line that counts how often one is looked at by itself."""

    __slots__ = ()
    looked_at = 0

    def strip(self):
        Line.looked_at += 1
        return super().strip()


def test_pieces_of_blank_lines_are_skipped_at_once(tmp_path, monkeypatch):
    """60 million of them took 6 s of processor time, and take 3."""
    read = TextSource.read_piece
    monkeypatch.setattr(TextSource, "read_piece", lambda self: list(map(Line, read(self))))
    path = tmp_path / "links.csv"
    path.write_text("\n" * 3000)
    Line.looked_at = 0
    with pytest.raises(InputError, match="found only blank lines and comments"):
        Network.from_file(path)
    assert Line.looked_at == 0


def test_blank_lines_are_counted(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("\n" * 2_200_000 + "a,b,x\n")
    with pytest.raises(InputError, match=r"line 2200001, column 2"):
        Network.from_file(path)
    path.write_text("\n \r\n" * 10)
    with pytest.raises(InputError, match="found only blank lines and comments"):
        Network.from_file(path)


@pytest.mark.parametrize("blank", ["\t", " \t", "   ", "\t\t", " \r"])
@pytest.mark.parametrize("count", [1, 300, 400_000])
def test_blank_lines_of_tabs_and_blanks_do_not_decide_on_the_delimiter(blank, count, tmp_path):
    path = tmp_path / "links.csv"
    path.write_bytes(f"user,item,rating\n{(blank + chr(10)) * count}a,x,1\nb,y,2\n".encode())
    network = Network.from_file(path)
    assert network.row_names.tolist() == ["a", "b"]
    assert network.values.tolist() == [1, 2]
    path.write_bytes(f"{(blank + chr(10)) * count}user;item;rating\n\na;x;1\nb;y;2\n".encode())
    assert Network.from_file(path) == network


@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize("blank", ["\t", "\t\t", " \t \t "])
def test_blank_lines_of_tabs_are_blank_between_tabs(width, blank, tmp_path):
    path = tmp_path / "links.tsv"
    lines = [
        "\t".join(("user", "item", "rating")[:width]),
        blank,
        *("\t".join((a, "x", "1")[:width]) for a in "ab"),
    ]
    path.write_text("\n".join([*lines, blank, ""]))
    assert Network.from_file(path).row_names.tolist() == ["a", "b"]


LONG = 1_000_001


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{'x' * LONG},b,1\nc,d,0\n", 1),
        (f'"{"x" * LONG}",b,1\nc,d,0\n', 1),
        (f"a,b,1\n\n\nc,d,{'9' * LONG}\n", 4),
        (f"{'a,b,1' + chr(10)}" * 300 + f"c,{'y z' * LONG},1\n", 301),
    ],
    ids=["name", "quoted", "value", "below the sample"],
)
def test_a_field_of_more_than_a_million_characters_raises(text, line, tmp_path):
    """A bad value of 16 million took 15 s."""
    path = tmp_path / "links.csv"
    path.write_text(text)
    with pytest.raises(
        InputError, match=rf"line {line}: found a field of [13],000,00\d characters; expected"
    ):
        Network.from_file(path)


def test_a_text_of_more_than_a_million_characters_in_parquet_raises(tmp_path):
    path = tmp_path / "links.parquet"
    pandas.DataFrame({"a": ["x", "y" * LONG], "b": ["c", "d"], "v": [1.0, 2.0]}).to_parquet(path)
    with pytest.raises(InputError, match="column 'a': found a field of 1,000,001 characters"):
        Network.from_file(path)


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_a_wide_table_is_to_be_read_as_a_matrix(delimiter, tmp_path):
    path = tmp_path / "wide.csv"
    lines = [["user", "i1", "i2", "i3", "i4"], ["u1", "5", "", "3", "1"], ["u2", "4", "2", "NA", "1"]]
    path.write_text("\n".join(map(delimiter.join, lines)) + "\n")
    with pytest.raises(InputError, match=r"Network\.from_dense\(pandas\.read_csv\(.*index_col=0") as error:
        Network.from_file(path)
    call = str(error.value).partition("in front: ")[2].partition(". If it lists")[0]
    assert eval(call, {"Network": Network, "pandas": pandas}).shape == (2, 4)


@pytest.mark.parametrize(
    "text",
    [
        "user,product,rating,timestamp\n1,2,5,7\n2,3,4,8\n",
        "who,what,when,why\nann,tea,1,2\nbob,milk,3,4\n",
        "1,2,5,881\n2,3,4,882\n",
    ],
)
def test_other_tables_are_not(text, tmp_path):
    path = tmp_path / "list.csv"
    path.write_text(text)
    with pytest.raises(InputError, match="Give row, column and value") as error:
        Network.from_file(path)
    assert "from_dense" not in str(error.value)
