"""Reading of data files: what was understood, and what was assumed."""

from __future__ import annotations

import gzip
import io

import numpy as np
import pandas
import pytest
import scipy.io
import scipy.sparse

from latentlink.cli.reading.data_file import DataOptions, read_data
from latentlink.cli.reading.pair_file import read_pairs
from latentlink.cli.reading.standard_input import data_file, suffix_of
from latentlink.cli.reading.table_layout import ColumnOptions
from latentlink.errors import InputError

EDGES = [("ann", "bob"), ("bob", "eve"), ("eve", "joe")]


@pytest.fixture
def path(tmp_path):
    """Return a function that writes a file and returns its path as text."""

    def write(content, name="links.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def read(file, **options):
    columns = {
        name: options.pop(name) for name in list(options) if name in ColumnOptions.__dataclass_fields__
    }
    return read_data(file, DataOptions(columns=ColumnOptions(**columns), **options))


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "::", " "])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_lists_of_links_in_all_delimiters(delimiter, header, packed, path):
    lines = [("source", "target")] * header + EDGES
    text = "".join(delimiter.join(line) + "\n" for line in lines).encode()
    file = path(gzip.compress(text) if packed else text, "links.txt" + ".gz" * packed)
    data = read(file)
    assert data.understood == "4 nodes, 3 links, 0 non-links, 3 pairs unknown, undirected"
    assert data.network.row_names.tolist() == ["ann", "bob", "eve", "joe"]
    assert any("--bipartite" in each for each in data.assumed)
    assert any("--directed" in each for each in data.assumed)


def test_what_the_user_says_is_not_assumed(path):
    file = path("ann,bob\nbob,eve\n")
    for nodes, kind in (
        ("symmetric", "undirected"),
        ("directed", "directed"),
        ("bipartite", "two kinds of nodes"),
    ):
        data = read(file, nodes=nodes)
        assert data.understood.endswith(kind)
        assert not any("else --" in each and "header" not in each for each in data.assumed)


def test_columns_by_name_among_many(path):
    text = "Uniprot_A,Uniprot_B,Interaction,idx_a,idx_b\nP1,P2,1,0,1\nP2,P3,0,1,2\n"
    data = read(path(text))
    assert data.understood == "3 nodes, 1 link, 1 non-link, 1 pair unknown, undirected"
    assert any("not read: 'idx_a', 'idx_b'" in each for each in data.assumed)


def test_a_fourth_column_is_left_unread_only_if_it_has_times(path):
    data = read(path("196\t242\t3\t881250949\n186\t302\t3\t891717742\n22\t377\t1\t878887116\n"))
    assert "not read: column 3 (counted from 0)" in data.assumed
    with pytest.raises(InputError, match="found 4 columns"):
        read(path("196\t242\t3\t88\n186\t302\t3\t89\n22\t377\t1\t90\n"))


@pytest.mark.parametrize(
    "given",
    [
        {"source": "who", "target": "what", "value": "stars"},
        {"source": "1", "target": "2", "value": "3"},
        {"source": "who", "target": "2", "value": "stars"},
    ],
)
def test_columns_by_name_or_position(given, path):
    data = read(path("time,who,what,stars\n9,u1,i1,4.5\n8,u2,i1,2\n"), **given)
    assert (
        data.understood == "2 rows x 1 column, 2 values from 2 to 4.5, 0 entries unknown, two kinds of nodes"
    )


def test_a_number_names_a_column_if_there_is_a_header(path):
    data = read(path("2,1,0\nu1,i1,4\nu2,i2,3\n"), source="2", target="1", value="0", header=True)
    assert data.network.row_names.tolist() == ["u1", "u2"]


def test_columns_that_are_not_given_are_filled(path):
    file = path("user,item,rating\nu1,i1,4\nu2,i2,2\n")
    assert "values from 2 to 4" in read(file, value="rating").understood
    assert read(file, source="item", target="user").network.row_names.tolist() == ["i1", "i2"]


