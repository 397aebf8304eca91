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


LARGE = "9" * 320 + ".5"
IN_FILES = {
    "csv": lambda text: ("a,b,1\n\nc,d," + text + "\n", "x.csv", {}),
    "matrix": lambda text: (",a,b,c\n\nx,1," + text + ",2\n", "x.csv", {"matrix": True}),
    "mtx": lambda text: (
        "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 " + text + "\n",
        "x.mtx",
        {"unstored": "zero"},
    ),
    "array": lambda text: ("%%MatrixMarket matrix array double general\n1 1\n" + text + "\n", "x.mtx", {}),
}


@pytest.mark.parametrize("kind", IN_FILES)
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1e-400", "'1e-400', which no float is; expected whole numbers up to 2^53, and others from"),
        ("-0." + "0" * 350 + "7", "which no float is; expected"),
        ("1e400", "'1e400', too large for a float; expected a finite number. Write the values in a larger"),
        ("-" + LARGE, "..., too large for a float; expected a finite number. Write"),
        ("inf", " is inf; expected a finite number. Correct it, or leave the pair out if its value is not"),
        ("-Infinity", " is -inf; expected a finite number. Correct it, or leave the pair out"),
    ],
    ids=["exponent", "digits", "large exponent", "large digits", "inf", "infinity"],
)
def test_numbers_that_no_float_is_raise_with_their_line(file, kind, text, found):
    content, name, options = IN_FILES[kind](text)
    with pytest.raises(InputError) as error:
        Network.from_file(file(content, name), **options)
    assert found in str(error.value)
    assert f"{name}, line 3" in str(error.value)


@pytest.mark.parametrize("text", ["0", "-0.0", "0e5", "0.000", "1e-300", "1e300"])
@pytest.mark.parametrize("kind", ["csv", "mtx", "array"])
def test_zeros_and_small_and_large_numbers_are_read(file, kind, text):
    content, name, options = IN_FILES[kind](text)
    assert float(text) in Network.from_file(file(content, name), **options).values


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("unsigned-integer", 2**64 - 1, "a whole number up to 2^53, or the field real for rounded values"),
        ("unsigned-integer", 2**64, "a whole number from 0 to 18446744073709551615"),
        ("integer", 2**63 - 1, "a whole number up to 2^53, or the field real"),
        ("integer", 2**63, "a whole number from -9223372036854775808 to 9223372036854775807"),
        ("integer", -(2**63) - 1, "a whole number from -9223372036854775808 to 9223372036854775807"),
    ],
)
def test_whole_numbers_at_the_end_of_their_type(file, field, value, expected):
    with pytest.raises(InputError) as error:
        Network.from_file(file(BANNER.format(field) + f"1 1 {value}\n", "x.mtx"), unstored="zero")
    assert f"x.mtx, line 3: found '1 1 {value}'; expected {expected}" in str(error.value)


def test_the_least_whole_number_is_a_float(file):
    path = file(BANNER.format("integer") + f"1 1 {-(2**63)}\n", "x.mtx")
    assert Network.from_file(path, unstored="zero").values.tolist() == [-(2.0**63)]


def test_the_advice_about_unknown_entries_is_what_was_not_done(file):
    path = file(BANNER.format("real") + "1 1 nan\n", "x.mtx")
    matrix = sparse.csr_array(np.array([[np.nan, 0.0]]))
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
