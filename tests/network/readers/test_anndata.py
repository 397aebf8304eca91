"""AnnData files, which HDF5 reads in a process of its own."""

from __future__ import annotations

import importlib.util
import time
import zlib

import numpy as np
import pandas
import pytest
import scipy.sparse

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.readers.matrices import anndata_file
from latentlink.network.readers.matrices.stored_chunks import lzf_length

h5py = pytest.importorskip("h5py")

VALUES = np.array([[1, 0, np.nan, 2.5], [np.nan, 1, 1, 0], [3, -1, 1e-3, 4]])
SPARSE = scipy.sparse.csr_array(np.array([[0, 2.0, 0], [1, 0, 0], [0, 3, 4]]))

pytestmark = pytest.mark.slow


def write(path, X=SPARSE):
    """Write the parts of an AnnData file that are read."""
    with h5py.File(path, "w") as file:
        if isinstance(X, np.ndarray):
            file["X"] = X
        else:
            group = file.create_group("X")
            group.attrs.update({"encoding-type": f"{X.format}_matrix", "shape": np.array(X.shape)})
            for name in ("data", "indices", "indptr"):
                group[name] = getattr(X, name)
        for side, size in zip(("obs", "var"), X.shape, strict=True):
            frame = file.create_group(side)
            frame.attrs["_index"] = "_index"
            frame["_index"] = [f"{side}{number}" for number in range(size)]
    return path


def test_dense_and_sparse_files_of_anndata(tmp_path):
    anndata = pytest.importorskip("anndata")
    path = tmp_path / "a.h5ad"
    cells = pandas.DataFrame(index=["cell0", "cell1", "é"])
    anndata.AnnData(VALUES, cells).write_h5ad(path, compression="gzip")
    network = Network.from_file(path)
    np.testing.assert_array_equal(network.to_dense(), VALUES)
    assert network.row_names.tolist() == ["cell0", "cell1", "é"]
    assert network.col_names.tolist() == ["0", "1", "2", "3"]
    for form in ("csr", "csc"):
        anndata.AnnData(SPARSE.asformat(form), cells).write_h5ad(path)
        read = Network.from_file(path, unstored="zero").to_dense()
        np.testing.assert_array_equal(read, SPARSE.toarray())
    with pytest.raises(InputError, match="unstored"):
        Network.from_file(path)


def index_of_codes(file):
    del file["obs/_index"]
    file["obs/_index/categories"] = ["b", "c", "a"]
    file["obs/_index/codes"] = np.array([2, 0, 1], np.int8)


def index_with_mask(file):
    del file["obs/_index"]
    file["obs/_index/values"] = ["a", "b", "c"]
    file["obs/_index/mask"] = np.zeros(3, bool)


@pytest.mark.parametrize("change", [index_of_codes, index_with_mask])
def test_other_kinds_of_names(change, tmp_path):
    path = write(tmp_path / "a.h5ad")
    with h5py.File(path, "r+") as file:
        change(file)
    assert Network.from_file(path, unstored="zero").row_names.tolist() == ["a", "b", "c"]
    with h5py.File(path, "r+") as file:
        if "mask" in file["obs/_index"]:
            file["obs/_index/mask"][1] = True
        else:
            file["obs/_index/codes"][1] = -1
    with pytest.raises(InputError, match=r"a\.h5ad.*a name in an index is missing"):
        Network.from_file(path, unstored="zero")


def soft_link(file):
    del file["X/data"]
    bomb = file.create_dataset("/other", (400_000_000,), "f8", chunks=(10**6,), compression="gzip")
    file["X/data"] = h5py.SoftLink(bomb.name)


def soft_link_above(file):
    file.move("X", "Y")
    file["X"] = h5py.SoftLink("/Y")


def external_link(file):
    del file["X/data"]
    file["X/data"] = h5py.ExternalLink("other.h5ad", "X/data")


def external_storage(file):
    del file["X/data"]
    file["X"].create_dataset("data", (4,), "f8", external=[("/etc/hostname", 0, 32)])