WEIGHTED = "source,target,weight\nann,bob,3\nbob,eve,1\neve,joe,2\n"


def test_a_column_that_may_be_a_strength_is_a_value_unless_the_user_says_so(path):
    data = read(path(WEIGHTED))
    assert "3 values from 1 to 3" in data.understood
    assert "weight is a value to be predicted (--weight weight: the strength of a link)" in data.assumed
    data = read(path(WEIGHTED), weight="weight")
    assert data.understood == "4 nodes, 3 links, 0 non-links, 3 pairs unknown, undirected"
    assert sorted(data.network.weights) == [1, 2, 3]
    assert "every listed pair is a link (else --value), and weight is its strength" in data.assumed
    assert not any("to be predicted" in each for each in data.assumed)


@pytest.mark.parametrize("given", [{"weight": "2"}, {"source": "0", "target": "1", "weight": "2"}])
def test_a_strength_by_position(given, path):
    file = path(WEIGHTED.partition("\n")[2])
    assert sorted(read(file, **given).network.weights) == [1, 2, 3]
    assert not any("--weight" in each for each in read(file).assumed)


def test_a_value_and_a_strength(path):
    text = "a,b,kind,times\nx,y,1,3\ny,z,0,2\nz,w,1,5\n"
    data = read(path(text), source="a", target="b", value="kind", weight="times")
    assert data.network.values.sum() == 2
    assert sorted(data.network.weights) == [2, 3, 5]
    assert "times is its strength" in data.assumed


@pytest.mark.parametrize(
    "text",
    [
        "source,target,weight\na,b,1\nb,c,0\n",
        "source,target,weight\na,b,1\nb,c,2\n",
        "source,target,weight\na,b,-1\nb,c,2\nc,d,3\n",
        "user,item,rating\na,b,1\nb,c,2\nc,d,3\n",
    ],
)
def test_labels_and_ratings_are_values_without_a_word(text, path):
    assert not any("--weight" in each for each in read(path(text)).assumed)


def test_strengths_of_parquet(tmp_path):
    table = pandas.DataFrame({"one": ["a", "b"], "other": ["b", "c"], "times": [2, 5]})
    table.to_parquet(tmp_path / "links.parquet")
    for given in ({"source": "one", "target": "other"}, {}, {"source": "0"}):
        data = read(str(tmp_path / "links.parquet"), weight="times", **given)
        assert sorted(data.network.weights) == [2, 5]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"source": "nobody"}, "no column 'nobody'; expected one of 'user', 'item', 'rating', or a position"),
        ({"source": "7"}, "no column '7'"),
        ({"relation": "r"}, "relation"),
    ],
)
def test_invalid_columns_raise(given, sentence, path):
    with pytest.raises(InputError, match=sentence):
        read(path("user,item,rating\nu1,i1,4\n"), **given)


def test_one_relation_of_triples(path):
    file = path("a\tknows\tb\na\tlikes\tc\nb\tknows\tc\n", "triples.tsv")
    assert read(file, relation="knows").network.n_known == 2
    with pytest.raises(InputError, match="triples"):
        read(file)


@pytest.mark.parametrize(
    "header", ["head relation tail", "source relation target", "gene1 rel gene2", "subject predicate object"]
)
@pytest.mark.parametrize("ends", ["", "source", "target", "source target"])
def test_one_relation_of_triples_with_a_header(header, ends, path):
    names = header.split()
    lines = [names, *(f"g{i} {'knows' if i % 2 else 'likes'} g{i * i % 7}".split() for i in range(1, 9))]
    file = path("".join("\t".join(line) + "\n" for line in lines), "triples.tsv")
    given = {end: names[0 if end == "source" else 2] for end in ends.split()}
    network = read(file, relation="knows", nodes="directed", **given).network
    pairs = zip(*network.node_names(network.rows, network.cols), strict=True)
    assert sorted(pairs) == [("g1", "g1"), ("g3", "g2"), ("g5", "g4"), ("g7", "g0")]
    with pytest.raises(InputError, match=f"line 1: found '{names[0]}', '{names[1]}', '{names[2]}'"):
        read(file)


