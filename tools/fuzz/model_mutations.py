"""Mutations of saved models: damaged bytes, and hostile contents with a checksum of their own."""

from __future__ import annotations

import io
import json
import pickle
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from latentlink.errors import InputError
from latentlink.saving.archive import read_arrays
from latentlink.saving.meta import sealed

__all__ = [
    "DAMAGES",
    "HOSTILE",
    "NEVER_VALID",
    "REPLACEMENTS",
    "leaves",
    "replaced",
    "reseal",
    "settings_leaves",
]

META, ARRAYS = "meta.json", "arrays.npz"

REPLACEMENTS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 2**53, -(2**53), 10**600, 0.5, -0.5, 1e308, "", "text", "x" * 100_000,
    {"int": "0x" + "f" * 300}, {"int": "-0x1" + "0" * 40}, {"float": "nan"}, {"float": "inf"},
    {"float": "-inf"}, [], [1, 2], {"tuple": []}, {"tuple": [1, 2]}, {"tuple": [2**53, 2**53]}, {"dict": {}},
    {"dict": {"class": "WNMFk"}}, "learned", {"range": [0, 50_000_000, 1]}, {"range": [0, 3, 1]},
    {"array": 0}, {"array": 1}, {"array": 10**6},
    {"settings": "WNMF", "params": {}}, {"record": "Choice", "fields": {}}, {},
)  # fmt: skip

# No parameter of an estimator, and no setting of a settings object, has one of these as its value or in it.
NEVER_VALID: tuple[Any, ...] = (
    {"float": "nan"}, {"float": "-inf"}, [], {"tuple": []}, [None], {"dict": {}}, "x" * 1000,
    {"record": "Step", "fields": {"name": "read", "touched": 0, "sentence": "Read."}},
)  # fmt: skip

Rng = np.random.Generator


# ---------------------------------------------------------------- damaged bytes


def flip_bits(folder: Path, rng: Rng) -> None:
    """Flip one to three bits of a file."""
    path = _any_file(folder, rng)
    content = bytearray(path.read_bytes())
    for position in rng.integers(len(content), size=rng.integers(1, 4)):
        content[position] ^= 1 << int(rng.integers(8))
    path.write_bytes(content)


def change_a_digit(folder: Path, rng: Rng) -> None:
    """Replace a digit of the metadata by another one."""
    content = bytearray((folder / META).read_bytes())
    digits = [position for position, byte in enumerate(content) if chr(byte).isdigit()]
    position = int(rng.choice(digits))
    content[position] = ord("0") + (content[position] - ord("0") + int(rng.integers(1, 10))) % 10
    (folder / META).write_bytes(content)


def truncate(folder: Path, rng: Rng) -> None:
    """Cut off the end of a file."""
    path = _any_file(folder, rng)
    content = path.read_bytes()
    path.write_bytes(content[: int(rng.integers(len(content)))])


def move_bytes(folder: Path, rng: Rng) -> None:
    """Delete, repeat or overwrite some bytes of a file."""
    path = _any_file(folder, rng)
    content = path.read_bytes()
    begin, length = int(rng.integers(len(content))), int(rng.integers(1, 200))
    inserted = (b"", content[begin : begin + length] * 2, rng.bytes(length))[int(rng.integers(3))]
    path.write_bytes(content[:begin] + inserted + content[begin + length :])


def exchange_files(folder: Path, rng: Rng) -> None:
    """Remove a file, or use one of another model or of another purpose."""
    models = folder.parent / "models"
    other = models / str(rng.choice(sorted(path.name for path in models.iterdir())))
    path, source = _any_file(folder, rng), _any_file(other, rng)
    content = source.read_bytes()
    path.unlink()
    if rng.random() < 0.9:
        path.write_bytes(content)


def damaged_leaf(folder: Path, rng: Rng) -> None:
    """Replace a value of the metadata, with the old checksum."""
    checksum = _meta(folder)["sha256"]
    hostile_leaf(folder, rng)
    text = (folder / META).read_text()
    (folder / META).write_text(text.replace(_meta(folder)["sha256"], checksum))


def damaged_arrays(folder: Path, rng: Rng) -> None:
    """Exchange two arrays, with the old checksum."""
    before = (folder / META).read_bytes()
    exchange_arrays(folder, rng)
    (folder / META).write_bytes(before)


# ---------------------------------------------------------------- hostile contents


def hostile_leaf(folder: Path, rng: Rng) -> None:
    """Replace a value of the metadata by one of another type."""
    meta = _meta(folder)
    paths = [path for path, _ in leaves(meta["tree"])]
    value = REPLACEMENTS[int(rng.integers(len(REPLACEMENTS)))]
    reseal(folder, meta | {"tree": replaced(meta["tree"], paths[int(rng.integers(len(paths)))], value)})


