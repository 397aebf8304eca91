"""Reader of files: paths, matrix files, Parquet."""

import builtins
import gzip
import os

import numpy as np
import pandas
import pyarrow
import pytest
import scipy.io
import scipy.sparse
from pyarrow import parquet

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.readers import files, unpack_limit


def test_invalid_paths_raise(file, tmp_path):
    with pytest.raises(InputError, match=r"no file .*nowhere\.csv"):
        Network.from_file(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="folder"):
        Network.from_file(tmp_path)
    with pytest.raises(InputError, match="not gzipped"):
        Network.from_file(file("a,b,1\n", "links.csv.gz"))
    with pytest.raises(InputError, match=r"gzipped \.npy"):
        Network.from_file(file(b"", "x.npy.gz"))
    with pytest.raises(InputError, match="cannot be opened"):
        Network.from_file(tmp_path / ("x" * 300))
    with pytest.raises(InputError, match=r"'a\\x00b' cannot be opened"):
        Network.from_file("a\0b")
    for path in (None, 5):
        with pytest.raises(InputError, match=f"path is {path}; expected the path of a file"):
            Network.from_file(path)


def test_pipes_and_devices_raise_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    for path in (tmp_path / "pipe.csv", "/dev/zero"):
        with pytest.raises(InputError, match="is a pipe or device"):
            Network.from_file(path)


class TestLimits:
    """What a file may unpack to."""

    def test_invalid_limits_raise(self, file):
        path = file("a,b,1\n")
        for limit in (0, -1, 1.5, True, "4 GB"):
            with pytest.raises(InputError, match=r"max_bytes is .*expected a whole number"):
                Network.from_file(path, max_bytes=limit)
        assert Network.from_file(path, max_bytes=100).n_listed == 1
        with pytest.raises(InputError, match=r"expected at most 1\. If the file"):
            Network.from_file(path, max_bytes=1)

    def test_four_bytes_are_allowed_for_each_character_of_a_name(self, file):
        path = file("abc,x,1\nde,y,1\n")
        assert Network.from_file(path, max_bytes=24).n_listed == 2
        with pytest.raises(InputError, match="names of 2 nodes, the longest of 3 characters, take 24 bytes"):
            Network.from_file(path, max_bytes=23)

    def test_the_default_depends_on_the_size_of_the_file(self, file):
        path = file(bytes(1000))
        limit = unpack_limit.unpack_limit(path, None)
        assert limit.n_bytes == limit.n_held == 100 * 1000 + 64 * 2**20
        with path.open("r+b") as handle:
            handle.truncate(2**33)
        limit = unpack_limit.unpack_limit(path, None)
        assert (limit.n_bytes, limit.n_held) == (4 * 2**30, 25 * 2**33)

    def test_gzipped_text_is_limited(self, file):
        path = file(gzip.compress(b"a,b,1\nc,d,1\n"), "links.csv.gz")
        with pytest.raises(
            InputError, match=r"the unpacked lines take 12 bytes .* at most 6.*max_bytes="
        ) as error:
            Network.from_file(path, max_bytes=6)
        assert str(path) in str(error.value)
        assert Network.from_file(path, max_bytes=2000).n_listed == 2
        matrix = b"%%MatrixMarket matrix array real general\n1 1\n5\n"
        with pytest.raises(InputError, match="the unpacked lines take"):
            Network.from_file(file(gzip.compress(matrix), "x.mtx.gz"), max_bytes=20)

    def test_rows_and_texts_of_parquet_are_limited(self, tmp_path):
        path = tmp_path / "links.parquet"
        parquet.write_table(pyarrow.table({"u": np.zeros(10**5, int), "v": np.zeros(10**5, int)}), path)
        with pytest.raises(InputError, match="its decoded rows take 800,000 bytes"):
            Network.from_file(path, max_bytes=700_000)
        with pytest.raises(InputError, match="its first 100,000 entries and their names take 10,400,000"):
            Network.from_file(path, max_bytes=10_399_999)
        assert Network.from_file(path, max_bytes=10_400_000, duplicates="keep").n_listed == 10**5
        names = pyarrow.DictionaryArray.from_arrays(np.zeros(1000, np.int32), ["x" * 100_000])
        parquet.write_table(pyarrow.table({"u": names, "v": np.arange(1000)}), path)
        with pytest.raises(InputError, match="its decoded columns take"):
            Network.from_file(path)

    def test_a_long_name_among_many_raises(self, file):
        path = file("x" * 10_000 + ",y\n" + "".join(f"{row},y\n" for row in range(2000)))
        with pytest.raises(InputError, match="names of 2,001 nodes, the longest of 10,000 characters, take"):
            Network.from_file(path, header=False)
        assert Network.from_file(path, header=False, max_bytes=10**8).n_listed == 2001

    def test_memory_that_cannot_be_allocated_raises(self, file, monkeypatch):
        def fail(*_, **__):
            raise MemoryError

        monkeypatch.setattr(files, "delimited_listing", fail)
        with pytest.raises(InputError, match="more memory than there is"):
            Network.from_file(file("a,b,1\n"))


