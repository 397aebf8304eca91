"""Helpers that damage a saved folder."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.saving import load_tree
from latentlink.saving.archive import read_arrays
from latentlink.saving.meta import sealed
from tests.saving.records import RECORDS, Blur, Leaf

TREE = {"leaf": Leaf(np.arange(5.0)), "blur": Blur(), "names": np.array(["a", "bc"])}


def assert_raises(folder, match, kind="model", records=RECORDS):
    with pytest.raises(InputError, match=match) as error:
        load_tree(folder, kind, records)
    assert str(error.value).endswith(".")


def edit(folder, **changes):
    """Change entries of the metadata, with the checksum of the result."""
    meta = json.loads((folder / "meta.json").read_text())
    meta.pop("sha256", None)
    reseal(folder, meta | changes)


def reseal(folder, meta=None):
    """Write metadata with the checksum of them and of the arrays, as far as these can be read."""
    if meta is None:
        meta = json.loads((folder / "meta.json").read_text())
        del meta["sha256"]
    try:
        arrays = read_arrays(folder / "arrays.npz")
    except InputError:
        arrays = {}
    (folder / "meta.json").write_bytes(sealed(meta, arrays))


def with_tree(folder, node):
    """Replace the tree of the folder, and remove its arrays."""
    write_members(folder, {})
    edit(folder, tree=node)


def npy(array):
    """Return an array as the bytes of a file, pickled if it has objects."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def write_members(folder, members, compression=zipfile.ZIP_STORED):
    """Replace the archive of arrays."""
    with zipfile.ZipFile(folder / "arrays.npz", "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    reseal(folder)


def header(text, data=b""):
    """Return the bytes of an array whose header is any text."""
    text = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data
