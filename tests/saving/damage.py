"""Helpers that damage a saved folder."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.saving import load_tree
from tests.saving.records import RECORDS, Blur, Leaf

TREE = {"leaf": Leaf(np.arange(5.0)), "blur": Blur(), "names": np.array(["a", "bc"])}


def assert_raises(folder, match, kind="model", records=RECORDS):
    with pytest.raises(InputError, match=match) as error:
        load_tree(folder, kind, records)
    assert str(error.value).endswith(".")


def edit(folder, **changes):
    """Change entries of the metadata."""
    meta = json.loads((folder / "meta.json").read_text())
    (folder / "meta.json").write_text(json.dumps(meta | changes))


def with_tree(folder, node):
    """Replace the tree of the folder, and remove its arrays."""
    edit(folder, tree=node)
    write_members(folder, {})


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


def header(text, data=b""):
    """Return the bytes of an array whose header is any text."""
    text = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data