HUGE = "y" * 100_000


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (f"a,b,1\nc,d,{HUGE}\n", {}),
        (f"a,b,1\nc,{HUGE},1,2\n", {}),
        (f"a,b,1\nc,{HUGE},1\nc,{HUGE},0\n", {}),
        (f"a,b,{HUGE}\nc,d,1\ne,f,x\n", {}),
        (f'a,b,1\n"{HUGE}"{HUGE},1\n', {}),
        (f'a,b,1\n"{HUGE},1\n', {}),
        (f"a,b,1\n{HUGE}\0,c,1\n", {"max_bytes": 10**8}),
        (f"{HUGE}\n", {}),
        (",".join([HUGE] * 20) + "\n", {}),
        (f"{HUGE},{HUGE},{HUGE}\n1,2,x\n", {"header": True}),
        (f"{HUGE},b\n1,2\n", {"columns": (HUGE + "z", "b")}),
        (f"a,b,{HUGE}\nc,d,x\n", {"columns": ("a", "b", HUGE)}),
        (f"{HUGE},a\nb,2\nc,3\n", {}),
        ("1" * 5000 + "x,b,1\nb,2\n", {}),
    ],
)
def test_messages_are_short(file, content, options):
    with pytest.raises(InputError) as error:
        Network.from_file(file(content), **options)
    assert len(str(error.value)) < 800


