"""Readers of ``.npy`` arrays and of sparse matrices in ``.npz`` archives, which trust nothing of the file."""

import io
import zipfile

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from latentlink.errors import InputError
from latentlink.network import Network

CSR = {
    "format": np.array(b"csr"),
    "shape": np.array([2, 3]),
    "data": np.array([1.0, 2.0]),
    "indices": np.array([0, 2]),
    "indptr": np.array([0, 1, 2]),
}
BSR = CSR | {"format": np.array(b"bsr"), "shape": np.array([4, 3]), "data": np.ones((2, 2, 1))}
COO = {"format": np.array(b"coo"), "shape": np.array([2, 3]), "data": np.ones(2), "row": np.array([0, 1])}
COO |= {"col": np.array([0, 2])}
DIA = {
    "format": np.array(b"dia"),
    "shape": np.array([2, 3]),
    "data": np.ones((2, 3)),
    "offsets": np.array([0, 1]),
}


def read(folder, parts, name="x.npz", **options):
    np.savez_compressed(folder / name, **parts)
    return Network.from_file(folder / name, unstored="zero", **options)


@settings(max_examples=60, deadline=None)
@given(
    arrays.arrays(
        st.sampled_from(["f8", "f4", "i8", "u1", "?", ">i4"]),
        arrays.array_shapes(min_dims=2, max_dims=2, max_side=6),
        elements=st.integers(0, 1),
    ),
    st.sampled_from(["csr", "csc", "coo", "bsr", "dia"]),
    st.booleans(),
    st.booleans(),
)
def test_every_format_is_read_as_scipy_reads_it(tmp_path_factory, matrix, kind, compressed, as_array):
    maker = scipy.sparse.coo_array if as_array else scipy.sparse.coo_matrix
    stored = maker(matrix.astype(matrix.dtype.newbyteorder("="))).asformat(kind)
    path = tmp_path_factory.getbasetemp() / "x.npz"
    scipy.sparse.save_npz(path, stored, compressed=compressed)
    expected = Network.from_sparse(scipy.sparse.load_npz(path), unstored="zero")
    assert Network.from_file(path, unstored="zero") == expected


def test_coordinates_in_one_array_are_read(tmp_path):
    parts = {name: part for name, part in COO.items() if name not in {"row", "col"}}
    network = read(tmp_path, parts | {"coords": np.array([[0, 1], [0, 2]])})
    assert network == read(tmp_path, COO)
    with pytest.raises(InputError, match=r"'coords' .* has shape"):
        read(tmp_path, parts | {"coords": np.array([[0, 1]])})


INVALID = {
    "falling indptr": (CSR, {"indptr": np.array([0, 5, 2])}, "'indptr' .* has 5 and then 2 at position 1"),
    "negative indptr": (CSR, {"indptr": np.array([0, -1, 2])}, "'indptr' .* has 0 and then -1"),
    "short indptr": (CSR, {"indptr": np.array([0, 2])}, "'indptr' .*expected 3 integers"),
    "incomplete indptr": (CSR, {"indptr": np.array([0, 1, 1])}, "goes from 0 to 1; expected from 0 to 2"),
    "late indptr": (CSR, {"indptr": np.array([1, 1, 2])}, "goes from 1 to 2"),
    "indptr of floats": (CSR, {"indptr": np.array([0.0, 1, 2])}, "'indptr' .*type float64"),
    "index out of range": (
        CSR,
        {"indices": np.array([0, 3])},
        "'indices' .* has 3 at position 1; .*from 0 to 2",
    ),
    "negative index": (CSR, {"indices": np.array([-1, 2])}, "'indices' .* has -1 at position 0"),
    "too few indices": (CSR, {"indices": np.array([0])}, "'indices' .*expected 2 integers"),
    "data of two dimensions": (CSR, {"data": np.ones((2, 1))}, "'data' .*2 dimensions"),
    "csc": (CSR, {"format": np.array(b"csc")}, "'indptr' .*expected 4 integers"),
    "complex": (CSR, {"data": np.array([1j, 1])}, "type complex128; expected real numbers"),
    "infinite": (CSR, {"data": np.array([1, np.inf])}, "inf in row 1, column 2"),
    "bool of another byte": (
        CSR,
        {"data": np.array([1, 2], np.uint8).view(bool)},
        "'data': the truth value at position 1 is 2",
    ),
    "unknown format": (CSR, {"format": np.array(b"lil")}, "format of the matrix is 'lil'"),
    "format a number": (CSR, {"format": np.array(5)}, "format of the matrix is ''"),
    "shape of three": (CSR, {"shape": np.array([2, 3, 4])}, "shape of the matrix"),
    "shape of six": (CSR, {"shape": np.arange(6)}, r"shape of the matrix is '\[0, 1, 2, 3\]';"),
    "shape of floats": (CSR, {"shape": np.array([2.0, 3.0])}, "shape of the matrix"),
    "negative shape": (CSR, {"shape": np.array([-2, 3])}, "shape of the matrix is '.-2, 3.'"),
    "huge shape": (COO, {"shape": np.array([2**40, 3])}, "max_bytes="),
    "objects": (CSR, {"data": np.array([None, 1])}, "'data': .*without Python objects"),
    "blocks that do not fit": (BSR, {"shape": np.array([5, 3])}, "multiples of the blocks, 2 x 1"),
    "blocks of nothing": (BSR, {"data": np.ones((2, 0, 1))}, "'data' .*three dimensions"),
    "block out of range": (BSR, {"indices": np.array([0, 3])}, "'indices' .* has 3"),
    "row out of range": (COO, {"row": np.array([0, 2])}, "'row' .* has 2 at position 1"),
    "column out of range": (COO, {"col": np.array([0, 9])}, "'col' .* has 9"),
    "coo of another length": (COO, {"col": np.array([0])}, "'col' .*expected 2 integers"),
    "offsets that repeat": (DIA, {"offsets": np.array([1, 1])}, "'offsets' .*repeats a diagonal"),
    "offsets of another length": (DIA, {"offsets": np.array([1])}, "'offsets' .*expected 2 integers"),
    "flat diagonals": (DIA, {"data": np.ones(2)}, "'data' .*1 dimensions; expected two"),
}


