"""What the process that reads AnnData files answers, asked in this process: each check on both sides."""

from __future__ import annotations

import io
import json
import math
import sys

import numpy as np
import pytest
import scipy.sparse

from latentlink.network.readers.matrices import anndata_child

h5py = pytest.importorskip("h5py")

DENSE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
SPARSE = scipy.sparse.csr_array(np.array([[0, 2.0, 0], [1, 0, 4.0]]))


class Output:
    """Standard output that keeps its bytes."""

    def __init__(self):
        self.buffer = io.BytesIO()


@pytest.fixture
def answer(monkeypatch, tmp_path):
    """Return a function that changes a file, reads it, and returns the description and the parts."""
    monkeypatch.setattr(anndata_child, "limit_process", lambda n_bytes: None)

    def read(X=SPARSE, change=lambda file: None, n_bytes=10**6, old=False):
        path = tmp_path / "a.h5ad"
        with h5py.File(path, "w") as file:
            if isinstance(X, np.ndarray):
                file["X"] = X
            else:
                group = file.create_group("X")
                names = ("h5sparse_format", "h5sparse_shape") if old else ("encoding-type", "shape")
                form = X.format if old else f"{X.format}_matrix"
                group.attrs.update({names[0]: form, names[1]: np.array(X.shape)})
                for name in ("data", "indices", "indptr"):
                    group[name] = getattr(X, name)
            for side, size in zip(("obs", "var"), X.shape, strict=True):
                frame = file.create_group(side)
                frame.attrs["_index"] = "names"
                frame["names"] = [f"{side}{number}" for number in range(size)]
            change(file)
        output = Output()
        monkeypatch.setattr(sys, "argv", ["child", str(path), str(n_bytes)])
        monkeypatch.setattr(sys, "stdout", output)
        anndata_child.main()
        monkeypatch.undo()
        line, _, rest = output.buffer.getvalue().partition(b"\n")
        description, parts = json.loads(line), {}
        for name, size in description["parts"].items():
            parts[name], rest = rest[:size], rest[size:]
        assert not rest
        return description, parts

    return read


def array_of(part):
    return np.load(io.BytesIO(part))


def renamed(file, names, side="obs"):
    """Replace the names of a side."""
    del file[side]["names"]
    file[side]["names"] = names


def test_a_dense_matrix(answer):
    description, parts = answer(DENSE)
    assert description["format"] == "dense"
    np.testing.assert_array_equal(array_of(parts["data"]), DENSE)
    assert json.loads(parts["obs"]) == ["obs0", "obs1"]
    assert json.loads(parts["var"]) == ["var0", "var1", "var2"]


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("form", ["csr", "csc"])
def test_a_sparse_matrix(answer, form, old):
    X = SPARSE.asformat(form)
    description, parts = answer(X, old=old)
    assert (description["format"], description["shape"]) == (form, [2, 3])
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(array_of(parts[name]), getattr(X, name))
    assert list(parts) == ["data", "indices", "indptr", "obs", "var"]


def with_codes(file, codes=(1, 0)):
    del file["obs/names"]
    file["obs/names/categories"], file["obs/names/codes"] = ["b", "a"], np.array(codes, np.int8)


def with_mask(file, mask=(False, False)):
    del file["obs/names"]
    file["obs/names/values"], file["obs/names/mask"] = ["a", "b"], np.array(mask)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (with_codes, ["a", "b"]),
        (lambda file: with_codes(file, [0, 0]), ["b", "b"]),
        (with_mask, ["a", "b"]),
        (lambda file: renamed(file, np.array([7, 9])), ["7", "9"]),
        (lambda file: renamed(file, np.array([0.5, 2.0])), ["0.5", "2.0"]),
        (lambda file: renamed(file, np.array([b"x", b"y"])), ["x", "y"]),
    ],
)
def test_names_of_every_kind(answer, change, names):
    assert json.loads(answer(change=change)[1]["obs"]) == names


@pytest.mark.parametrize("codes", [[-1, 0], [0, 2]])
def test_codes_without_a_name(answer, codes):
    assert "a name in an index is missing" in answer(change=lambda file: with_codes(file, codes))[0]["error"]


def test_masked_names(answer):
    changed = answer(change=lambda file: with_mask(file, (False, True)))[0]
    assert "a name in an index is missing" in changed["error"]


@pytest.mark.parametrize("spare", [-1, 0])
def test_the_bytes_of_all_arrays_are_limited(answer, spare):
    """Of texts of any length, 8 bytes for each of the five names."""
    needed = sum(getattr(SPARSE, name).nbytes for name in ("data", "indices", "indptr")) + 5 * 8
    description, parts = answer(n_bytes=needed + spare)
    assert description.get("needed") == (needed if spare < 0 else None)
    assert bool(parts) is (spare == 0)


def replaced(name, data, **options):
    def change(file):
        del file[name]
        file.create_dataset(name, data=data, **options)

    return change


def attribute(name, value):
    return lambda file: file["X"].attrs.__setitem__(name, value)


def group_as_data(file):
    del file["X/data"]
    file.create_group("X/data")