class TestMatrixFiles:
    @pytest.fixture
    def matrix(self):
        return scipy.sparse.csr_array([[1.0, 0, 0], [0, 0, 2.5]])

    def test_npz_is_a_sparse_matrix(self, matrix, tmp_path):
        scipy.sparse.save_npz(tmp_path / "x.npz", matrix)
        network = Network.from_file(tmp_path / "x.npz", unstored="unknown")
        assert network == Network.from_sparse(matrix, unstored="unknown")
        assert network.history[0].name == "from_file"

    def test_matrix_market_is_a_sparse_or_dense_matrix(self, matrix, tmp_path):
        scipy.io.mmwrite(tmp_path / "x.mtx", matrix)
        expected = Network.from_sparse(matrix, unstored="zero")
        assert Network.from_file(tmp_path / "x.mtx", unstored="zero") == expected
        (tmp_path / "x.mtx.gz").write_bytes(gzip.compress((tmp_path / "x.mtx").read_bytes()))
        assert Network.from_file(tmp_path / "x.mtx.gz", unstored="zero") == expected
        scipy.io.mmwrite(tmp_path / "full.mtx", matrix.toarray())
        assert Network.from_file(tmp_path / "full.mtx") == Network.from_dense(matrix.toarray())

    def test_invalid_arrays_raise_with_the_file(self, tmp_path):
        arrays = {
            "inf": ([[1, np.inf]], "inf in row 0, column 1"),
            "flat": ([1.0, 2.0], r"shape \(2,\)"),
            "text": ([["a", "b"]], "real numbers"),
            "complex": ([[1j]], "real numbers"),
            "wide": ([[1.0, 2.0]], "as many rows as columns"),
        }
        for name, (array, part) in arrays.items():
            path = tmp_path / f"{name}.npy"
            np.save(path, np.array(array))
            with pytest.raises(InputError, match=part) as error:
                Network.from_file(path, symmetric=name == "wide")
            assert str(error.value).startswith(f"{path}: ")
        path = tmp_path / "x.npz"
        for value in (np.inf, 1j):
            scipy.sparse.save_npz(path, scipy.sparse.csr_array(np.array([[value]])))
            with pytest.raises(InputError) as error:
                Network.from_file(path, unstored="zero")
            assert str(error.value).startswith(f"{path}: ")

    def test_npy_is_a_dense_array(self, tmp_path):
        X = np.array([[1, np.nan], [np.nan, 0]])
        np.save(tmp_path / "x.npy", X)
        network = Network.from_file(tmp_path / "x.npy", symmetric=True)
        assert network == Network.from_dense(X, symmetric=True)

    def test_unreadable_files_and_meaningless_options_raise(self, matrix, tmp_path):
        scipy.sparse.save_npz(tmp_path / "x.npz", matrix)
        np.savez(tmp_path / "dense.npz", X=np.eye(2))
        np.save(tmp_path / "pickled.npy", np.array([{}], dtype=object), allow_pickle=True)
        np.save(tmp_path / "good.npy", np.eye(2))
        for name in ("noise.npz", "noise.npy", "noise.mtx", "noise.parquet"):
            (tmp_path / name).write_bytes(b"noise")
        (tmp_path / "short.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n")
        (tmp_path / "cut.mtx.gz").write_bytes(
            gzip.compress(b"%%MatrixMarket matrix array real general\n")[:-9]
        )
        for name, options, part in [
            ("x.npz", {}, 'unstored="zero"'),
            ("x.npz", {"unstored": "zero", "columns": (0, 1)}, "columns=(0, 1)"),
            ("x.npz", {"unstored": "zero", "background": 0.5}, "background=0.5"),
            ("good.npy", {"unstored": "zero"}, "unstored='zero'"),
            ("good.npy", {"delimiter": ","}, "delimiter=','"),
            ("noise.parquet", {"header": True}, "header=True"),
            ("dense.npz", {"unstored": "zero"}, "scipy.sparse.save_npz"),
            ("noise.npz", {"unstored": "zero"}, "scipy.sparse.save_npz"),
            ("pickled.npy", {}, "without Python objects"),
            ("noise.npy", {}, "numpy.save"),
            ("noise.mtx", {"unstored": "zero"}, "Matrix Market"),
            ("short.mtx", {"unstored": "zero"}, "Matrix Market"),
            ("cut.mtx.gz", {"unstored": "zero"}, "is damaged"),
            ("noise.parquet", {}, "Parquet file"),
        ]:
            with pytest.raises(InputError) as error:
                Network.from_file(tmp_path / name, **options)
            assert part in str(error.value)
            assert name in str(error.value) or 'unstored="zero"' in part


