"""Columns of a list in another order than row, column and value: their names tell, or an error asks."""

from __future__ import annotations

import pandas
import polars
import pyarrow
import pytest
from pyarrow import parquet

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.readers.text.header import node_labels
from latentlink.network.readers.text.named_columns import columns_by_name, suggested_columns

RECORDS = {"user": [1, 1, 2, 3], "item": [7, 8, 7, 9], "rating": [5, 3, 4, 1]}
WORDS = {"user": ["ann", "ann", "bob", "eve"], "item": ["tea", "milk", "tea", "rum"], "rating": [5, 3, 4, 1]}
ORDERS = [
    ("rating", "user", "item"),
    ("user", "rating", "item"),
    ("user", "item", "rating"),
    ("rating", "item", "user"),
]


def as_csv(columns, delimiter=","):
    lines = [columns, *zip(*columns.values(), strict=True)]
    return "".join(delimiter.join(map(str, line)) + "\n" for line in lines)


@pytest.mark.parametrize("records", [RECORDS, WORDS], ids=["numbers", "words"])
@pytest.mark.parametrize("order", ORDERS, ids=",".join)
class TestInAnyOrder:
    def expected(self, records, order):
        rows, cols = (name for name in order if name != "rating")
        return Network.from_edges(
            list(map(str, records[rows])), list(map(str, records[cols])), records["rating"]
        )

    def test_of_a_file(self, records, order, file):
        content = as_csv({name: records[name] for name in order})
        network = Network.from_file(file(content))
        assert network == self.expected(records, order)
        assert "value: 'rating'" in network.history[0].sentence
        assert Network.from_file(file(content), header=True) == network

    def test_of_a_parquet_file(self, records, order, tmp_path):
        parquet.write_table(pyarrow.table({name: records[name] for name in order}), tmp_path / "x.parquet")
        assert Network.from_file(tmp_path / "x.parquet") == self.expected(records, order)

    @pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
    def test_of_a_frame(self, records, order, library):
        named = {name: list(map(str, records[name])) if name != "rating" else records[name] for name in order}
        assert Network.from_edges(library(named)) == self.expected(records, order)


@pytest.mark.parametrize(
    ("labels", "doubtful", "kind", "example"),
    [
        (["rating", "reviewer", "book"], "rating", "value", "'reviewer', 'book', 'rating'"),
        (["reviewer", "book_score", "book"], "book_score", "value", "'reviewer', 'book', 'book_score'"),
        (["user", "item", "timestamp"], "timestamp", "time", "'user', 'item'"),
        (
            ["user_id:token", "item_id:token", "timestamp:float"],
            "timestamp:float",
            "time",
            "'user_id:token', '",
        ),
        (["timestamp", "user", "item"], "item", "node", "'user', 'item'"),
        (["Unnamed: 0", "user", "item"], "item", "node", "'user', 'item')"),
        (["", "source", "target"], "target", "node", "'source', 'target')"),
    ],
    ids=str,
)
def test_columns_that_their_names_do_not_settle_raise(labels, doubtful, kind, example, file):
    frame = pandas.DataFrame([[1, 5, 2], [2, 6, 1], [3, 5, 2]], columns=labels)
    with pytest.raises(InputError) as error:
        Network.from_edges(frame)
    message = str(error.value)
    assert f"but {doubtful!r} is the name of a {kind}. Give the columns of row, column and value" in message
    assert f"for example columns=({example}" in message
    assert Network.from_edges(frame, columns=labels).n_listed == 3
    path = file(frame.to_csv(index=False))
    with pytest.raises(InputError, match=f"line 1: found the columns .* is the name of a {kind}"):
        Network.from_file(path, header=True)
    assert Network.from_file(path, columns=(0, 1, 2), header=True).n_listed == 3


def test_the_whole_message_about_columns():
    with pytest.raises(InputError) as error:
        columns_by_name(["rating", "reviewer", "book"], "The frame has")
    assert str(error.value) == (
        "The frame has the columns 'rating', 'reviewer', 'book'; in this order 'rating' is the row, "
        "'reviewer' is the column, 'book' is the value, but 'rating' is the name of a value. Give the "
        "columns of row, column and value, or of row and column alone, for example columns=('reviewer', "
        "'book', 'rating'); if this order is meant, columns=('rating', 'reviewer', 'book')."
    )


def test_two_columns_of_which_one_is_a_value():
    frame = pandas.DataFrame({"user": [1, 2], "rating": [5, 4]})
    with pytest.raises(InputError, match=r"If both are nodes, say so: columns=\('user', 'rating'\)\.$"):
        Network.from_edges(frame)
    assert Network.from_edges(frame, columns=("user", "rating")).n_listed == 2


