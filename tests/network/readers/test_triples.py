"""Files of triples (head, relation, tail): the message, and the choice of one relation."""

from __future__ import annotations

import pytest

from latentlink.errors import DataWarning, InputError
from latentlink.network import Network
from latentlink.network.readers.text import source

TRIPLES = "aspirin\ttreats\tpain\nibuprofen\ttreats\tfever\naspirin\tcauses\tulcer\nimatinib\ttreats\tcml\n"
HEADED = "head,relation,tail\n1,treats,7\n2,treats,8\n2,causes,7\n"


@pytest.mark.parametrize("content", [TRIPLES, HEADED, "h,r,t\n" + TRIPLES.replace("\t", ",")])
def test_triples_are_called_triples(file, content):
    with pytest.raises(InputError, match=r"triples of head, relation and tail") as error:
        Network.from_file(file(content))
    text = str(error.value)
    assert "relation='treats'" in text
    assert "columns=(0, 2)" in text
    assert "header" not in text
    assert len(text) < 600


def test_one_relation_is_read(file):
    network = Network.from_file(file(TRIPLES), relation="treats")
    assert network.row_names.tolist() == ["aspirin", "ibuprofen", "imatinib"]
    assert network.col_names.tolist() == ["cml", "fever", "pain"]
    assert network.n_listed == 3
    assert "Only the relation 'treats'" in network.history[0].sentence
    assert Network.from_file(file(HEADED), relation="causes").row_names.tolist() == ["2"]


def test_all_relations_are_read_as_one_network(file):
    assert Network.from_file(file(TRIPLES), columns=(0, 2)).n_listed == 4


def test_the_relation_may_be_in_another_column(file):
    content = "a,b,knows,1\nb,c,likes,0\nb,d,knows,0\n"
    network = Network.from_file(file(content), columns=(0, 1, 3), relation="knows")
    assert network.values.tolist() == [1, 0]
    named = Network.from_file(
        file("x,y,date,relation\na,b,3,knows\nb,c,4,likes\n"), columns=("x", "y"), relation="likes"
    )
    assert named.row_names.tolist() == ["b"]


def test_line_numbers_are_those_of_the_file(file):
    content = "a,knows,b\nb,likes,c\na,knows,b\n"
    with pytest.raises(InputError, match=r"line 1 has the value 1 and line 3 has 1"):
        Network.from_file(file(content), relation="knows")


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (TRIPLES, {"relation": "treat"}, r"no triple of the relation 'treat'; .*Nearest: 'treats'"),
        (TRIPLES, {"relation": ""}, "relation is ''"),
        ("a,b\n", {"relation": "x"}, "found 2 columns, and relation= is given"),
        ("a,b,c,d\n", {"relation": "x"}, r"Give columns=\(head, tail\)"),
        ("a,b,c,d\n", {"relation": "x", "columns": (0, 1)}, "2 columns are left"),
        ("a,b,c\nd,e,f\n", {}, "If these are triples of head, relation and tail, give relation="),
    ],
)
def test_what_cannot_be_read_raises(file, content, options, sentence):
    with pytest.raises(InputError, match=sentence):
        Network.from_file(file(content), **options)


def test_words_for_values_are_no_triples(file):
    content = "ann,tea,yes\nbob,milk,no\neve,tea,yes\nann,milk,no\n"
    with pytest.raises(InputError, match="found 'yes'; expected a finite number"):
        Network.from_file(file(content))


def test_lists_of_triples():
    with pytest.raises(InputError, match=r"value of listed entry 0 is 'pain'.*triples of head, relation"):
        Network.from_edges([("aspirin", "treats", "pain"), ("ibuprofen", "treats", "fever")])


def test_one_relation_of_many_lines_is_read_in_one_pass(tmp_path):
    """As fast as the same columns without it: records are not looked for from the beginning of a block."""
    path = tmp_path / "triples.tsv"
    path.write_text("".join(f"h{k}\t{'binds' if k % 2 else 'treats'}\tt{k % 97}\n" for k in range(30_000)))
    network = Network.from_file(path, relation="binds")
    assert network.n_listed == 15_000
    assert network.row_names[0] == "h1"


