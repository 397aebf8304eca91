"""Detection of a header."""

import pytest

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.readers.text.header import detect_header


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("a;b;0,5\nb;c;1\n", "0,5"),
        ("1,2,one\n2,3,1\n", "one"),
        ("1,2,rating\n2,3,1\n", "rating"),
        ("a,b,1_000\nb,c,0\n", "1_000"),
        ("a,b,0x10\nb,c,0\n", "0x10"),
        ("a,b,50%\nb,c,0\n", "50%"),
        ("a\tb\t$5\nb\tc\t0\n", "$5"),
        ("a\tb\t1,000\nb\tc\t0\n", "1,000"),
        ("source,target,1_000\nb,c,0\n", "1_000"),
        ("a,b,one\n", "one"),
        ("a,b,low\nb,c,high\n", "low"),
    ],
)
def test_an_invalid_first_value_raises_and_is_no_header(file, content, value):
    path = file(content)
    with pytest.raises(InputError) as error:
        Network.from_file(path)
    for part in (f"{path}, line 1, column 2", f"found {value!r}", "give header=True"):
        assert part in str(error.value)


def test_header_is_suggested_for_the_first_line_only(file):
    for content, options in [
        ("a,b,1\nb,c,x1\n", {}),
        ("a,b,x1\nb,c,1\n", {"header": False}),
        ("a,b,rating\nb,c,x1\n", {}),
    ]:
        with pytest.raises(InputError, match="x1") as error:
            Network.from_file(file(content), **options)
        assert "header=True" not in str(error.value)


@pytest.mark.parametrize(
    "content",
    [
        "a,b,one\nb,c,1\n",
        "a,b,non-link\nb,c,1\n",
        "a,b,yes\nb,c,1\n",
        "a,b,c\nann,tea,1\nbob,tea,x\n",
        "a,b,c\n1,x,y\n2,x,1\n",
        "title,year\nAlien,1979\nHeat,1995\n",
    ],
)
def test_an_ambiguous_first_line_raises_unless_header_is_given(file, content):
    path = file(content)
    with pytest.raises(InputError) as error:
        Network.from_file(path)
    for part in (f"{path}, line 1", "may name the columns or be data", "header=True", "header=False"):
        assert part in str(error.value)
    if "x\n" not in content and "y\n" not in content:
        assert Network.from_file(path, header=True).n_listed == content.count("\n") - 1


USUAL = ["drug,target,bound", "tf,gene,regulates", "miRNA,disease,association", "chemical,gene,y", "a,b,IC50"]


@pytest.mark.parametrize("first", USUAL)
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_word_above_numbers_alone_names_a_column(first, delimiter, file):
    lines = [first, "d0,t0,0", "d1,t0,1", "d1,t1,0.5"]
    path = file("\n".join(lines).replace(",", delimiter))
    network = Network.from_file(path)
    assert network.n_listed == 3
    assert "Line 1 is the header" in network.history[0].sentence
    assert Network.from_file(path, columns=(0, 1)).n_listed == 3
    with pytest.raises(InputError, match="line 1, column 2"):
        Network.from_file(path, header=False)


@pytest.mark.parametrize("word", ["NA", "nan", "NULL", "?", "-", ""])
def test_a_missing_value_above_numbers_is_no_name_of_a_column(word, file):
    with pytest.raises(InputError, match=r"line 1, column 2 .* expected a finite number"):
        Network.from_file(file(f"d0,t0,{word}\nd1,t0,1\nd1,t1,0\n"))


@pytest.mark.parametrize("below", ["NA", "0,5"])
def test_below_a_header_the_value_that_is_none_is_named(below, file):
    with pytest.raises(InputError, match=f"line 3, column 'bound': found '{below}'"):
        Network.from_file(file(f"drug;target;bound\nd0;t0;1\nd1;t0;{below}\n"))


def test_a_given_header_is_not_detected(file):
    with pytest.raises(InputError, match="line 1, column 2"):
        Network.from_file(file("a,b,one\nb,c,1\n"), header=False)
    assert Network.from_file(file("title,year\nAlien,1979\nHeat,1995\n"), header=False).n_listed == 3


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("id_1,id_2\n0,1\n1,2\n", {}),
        ("one,other\n0,1\n1,2\n", {}),
        ("a,b,c\n0,1,5\n1,2,5\n", {}),
        ("userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n2,31,4,1260759179\n", {"columns": (0, 1, 2)}),
        ("user_id:token\titem_id:token\trating:float\n196\t242\t3\n186\t302\t3\n", {}),
        ("user_id:token\titem_id:token\nann\ttea\nbob\ttea\n", {}),
        ('"User-ID";"ISBN";"Book-Rating"\n"276725";"034545104X";"0"\n"2";"0155061224";"5"\n', {}),
        ("protein1 protein2 combined_score\n9606.P1 9606.P2 173\n9606.P1 9606.P3 154\n", {}),
        ("Uniprot_A\tUniprot_B\tInteraction\nP1\tP2\t1\nP1\tP3\t0\n", {}),
        ("who,what,much,when\nann,tea,1,3\nbob,tea,2,4\n", {"columns": (0, 1, 2)}),
        ("who,what,rating\nann,tea,1\nbob,tea,2\n", {"columns": (0, 1)}),
        *[
            (f"who,what,{word}\nann,tea,1\nbob,tea,2\n", {})
            for word in ("value", "Rating", "weight", "interaction", "SCORE", "label", "link", "playCount")
        ],
    ],
)
def test_common_headers_are_detected(file, content, options):
    network = Network.from_file(file(content), **options)
    assert network.n_listed == 2
    assert "Line 1 is the header" in network.history[0].sentence


@pytest.mark.parametrize(
    "content",
    ["a,b\n1,c\nd,2\n", "a,b,1\n1,2,0\n", "1,a\n2,b\n", "gene,other,1\nx,y,0\n", "nan,b,1\nc,d,0\n"],
)
def test_data_are_not_taken_for_a_header(file, content):
    network = Network.from_file(file(content))
    assert network.n_listed == content.count("\n")
    assert "There is no header" in network.history[0].sentence


@pytest.mark.parametrize(
    ("first", "below", "header"),
    [
        ("a b c", ["1 x 5"], True),
        ("a b one", ["1 x 5"], None),
        ("a b c", ["1 2 x"], True),
        ("a b c", ["x y z"], False),
        ("a b", ["1 x"], None),
        ("a b", ["x y"], False),
        ("a b", ["1 2"], True),
        ("a b c d", ["x y 5 6"], True),
        ("a b c d", ["x y 5 z"], True),
        ("a b c d 7", ["x y 5 6 8"], True),
        ("a b c 7", ["x y 5 6"], None),
        ("a b c", [], False),
        ("1 b c", ["2 x 5"], False),
        ("b 1 c", ["x 2 5"], False),
    ],
)
def test_words_above_numbers(first, below, header):
    """Above both columns of nodes, or of another one, they are a header; above one of nodes ambiguous."""
    assert detect_header([line.split() for line in (first, *below)], None) is header