@pytest.mark.parametrize(
    "labels",
    [
        ["user", "item", "rating"],
        ["u", "i", "r"],
        [0, 1, 2],
        ["a", "b"],
        ["source", "target"],
        ["source", "target", "weight"],
        ["drug", "protein", "affinity"],
        ["athlete", "event", "time"],
        ["user", "film", "watch_time"],
        ["country", "year", "gdp"],
        ["sensor", "time", "value"],
        ["class", "student", "grade"],
        ["gene number", "tissue", "tpm"],
        ["user", "item", "target"],
        ["weight", "height", "value"],
        ["x", "y", "z"],
        ["node1", "node2", "label"],
        ["link", "page", "clicks"],
    ],
    ids=str,
)
def test_names_that_do_not_contradict_the_order(labels):
    assert columns_by_name(labels, "The frame has") is None


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (["rating", "user", "item", "timestamp"], (1, 2, 0)),
        (["Unnamed: 0", "user", "item", "rating"], (1, 2, 3)),
        (["user", "item", "rating", "timestamp"], (0, 1, 2)),
        (["a", "b", "c", "d"], (0, 1, 2)),
        ([0, 1, 2, 3, 4], (0, 1, 2)),
    ],
    ids=str,
)
def test_more_columns_are_asked_for_by_their_names(labels, columns, file):
    assert suggested_columns(labels) == columns
    frame = pandas.DataFrame([range(len(labels))], columns=labels)
    example = ", ".join(repr(labels[position]) for position in columns)
    with pytest.raises(InputError) as error:
        Network.from_edges(frame)
    assert f"for example columns=({example})" in str(error.value)
    with pytest.raises(InputError) as error:
        Network.from_file(file(frame.to_csv(index=False)), header=True)
    assert f"for example columns=({', '.join(repr(str(labels[each])) for each in columns)})" in str(
        error.value
    )


@pytest.mark.parametrize("labels", [["head", "relation", "tail"], ["head", "tail", "relation"]], ids=str)
def test_triples_under_their_usual_labels_are_a_network_for_each_relation(labels, tmp_path):
    frame = pandas.DataFrame([[1, 5, 2], [2, 6, 1], [3, 5, 2]], columns=labels)
    advice = r"Each relation is a network of its own: .* the nodes alone, columns=\('head', 'tail'\)"
    with pytest.raises(InputError, match=advice):
        Network.from_edges(frame)
    frame.to_parquet(tmp_path / "triples.parquet")
    with pytest.raises(InputError, match=advice):
        Network.from_file(tmp_path / "triples.parquet")
    assert Network.from_edges(frame, columns=labels).n_listed == 3


COUNTED = ["gene1", "gene2"], ["Protein_A", "protein B"], ["id1", "id2"], ["node-1", "node-2"]


class TestCountedLabels:
    """Labels that count to two are the ends of a link; where the count goes on they are a table's columns."""

    @pytest.mark.parametrize("ends", COUNTED, ids=",".join)
    def test_two_are_nodes(self, ends):
        assert node_labels([*ends, "score"]) == [True, True, False]
        assert node_labels(["score", ends[1], ends[0]]) == [False, True, True]

    @pytest.mark.parametrize("ends", COUNTED, ids=",".join)
    def test_more_than_two_are_none(self, ends):
        following = ends[0].replace("1", "3").replace("A", "C")
        assert node_labels(["id", *ends, following]) == [False] * 4
        assert suggested_columns(["user", "item", *ends, following])[:2] == (0, 1)

    def test_a_count_may_begin_at_nought_or_have_gaps(self):
        assert not any(node_labels(["gene0", "gene1", "gene2"]))
        assert not any(node_labels(["gene1", "gene2", "gene17"]))

    def test_another_stem_and_a_plural_go_on_with_nothing(self):
        assert node_labels(["gene1", "gene2", "protein3", "genes"]) == [True, True, False, False]

    def test_a_frame_of_them_is_a_matrix(self):
        frame = pandas.DataFrame(
            {f"gene{number}": [0, 0, 1, 1, number] for number in range(1, 5)}, index=[*"vwxyz"]
        )
        assert Network.from_dense(frame).shape == (5, 4)

    def test_a_file_of_them_is_advised_to_be_read_as_a_matrix(self, file):
        content = "id,gene1,gene2,gene3\nann,5,3,0\nbob,0,4,1\n"
        with pytest.raises(InputError, match="If it is a matrix with a line for each row"):
            Network.from_file(file(content))


@pytest.mark.parametrize("label", ["id", "ID", "", "index", "Unnamed: 0"])
def test_numbers_of_the_lines_are_not_suggested_as_values(label):
    assert suggested_columns([label, "source", "target", "when"]) == (1, 2, 3)
    assert suggested_columns([label, "source", "target"]) == (1, 2)
