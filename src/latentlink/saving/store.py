"""Saving and loading of trees as a folder of JSON and arrays, or as a single file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.saving import meta
from latentlink.saving.archive import read_arrays, write_arrays
from latentlink.saving.atomic import (
    Content,
    create_atomically,
    previous,
    replace_folder,
    resolved,
    storage_errors,
    write_atomically,
)
from latentlink.saving.decode import Decoder, checked_records
from latentlink.saving.encode import Encoder
from latentlink.validation.wording import counted, shown_path

__all__ = ["create_file", "load_file", "load_tree", "save_file", "save_tree"]

_META, _ARRAYS = "meta.json", "arrays.npz"
_META_IN_FILE = "meta"

PathLike = str | os.PathLike[str]
Arrays = dict[str, NDArray[Any]]


def save_tree(folder: PathLike, kind: str, tree: Any, *, overwrite: bool = False) -> None:
    """Save records, settings and arrays as a folder of ``meta.json`` and ``arrays.npz``.

    The folder is written atomically: after a crash, `load_tree` finds the old one or the new one.

    Parameters
    ----------
    folder : path
        The folder to create; its parent must exist.
    kind : str
        Kind of the tree, such as ``"model"``; `load_tree` must name the same.
    tree : object
        None, bools, numbers, strings, arrays of numbers or text, ranges, settings objects and frozen records,
        nested in lists, tuples, dicts with strings as keys, and each other. NumPy's scalars become Python's,
        and arrays of Python strings become NumPy's text.
    overwrite : bool
        Replace an existing folder that is empty or was saved by this function.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     save_tree(f"{parent}/numbers", "example", {"ranks": (2, 3), "errors": np.array([0.5, 0.25])})
    ...     load_tree(f"{parent}/numbers", "example", {})
    {'ranks': (2, 3), 'errors': array([0.5 , 0.25])}
    """
    node, arrays = _encoded(kind, tree)
    content = meta.written(kind, node, arrays)
    target = resolved(folder)
    with storage_errors(target):
        _prepare_target(target, overwrite)
    replace_folder(target, {_ARRAYS: partial(write_arrays, arrays=arrays), _META: content})


def load_tree(folder: PathLike, kind: str, records: Mapping[str, type]) -> Any:
    """Load a folder that `save_tree` saved; raise InputError for any other, without executing anything in it.

    Parameters
    ----------
    folder : path
        The saved folder.
    kind : str
        The expected kind.
    records : mapping of str to type
        The allowed classes of records and settings by name. No other class is looked up, imported or called.

    Returns
    -------
    object
        The tree, with new arrays.
    """
    allowed = checked_records(records)
    with storage_errors(Path(folder), ""):  # such as a name that is too long
        current = _current(Path(os.path.realpath(folder)))
    source = shown_path(current / _META)
    content = _content(current / _META)
    parsed = meta.parsed(content, source)
    library = meta.checked(parsed, kind, source)
    arrays = read_arrays(current / _ARRAYS)
    meta.check_seal(content, arrays, source)
    numbered = _numbered(arrays, current / _ARRAYS)
    return Decoder(f"{source}, written by latentlink {library},", allowed, numbered).decode(parsed["tree"])


def save_file(path: PathLike, kind: str, tree: Any) -> None:
    """Save records, settings and arrays as a single ``.npz`` file, as `save_tree` does as a folder.

    Parameters
    ----------
    path : path
        The file to write; an existing one is replaced atomically.
    kind, tree
        As for `save_tree`.
    """
    write_atomically(path, _file_content(kind, tree))


def create_file(path: PathLike, kind: str, tree: Any) -> bool:
    """Save a file as `save_file` does, unless there is one already; return whether it was saved.

    Of several processes that do this at once, one saves its file, complete, and the others get False.
    """
    return create_atomically(path, _file_content(kind, tree))


def load_file(path: PathLike, kind: str, records: Mapping[str, type]) -> Any:
    """Load a file that `save_file` saved, with the parameters and errors of `load_tree`."""
    allowed = checked_records(records)
    target = Path(os.path.realpath(path))
    source = shown_path(target)
    arrays = read_arrays(target)
    text = arrays.pop(_META_IN_FILE, None)
    if text is None or text.dtype != np.uint8 or text.ndim != 1:
        raise InputError(f"{source} was not saved by latentlink: it has no array {_META_IN_FILE!r} of bytes.")
    content = text.tobytes()
    parsed = meta.parsed(content, source)
    library = meta.checked(parsed, kind, source)
    meta.check_seal(content, arrays, source)
    numbered = _numbered(arrays, target)
    return Decoder(f"{source}, written by latentlink {library},", allowed, numbered).decode(parsed["tree"])


def _file_content(kind: str, tree: Any) -> Content:
    """Return the content of a single file: the metadata as an array of bytes, and the arrays."""
    node, arrays = _encoded(kind, tree)
    text = np.frombuffer(meta.written(kind, node, arrays), np.uint8)
    return partial(write_arrays, arrays={_META_IN_FILE: text} | arrays)


def _encoded(kind: str, tree: Any) -> tuple[Any, Arrays]:
    """Return the JSON of a tree and its arrays, numbered in order."""
    if not isinstance(kind, str):
        raise InputError(f"kind is {kind!r}; expected a string, such as 'model'.")
    arrays: Arrays = {}

    def store(array: NDArray[Any]) -> int:
        arrays[str(len(arrays))] = array
        return len(arrays) - 1

    return Encoder(store, bounded=True).encode(tree), arrays


def _numbered(arrays: Arrays, path: Path) -> list[NDArray[Any]]:
    """Return arrays in the order of their numbers."""
    if arrays.keys() != {str(number) for number in range(len(arrays))}:
        raise InputError(
            f"{shown_path(path)} has {counted(len(arrays), 'array')} whose names are not 0, 1, 2 and so on. "
            "It is damaged, or was made by something else."
        )
    return [arrays[str(number)] for number in range(len(arrays))]


def _content(path: Path) -> bytes:
    """Read a file, or raise InputError if it cannot be read."""
    try:
        if not path.is_file():
            raise InputError(f"There is no file {shown_path(path)}; expected a folder that latentlink saved.")
        size = path.stat().st_size
        if size > meta.MAX_BYTES:
            raise meta.too_long(size, shown_path(path))
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{shown_path(path)} cannot be read ({error.strerror or error}).") from error


def _current(folder: Path) -> Path:
    """Return the folder, or, after a crash between two renames, its previous version."""
    old = previous(folder)
    return old if not folder.exists() and _is_ours(old) else folder


def _is_ours(folder: Path) -> bool:
    """Return whether a folder contains what `save_tree` writes and nothing else."""
    if not folder.is_dir() or set(os.listdir(folder)) != {_META, _ARRAYS}:
        return False
    try:
        return meta.is_ours(_content(folder / _META))
    except InputError:
        return False


def _prepare_target(target: Path, overwrite: bool) -> None:
    """Raise InputError if the target must not be replaced, and clean up after a crash."""
    old = previous(target)
    if _is_ours(old) and not target.exists():
        os.replace(old, target)
    if not target.exists():
        return
    if not overwrite:
        raise InputError(f"{shown_path(target)} exists already. Choose another name, or pass overwrite=True.")
    if not _is_ours(target) and not (target.is_dir() and not os.listdir(target)):
        raise InputError(
            f"{shown_path(target)} is not a folder that latentlink saved, or contains other files too, so it "
            "is not overwritten. Choose another name, or remove it yourself."
        )
    if _is_ours(old):
        shutil.rmtree(old)
