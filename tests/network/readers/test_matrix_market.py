"""Reader of the Matrix Market format."""

import gzip
import io

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import DataWarning, InputError
from latentlink.network import Network

BANNER = "%%MatrixMarket matrix {} {} {}\n"
real = BANNER.format("coordinate", "real", "general")


def written(matrix, **options):
    file = io.BytesIO()
    scipy.io.mmwrite(file, matrix, **options)
    return file.getvalue()


@st.composite
def matrices(draw):
    n, m = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    numbers = draw(
        st.sampled_from(
            [
                st.integers(-(2**40), 2**40),
                st.floats(allow_nan=False, allow_infinity=False, width=32),
                st.floats(allow_nan=False, allow_infinity=False),
            ]
        )
    )
    values = [[draw(st.one_of(st.just(0), numbers)) for _ in range(m)] for _ in range(n)]
    return np.array(values)


@settings(max_examples=60, deadline=None)
@given(matrices(), st.booleans(), st.sampled_from(["general", "symmetric", "skew-symmetric"]), st.booleans())
def test_valid_files_are_read_as_scipy_reads_them(tmp_path_factory, matrix, dense, symmetry, pattern):
    if symmetry != "general":
        size = min(matrix.shape)
        lower = np.tril(matrix[:size, :size], -1)
        matrix = lower - lower.T if symmetry == "skew-symmetric" else lower + lower.T
    options = {"symmetry": symmetry}
    if pattern and not dense:
        options["field"] = "pattern"
    content = written(matrix if dense else scipy.sparse.coo_array(matrix), **options)
    path = tmp_path_factory.getbasetemp() / "x.mtx"
    path.write_bytes(content)
    expected = scipy.io.mmread(io.BytesIO(content))
    if dense:
        assert Network.from_file(path) == Network.from_dense(expected)
    else:
        unstored = "unknown"
        expected = Network.from_sparse(scipy.sparse.coo_array(expected), unstored=unstored)
        assert Network.from_file(path, unstored=unstored) == expected


@pytest.mark.parametrize(
    "body",
    [
        "2 2 1\n1 2 3\n",
        "% c\n%\xe9\n\n2 2 1\n\n1 2 3\n\n",
        "2 2 1\r\n1 2 3\r\n",
        " 2  2 1 \n\t1 2   3.0e0 ",
        "2 2 1\n1 2 +3.\n",
        "2 2 1\n01 2 .3E1\n",
        "%\n" * 10 + "2 2 1\n1 2 3",
    ],
)
@pytest.mark.filterwarnings("ignore:.*has no line end")
def test_blanks_and_forms_of_numbers_make_no_difference(file, body):
    expected = Network.from_sparse(scipy.sparse.coo_array(([3], ([0], [1])), shape=(2, 2)), unstored="zero")
    for content, name in ((real + body, "x.mtx"), (real + body, "x.mtx.gz")):
        raw = content.encode("latin-1")
        path = file(gzip.compress(raw) if name.endswith(".gz") else raw, name)
        assert Network.from_file(path, unstored="zero") == expected


NO_NUMBERS = [
    *("0,5", "1d5", "1D5", "1_000", "5abc", "0x10", "1 2", "", "1e", "e5", "+-1", ".", "1.5.2", "5\0", "\0"),
    *("--1", "1e+", "nanx", "i", "\u0661", "1\x1c2", "1\xa02", "%"),
]


@pytest.mark.parametrize("value", NO_NUMBERS)
@pytest.mark.parametrize("first", [True, False])
def test_what_is_no_number_raises_with_its_line(file, value, first):
    lines = [f"1 1 {value}", "2 2 1"]
    content = real + "2 2 2\n" + "\n".join(lines if first else lines[::-1]) + "\n"
    message = (
        f"line {3 if first else 4}: found .*; expected row .1 to [0-9]+., column .1 to [0-9]+. and a number"
    )
    with pytest.raises(InputError, match=message):
        Network.from_file(file(content, "x.mtx"), unstored="zero")


