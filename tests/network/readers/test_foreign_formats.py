"""Files of common formats that are not read: the message says what they are and what to do."""

from __future__ import annotations

import pickle

import numpy as np
import pandas
import pytest
import scipy.io
import scipy.sparse

from latentlink.errors import InputError
from latentlink.network import Network


def refused(path):
    """The message about a file, without its path."""
    with pytest.raises(InputError) as error:
        Network.from_file(path)
    assert str(error.value).startswith(f"{path} ")
    return str(error.value).removeprefix(f"{path} ")


@pytest.mark.parametrize("matrix", [np.eye(3), scipy.sparse.eye_array(3)], ids=["dense", "sparse"])
@pytest.mark.parametrize("version", ["4", "5"])
@pytest.mark.parametrize("name", ["a.mat", "a.dat"])
def test_matlab_files_are_told_by_suffix_or_content(tmp_path, matrix, version, name):
    path = tmp_path / name
    with path.open("wb") as file:
        scipy.io.savemat(file, {"A": matrix}, format=version)
    if (name, version) == ("a.dat", "4"):  # version 4 begins with numbers alone
        with pytest.raises(InputError):
            Network.from_file(path)
    else:
        assert refused(path).startswith("is a MATLAB file; expected delimited text")
        assert "scipy.io.loadmat" in refused(path)


def test_dense_archives_are_told_with_what_they_have(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, X=np.eye(3), y=np.ones(3))
    assert refused(path) == (
        "has the arrays 'X', 'y', but no sparse matrix; expected a sparse matrix, as scipy.sparse.save_npz "
        "writes it. Give an array of numpy.load(path) to Network.from_dense, or a list of pairs to "
        "Network.from_edges, or save it as .npy."
    )
    scipy.sparse.save_npz(path, scipy.sparse.eye_array(3))
    with pytest.raises(InputError, match="unstored is None"):
        Network.from_file(path)


def test_arrays_and_pickles_under_other_names_are_told(tmp_path):
    np.save(tmp_path / "a.npy", np.eye(2))
    (tmp_path / "a.npy").rename(tmp_path / "a.txt")
    assert refused(tmp_path / "a.txt").endswith("Name it with the suffix .npy.")
    pandas.DataFrame({"u": ["a"], "v": ["b"]}).to_parquet(tmp_path / "a.csv")
    assert refused(tmp_path / "a.csv").endswith("Name it with the suffix .parquet.")
    (tmp_path / "a.pkl").write_bytes(pickle.dumps([("a", "b")]))
    assert "which may execute anything" in refused(tmp_path / "a.pkl")


@pytest.mark.parametrize(
    ("name", "content", "way"),
    [
        ("a.xlsx", b"PK\x03\x04" + bytes(40), "pandas.read_excel"),
        ("a.csv", b"PK\x03\x04" + bytes(40), "Unpack it first."),
        ("a.csv", b"\xd0\xcf\x11\xe0" + bytes(40), "pandas.read_excel"),
        ("a.h5", b"\x89HDF\r\n\x1a\n" + bytes(40), "h5py"),
        ("a.txt", "a,b\nc,d\n".encode("utf-16"), "Save the file as UTF-8."),
        ("a.txt", "a,b\nc,d\n".encode("utf-16-be").join([b"\xfe\xff", b""]), "Save the file as UTF-8."),
        ("a.txt", "a,b\nc,d\n".encode("utf-32"), "Save the file as UTF-8."),
        (
            "a.txt",
            b"\0\0\xfe\xff" + "a,b\n".encode("utf-32-be"),
            "Save the file as UTF-8.",
        ),
        ("a.json", b'[["a", "b"]]', "pandas.read_json"),
        ("a.graphml", b"<?xml version='1.0'?><graphml/>", "Network.from_networkx"),
        ("a.csv", b"<!DOCTYPE html><html>Not found</html>", "page of an error"),
        ("a.csv", b"<html>Not found</html>", "page of an error"),
        ("a.db", b"SQLite format 3\0", "pandas.read_sql"),
        ("a.arrow", b"ARROW1\0\0", "pandas.read_feather"),
        ("a.pdf", b"%PDF-1.7\n", "as CSV"),
        ("a.rds", b"\x1f\x8b\x08", "write.csv"),
    ],
)
def test_other_formats_name_the_way_to_read_them(tmp_path, name, content, way):
    path = tmp_path / name
    path.write_bytes(content)
    assert way in refused(path)


def test_text_is_read_whatever_its_first_letters(tmp_path):
    for number, first in enumerate(["MATLAB", "PAR", "PK", "html", "SQLite"]):
        path = tmp_path / f"{number}.csv"
        path.write_text(f"{first},b\nc,d\n")
        assert Network.from_file(path).n_listed == 2