class TestParquet:
    def test_numbers_are_names(self, tmp_path):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"a": [10, 9], "b": ["x", "y"], "c": [1.5, 2.0]}).to_parquet(path)
        network = Network.from_file(path)
        assert network == Network.from_edges([("10", "x", 1.5), ("9", "y", 2.0)])
        assert Network.from_file(path, columns=("b", "a")).values.tolist() == [1, 1]

    def test_invalid_columns_raise(self, tmp_path):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"a": ["x", None], "b": ["x", "y"], "c": [1, 2], "d": [1, 2]}).to_parquet(path)
        for options, parts in [
            ({}, ["4 columns", "columns="]),
            ({"columns": ("a", "z")}, ["no column 'z'"]),
            ({"columns": ("a", "b")}, ["Column 'a' (the row)", "row 1"]),
        ]:
            with pytest.raises(InputError) as error:
                Network.from_file(path, **options)
            for part in [*parts, str(path)]:
                assert part in str(error.value)

    def test_whole_floats_are_names(self, tmp_path):
        path = tmp_path / "links.parquet"
        frame = pandas.DataFrame({"u": [1.0, 2.0], "v": pandas.Categorical([-3, 10]), "r": [5, 4]})
        frame.to_parquet(path)
        assert Network.from_file(path) == Network.from_edges([("1", "-3", 5), ("2", "10", 4)])

    @pytest.mark.parametrize("label", [1.5, np.inf, 2.0**53])
    def test_other_floats_raise(self, tmp_path, label):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"u": ["a", "b"], "v": [1.0, label]}).to_parquet(path)
        with pytest.raises(InputError) as error:
            Network.from_file(path)
        for part in (f"The column of {path}, row 1", f"is {label};", "Save the labels as text"):
            assert part in str(error.value)

    def test_repeated_labels_raise_with_the_file(self, tmp_path):
        path = tmp_path / "links.parquet"
        parquet.write_table(pyarrow.table([["x"], ["y"]], names=["a", "a"]), path)
        with pytest.raises(InputError, match="label 'a' in columns 0 and 1") as error:
            Network.from_file(path)
        assert str(error.value).startswith(f"{path} has")

    @pytest.mark.parametrize("kind", [str, float, int])
    def test_an_empty_file_raises(self, tmp_path, kind):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"u": [], "v": []}).astype(kind).to_parquet(path)
        with pytest.raises(InputError, match="found no rows") as error:
            Network.from_file(path)
        assert "shape" not in str(error.value)

    def test_texts_that_are_not_utf8_raise(self, tmp_path):
        path = tmp_path / "links.parquet"
        names = pyarrow.array([b"\xff", b"x"]).view(pyarrow.string())
        parquet.write_table(pyarrow.table({"u": names, "v": ["a", "b"]}), path)
        with pytest.raises(InputError, match=r"cannot be read: .*UTF8"):
            Network.from_file(path)

    def test_columns_of_other_types_raise(self, tmp_path):
        path = tmp_path / "links.parquet"
        for column in ([[1], [2]], [b"a", b"b"], [True, False], [{"x": 1}, {"x": 2}]):
            parquet.write_table(pyarrow.table({"u": column, "v": ["a", "b"]}), path)
            with pytest.raises(InputError, match=r"column 'u' is of type .*; expected text or numbers"):
                Network.from_file(path)

    def test_columns_may_be_large_texts_categories_and_decimals(self, tmp_path):
        path = tmp_path / "links.parquet"
        columns = {
            "u": pyarrow.array(["a", "b"], pyarrow.large_string()),
            "v": pyarrow.array(["x", "y"]).dictionary_encode(),
            "r": pyarrow.array([1, 2]).cast(pyarrow.decimal128(21, 1)),
        }
        parquet.write_table(pyarrow.table(columns), path, row_group_size=1)
        assert Network.from_file(path) == Network.from_edges([("a", "x", 1), ("b", "y", 2)])

    def test_duplicates_raise_with_their_rows(self, tmp_path):
        path = tmp_path / "links.parquet"
        pandas.DataFrame({"a": ["x", "x"], "b": ["y", "y"]}).to_parquet(path)
        with pytest.raises(InputError, match=r"row 0 .* row 1"):
            Network.from_file(path)

    def test_a_missing_package_is_named(self, monkeypatch, tmp_path):
        path = tmp_path / "links.parquet"
        path.write_bytes(b"PAR1")
        imported = builtins.__import__

        def without_pyarrow(name, *arguments, **options):
            if name.split(".")[0] == "pyarrow":
                raise ImportError(name)
            return imported(name, *arguments, **options)

        monkeypatch.setattr(builtins, "__import__", without_pyarrow)
        with pytest.raises(InputError, match=r'needs pyarrow: pip install "latentlink\[parquet\]"'):
            Network.from_file(path)


