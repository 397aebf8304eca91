"""Files of triples (head, relation, tail): the message, and the choice of one relation."""

from __future__ import annotations

import numpy as np
import pandas
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


# ---------------------------------------------------------------- integers alone


def numbered(relations, nodes, count, seed=0):
    """Triples of integers in which each head has each relation once at most."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(relations * nodes)[:count]
    return np.column_stack([codes // relations, codes % relations, rng.integers(0, nodes, count)])


def as_lines(table):
    return "".join("\t".join(map(str, line)) + "\n" for line in table.tolist())


@pytest.mark.parametrize(
    ("relations", "nodes", "count"), [(4, 300, 400), (10, 1000, 3000), (237, 14000, 5000)]
)
def test_integers_may_be_triples(file, relations, nodes, count):
    table = numbered(relations, nodes, count)
    path = file(as_lines(table))
    with pytest.warns(DataWarning, match=r"may hold triples .* relation=, .* columns=\(0, 2\)") as caught:
        assert Network.from_file(path).n_listed == count
    assert len(caught) == 1
    assert Network.from_file(path, columns=(0, 1, 2)).n_listed == count
    assert Network.from_file(path, relation="3").n_listed == (table[:, 1] == 3).sum()
    rows, shape = list(map(tuple, table.tolist())), (nodes, relations)
    for listed in (table, rows, pandas.DataFrame(table), table.astype(float)):
        with pytest.warns(DataWarning, match="may hold triples of head, relation and tail"):
            Network.from_edges(listed, shape=shape)
    assert Network.from_edges(*table.T, shape=shape).n_listed == count
    assert Network.from_edges(pandas.DataFrame(table), columns=(0, 1, 2), shape=shape).n_listed == count
    named = pandas.DataFrame(table, columns=["a", "b", "count"])
    assert Network.from_edges(named, shape=shape).n_listed == count


def test_triples_of_which_a_head_has_several_tails_warn_before_they_raise(file):
    table = numbered(4, 300, 900)
    table[1, :2] = table[0, :2]
    with (
        pytest.warns(DataWarning, match="may hold triples of head, relation and tail"),
        pytest.raises(InputError, match="is listed more than once"),
    ):
        Network.from_file(file(as_lines(table)))


def test_integers_in_parquet_may_be_triples(tmp_path):
    table = pandas.DataFrame(numbered(4, 300, 400), columns=list("hrt"))
    table.to_parquet(tmp_path / "x.parquet")
    with pytest.warns(
        DataWarning, match=r"columns=\('h', 't'\); if they are not, say so: columns=\('h', 'r', 't'\)"
    ):
        Network.from_file(tmp_path / "x.parquet")
    assert Network.from_file(tmp_path / "x.parquet", columns=("h", "r", "t")).n_listed == 400


def test_the_whole_message_about_triples_of_integers():
    table = [(head, head % 2, (head * 7) % 25) for head in range(25)]
    table[0] = (0, 1, 0)
    table += [(head, 2, (head * 11) % 25) for head in range(3)]
    with pytest.warns(DataWarning) as caught:
        Network.from_edges(table)
    assert str(caught[0].message) == (
        "The list may hold triples of head, relation and tail: the middle column has only 3 different "
        "numbers (most often 1), and the last has 25 from 0 to 24, as the first has 25 from 0 to 24. It is "
        "read as row, column and value. If these are triples, select those of one relation, and give head "
        "and tail alone; if they are not, say so: Network.from_edges(rows, cols, values)."
    )


def rated(users, items, share, values, seed=0):
    """Users, items and values, of which the last is a function of a generator and a count."""
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(np.argwhere(rng.random((users, items)) < share))
    return np.column_stack([pairs, values(rng, len(pairs))])


HONEST = {
    "ratings": rated(200, 50, 0.2, lambda rng, n: rng.integers(1, 6, n)),
    "ratings to 10": rated(11, 5, 0.4, lambda rng, n: rng.integers(0, 11, n)),
    "percent": rated(1000, 20, 0.3, lambda rng, n: rng.integers(0, 101, n)),
    "marks": rated(100, 5, 0.9, lambda rng, n: rng.integers(0, 101, n)),
    "counts": rated(300, 10, 0.3, lambda rng, n: rng.geometric(0.02, n)),
    "large counts": rated(300, 10, 0.3, lambda rng, n: rng.poisson(300, n)),
    "milliseconds": rated(300, 10, 0.3, lambda rng, n: rng.integers(200, 5000, n)),
    "weights of users": rated(300, 90, 0.1, lambda rng, n: rng.integers(0, 300, n)),
    "weights of a graph": rated(300, 300, 0.02, lambda rng, n: rng.integers(0, 300, n)),
    "links": rated(300, 10, 0.3, lambda rng, n: rng.integers(0, 2, n)),
    "times": rated(300, 10, 0.3, lambda rng, n: rng.integers(8 * 10**8, 9 * 10**8, n)),
}


@pytest.mark.parametrize("table", HONEST.values(), ids=HONEST)
def test_integers_with_values_are_read_without_a_word(file, table):
    assert Network.from_file(file(as_lines(table))).n_listed == len(table)
    assert Network.from_edges(table).n_listed == len(table)


def test_negative_fractional_and_named_values_are_no_tails(file):
    table = numbered(4, 300, 400)
    for values in (table[:, 2] - 5, table[:, 2] + 0.5):
        assert Network.from_edges(table[:, 0], table[:, 1], values).n_listed == 400
        assert Network.from_edges(np.column_stack([table[:, :2], values])).n_listed == 400
    assert Network.from_file(file("user\titem\tcount\n" + as_lines(table))).n_listed == 400
    named = [(f"u{head}", f"r{relation}", tail) for head, relation, tail in table.tolist()]
    assert Network.from_edges(named).n_listed == 400