INVALID = {
    "no data": (replaced("X/data", h5py.Empty("f8")), "X/data is no array"),
    "a group as data": (group_as_data, "X/data is no array"),
    "text": (replaced("X/data", [b"a"] * 3), "X/data has values of type"),
    "fractions as indices": (replaced("X/indices", [0.0, 1.0, 2.0]), "X/indices has values of type"),
    "complex numbers": (replaced("X/data", np.ones(3, complex)), "X/data has values of type"),
    "long numbers": (replaced("X/data", np.ones(3, np.longdouble)), "X/data has values of type"),
    "another format": (attribute("encoding-type", "coo_matrix"), "X is stored as 'coo_matrix'"),
    "three sizes": (attribute("shape", [2, 3, 1]), r"the shape of X has shape (3,)"),
    "fractions as a shape": (attribute("shape", [2.0, 3.0]), "X has shape (2,); expected two whole"),
    "no attributes": (lambda file: file["X"].attrs.clear(), "X is stored as None"),
    "no obs": (lambda file: file.__delitem__("obs"), "found no 'obs'"),
    "no column of names": (lambda file: file.__delitem__("var/names"), "found no 'names'"),
    "an array as obs": (replaced("obs", [1.0]), "obs has no index"),
    "an index that is no text": (lambda file: file["obs"].attrs.__setitem__("_index", 3), "obs has no index"),
    "an empty name of the index": (lambda file: file["obs"].attrs.__setitem__("_index", ""), "found no ''"),
    "a path through an array": (
        lambda file: file["obs"].attrs.__setitem__("_index", "names/more"),
        "found no 'names/more'",
    ),
    "a table of names": (lambda file: renamed(file, [["a", "b"]]), "the index of obs is no list"),
    "truth values as names": (lambda file: renamed(file, [True, False]), "index of obs has values of type"),
    "a link": (
        lambda file: (file.move("X/data", "data"), file.__setitem__("X/data", h5py.SoftLink("/data"))),
        "'data' is a link to another place",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "sentence"), INVALID.values(), ids=INVALID)
def test_other_files_have_an_error_and_no_parts(answer, change, sentence):
    description, parts = answer(change=change)
    assert sentence in description["error"]
    assert not parts


@pytest.mark.parametrize("kind", ["external", "virtual"])
def test_values_in_other_files_are_refused(answer, kind, tmp_path):
    def change(file):
        del file["X/data"]
        if kind == "external":
            (tmp_path / "other").write_bytes(bytes(24))
            file["X"].create_dataset("data", (3,), "f8", external=[(str(tmp_path / "other"), 0, 24)])
            return
        layout = h5py.VirtualLayout((3,), "f8")
        layout[:] = h5py.VirtualSource("other.h5ad", "X/data", (3,))
        file["X"].create_virtual_dataset("data", layout)

    assert "the values of X/data are in other files" in answer(change=change)[0]["error"]


@pytest.mark.parametrize("shape", [(6,), (1, 2, 3)])
def test_a_dense_matrix_has_two_dimensions(answer, shape):
    error = answer(DENSE, lambda file: replaced("X", np.ones(shape))(file))[0]["error"]
    assert error == f"X has {len(shape)} dimensions; expected two"


def test_an_index_within_a_group_is_found(answer):
    def change(file):
        file["obs"].move("names", "inner/names")
        file["obs"].attrs["_index"] = "inner/names"

    assert json.loads(answer(change=change)[1]["obs"]) == ["obs0", "obs1"]


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (MemoryError(), {"memory": True, "parts": {}}),
        (RuntimeError("x" * 5), {"error": "HDF5 cannot read it ('xxxxx')", "parts": {}}),
    ],
)
def test_what_hdf5_raises_is_told(answer, monkeypatch, raised, expected):
    def fail(dataset, name):
        raise raised

    monkeypatch.setattr(anndata_child, "check_stored_bytes", fail)
    assert answer()[0] == expected


@pytest.mark.parametrize(
    ("n_bytes", "seconds"), [(0, 3), (1, 4), (50_000_000, 4), (50_000_001, 5), (10**9, 23)]
)
def test_fifty_megabytes_are_read_in_a_second(n_bytes, seconds):
    assert anndata_child.cpu_seconds(n_bytes) == seconds


class Resource:
    """The limits of a process, which are noted and not set."""

    RLIMIT_AS, RLIMIT_CPU, RLIMIT_CORE, RLIM_INFINITY = "memory", "seconds", "core", -1

    def __init__(self, hard):
        self.hard, self.limits = hard, {}

    def getpagesize(self):
        return 4096

    def getrlimit(self, kind):
        return 0, self.hard

    def setrlimit(self, kind, limits):
        self.limits[kind] = limits


@pytest.mark.parametrize("hard", [-1, 3, 10**15])
@pytest.mark.parametrize("pages", [None, 70_000])
def test_limits_of_the_process_are_not_above_those_of_the_system(hard, pages, monkeypatch, tmp_path):
    resource, statistics = Resource(hard), tmp_path / "statm"
    if pages is not None:
        statistics.write_text(f"{pages} 11 12")
    monkeypatch.setitem(sys.modules, "resource", resource)
    monkeypatch.setattr(anndata_child, "Path", lambda _: statistics)
    anndata_child.limit_process(10**8)
    base = 2 * 2**30 if pages is None else pages * 4096
    expected = {"memory": base + 2 * 10**8 + 256 * 2**20, "seconds": 5, "core": 0}
    most = math.inf if hard == -1 else hard
    assert resource.limits == {kind: (min(each, most),) * 2 for kind, each in expected.items()}
