"""Text files that are matrices."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.readers.files import first_records
from latentlink.network.readers.text import text_matrix
from latentlink.network.readers.text.text_matrix import seems_a_matrix

VALUES = np.array([[1, 0, np.nan, 2.5], [np.nan, 1, 1, 0], [3, -1, 1e-3, 4]])


def assert_holds(network, values=VALUES):
    np.testing.assert_array_equal(network.to_dense(), values)


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_a_matrix_is_read_as_pandas_writes_it(names, header, separator, tmp_path):
    path = tmp_path / "matrix.txt"
    frame = pandas.DataFrame(VALUES, index=["a", "b", "c"], columns=["w", "x", "y", "z"])
    frame.to_csv(path, index=names, header=header, sep=separator, na_rep="NA")
    network = Network.from_file(path, matrix=True)
    assert_holds(network)
    assert (network.row_names is not None) == names
    assert (network.col_names is not None) == header
    if names:
        assert network.row_names.tolist() == ["a", "b", "c"]
    if header:
        assert network.col_names.tolist() == ["w", "x", "y", "z"]
    assert seems_a_matrix(first_records(path).records) == (names or header)


def test_numbers_of_unnamed_columns_are_a_header(tmp_path):
    for index in (True, False):
        pandas.DataFrame(VALUES).to_csv(tmp_path / "matrix.csv", index=index)
        assert_holds(Network.from_file(tmp_path / "matrix.csv", matrix=True))


def test_a_header_can_be_given(file):
    text = "1,2,3,4\n5,6,7,8\n"
    assert Network.from_file(file(text), matrix=True).shape == (2, 4)
    named = Network.from_file(file(text), matrix=True, header=True)
    assert named.col_names.tolist() == ["1", "2", "3", "4"]
    assert named.shape == (1, 4)


def test_a_symmetric_matrix_has_one_set_of_names(file):
    text = ",a,b,c,d\na,,1,0,1\nb,1,,1,0\nc,0,1,,1\nd,1,0,1,\n"
    network = Network.from_file(file(text), matrix=True, symmetric=True)
    assert network.symmetric
    assert network.n_known == 6
    assert network.row_names.tolist() == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (",a,b,c\nx,1,2,3\ny,1,oops,3\n", {}, r"line 3, column 2 .*'oops'; expected a finite number"),
        (",a,b,c\nx,1,2,3\ny,1,inf,3\n", {}, "line 3, column 2 .*inf; expected a finite number"),
        (",a,b,c\nx,1,2,3\ny,1\n", {}, "line 3: found 2 fields"),
        ("a,b,c\n", {"header": True}, "found a header and no data"),
        ("a\nb\n", {}, "found one column of names"),
        (",a,a\nx,1,2\n", {}, "'a'"),
        (",a,b,c\nx,1,2,3\n", {"columns": (0, 1)}, "columns=.* has no meaning"),
        (",a,b,c\nx,1,2,3\n", {"relation": "r"}, "relation='r' is given, but has no meaning"),
        (",a,b,c\nx,1,2,3\n", {"background": 1.0}, "background=1.0 is given, but has no meaning"),
        ("", {}, "the file is empty"),
    ],
)
def test_invalid_matrices_raise_with_line_and_value(text, options, sentence, file):
    with pytest.raises(InputError, match=sentence):
        Network.from_file(file(text), matrix=True, **options)


def test_other_formats_have_no_option_matrix(tmp_path):
    np.save(tmp_path / "x.npy", VALUES)
    pandas.DataFrame({"a": ["x"], "b": ["y"]}).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(InputError, match="matrix=True is given, but has no meaning"):
        Network.from_file(tmp_path / "x.parquet", matrix=True)
    with pytest.raises(InputError, match="matrix"):
        Network.from_file(tmp_path / "x.npy", matrix="yes")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a,b,c\nx,1,2\n", False),
        ("user,item,rating,time\n1,2,3,4\n", False),
        ("x,y,1,2\nz,w,3,4\n", False),
        ("gene,s1,s2,s3,s4\ng1,1,2,,4\n", True),
        (",s1,s2,s3\ng1,1,2,\n", True),
        ("gene,s1,s2,s3\ng1,1,2,3\n", False),
        ("1,2,3,4,5,6\n5,6,7,8,9,0\n", True),
        ("196\t242\t3\t881250949\n186\t302\t3\t891717742\n", False),
        ("source,target,p,q\n1,2,3,4\n", False),
    ],
)
def test_lists_and_matrices_are_told_apart(text, answer, file):
    assert seems_a_matrix(first_records(file(text)).records) == answer


# ---------------------------------------------------------------- names that are numbers


@pytest.mark.parametrize(
    ("text", "rows", "columns"),
    [
        ("name,2001,2002,2003\na,1,2,3\nb,4,5,6\n", ["a", "b"], ["2001", "2002", "2003"]),
        (",2001,2002,2003\na,1,2,3\nb,4,5,6\n", ["a", "b"], ["2001", "2002", "2003"]),
        ("place,2001,2002,2003\na,1.5,,3\nb,4,5,6.1\n", ["a", "b"], ["2001", "2002", "2003"]),
        ("gene_id,7,3,12\na,1.5,0.2,3\nb,4,5,6.1\n", ["a", "b"], ["7", "3", "12"]),
        ("id,x,y\n1,0.5,0.6\n2,0.1,0.7\n", ["1", "2"], ["x", "y"]),
        ("x,y,z\n1,0.5,0.6\n2,0.1,0.7\n", None, ["x", "y", "z"]),
        ("id,x,y\n1,0.5,0.6\n1,0.1,0.7\n", None, ["id", "x", "y"]),
        ("a,1.5,2,3\nb,4,5,6\n", ["a", "b"], None),
        ("a,2,2,3\nb,4,5,6\n", ["a", "b"], None),
        ("a,2,7,3\nb,4,5,6\nc,1,9,2\n", ["a", "b", "c"], None),
        ("name,0.5,0.7\nb,4,5\n", ["name", "b"], None),
    ],
)
def test_numbers_above_and_in_front(text, rows, columns, file):
    network = Network.from_file(file(text), matrix=True)
    assert (None if network.row_names is None else network.row_names.tolist()) == rows
    assert (None if network.col_names is None else network.col_names.tolist()) == columns


@pytest.mark.parametrize(
    "text",
    [
        "a,1,2,3\nb,4,5,6\n",
        "north,1990,1995,2010\nsouth,3,1.5,2\n",
        ",11,12\n5,1,2\n6,3,4\n",
        "north,10,20,30\na,1,2,3\nb,2,4,6\n",
    ],
)
def test_what_cannot_be_told_raises_with_both_ways_out(text, file):
    with pytest.raises(InputError, match=r"line 1: found .* header=True if .*, header=False if"):
        Network.from_file(file(text), matrix=True)
    named, unnamed = (Network.from_file(file(text), matrix=True, header=each) for each in (True, False))
    assert named.shape[0] + 1 == unnamed.shape[0]


# ---------------------------------------------------------------- wide ones


def test_a_matrix_of_many_columns_is_read(tmp_path):
    values = np.random.default_rng(0).integers(0, 9, (3, 30_000))
    names = [f"s{number}" for number in range(30_000)]
    path = tmp_path / "wide.csv"
    pandas.DataFrame(values, index=["a", "b", "c"], columns=names).to_csv(path)
    network = Network.from_file(path, matrix=True)
    np.testing.assert_array_equal(network.to_dense(), values)
    assert network.col_names.tolist() == names
    assert seems_a_matrix(first_records(path).records)
    with pytest.raises(InputError, match=r"found more than 10,000 columns") as caught:
        Network.from_file(path)
    assert len(str(caught.value)) < 700


def test_the_limit_of_columns_is_stated(file, monkeypatch):
    monkeypatch.setattr(text_matrix, "MOST_COLUMNS", 5)
    assert Network.from_file(file("1,2,3,4,5\n6,7,8,9,1\n"), matrix=True).shape == (2, 5)
    with pytest.raises(InputError, match="found more than 5 columns; expected at most"):
        Network.from_file(file("1,2,3,4,5,6\n6,7,8,9,1,1\n"), matrix=True)


def test_a_long_value_is_shortened_in_the_message(file):
    with pytest.raises(InputError, match=r"line 2, column 1 .*'zzz") as caught:
        Network.from_file(file("n,x,y\na," + "z" * 900_000 + ",1\nb,2,3\n"), matrix=True)
    assert len(str(caught.value)) < 400