def test_repeated_pairs_count_once_and_conflicts_raise(path):
    data = read(path("a,b,1\nb,a,1\nb,c,0\na,b,1\n"), nodes="symmetric")
    assert data.network.n_known == 2
    assert "2 pairs were listed again and counted once" in data.assumed
    file = path("a,b,1\na,b,0\nb,c,1\n")
    with pytest.raises(InputError, match=r"line 1 has the value 1 and .*line 2 has 0 \(a conflict"):
        read(file, nodes="symmetric")
    resolved = read(file, nodes="symmetric", conflicts="drop")
    assert resolved.network.n_known == 1
    assert any("1 pair had different values and was removed" in each for each in resolved.assumed)


def test_a_matrix_with_holes(path):
    data = read(path(",a,b,c,d\nx,1,0,,1\ny,0,,1,1\n"))
    assert (
        data.understood == "2 rows x 4 columns, 4 links, 2 non-links, 2 entries unknown, two kinds of nodes"
    )
    assert "it is a matrix, a line for each row" in data.assumed


@pytest.mark.parametrize("rows", [range(1, 9), [f"s{row}" for row in range(8)]], ids=["numbers", "names"])
@pytest.mark.parametrize("stem", ["gene", "protein", "node", "id", "uniprot", "entity", "feat"])
@pytest.mark.parametrize("letters", [False, True])
def test_a_table_of_counted_columns_is_a_matrix(stem, rows, letters, path):
    values = np.random.default_rng(0).integers(0, 9, (8, 4))
    columns = [f"{stem}{'abcd'[at] if letters else at + 1}" for at in range(4)]
    frame = pandas.DataFrame(values, index=pandas.Index(rows, name="id"), columns=columns)
    network = read(path(frame.to_csv())).network
    np.testing.assert_array_equal(network.to_dense(), values)
    assert network.col_names.tolist() == columns


def test_a_matrix_that_equals_its_transpose_is_undirected(path):
    data = read(path(",a,b,c,d\na,0,1,0,1\nb,1,0,1,0\nc,0,1,0,1\nd,1,0,1,0\n"))
    assert data.understood == "4 nodes, 4 links, 2 non-links, 0 pairs unknown, undirected"
    assert any("equals its transpose" in each for each in data.assumed)
    assert (
        "two kinds"
        in read(path(",a,b,c,d\na,0,1,0,1\nb,1,0,1,0\nc,0,1,0,1\nd,1,0,1,0\n"), nodes="bipartite").understood
    )


def test_a_list_is_no_matrix_if_the_user_says_so(path):
    file = path("1,2,3,4,5,6\n5,6,7,8,9,0\n9,1,2,3,4,4\n")
    assert read(file).network.shape == (3, 6)
    with pytest.raises(InputError, match="found 6 columns"):
        read(file, matrix=False)
    assert read(file, source="0", target="1", header=False).network.n_known == 3


@pytest.mark.parametrize("delimiter", ["\t", "::"])
def test_ratings_with_times_are_no_matrix(delimiter, path):
    lines = [("196", "242", "3", "881250949"), ("186", "302", "4", "891717742")]
    data = read(path("\n".join(map(delimiter.join, lines)), "u.data"))
    assert "2 values from 3 to 4" in data.understood