def virtual(file):
    del file["X/data"]
    layout = h5py.VirtualLayout((4,), "f8")
    layout[:] = h5py.VirtualSource("other.h5ad", "X/data", (4,))
    file["X"].create_virtual_dataset("data", layout)


def linked_names(file):
    file["obs"].attrs["_index"] = "/X/data"


def linked_index(file):
    del file["var/_index"]
    file["var/_index"] = h5py.SoftLink("/obs/_index")


def unpacks_to_much(file):
    del file["X/data"]
    file["X"].create_dataset("data", (400_000_000,), "f8", chunks=(10**6,), compression="gzip")


def many_names(file):
    del file["obs/_index"]
    file["obs"].create_dataset("_index", (30_000_000,), h5py.string_dtype(), chunks=(1000,))


def few_names(file):
    del file["obs/_index"]
    file["obs/_index"] = ["a"]


def no_index(file):
    del file["obs"].attrs["_index"]


def outside(file):
    file["X/indices"][2] = 77


def falling(file):
    file["X/indptr"][1] = 9999


def huge(file):
    file["X"].attrs["shape"] = [3, 10**12]


def text_values(file):
    del file["X/data"]
    file["X/data"] = [b"a"] * 4


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (soft_link, "'data' is a link to another place"),
        (soft_link_above, "'X' is a link to another place"),
        (external_link, "'data' is a link to another place"),
        (external_storage, "X/data are in other files"),
        (virtual, "X/data are in other files"),
        (linked_names, "found no '/X/data'"),
        (linked_index, "'_index' is a link to another place"),
        (unpacks_to_much, "the arrays of X, obs and var take 3,200,000,"),
        (many_names, "the arrays of X, obs and var take 240,000,"),
        (few_names, r"X has the shape \(3, 3\), but obs has 1 names; expected 3"),
        (no_index, "obs has no index"),
        (outside, "'indices' .* has 77"),
        (falling, "'indptr' .* has 9999 and then"),
        (huge, "1,000,000,000,000 columns"),
        (text_values, "X/data has values of type"),
    ],
)
def test_hostile_files_raise_with_the_reason(change, sentence, tmp_path):
    write(tmp_path / "other.h5ad")
    path = write(tmp_path / "a.h5ad")
    with h5py.File(path, "r+") as file:
        change(file)
    with pytest.raises(InputError, match=rf"(?s){path}.*{sentence}") as caught:
        Network.from_file(path, unstored="zero")
    assert len(str(caught.value)) < 600


def test_damaged_files_raise(tmp_path):
    path = write(tmp_path / "a.h5ad", VALUES)
    content = path.read_bytes()
    for damaged in (content[:1000], b"no HDF5", b"", content[:100] + b"\xff" * 400 + content[500:]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"no readable AnnData file"):
            Network.from_file(path)
    with h5py.File(path, "w") as file:
        file.create_group("obs")
    with pytest.raises(InputError, match="found no 'X'"):
        Network.from_file(path)


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("import os; os.abort()", "HDF5 crashed on it"),
        ("raise KeyError", "the process that reads it failed"),
        ("print('{}')", "the answer of the process that reads it is damaged"),
        ("print('{', end='', flush=True); import os; os.kill(os.getpid(), 9)", "did not read it within"),
        ("import time; time.sleep(60)", "did not read it within"),
    ],
)
def test_whatever_happens_to_the_process_is_an_input_error(program, sentence, tmp_path, monkeypatch):
    (tmp_path / "hostile_child.py").write_text(program)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(anndata_file, "CHILD", "hostile_child")
    monkeypatch.setattr(anndata_file, "WALL_TIMES", 0.5)
    start = time.monotonic()
    with pytest.raises(InputError, match=sentence):
        Network.from_file(write(tmp_path / "a.h5ad"), unstored="zero")
    assert time.monotonic() - start < 20