@pytest.mark.parametrize("last", ["object", "Obj", "tail", "t", "o", "target", "item_id", "Node_2"])
@pytest.mark.parametrize("middle", ["relation", "rel", "Predicate", "edge_type"])
def test_headers_of_triples(file, middle, last):
    """Also where tails are numbers; another word in either place is a header of values."""
    with pytest.raises(InputError, match="triples of head, relation and tail"):
        Network.from_file(file(f"subject,{middle},{last}\n1,7,7\n2,7,8\n"))
    for header in (f"user,{middle},rating", f"user,item,{last}"):
        assert Network.from_file(file(f"{header}\n1,7,7\n2,7,8\n"), header=True).n_listed == 2


def test_the_relation_may_be_in_the_first_column(file):
    network = Network.from_file(file("knows,a,b\nlikes,b,c\n"), columns=(1, 2), relation="likes")
    assert network.row_names.tolist() == ["b"]


@pytest.mark.parametrize(
    ("tails", "are_triples"), [("b", False), ("bc", False), ("bcd", True), ("bcc", False), ("bcdd", True)]
)
def test_names_below_one_relation_are_triples_if_they_differ(file, tails, are_triples):
    """The first line may be a header; below it there have to be fewer relations than tails."""
    content = "".join(f"a{number},knows,{tail}\n" for number, tail in enumerate(tails))
    with pytest.raises(InputError) as error:
        Network.from_file(file(content))
    assert ("the file seems to hold triples" in str(error.value)) is are_triples


def test_a_thousand_relations_are_remembered_for_the_message(file, monkeypatch):
    monkeypatch.setattr(source, "PIECE_CHARACTERS", 1)
    content = "".join(f"a,{'r' * 30}{k:04},b{k}\n" for k in range(1100))
    with pytest.raises(
        InputError, match=r"the relations are ('rrrrrrrrrrrrrrrrrrrr\.\.\.,? ?){5} and 995 more"
    ):
        Network.from_file(file(content), relation="zzz")


@pytest.mark.parametrize(
    ("content", "options"), [("a\tb\t$5\nb\tc\t0\n", {}), ("a,b,x1,y\nb,c,x2,z\n", {"columns": (0, 1, 2)})]
)
def test_a_first_value_that_is_no_tail_of_a_triple(file, content, options):
    """It is no word, or there are more than three columns."""
    with pytest.raises(InputError, match=r"If this line names the columns, give header=True\.$"):
        Network.from_file(file(content), **options)


@pytest.mark.parametrize("lines", [1, 2, 5])
def test_short_files_of_triples_name_relations_before_headers(lines, tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text("".join(f"/m/{n}\t/people/place_{n}\t/m/{n + 90}\n" for n in range(lines)))
    with pytest.raises(InputError) as error:
        Network.from_file(path)
    message = str(error.value)
    assert "relation=" in message
    assert "header=True" not in message or message.index("relation=") < message.index("header=True")


NUMBERED = "0,knows,50\n1,likes,31\n2,likes,42\n3,likes,18\n5,knows,27\n"


def test_numbers_about_few_words_may_be_triples(file):
    path = file(NUMBERED)
    message = (
        "line 1: the file may hold triples of head, relation and tail, since its middle column has few "
        "words, such as 'likes', between numbers that differ more. It is read as row, column and value. If "
        "these are triples, read one relation, for example relation='likes'; if they are not, say so"
    )
    with pytest.warns(DataWarning, match=message):
        assert Network.from_file(path).shape == (5, 2)
    assert Network.from_file(path, relation="likes").n_listed == 3
    assert Network.from_file(path, columns=(0, 1, 2)).shape == (5, 2)


@pytest.mark.parametrize(
    "content",
    [
        "1,tea,5\n2,milk,4\n3,tea,4\n4,juice,1\n5,milk,2\n",  # three drinks, four ratings
        "1,tea,5\n2,tea,4\n3,tea,4\n4,tea,4\n",
        "0,likes,5.5\n1,knows,3.5\n2,likes,4.5\n3,likes,1.5\n",
        "ann,likes,50\nbob,knows,31\neve,likes,42\ndan,likes,18\n",
        "7,likes,50\n7,knows,31\n",
        "customer,category,amount\n" + NUMBERED,
    ],
)
def test_numbers_about_words_are_mostly_rows_columns_and_values(file, content):
    assert Network.from_file(file(content)).n_listed == content.count("\n") - ("amount" in content)