def test_values_become_links(path):
    data = read(path("a,b,3\nb,c,1\n"), binarize=2.0, nodes="symmetric")
    assert "1 link, 1 non-link" in data.understood
    assert data.assumed[-1] == "values above 2 became 1 (1), all others 0 (1)"


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".mtx", ".mtx.gz", ".parquet"])
def test_binary_formats(suffix, tmp_path):
    links, path = np.array([[0, 1.0, 1], [0, 0, 1]]), tmp_path / f"data{suffix}"
    sparse, memory = scipy.sparse.coo_array(links), io.BytesIO()
    if suffix == ".npy":
        np.save(path, links)
    elif suffix == ".npz":
        scipy.sparse.save_npz(path, sparse)
    elif suffix == ".parquet":
        pandas.DataFrame({"source": ["a", "a", "b"], "target": ["y", "z", "z"]}).to_parquet(path)
    else:
        scipy.io.mmwrite(memory, sparse)
        path.write_bytes(gzip.compress(memory.getvalue()) if suffix.endswith(".gz") else memory.getvalue())
    data = read(str(path))
    expected = {".npy": "3 links, 3 non-links, 0 entries", ".parquet": "3 links, 0 non-links, 1 entry"}
    assert expected.get(suffix, "3 links, 0 non-links, 3 entries") in data.understood
    assert any("--unstored zero" in each for each in data.assumed) == suffix.startswith((".npz", ".mtx"))
    assert all(data.assumed)  # no empty one
    assert all(each[0].islower() for each in data.assumed)  # they are parts of one sentence


def test_what_a_sparse_matrix_of_values_does_not_store_is_zero(tmp_path):
    path = tmp_path / "counts.npz"
    scipy.sparse.save_npz(path, scipy.sparse.csr_array(np.array([[0, 2.0], [3, 0]])))
    data = read(str(path))
    assert data.network.background == 1
    assert any("--unstored unknown" in each for each in data.assumed)
    assert read(str(path), unstored="unknown").network.background == 0


def test_a_dense_matrix_market_file(tmp_path):
    scipy.io.mmwrite(tmp_path / "dense.mtx", np.array([[1.0, 2], [3, 4], [5, 6]]))
    assert "6 values from 1 to 6, 0 entries unknown" in read(str(tmp_path / "dense.mtx")).understood


@pytest.mark.parametrize("name", ["nowhere.csv", "."])
def test_files_that_are_none(name, tmp_path):
    with pytest.raises(InputError, match=r"no file|is a folder"):
        read(str(tmp_path / name))


# ---------------------------------------------------------------- standard input and pairs


@pytest.mark.parametrize("suffix", [".txt", ".npy", ".txt.gz", ".parquet", ".mtx", ".mtx.gz"])
def test_standard_input_tells_its_format(suffix):
    memory = io.BytesIO()
    if suffix == ".npy":
        np.save(memory, np.eye(2))
    elif suffix == ".parquet":
        pandas.DataFrame({"a": ["x"], "b": ["y"]}).to_parquet(memory)
    elif suffix.startswith(".mtx"):
        scipy.io.mmwrite(memory, np.eye(2))
        if suffix.endswith(".gz"):
            memory = io.BytesIO(gzip.compress(memory.getvalue()))
    else:
        memory.write(gzip.compress(b"a,b\n") if suffix == ".txt.gz" else b"a,b\nc,d\n")
    content = memory.getvalue()
    with data_file("-", io.BytesIO(content)) as path:
        assert path.endswith(suffix)
        with open(path, "rb") as file:
            assert file.read() == content
    assert suffix_of(content) == suffix


def test_a_named_file_is_not_copied():
    with data_file("links.csv") as path:
        assert path == "links.csv"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("b,a\na,b\nb,a\n", {}),
        ("source,target\nb,a\na,b\nb,a\n", {}),
        ("x,source,target,score\n1,b,a,3\n1,a,b,3\n1,b,a,3\n", {}),
        ("b;a;0.3\na;b;1\nb;a;0\n", {}),
        ("to_,from_\na,b\nb,a\na,b\n", {"source": "from_", "target": "to_"}),
    ],
)
def test_pairs_are_read_in_their_order_and_as_often(text, options, path):
    rows, cols = read_pairs(path(text), ColumnOptions(matrix=False, **options))
    assert rows.tolist() == ["b", "a", "b"]
    assert cols.tolist() == ["a", "b", "a"]