@pytest.mark.parametrize("dtype", ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"])
@pytest.mark.parametrize("order", ["<", ">"])
def test_arrays_of_every_number_type_are_read(dtype, order, tmp_path):
    matrix = np.array([[0, 1, 1], [1, 0, 1]]).astype(np.dtype(dtype).newbyteorder(order))
    np.save(tmp_path / "a.npy", matrix)
    np.testing.assert_array_equal(Network.from_file(tmp_path / "a.npy").to_dense(), matrix.astype(float))


def test_a_long_message_keeps_its_beginning_and_its_end(file):
    """In 700 characters."""
    path = file("a,b,1\n")
    for length in (200, 2000, 10**6):
        with pytest.raises(InputError) as error:
            Network.from_file(path, columns=("x" * length, 3))
        message = str(error.value)
        assert message.startswith(f"{path}: columns is ('xxx")
        assert message.endswith(
            "expected two to four names or two to four positions counted from 0: row, column, value, weight."
        )
        assert len(message) <= 700
        assert (" ... " in message) == (length > 200)


def npy_bytes(shape, length, kind="<f8", data=bytes(8)):
    """An array with a header of so many bytes."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(length - 1) + "\n"
    return b"\x93NUMPY\x01\x00" + length.to_bytes(2, "little") + header.encode() + data


def test_limits_of_the_header_of_an_array(file):
    assert Network.from_file(file(npy_bytes((1, 1), 10_000), "x.npy")).shape == (1, 1)
    with pytest.raises(InputError, match="the header of the array has 10,001 bytes, of which 0 can be read"):
        Network.from_file(file(npy_bytes((1, 1), 10_001), "x.npy"))
    with pytest.raises(InputError, match=r"The matrix has shape .*; expected two dimensions with"):
        Network.from_file(file(npy_bytes((1,) * 32, 400), "x.npy"))
    with pytest.raises(InputError, match="the array has 33 dimensions; expected two"):
        Network.from_file(file(npy_bytes((1,) * 33, 400), "x.npy"))


def test_indices_take_eight_bytes_for_each_row_and_column(tmp_path):
    unpack_limit.UnpackLimit(tmp_path, 80).check_shape((4, 6))
    with pytest.raises(InputError, match="the indices of 4 rows and 6 columns take 80 bytes or more"):
        unpack_limit.UnpackLimit(tmp_path, 79).check_shape((4, 6))


@pytest.mark.parametrize("count", [1, 5])
def test_two_to_four_columns_are_read(file, count):
    path = file("1,2,3,4,5\n6,7,8,9,0\n")
    with pytest.raises(InputError, match="expected two to four names or two to four positions"):
        Network.from_file(path, columns=tuple(range(count)))
    with pytest.raises(InputError, match="expected two to four labels"):
        Network.from_edges(pandas.DataFrame(np.ones((2, 5))), columns=tuple(range(count)))
    assert Network.from_file(path, columns=(0, 1, 2, 3), header=False).weights.tolist() == [4, 9]


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        ("|S1", True),
        ("<U268435455", True),
        ("<U268435456", False),
        ("|S0", False),
        ("<U", False),
        ("|V8", False),
    ],
)
def test_text_in_arrays_has_one_to_2_to_the_28_characters(file, kind, known):
    """Such arrays of no entries are no matrices; others are of no type that is read."""
    with pytest.raises(InputError, match="The matrix has shape" if known else "the array is of type"):
        Network.from_file(file(npy_bytes((0, 0), 100, kind, b""), "x.npy"))


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(InputError) as error:
        Network.from_file(tmp_path)
    assert str(error.value) == f"{tmp_path} is a folder; expected a file."
