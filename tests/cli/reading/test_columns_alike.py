"""Text and Parquet files with the same columns: what is understood and assumed, by one rule."""

from __future__ import annotations

import gzip

import pandas
import pytest

from latentlink.cli.option_words import in_options
from latentlink.cli.reading.data_file import DataOptions, read_data
from latentlink.cli.reading.pair_file import read_pairs
from latentlink.cli.reading.table_layout import ColumnOptions
from latentlink.errors import InputError

KINDS = ("csv", "tsv", "csv.gz", "parquet")
PROTEINS = {
    "Uniprot_A": ["P1", "P2", "P3"],
    "Uniprot_B": ["P2", "P3", "P1"],
    "Interaction": [1, 0, 1],
    "idx_a": [0, 1, 2],
    "idx_b": [1, 2, 0],
}
INHIBITS = {"one": ["a", "b", "c", "a"], "relation": ["inhibits"] * 3 + ["binds"], "other": [*"bcdd"]}


def written(columns, kind, folder):
    """Return the path of a table as text or as Parquet."""
    path, frame = folder / f"table.{kind}", pandas.DataFrame(columns)
    if kind == "parquet":
        frame.to_parquet(path)
    else:
        text = frame.to_csv(sep="\t" if kind == "tsv" else ",", index=False).encode()
        path.write_bytes(gzip.compress(text) if kind.endswith("gz") else text)
    return str(path)


def read(file, nodes=None, **columns):
    return read_data(file, DataOptions(columns=ColumnOptions(**columns), nodes=nodes))


def of_columns(data):
    """Return what was assumed, without what only text has."""
    only_text = ("fields are separated", "line 1 is the header")
    return [each for each in data.assumed if not each.startswith(only_text)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("columns", "given", "assumed"),
    [
        (PROTEINS, {}, "source: 'Uniprot_A', target: 'Uniprot_B', value: 'Interaction'"),
        (PROTEINS, {}, "not read: 'idx_a', 'idx_b'"),
        (PROTEINS, {"source": "idx_a", "target": "4"}, "source: 'idx_a', target: 'idx_b'"),
        (PROTEINS, {"value": "2"}, "source: 'Uniprot_A', target: 'Uniprot_B', value: 'Interaction'"),
        (PROTEINS, {}, "both columns have one name (Uniprot_A, Uniprot_B), so that nodes are of one kind"),
        (
            {"count": [3, 5, 2], "user": [*"abc"], "item": [*"xyz"]},
            {},
            "count is a value to be predicted (--weight count: the strength of a link)",
        ),
        ({"drug": [*"ab"], "target": [*"xy"], "bound": [1, 0]}, {}, "value: 'bound'"),
    ],
)
def test_columns_are_found_and_told_alike(kind, columns, given, assumed, tmp_path):
    data = read(written(columns, kind, tmp_path), **given)
    assert any(assumed in each for each in data.assumed)
    text = read(written(columns, "tsv", tmp_path), **given)
    assert data.network == text.network
    assert of_columns(data) == of_columns(text)


