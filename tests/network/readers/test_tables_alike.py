"""Text, frames and Parquet files with the same columns: one rule, and one record of what was read."""

from __future__ import annotations

import pandas
import pytest

from latentlink.errors import InputError
from latentlink.network import Network

TRIPLES = {
    "head": ["E0", "E1", "E2", "E0"],
    "relation": ["inhibits", "binds", "inhibits", "binds"],
    "tail": ["E1", "E2", "E0", "E2"],
}
HEADERS = [
    ("head", "relation", "tail"),
    ("subject", "predicate", "object"),
    ("source", "relation", "target"),
    ("subject_id", "predicate_id", "object_id"),
    ("h", "r", "t"),
    ("s", "p", "o"),
]
ORDERS = [(0, 1, 2), (0, 2, 1), (2, 1, 0), (1, 0, 2), (1, 2, 0), (2, 0, 1)]


def written(frame, kind, folder):
    """Return the path of a table as text or as Parquet."""
    path = folder / f"table.{kind}"
    if kind == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, sep="\t" if kind == "tsv" else ",", index=False)
    return path


def pairs(network):
    return sorted(zip(*network.node_names(network.rows, network.cols), strict=True))


@pytest.mark.parametrize("kind", ["tsv", "csv", "parquet"])
@pytest.mark.parametrize("header", HEADERS, ids="-".join)
@pytest.mark.parametrize("order", ORDERS)
def test_triples_are_known_by_their_header_in_any_order(kind, header, order, tmp_path):
    frame = pandas.DataFrame(dict(zip(header, TRIPLES.values(), strict=True)))
    path = written(frame[[header[at] for at in order]], kind, tmp_path)
    network = Network.from_file(path, relation="inhibits", square=True)
    assert pairs(network) == [("E0", "E1"), ("E2", "E0")]
    sentence = network.history[0].sentence
    assert f"row: {header[0]!r}, column: {header[2]!r}. Only the relation 'inhibits'" in sentence
    assert ("Line 1 is the header" in sentence) == (kind != "parquet")


@pytest.mark.parametrize("order", [(0, 2, 1), (1, 0, 2)])
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("kind", ["tsv", "parquet"])
def test_a_relation_in_another_column_is_found(order, named, kind, tmp_path):
    header = [("one", "kind", "other")[at] for at in order]
    frame = pandas.DataFrame({header[n]: [*TRIPLES.values()][at] for n, at in enumerate(order)})
    path = written(frame, kind, tmp_path)
    by_name = named or kind == "parquet"
    ends = [at for at in range(3) if header[at] != "kind"]
    given = tuple(header[at] if by_name else at for at in ends)
    with pytest.raises(InputError) as error:
        Network.from_file(path, relation="inhibits", **({"header": True} if named and kind == "tsv" else {}))
    shown = f"columns={given!r}"
    assert f"Give the columns of head and tail: {shown}." in str(error.value)
    found = "'kind'" if by_name else f"column {order.index(1)} (counted from 0)"
    assert f"but in {'column ' * by_name}{found}; expected" in str(error.value)
    assert pairs(Network.from_file(path, relation="inhibits", columns=given)) == [("E0", "E1"), ("E2", "E0")]


@pytest.mark.parametrize("kind", ["tsv", "parquet"])
def test_a_relation_that_is_nowhere_is_named_with_the_others(kind, tmp_path):
    path = written(pandas.DataFrame(TRIPLES), kind, tmp_path)
    with pytest.raises(InputError, match=r"the relations are 'binds', 'inhibits'\. Nearest: 'inhibits'"):
        Network.from_file(path, relation="inhibit")


def test_a_header_of_triples_that_is_denied_is_data(tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text("subject\tobject\tpredicate\na\tinhibits\tb\n")
    assert Network.from_file(path, relation="inhibits", header=False).n_listed == 1


@pytest.mark.parametrize("header", ["subject\tobject\tpredicate", "tail\trelation\thead", "p\ts\to"])
def test_triples_in_any_order_are_not_read_as_pairs(header, tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text(f"{header}\n1\t2\t1\n1\t3\t2\n")
    with pytest.raises(InputError, match="seems to hold triples"):
        Network.from_file(path)


def test_rows_of_a_relation_in_parquet_are_those_of_the_file(tmp_path):
    frame = pandas.DataFrame({**TRIPLES, "tail": ["E1", "E2", "E1", "E2"], "head": ["E0", "E1", "E0", "E0"]})
    frame.to_parquet(tmp_path / "x.parquet")
    with pytest.raises(InputError, match=r"row 0 \(counted from 0\) .* row 2 \(counted from 0\)"):
        Network.from_file(tmp_path / "x.parquet", relation="inhibits")


def test_frames_and_parquet_record_their_columns_as_text_does(tmp_path):
    frame = pandas.DataFrame({"rating": [5, 3], "user": ["ann", "bob"], "item": ["tea", "rum"]})
    read = [Network.from_file(written(frame, kind, tmp_path)) for kind in ("tsv", "parquet")]
    columns = "row: 'user', column: 'item', value: 'rating'."
    for network in (*read, Network.from_edges(frame)):
        assert columns in network.history[0].sentence
    two = [
        Network.from_file(written(frame, k, tmp_path), columns=("user", "item")) for k in ("tsv", "parquet")
    ]
    for network in (*two, Network.from_edges(frame, columns=("user", "item"))):
        assert "row: 'user', column: 'item'. Not read: 'rating'." in network.history[0].sentence


@pytest.mark.parametrize(
    ("labels", "example"),
    [
        (["when", "drug", "target", "bound"], "'drug', 'target', 'bound'"),
        (["id", "chemical", "gene", "year", "score"], "'chemical', 'gene', 'score'"),
        (["miRNA", "disease", "dose", "label"], "'miRNA', 'disease', 'label'"),
        (["source", "target", "value", "__index_level_0__"], "'source', 'target', 'value'"),
    ],
)
def test_the_advice_for_many_columns_is_one_that_helps(labels, example, tmp_path):
    frame = pandas.DataFrame([[f"x{at}" for at in range(len(labels) - 1)] + [1]] * 2, columns=labels)
    for read in (
        lambda: Network.from_edges(frame),
        lambda: Network.from_file(written(frame, "parquet", tmp_path)),
        lambda: Network.from_file(written(frame, "tsv", tmp_path), header=True),
    ):
        with pytest.raises(InputError) as error:
            read()
        assert f"for example columns=({example})" in str(error.value)