whole = BANNER.format("coordinate", "integer", "general")
unsigned = BANNER.format("coordinate", "unsigned-integer", "general")
pattern = BANNER.format("coordinate", "pattern", "general")
array = BANNER.format("array", "real", "general")
symmetric = BANNER.format("coordinate", "real", "symmetric")
skew = BANNER.format("coordinate", "real", "skew-symmetric")
INVALID = {
    "fraction as integer": (whole + "1 1 1\n1 1 3.7\n", "whole number"),
    "large integer": (whole + "1 1 1\n1 1 9223372036854775808\n", "line 3"),
    "large negative integer": (
        whole + "2 1 2\n1 1 1\n2 1 -9223372036854777856\n",
        "line 4: found '2 1 -92233",
    ),
    "index 0 beside integers": (
        whole + "2 2 1\n0 1 1\n",
        "line 3: found '0 1 1'; expected a row from 1 to 2",
    ),
    "column 0": (real + "2 2 1\n1 0 1\n", "line 3: found '1 0 1'; expected a row"),
    "negative unsigned": (unsigned + "1 1 1\n1 1 -3\n", "from 0 to 2^64"),
    "value of a pattern": (pattern + "1 1 1\n1 1 3\n", "no value"),
    "index 0": (real + "2 2 1\n0 1 1\n", "line 3: found '0 1 1'; expected a row from 1 to 2"),
    "index too large": (real + "2 2 1\n1 1 1\n1 3 1\n", "line 4: found '1 3 1'; expected a row"),
    "negative index": (real + "2 2 1\n-1 1 1\n", "line 3"),
    "fraction of an index": (real + "2 2 1\n1.0 1 1\n", "line 3"),
    "too few": (real + "2 2 2\n1 1 1\n", "found 1 entries; expected 2"),
    "too many": (real + "2 2 1\n1 1 1\n2 2 1\n", "found 2 or more entries; expected 1"),
    "far too many declared": (real + "2 2 999999999999999\n1 1 1\n", "found 1 entries"),
    "huge shape": (real + "999999999999 9 1\n1 1 1\n", "max_bytes="),
    "late comment": (real + "2 2 1\n%\n1 1 1\n", "line 3"),
    "no sizes": (real + "%\n\n", "no line with the size"),
    "words as sizes": (real + "two 2 1\n1 1 1\n", "line 2"),
    "no rows": (real + "0 2 0\n", "at least one"),
    "two sizes": (real + "2 2\n1 1 1\n", "rows, columns and entries"),
    "three sizes": (array + "1 1 1\n1\n", "rows and columns"),
    "huge array": (array + "999999 999\n1\n", "found 1 entries"),
    "two on a line": (array + "2 1\n1 2\n", "line 3"),
    "complex": (real.replace("real", "complex") + "1 1 1\n1 1 1 0\n", "found 'complex'"),
    "hermitian": (real.replace("general", "hermitian") + "1 1 1\n1 1 1\n", "found 'hermitian'"),
    "vector": ("%%MatrixMarket vector coordinate real general\n1 1\n1 1\n", "found 'vector'"),
    "array of pattern": (array.replace("real", "pattern") + "1 1\n", "array with pattern"),
    "no banner": ("1 1 1\n", "expected a matrix in the Matrix Market format"),
    "empty": ("", "an empty file"),
    "symmetric, not square": (symmetric + "2 3 0\n", "as many of both"),
    "both triangles": (symmetric + "3 3 3\n3 3 1\n1 2 1\n2 1 1\n", "row 1, column 2 is stored in both"),
    "diagonal of skew": (skew + "2 2 1\n2 2 1\n", "on the diagonal"),
}


@pytest.mark.parametrize(("content", "part"), INVALID.values(), ids=INVALID.keys())
def test_invalid_files_raise(file, content, part):
    path = file(content, "x.mtx")
    with pytest.raises(InputError) as error:
        Network.from_file(path, unstored=None if "matrix array" in content else "zero")
    assert part in str(error.value)
    assert str(path) in str(error.value)