@pytest.mark.parametrize(("parts", "changes", "message"), INVALID.values(), ids=INVALID.keys())
def test_invalid_structures_raise(tmp_path, parts, changes, message):
    with pytest.raises(InputError, match=message) as error:
        read(tmp_path, parts | changes)
    assert str(tmp_path / "x.npz") in str(error.value)


@pytest.mark.parametrize(
    ("parts", "name"), [(CSR, "indptr"), (CSR, "data"), (COO, "row"), (DIA, "offsets"), (CSR, "shape")]
)
def test_missing_parts_raise(tmp_path, parts, name):
    with pytest.raises(InputError, match=f"'{name}'"):
        read(tmp_path, {part: array for part, array in parts.items() if part != name})


def test_diagonals_outside_of_the_matrix_are_left_out(tmp_path):
    for offsets in ([2**62, 0], [-(2**62), 0]):
        network = read(tmp_path, DIA | {"offsets": np.array(offsets)})
        assert network.rows.tolist() == [0, 1]
    for offset in (2**63, 2**64 - 1):
        assert read(tmp_path, DIA | {"offsets": np.array([offset, 0], np.uint64)}).n_listed == 2


class TestArchives:
    def archive(self, path, members, method=zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(path, "w", method) as archive:
            for name, content in members:
                archive.writestr(name, content)
        return path

    def members(self, **changes):
        return [(f"{name}.npy", saved(array)) for name, array in (CSR | changes).items()]

    def test_parts_that_occur_twice_raise(self, tmp_path):
        with pytest.warns(UserWarning, match="Duplicate name"):
            path = self.archive(tmp_path / "x.npz", [*self.members(), self.members()[2]])
        with pytest.raises(InputError, match="two parts 'data'"):
            Network.from_file(path, unstored="zero")

    def test_other_members_are_not_read(self, tmp_path):
        others = [("other.npy", b"no array"), ("data", b"no array"), ("notes.txt", b"")]
        path = self.archive(tmp_path / "x.npz", [*self.members(), *others])
        assert Network.from_file(path, unstored="zero") == read(tmp_path, CSR, "y.npz")

    def test_encrypted_parts_raise(self, tmp_path):
        path = self.archive(tmp_path / "x.npz", self.members())
        content = bytearray(path.read_bytes())
        content[content.rindex(b"PK\1\2") + 8] |= 1
        path.write_bytes(content)
        with pytest.raises(InputError, match="has the part 'indptr' encrypted"):
            Network.from_file(path, unstored="zero")

    def test_other_methods_of_compression_raise(self, tmp_path):
        path = self.archive(tmp_path / "x.npz", self.members(), zipfile.ZIP_LZMA)
        with pytest.raises(InputError, match="by method 14"):
            Network.from_file(path, unstored="zero")

    def test_damaged_archives_raise(self, tmp_path):
        path = self.archive(tmp_path / "x.npz", self.members(), zipfile.ZIP_STORED)
        content = path.read_bytes()
        value = content.index(np.float64(2.0).tobytes())
        damaged = [content[:-1], content[:100], content[30:], b"PK" + bytes(100)]
        damaged += [content[:value] + b"\1" + content[value + 1 :]]
        for bytes_ in damaged:
            path.write_bytes(bytes_)
            with pytest.raises(InputError, match="cannot be read"):
                Network.from_file(path, unstored="zero")

    def test_what_unpacks_to_too_much_raises_before_it_is_unpacked(self, tmp_path):
        path = self.archive(tmp_path / "x.npz", self.members(data=np.zeros(100_000)))
        with pytest.raises(InputError, match=r"unpacked arrays take .*expected at most 50,000.*max_bytes="):
            Network.from_file(path, unstored="zero", max_bytes=50_000)

    def test_values_of_one_byte_count_as_entries_in_memory(self, tmp_path):
        path = self.archive(tmp_path / "x.npz", self.members(data=np.zeros(10_000, np.uint8)))
        with pytest.raises(InputError, match="its first 10,000 entries and their names take 560,000 bytes"):
            Network.from_file(path, unstored="zero", max_bytes=50_000)


def saved(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


class TestArrays:
    @pytest.mark.filterwarnings("ignore:.*may be a list of pairs")  # small arrays of zeros and ones
    @settings(max_examples=40, deadline=None)
    @given(
        arrays.arrays(
            st.sampled_from(["f8", "f4", "f2", "i8", "u4", "u1", "?", ">f8", ">i2", "f16"]),
            arrays.array_shapes(min_dims=2, max_dims=2, max_side=5),
            elements=st.integers(0, 1),
        ),
        st.sampled_from([(1, 0), (2, 0), (3, 0)]),
        st.booleans(),
    )
    def test_all_versions_types_and_orders_are_read(self, tmp_path_factory, array, version, fortran):
        path = tmp_path_factory.getbasetemp() / "x.npy"
        with path.open("wb") as file:
            np.lib.format.write_array(file, np.asfortranarray(array) if fortran else array, version)
        assert Network.from_file(path) == Network.from_dense(array)

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            (b"(2, 2)", b"(2, 3)", "declares an array of 48 bytes, but 32 follow"),
            (b"(2, 2)", b"(2, 9)", "declares an array of 144 bytes"),
            (b"(2, 2)", b"(2, x)", "header of the array is"),
            (b"(2, 2)", b"(2, -2)", "header of the array is"),
            (b"'<f8'", b"'|O8'", "without Python objects"),
            (b"'<f8'", b"'<f3'", "type '<f3'"),
            (b"'<f8'", b"'<M8'", "type '<M8'"),
            (b"False", b"Maybe", "header of the array is"),
            (b"fortran_order", b"fortran_0rder", "header of the array is"),
            (b"{", b"(", "header of the array is"),
            (b"'fortran_order': False, ", b"                        ", "header of the array is"),
            (b"}", b" ", "header of the array is"),
            (b"NUMPY\1", b"NUMPY\4", "expected a NumPy array"),
            (b", }", b",}x", "header of the array is"),
            (b"'fortran_order': False, ", b" " * 24, "header of the array is"),
            (b"'<f8'", b"'|S1'", "declares an array of 4 bytes"),
            (b"'<f8'", b"'|S0'", "array is of type '.S0'; expected real numbers"),
            (b"'<f8'", b"'|S' ", "array is of type '.S'; expected real numbers"),
            (b"'<f8'", b"'<U60'", "declares an array of 960 bytes"),
            (b"'<f8'", b"'<U268435455'", "declares an array of 4294967280 bytes"),
            (b"'<f8'", b"'<U268435456'", "array is of type '<U268435456'"),
            (b"v\0{", b"\xff\xff{", "65,535 bytes, of which 0"),
        ],
    )
    def test_headers_that_do_not_fit_raise(self, file, old, new, message):
        content = saved(np.ones((2, 2)))
        assert old in content
        with pytest.raises(InputError, match=message) as error:
            Network.from_file(file(content.replace(old, new, 1), "x.npy"))
        assert "x.npy" in str(error.value)

    def test_files_of_another_length_raise(self, file):
        content = saved(np.ones((2, 2)))
        with pytest.raises(
            InputError, match="the header of the array has 118 bytes, of which 10 can be read"
        ):
            Network.from_file(file(content[:20], "x.npy"))
        for changed in (
            content + b"\0",
            content[:-1],
            content[:20],
            content + content,
            saved(np.ones((1,) * 32 + (4,))),
        ):
            with pytest.raises(InputError):
                Network.from_file(file(changed, "x.npy"))

    def test_an_order_of_keys_of_another_writer_is_read(self, file):
        content = saved(np.eye(2))
        header = b"{'shape': (2,2), 'fortran_order': False, \"descr\": '<f8'}"
        start = content[:10] + header.ljust(len(content) - 10 - 32 - 1) + b"\n"
        assert Network.from_file(file(start + content[-32:], "x.npy")) == Network.from_dense(np.eye(2))


@pytest.mark.parametrize(("kind", "block"), [("csr", None), ("csc", None), ("bsr", (2, 3))])
@pytest.mark.parametrize("beyond", [0, 1])
def test_indices_up_to_the_last_line_and_no_further(kind, block, beyond, tmp_path):
    """The last column, or row, or block of them is valid, the one after it is not."""
    height, width = block or (1, 1)
    shape = (4 * height, 5 * width)
    lines, across = (shape[1], shape[0]) if kind == "csc" else (4, 5)
    data = np.ones((1, height, width)) if block else np.ones(1)
    indptr = np.append(0, np.ones(lines, int))
    path = tmp_path / "a.npz"
    np.savez(
        path,
        format=kind.encode(),
        shape=np.array(shape),
        data=data,
        indices=np.array([across - 1 + beyond]),
        indptr=indptr,
    )
    if beyond:
        with pytest.raises(InputError, match="indices"):
            Network.from_file(path, unstored="zero")
    else:
        network = Network.from_file(path, unstored="zero")
        assert network.n_listed == height * width
        assert max(network.rows.max(), network.cols.max()) == (shape[0] if kind == "csc" else shape[1]) - 1
