"""Tasks packed for other processes: objects that many tasks share are packed once, and loaded once a process.

A class whose instances are shared has ``shared_by_tasks = True``: a network, which is large, and a plan, with
what it caches of the network. In a packed task they are keys, which are hashes of their content. A process
that has loaded an object before, for another task, uses that one with all that it has cached.
"""

from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from latentlink.cluster.mapped_parts import Part, joined, mapped, split_parts, write_parts
from latentlink.errors import LatentLinkError
from latentlink.saving.atomic import write_atomically

__all__ = ["MissingContentError", "Packed", "SharedObjects", "forget", "run_packed", "run_unpacked"]

_MOST_KEPT = 6  # objects in the memory of a process: plans of trials and of fits, and their networks


class MissingContentError(Exception):
    """A process has neither the file nor the content of a shared object."""


class Packed(NamedTuple):
    """A function call for another process.

    Attributes
    ----------
    content : bytes
        Function and arguments, pickled, with keys in place of shared objects.
    keys : tuple of str
        The shared objects, and those that they refer to.
    folder : str or None
        Where the files of shared objects are.
    """

    content: bytes
    keys: tuple[str, ...]
    folder: str | None


class SharedObjects:
    """Objects that tasks share, each packed once: as a file of a folder, or as content to be sent.

    Parameters
    ----------
    folder : path or None
        Where files are written, which other processes map into memory. It must exist.

    Examples
    --------
    >>> shared = SharedObjects(None)
    >>> run_packed(shared.packed(pow, 2, 3), {})
    8
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._keys: dict[int, tuple[Any, str]] = {}  # with the object, so that no other gets its id
        self._parts: dict[str, list[Part]] = {}
        self._within: dict[str, tuple[str, ...]] = {}

    def packed(self, function: Callable[..., Any], *args: Any) -> Packed:
        """Return a function call, packed."""
        parts, keys = self._pickled((function, args), None)
        folder = None if self._folder is None else os.path.abspath(self._folder)
        return Packed(joined(parts), keys, folder)

    def content(self, key: str) -> bytes:
        """Return the content of a shared object."""
        return joined(self._parts[key])

    def _key_of(self, shared: Any) -> str:
        if id(shared) not in self._keys:
            parts, within = self._pickled(shared, shared)
            digest = sha256()
            for part in parts:
                digest.update(part)
            key = digest.hexdigest()
            self._keys[id(shared)] = (shared, key)
            self._parts[key], self._within[key] = parts, within
            if self._folder is not None and not (self._folder / key).exists():
                write_atomically(self._folder / key, lambda file: write_parts(file, parts))
        return self._keys[id(shared)][1]

    def _pickled(self, tree: Any, root: Any) -> tuple[list[Part], tuple[str, ...]]:
        """Return the pickle of a tree and its buffers, and the keys of the shared objects below its root."""
        file, buffers = io.BytesIO(), list[pickle.PickleBuffer]()
        pickler = _Pickler(file, buffers, root, self._key_of)
        pickler.dump(tree)
        keys = dict.fromkeys(key for direct in pickler.keys for key in (direct, *self._within[direct]))
        return [file.getvalue(), *(buffer.raw() for buffer in buffers)], tuple(keys)


class _Pickler(pickle.Pickler):
    """Pickler that replaces shared objects by keys, and puts arrays into buffers without copies."""

    def __init__(
        self, file: io.BytesIO, buffers: list[pickle.PickleBuffer], root: Any, key_of: Callable[[Any], str]
    ) -> None:
        super().__init__(file, protocol=5, buffer_callback=buffers.append)
        self.keys: list[str] = []
        self._root, self._key_of = root, key_of

    def persistent_id(self, obj: Any) -> str | None:
        """Return the key of a shared object; None for any other."""
        if obj is self._root or getattr(type(obj), "shared_by_tasks", False) is not True:
            return None
        self.keys.append(self._key_of(obj))
        return self.keys[-1]


class _Unpickler(pickle.Unpickler):
    """Unpickler that gets shared objects from a function."""

    def __init__(self, parts: Sequence[memoryview], load: Callable[[str], Any]) -> None:
        super().__init__(io.BytesIO(parts[0]), buffers=parts[1:])
        self._load = load

    def persistent_load(self, key: str) -> Any:
        """Return a shared object."""
        return self._load(key)


class _Loaded:
    """The shared objects that this process has loaded, the last used at the end.

    Tasks come one by one, and nothing but the process outlives them.
    """

    def __init__(self) -> None:
        self._lock, self._objects = RLock(), OrderedDict[str, Any]()

    def get(self, key: str, folder: str | None, contents: Mapping[str, Any]) -> Any:
        """Return an object: as loaded before, from its content, or from its file."""
        with self._lock:
            if key not in self._objects:
                parts = split_parts(_content(key, folder, contents))
                load = _Unpickler(parts, lambda inner: self.get(inner, folder, contents)).load
                self._objects[key] = load()
            self._objects.move_to_end(key)
            while len(self._objects) > _MOST_KEPT:
                self._objects.popitem(last=False)
            return self._objects[key]

    def drop(self, keys: Sequence[str]) -> None:
        """Forget objects."""
        with self._lock:
            for key in keys:
                self._objects.pop(key, None)


_LOADED = _Loaded()


def run_packed(packed: Packed, contents: Mapping[str, Any]) -> Any:
    """Run a packed call in this process, with one thread of linear algebra.

    Parameters
    ----------
    packed : Packed
    contents : mapping of str to bytes
        The contents of shared objects; those without are read from the folder.

    Raises
    ------
    MissingContentError
        If this process cannot read the file of a shared object.
    """
    parts = split_parts(memoryview(packed.content))
    unpickler = _Unpickler(parts, lambda key: _LOADED.get(key, packed.folder, contents))
    function, args = unpickler.load()
    return run_unpacked(function, *args)


def run_unpacked(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function with one thread of linear algebra: results must not depend on the cores of a worker.

    Examples
    --------
    >>> run_unpacked(pow, 2, 3)
    8
    """
    with threadpool_limits(1, user_api="blas"):
        return function(*args)


def forget(keys: Sequence[str]) -> None:
    """Release shared objects that this process has loaded."""
    _LOADED.drop(keys)


def _content(key: str, folder: str | None, contents: Mapping[str, Any]) -> memoryview:
    if key in contents:
        return memoryview(contents[key])
    if folder is None:
        raise LatentLinkError(f"A task came without the data {key[:8]} that it shares with others.")
    try:
        return mapped(Path(folder) / key)
    except (OSError, ValueError) as error:
        raise MissingContentError(f"{folder}: {error}") from None