def test_entries_of_one_upper_triangle_are_mirrored(file):
    content = BANNER.format("coordinate", "real", "symmetric") + "3 3 3\n1 1 1\n1 2 5\n3 2 6\n"
    network = Network.from_file(file(content, "x.mtx"), unstored="zero", symmetric=True)
    assert network.n_listed == 3


def test_files_of_several_pieces_are_the_same(file, monkeypatch):
    from latentlink.network.readers.text import source

    matrix = scipy.sparse.random_array((30, 20), density=0.5, rng=0)
    path = file(written(matrix), "x.mtx")
    expected = Network.from_file(path, unstored="zero")
    monkeypatch.setattr(source, "PIECE_CHARACTERS", 50)
    assert Network.from_file(path, unstored="zero") == expected
    with pytest.raises(InputError, match="line 304: found 'x'"):
        Network.from_file(file(written(matrix) + b"x\n", "y.mtx"), unstored="zero")


@pytest.mark.parametrize(("form", "largest"), [(whole, 2**63 - 1024), (unsigned, 2**64 - 2048)])
def test_whole_numbers_up_to_the_type_of_the_banner(form, largest, tmp_path):
    """The largest that double precision has below the end of the type is read, the end itself raises."""
    path = tmp_path / "a.mtx"
    path.write_text(form + f"1 1 1\n1 1 {largest}\n")
    assert Network.from_file(path, unstored="zero").values.tolist() == [float(largest)]
    path.write_text(form + f"1 1 1\n1 1 {2 ** largest.bit_length()}\n")
    with pytest.raises(InputError, match="line 3"):
        Network.from_file(path, unstored="zero")


def test_the_smallest_whole_number_is_read(file):
    path = file(whole + f"1 1 1\n1 1 {-(2**63)}\n", "x.mtx")
    assert Network.from_file(path, unstored="zero").values.tolist() == [-(2.0**63)]


def test_eight_bytes_are_allowed_for_each_row_and_column(file):
    path = file(real + "2 3 1\n1 1 5\n", "x.mtx")
    assert Network.from_file(path, unstored="zero", max_bytes=40).shape == (2, 3)
    with pytest.raises(InputError, match="the indices of 2 rows and 3 columns take 40 bytes or more"):
        Network.from_file(path, unstored="zero", max_bytes=39)


@pytest.mark.parametrize("name", ["matrix.txt", "matrix.gz", "matrix"])
@pytest.mark.parametrize("options", [{}, {"matrix": True}])
def test_under_another_name_it_is_not_taken_for_a_list_of_pairs(name, options, tmp_path):
    """The line of its size would be a pair, and its values what they are not."""
    content = b"%%MatrixMarket matrix coordinate real general\n% made by hand\n3 3 2\n1 2 1.0\n2 3 1.0\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    with pytest.raises(InputError, match=r"is a Matrix Market file.*Rename it to end in \.mtx"):
        Network.from_file(path, **options)


CUT = {
    "a value": real + "2 2 2\n1 1 5\n2 2 12",
    "an index": pattern + "20 20 2\n1 1\n2 12",
    "a dense value": array + "2 1\n1\n12",
    "with blanks": real + "2 2 2\n1 1 5\n2 2 12 ",
}


@pytest.mark.parametrize("content", CUT.values(), ids=CUT)
def test_a_last_line_without_its_end_warns_since_its_number_may_be_cut(file, content):
    """12 may be what is left of 1234: files without the last line end are read, since some are complete."""
    unstored = {} if " array " in content else {"unstored": "zero"}
    with pytest.warns(
        DataWarning, match=r"x\.mtx: the last line, '.*12 ?', has no line end, so that its num"
    ):
        network = Network.from_file(file(content, "x.mtx"), **unstored)
    for end in ("\n", "\r\n", "\r", "\n\n", "\n  \n"):
        whole_file = Network.from_file(file(content + end, "x.mtx"), **unstored)
        np.testing.assert_array_equal(whole_file.values, network.values)
    packed = Network.from_file(file(gzip.compress(content.encode()), "x.mtx.gz"), **unstored)
    np.testing.assert_array_equal(packed.values, network.values)  # gzip tells itself where a file ends