def hostile_tree(folder: Path, rng: Rng) -> None:
    """Replace a part of the tree by another part of it, or remove it."""
    meta = _meta(folder)
    nodes = [(path, node) for path, node in _nodes(meta["tree"]) if path]
    path = nodes[int(rng.integers(len(nodes)))][0]
    node = nodes[int(rng.integers(len(nodes)))][1]
    reseal(folder, meta | {"tree": replaced(meta["tree"], path, _REMOVED if rng.random() < 0.3 else node)})


def hostile_setting(folder: Path, rng: Rng) -> None:
    """Give a parameter a value that none has; `load` has to raise."""
    meta = _meta(folder)
    paths = list(settings_leaves(meta["tree"]))
    value = NEVER_VALID[int(rng.integers(len(NEVER_VALID)))]
    reseal(folder, meta | {"tree": replaced(meta["tree"], paths[int(rng.integers(len(paths)))], value)})


def other_setting(folder: Path, rng: Rng) -> None:
    """Give a parameter any other value; what `load` accepts, `fit` has to accept."""
    meta = _meta(folder)
    paths = list(settings_leaves(meta["tree"]))
    value = REPLACEMENTS[int(rng.integers(len(REPLACEMENTS)))]
    reseal(folder, meta | {"tree": replaced(meta["tree"], paths[int(rng.integers(len(paths)))], value)})


def deep_or_long(folder: Path, rng: Rng) -> None:
    """Put something in the tree that is much larger in memory than in the file."""
    nested: Any = 1
    for _ in range(int(rng.choice([60, 100, 250]))):
        nested = [nested]
    bombs = ([[]] * 400_000, {"dict": {str(i): {"range": [0, 65_000, 1]} for i in range(999)}}, nested,
             {"int": "0x" + "f" * 4_000_000}, ["x" * 7_000_000], [{"tuple": []}] * 100_000,
             {"range": [-(2**53), 2**53, 1]})  # fmt: skip
    meta = _meta(folder)
    paths = [path for path, _ in leaves(meta["tree"])]
    node = bombs[int(rng.integers(len(bombs)))]
    reseal(folder, meta | {"tree": replaced(meta["tree"], paths[int(rng.integers(len(paths)))], node)})


def exchange_arrays(folder: Path, rng: Rng) -> None:
    """Exchange the contents of two arrays."""
    members = _members(folder)
    one, other = rng.choice(sorted(members), 2, replace=False)
    members[one], members[other] = members[other], members[one]
    _write_members(folder, members)
    reseal(folder)


def hostile_array(folder: Path, rng: Rng) -> None:
    """Replace an array by one of another type, shape or content."""
    members = _members(folder)
    name = str(rng.choice(sorted(members)))
    array = np.load(io.BytesIO(members[name]))
    fills = (np.nan, np.inf, 0.0, 2**62, -1, True, "text")
    numbers = array if array.dtype.kind in "iuf" else np.zeros(array.shape)
    changed = (
        *(np.full(array.shape, fill) for fill in fills), numbers.astype(complex), numbers.astype("f2"),
        numbers.astype("i8"), array.astype("U30"), array.astype(array.dtype.newbyteorder(">")), array[:-1],
        array[:0], array[::-1], np.repeat(array, 2, axis=-1), array.T, array[..., None],
        np.zeros((0, 10**17)), np.float64(3.0),
    )  # fmt: skip
    members[name] = _npy(changed[int(rng.integers(len(changed)))])
    _write_members(folder, members)
    reseal(folder)


