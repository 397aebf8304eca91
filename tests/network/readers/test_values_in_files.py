"""Values in files: digits, truth values, and what is said of numbers that cannot be read."""

from __future__ import annotations

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet
from scipy import sparse

from latentlink.errors import InputError
from latentlink.network import Network

BANNER = "%%MatrixMarket matrix coordinate {} general\n2 3 1\n"


@pytest.mark.parametrize("number", ["\u0663", "\uff11.\uff15", "1\u0663", "\u0967e2"])
def test_values_in_other_digits_raise(file, number):
    """Python reads them as numbers, the readers of matrices do not."""
    with pytest.raises(InputError, match=r"line 2, .*expected a finite number in digits 0 to 9, the value"):
        Network.from_file(file(f"a,b,1\nc,d,{number}\n"))
    with pytest.raises(InputError, match="expected a finite number, the value"):
        Network.from_file(file("a,b,1\nc,d,1_0\n"))
    with pytest.raises(InputError, match=r"The value of .* is .*; expected a finite number"):
        Network.from_edges([("a", "b", "1"), ("c", "d", number)])


def test_names_in_other_digits_are_kept(file):
    network = Network.from_file(file("\u0663,b,3\n\u0664,\uff11,2\n"))
    assert network.row_names.tolist() == ["\u0663", "\u0664"]
    assert network.col_names.tolist() == ["b", "\uff11"]


def test_spaces_of_other_alphabets_around_a_number_are_no_digits(file):
    assert Network.from_file(file("a,b,\u00a03\nc,d,2\u00a0\n")).values.tolist() == [3.0, 2.0]


def test_truth_values_of_parquet_are_numbers(tmp_path):
    columns = {"a": ["x", "y"], "b": ["u", "v"], "linked": [True, False], "weight": [True, True]}
    parquet.write_table(pyarrow.table(columns), tmp_path / "links.parquet")
    network = Network.from_file(tmp_path / "links.parquet", columns=("a", "b", "linked", "weight"))
    assert network.values.tolist() == [1.0, 0.0]
    assert network.weights.tolist() == [1.0, 1.0]
    with pytest.raises(InputError, match="column 'linked' is of type 'bool'; expected text or numbers"):
        Network.from_file(tmp_path / "links.parquet", columns=("a", "linked", "weight"))


@pytest.mark.parametrize(
    ("field", "line", "expected"),
    [
        ("integer", f"1 1 {'9' * 30}", "a whole number below 2^63, the value"),
        ("unsigned-integer", f"1 1 {'9' * 30}", "a whole number from 0 to 2^64, the value"),
        ("integer", f"1 {'9' * 30} 1", "a whole number below 2^63, the value"),
    ],
)
def test_huge_numbers_of_matrices(file, field, line, expected):
    with pytest.raises(InputError) as error:
        Network.from_file(file(BANNER.format(field) + line + "\n", "x.mtx"), unstored="zero")
    message = str(error.value)
    assert f"line 3: found '{line}'; expected row (1 to 2), column (1 to 3) and {expected}, as the" in message


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_the_advice_about_unknown_entries_is_what_was_not_done(file, value):
    path = file(BANNER.format("real") + f"1 1 {value}\n", "x.mtx")
    matrix = sparse.csr_array(np.array([[float(value), 0.0]]))
    for read in (
        lambda unstored: Network.from_file(path, unstored=unstored),
        lambda unstored: Network.from_sparse(matrix, unstored=unstored),
    ):
        with pytest.raises(
            InputError, match=r'Leave unknown entries unstored and give unstored="unknown"\.$'
        ):
            read("zero")
        with pytest.raises(InputError, match=r"Leave unknown entries unstored\.$"):
            read("unknown")


def test_rows_and_columns_of_an_array_may_be_named():
    X = np.array([[1.0, 2.0, np.nan], [0.0, 1.0, 3.0]])
    network = Network.from_dense(X, row_names=["ann", "bob"], col_names=["tea", "milk", "juice"])
    assert network.values[network.position("bob", "juice")] == 3.0
    assert Network.from_dense(X, col_names=["tea", "milk", "juice"]).row_names is None
    with pytest.raises(InputError, match=r"2 rows|row_names"):
        Network.from_dense(X, row_names=["ann"])