@pytest.mark.parametrize("kind", KINDS)
def test_the_advice_for_many_columns_is_in_options(kind, tmp_path):
    columns = {"when": ["x"], "drug": ["a"], "target": ["y"], "bound": [1]}
    with pytest.raises(InputError) as error:
        read(written(columns, kind, tmp_path))
    assert "--source 'drug' --target 'target' --value 'bound'" in in_options(str(error.value))


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_to_predict_are_found_alike(kind, tmp_path):
    for columns in (PROTEINS, {"score": [5, 4, 1], "user": ["P1", "P2", "P3"], "item": ["P2", "P3", "P1"]}):
        rows, cols = read_pairs(written(columns, kind, tmp_path), ColumnOptions(matrix=False))
        assert (rows.tolist(), cols.tolist()) == (["P1", "P2", "P3"], ["P2", "P3", "P1"])
    columns = {"source": ["P1"], "target": ["P2"], "note": ["?"]}
    assert read_pairs(written(columns, kind, tmp_path), ColumnOptions(matrix=False))[1].tolist() == ["P2"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_relation_has_a_direction(kind, tmp_path):
    data = read(written(INHIBITS, kind, tmp_path), relation="inhibits")
    assert data.understood.endswith("directed")
    said = "a relation goes from head to tail, so that links have a direction (else --symmetric)"
    assert said in data.assumed
    assert "source: 'one', target: 'other'" in data.assumed
    assert "only the relation 'inhibits'" in data.assumed
    undirected = read(written(INHIBITS, kind, tmp_path), nodes="symmetric", relation="inhibits")
    assert undirected.understood.endswith("undirected")


def test_a_relation_of_which_every_pair_goes_both_ways_has_no_direction(tmp_path):
    both = {"head": [*"abbc"], "relation": ["binds"] * 4, "tail": [*"bacb"]}
    assert read(written(both, "tsv", tmp_path), relation="binds").understood.endswith("undirected")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", ["subject object predicate", "object predicate subject", "p s o"])
@pytest.mark.parametrize("given", [{}, {"source": "subject"}, {"target": "object"}])
def test_triples_in_any_order(kind, order, given, tmp_path):
    names = dict(zip("spo", ("subject", "predicate", "object"), strict=True))
    columns = {"subject": [*"abc"], "predicate": ["inhibits", "binds", "inhibits"], "object": [*"bca"]}
    labels = order.split()
    ordered = {label: columns[names.get(label, label)] for label in labels}
    if given and "s" in labels:
        given = {end: name[0] for end, name in given.items()}
    network = read(written(ordered, kind, tmp_path), relation="inhibits", **given).network
    assert sorted(zip(*network.node_names(network.rows, network.cols), strict=True)) == [
        ("a", "b"),
        ("c", "a"),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_relation_in_another_column_is_told_with_the_options(kind, tmp_path):
    path = written({"a": [*"xyz"], "b": [*"yzx"], "kind": ["inhibits", "binds", "binds"]}, kind, tmp_path)
    with pytest.raises(InputError) as error:
        read(path, relation="inhibits")
    given = "--source 'a' --target 'b'" if kind == "parquet" else "--source 0 --target 1"
    message = in_options(str(error.value))
    assert (
        f"expected the relation between head and tail. Give the columns of head and tail: {given}." in message
    )
    source, target = ("a", "b") if kind == "parquet" else ("0", "1")
    assert read(path, relation="inhibits", source=source, target=target).network.n_known == 1


def test_a_column_that_is_missing_or_there_twice(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("gene,gene,score\na,b,1\nb,c,0\n")
    with pytest.raises(InputError) as error:
        read(str(path), source="gene")
    assert str(error.value) == (
        "2 columns are named 'gene'; expected one. Give a position instead: 0, 1, counted from 0."
    )
    with pytest.raises(InputError) as error:
        read(str(path), source="genes")
    assert str(error.value) == (
        "There is no column 'genes'; expected one of 'gene', 'gene', 'score', or a position from 0 to 2."
    )
    assert read(str(path), source="0", target="1", value="score").network.n_known == 2


def test_numbers_name_columns_of_parquet(tmp_path):
    path = written({"2": [*"ab"], "0": [*"xy"], "1": [1, 0]}, "parquet", tmp_path)
    assert read(path, source="2", target="0").network.row_names.tolist() == ["a", "b"]


@pytest.mark.parametrize("given", [{}, {"source": "a"}])
def test_a_parquet_file_is_no_matrix(given, tmp_path):
    path = written({"a": ["x"], "b": ["y"]}, "parquet", tmp_path)
    with pytest.raises(InputError, match="--matrix is given"):
        read(path, matrix=True, **given)


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_of_file_is_recorded(kind, tmp_path):
    assert not read(written(PROTEINS, kind, tmp_path)).matrix
    (tmp_path / "matrix.csv").write_text(",a,b,c,d\nx,1,0,,1\ny,0,,1,1\n")
    assert read(str(tmp_path / "matrix.csv")).matrix