class _Payload:
    """Creates the marker file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.marker,)


def payload(folder: Path, rng: Rng) -> None:
    """Put a pickle, or Python source, in place of an array or of the metadata; the marker is ``executed``."""
    harm = _Payload(folder.parent / "executed")
    object_array = io.BytesIO()
    np.save(object_array, np.array([harm], object), allow_pickle=True)
    source = f"__import__('pathlib').Path({str(harm.marker)!r}).touch()".encode()
    header = f"{{'descr': {source.decode()}, 'fortran_order': False, 'shape': (1,), }}\n".encode()
    npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    contents = (object_array.getvalue(), pickle.dumps(harm), source, npy)
    content = contents[int(rng.integers(len(contents)))]
    if rng.random() < 0.2:
        (folder / META).write_bytes(content)
        return
    members = _members(folder)
    members[str(rng.choice(sorted(members)))] = content
    _write_members(folder, members)
    reseal(folder)


def odd_archive(folder: Path, rng: Rng) -> None:
    """Repeat, rename, add, remove or compress parts of the archive."""
    members = list(_members(folder).items())
    index = int(rng.integers(len(members)))
    name, content = members[index]
    odd = int(rng.integers(6))
    if odd == 0:
        members.append((name, content))
    elif odd == 1:
        members[index] = (
            str(rng.choice(["../0.npy", "/etc/x.npy", "x", "0", "00.npy", "999.npy", ""])),
            content,
        )
    elif odd == 2:
        members.append((f"{len(members)}.npy", content))
    elif odd == 3:
        members.pop(index)
    compression = zipfile.ZIP_DEFLATED if odd == 4 else zipfile.ZIP_STORED
    if odd == 5:
        members[index] = (name, _npy(np.zeros(3_000_000)))
        compression = zipfile.ZIP_BZIP2
    _write_members(folder, members, compression)
    reseal(folder)


def false_sizes(folder: Path, rng: Rng) -> None:
    """Declare other sizes, offsets or counts in the headers of the archive or of an array."""
    content = bytearray((folder / ARRAYS).read_bytes())
    signatures = (b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY", b"'shape': (")
    signature = signatures[int(rng.integers(len(signatures)))]
    places = [at for at in range(len(content)) if content.startswith(signature, at)]
    place = int(rng.choice(places)) + len(signature) + int(rng.integers(0, 42))
    if signature == b"'shape': (":
        content[int(rng.choice(places)) + len(signature)] = ord("9")
    else:
        value = int(rng.choice([0, 1, 255, 2**16 - 1, 2**31, 2**32 - 1]))
        content[place : place + 4] = struct.pack("<I", value)
    (folder / ARRAYS).write_bytes(content)
    reseal(folder)


DAMAGES: tuple[Callable[[Path, Rng], None], ...] = (
    flip_bits, flip_bits, change_a_digit, truncate, move_bytes, exchange_files, damaged_leaf, damaged_arrays,
)  # fmt: skip
HOSTILE: tuple[Callable[[Path, Rng], None], ...] = (
    hostile_leaf, hostile_leaf, hostile_leaf, hostile_tree, hostile_setting, other_setting, deep_or_long,
    exchange_arrays, hostile_array, hostile_array, payload, odd_archive, false_sizes,
)  # fmt: skip


# ---------------------------------------------------------------- trees and archives

_REMOVED = object()
Location = tuple[str | int, ...]


def leaves(node: Any, path: Location = ()) -> Iterator[tuple[Location, Any]]:
    """Yield the location and the value of each leaf of the JSON of a tree; special objects are leaves too."""
    if isinstance(node, dict) and not set(node) <= {"int", "float", "array", "range"}:
        for name, part in node.items():
            yield from leaves(part, (*path, name))
    elif isinstance(node, list) and node:
        for index, part in enumerate(node):
            yield from leaves(part, (*path, index))
    else:
        yield path, node


def settings_leaves(tree: Any) -> Iterator[Location]:
    """Yield the location of each parameter of an estimator or settings object, and of each value in it."""
    for path, node in _nodes(tree):
        named = len(path) > 1 and path[-2] == "params" and path[-1] != "dict"
        named = named or path[-3:-1] == ("params", "dict")
        if named or ("params" in path[:-1] and not isinstance(node, dict | list)):
            yield path


def _nodes(node: Any, path: Location = ()) -> Iterator[tuple[Location, Any]]:
    yield path, node
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, part in parts:
        yield from _nodes(part, (*path, name))


def replaced(node: Any, path: Location, value: Any) -> Any:
    """Return a tree with another value at a location."""
    if not path:
        return value
    copy = dict(node) if isinstance(node, dict) else list(node)
    if len(path) == 1 and value is _REMOVED:
        del copy[path[0]]
    else:
        copy[path[0]] = replaced(node[path[0]], path[1:], value)
    return copy


def reseal(folder: Path, meta: Any = None) -> None:
    """Write metadata with a checksum of them and of the arrays, as far as these can be read."""
    try:
        content = _meta(folder) if meta is None else meta
        arrays = read_arrays(folder / ARRAYS)
    except (InputError, ValueError):
        return
    (folder / META).write_bytes(sealed({k: v for k, v in content.items() if k != "sha256"}, arrays))


def _meta(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / META).read_bytes())
    return content


def _any_file(folder: Path, rng: Rng) -> Path:
    return folder / (META if rng.random() < 0.5 else ARRAYS)


def _npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def _members(folder: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(folder / ARRAYS) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _write_members(folder: Path, members: Any, compression: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(folder / ARRAYS, "w", compression) as archive:
        for name, content in members.items() if isinstance(members, dict) else members:
            archive.writestr(zipfile.ZipInfo(name), content, compression)
