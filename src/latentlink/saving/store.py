"""Saving and loading trees: as a folder of JSON and arrays, or as a single file."""

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
from latentlink.saving.atomic import previous, replace_folder, resolved, write_atomically
from latentlink.saving.decode import Decoder, checked_records
from latentlink.saving.encode import Encoder

__all__ = ["load_file", "load_tree", "save_file", "save_tree"]

_META, _ARRAYS = "meta.json", "arrays.npz"
_META_IN_FILE = "meta"

Where = str | os.PathLike[str]
Arrays = dict[str, NDArray[Any]]


def save_tree(folder: Where, kind: str, tree: Any, *, overwrite: bool = False) -> None:
    """Save records, settings and arrays as a folder of ``meta.json`` and ``arrays.npz``.

    The folder is written whole or not at all: after a crash, `load_tree` finds the old one or the new one.

    Parameters
    ----------
    folder : path
        Where. The folder in which it stands must exist.
    kind : str
        What the tree is, such as ``"model"``; loading asks for it.
    tree : object
        None, bools, numbers, strings, arrays of numbers or text, ranges, settings objects and frozen records,
        nested in lists, tuples, dicts with strings as keys, and each other. NumPy's scalars become Python's,
        arrays of Python strings become NumPy's text.
    overwrite : bool
        Replace a folder that is there, provided that it is empty or was saved by this function.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     save_tree(f"{place}/numbers", "example", {"ranks": (2, 3), "errors": np.array([0.5, 0.25])})
    ...     load_tree(f"{place}/numbers", "example", {})
    {'ranks': (2, 3), 'errors': array([0.5 , 0.25])}
    """
    node, arrays = _encoded(kind, tree)
    target = resolved(folder)
    _make_way(target, overwrite)
    replace_folder(target, {_ARRAYS: partial(write_arrays, arrays=arrays), _META: meta.written(kind, node)})


def load_tree(folder: Where, kind: str, records: Mapping[str, type]) -> Any:
    """Load what `save_tree` saved; whatever else the folder holds is refused, never executed.

    Parameters
    ----------
    folder : path
        Where it was saved.
    kind : str
        What it is expected to be.
    records : mapping of str to type
        The records and settings that may occur, by the names of their classes. No other class is ever
        looked up, imported or called.

    Returns
    -------
    object
        The tree; its arrays are new.
    """
    allowed = checked_records(records)
    place = _standing(Path(os.path.realpath(folder)))
    source = repr(str(place / _META))
    found = meta.parsed(_content(place / _META), source)
    library = meta.checked(found, kind, source)
    arrays = _numbered(read_arrays(place / _ARRAYS), place / _ARRAYS)
    return Decoder(f"{source}, written by latentlink {library},", allowed, arrays).decode(found["tree"])


def save_file(path: Where, kind: str, tree: Any) -> None:
    """Save records, settings and arrays as a single ``.npz`` file, as `save_tree` does as a folder.

    Parameters
    ----------
    path : path
        Where; a file that is there is replaced, in one step.
    kind, tree
        As for `save_tree`.
    """
    node, arrays = _encoded(kind, tree)
    text = np.frombuffer(meta.written(kind, node), np.uint8)
    write_atomically(path, partial(write_arrays, arrays={_META_IN_FILE: text} | arrays))


def load_file(path: Where, kind: str, records: Mapping[str, type]) -> Any:
    """Load what `save_file` saved; parameters and refusals are those of `load_tree`."""
    allowed = checked_records(records)
    place = Path(os.path.realpath(path))
    source = repr(str(place))
    arrays = read_arrays(place)
    text = arrays.pop(_META_IN_FILE, None)
    if text is None or text.dtype != np.uint8 or text.ndim != 1:
        raise InputError(f"{source} was not saved by latentlink: it has no part {_META_IN_FILE!r} of bytes.")
    found = meta.parsed(text.tobytes(), source)
    library = meta.checked(found, kind, source)
    numbered = _numbered(arrays, place)
    return Decoder(f"{source}, written by latentlink {library},", allowed, numbered).decode(found["tree"])


def _encoded(kind: str, tree: Any) -> tuple[Any, Arrays]:
    """Split a tree into its JSON and its arrays, which are named by a running number."""
    if not isinstance(kind, str):
        raise InputError(f"kind is {kind!r}; expected a string, such as 'model'.")
    arrays: Arrays = {}

    def keep(array: NDArray[Any]) -> int:
        arrays[str(len(arrays))] = array
        return len(arrays) - 1

    return Encoder(keep).encode(tree), arrays


def _numbered(arrays: Arrays, path: Path) -> list[NDArray[Any]]:
    """Put arrays in the order of their numbers."""
    if arrays.keys() != {str(number) for number in range(len(arrays))}:
        raise InputError(
            f"{str(path)!r} has {len(arrays)} arrays that are not named 0, 1, 2 and so on. It is damaged, or "
            "was made by something else."
        )
    return [arrays[str(number)] for number in range(len(arrays))]


def _content(path: Path) -> bytes:
    """Read a file; what cannot be read is refused in a sentence."""
    if not path.is_file():
        raise InputError(f"There is no file {str(path)!r}; expected a folder made by save.")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read ({error}).") from error


def _standing(folder: Path) -> Path:
    """Return the folder, or, where a crash left it moved aside, the place to which it was moved."""
    aside = previous(folder)
    return aside if not folder.exists() and _is_ours(aside) else folder


def _is_ours(folder: Path) -> bool:
    """Tell whether a folder holds what `save_tree` writes and nothing else."""
    if not folder.is_dir() or set(os.listdir(folder)) != {_META, _ARRAYS}:
        return False
    try:
        found = meta.parsed(_content(folder / _META), "")
    except InputError:
        return False
    return isinstance(found, dict) and found.get("format") == meta.FORMAT


def _make_way(target: Path, overwrite: bool) -> None:
    """Refuse to replace what must stay, and tidy up after a crash."""
    aside = previous(target)
    if _is_ours(aside) and not target.exists():
        os.replace(aside, target)
    if not target.exists():
        return
    if not overwrite:
        raise InputError(f"{str(target)!r} is there already. Choose another name, or say overwrite=True.")
    if not _is_ours(target) and not (target.is_dir() and not os.listdir(target)):
        raise InputError(
            f"{str(target)!r} is not a folder that latentlink saved, or holds other files too, so it is not "
            "overwritten. Choose another name, or remove it yourself."
        )
    if _is_ours(aside):
        shutil.rmtree(aside)