def test_memory_and_time_of_the_process_are_limited(tmp_path, monkeypatch):
    pytest.importorskip("resource")
    limited = (
        "from latentlink.network.readers.matrices.anndata_child import limit_process as limit\nlimit(1)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(anndata_file, "CHILD", "limited_child")
    path = write(tmp_path / "a.h5ad")
    for work, sentence in (
        ("bytearray(2**29)", "process that reads it failed"),
        ("while 1: 0", "within 5 s"),
    ):
        (tmp_path / "limited_child.py").write_text(limited + work)
        with pytest.raises(InputError, match=sentence):
            Network.from_file(path, unstored="zero")


def test_without_h5py_the_package_to_install_is_named(tmp_path, monkeypatch):
    path = write(tmp_path / "x.h5ad")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install latentlink\[anndata\]"):
        Network.from_file(path)


def test_chunks_that_are_too_short_raise(tmp_path):
    """HDF5 fills what they lack with whatever is in memory."""
    path = write(tmp_path / "a.h5ad")
    for filters in (
        {},
        {"compression": "gzip"},
        {"compression": "lzf"},
        {"shuffle": True, "fletcher32": True},
    ):
        with h5py.File(path, "r+") as file:
            del file["X/data"]
            file["X"].create_dataset("data", data=SPARSE.data, chunks=(3,), **filters)
        read = Network.from_file(path, unstored="zero").to_dense()
        np.testing.assert_array_equal(read, SPARSE.toarray())
    with h5py.File(path, "r+") as file:
        del file["X/data"]
        data = file["X"].create_dataset("data", data=SPARSE.data, chunks=(3,), compression="gzip")
        data.id.write_direct_chunk((0,), zlib.compress(SPARSE.data[:2].tobytes()))
    with pytest.raises(InputError, match="X/data stores 16 bytes where its type and shape need 24"):
        Network.from_file(path, unstored="zero")


def test_references_to_texts_that_are_too_few_raise(tmp_path):
    """Texts of any length are stored elsewhere, and a chunk has 16 bytes for each of them that say where."""
    path = write(tmp_path / "a.h5ad")
    names = [f"cell {number}" for number in range(SPARSE.shape[0])]
    for filters in ({}, {"compression": "gzip"}, {"compression": "lzf"}, {"shuffle": True}):
        with h5py.File(path, "r+") as file:
            del file["obs/_index"]
            file["obs"].create_dataset("_index", data=names, chunks=(len(names),), **filters)
        assert Network.from_file(path, unstored="zero").row_names.tolist() == names
    with h5py.File(path, "r+") as file:
        index = file["obs/_index"]
        raw = index.id.read_direct_chunk((0,))[1]
        index.id.write_direct_chunk((0,), raw[:-16])
    expected = 16 * len(names)
    with pytest.raises(InputError, match=f"_index stores {expected - 16} bytes .* need {expected}"):
        Network.from_file(path, unstored="zero")


def test_filters_whose_chunks_cannot_be_checked_raise(tmp_path):
    path = write(tmp_path / "a.h5ad", VALUES)
    with h5py.File(path, "r+") as file:
        del file["X"]
        file.create_dataset("X", data=np.arange(12).reshape(3, 4), chunks=(3, 4), scaleoffset=0)
    with pytest.raises(InputError, match=r"X is packed by 'scaleoffset'.*expected gzip, lzf or none"):
        Network.from_file(path)


def test_lengths_of_packed_chunks_are_those_of_lzf(tmp_path):
    rng = np.random.default_rng(0)
    for kind in range(30):
        data = np.repeat(rng.integers(0, 3 + kind, 40).astype(np.uint8), rng.integers(1, 400))
        with h5py.File(tmp_path / f"{kind}.h5", "w") as file:
            packed = file.create_dataset("x", data=data, chunks=data.shape, compression="lzf")
            skipped, raw = packed.id.read_direct_chunk((0,))
        assert skipped or (lzf_length(raw), lzf_length(raw[:-1])) == (len(data), 0)
