"""Metadata of a saved tree: checksum, format, version, kind and structure, as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.validation.wording import names, shortened

__all__ = [
    "FORMAT",
    "MAX_BYTES",
    "VERSION",
    "check_seal",
    "checked",
    "is_ours",
    "parsed",
    "sealed",
    "too_long",
    "written",
]

FORMAT = "latentlink"
VERSION = 8
# Parsed and decoded, JSON takes up to about 60 times as much memory. Long data belong into arrays.
MAX_BYTES = 8 * 2**20
_KEYS = {"sha256", "format", "version", "kind", "library", "tree"}
_PLAIN_VERSION = re.compile(r"[\w.+-]{1,40}")
_CHECKSUM = re.compile(rb'\{\n "sha256": "([0-9a-f]{64})",\n')

Arrays = Mapping[str, NDArray[Any]]


def written(kind: str, node: Any, arrays: Arrays) -> bytes:
    """Return the metadata of an encoded tree as JSON, with a checksum of it and of the arrays.

    Raises InputError if it is longer than `MAX_BYTES`.
    """
    library = import_module("latentlink").__version__
    content = sealed(
        {"format": FORMAT, "version": VERSION, "kind": kind, "library": library, "tree": node}, arrays
    )
    if len(content) > MAX_BYTES:
        raise InputError(
            f"The tree takes {len(content):,} bytes of JSON; expected at most {MAX_BYTES:,}, besides its "
            "arrays. Turn long lists into arrays."
        )
    return content


def sealed(meta: Mapping[str, Any], arrays: Arrays) -> bytes:
    """Return metadata as JSON that begins with a checksum of all bytes after it and of the arrays."""
    rest = json.dumps(dict(meta), allow_nan=False, indent=1).removeprefix("{\n").encode("ascii")
    return b'{\n "sha256": "' + _digest(rest, arrays).encode("ascii") + b'",\n' + rest


def parsed(content: bytes, source: str) -> Any:
    """Parse strict JSON, or raise InputError for too many bytes, NaN, a repeated name or too deep nesting."""
    if len(content) > MAX_BYTES:
        raise too_long(len(content), source)
    try:
        return json.loads(
            content.decode("utf-8"), parse_constant=_raise_for_constant, object_pairs_hook=_unique_names
        )
    except RecursionError:
        raise InputError(
            f"{source} is nested too deeply to be read. It is damaged, or was made to do harm."
        ) from None
    except ValueError as error:
        raise InputError(
            f"{source} is not JSON ({error}). It is damaged, or was made by something else."
        ) from error


def too_long(size: int, source: str) -> InputError:
    """Return the error for metadata of more than `MAX_BYTES`."""
    return InputError(
        f"{source} has {size:,} bytes of JSON; expected at most {MAX_BYTES:,}. It is damaged, or was made by "
        "something else."
    )


def checked(meta: Any, kind: str, source: str) -> str:
    """Return the library version that wrote the metadata, or raise InputError if format or kind differ."""
    _check_version(meta, source)
    if meta.get("kind") != kind:
        raise InputError(f"{source} holds {shortened(meta.get('kind'))}; expected {kind!r}.")
    if meta.keys() != _KEYS:
        raise InputError(f"{source} has the entries {names(meta)}; expected {names(_KEYS)}.")
    library = meta["library"]
    return library if isinstance(library, str) and _PLAIN_VERSION.fullmatch(library) else "of unknown version"


def check_seal(content: bytes, arrays: Arrays, source: str) -> None:
    """Raise InputError unless metadata and arrays have the checksum with which the metadata begin."""
    seal = _CHECKSUM.match(content)
    if seal is None or _digest(content[seal.end() :], arrays) != seal[1].decode("ascii"):
        raise InputError(
            f"{source} and its arrays do not have the checksum that they were saved with. They were changed "
            "or damaged since. Restore a copy, or save again."
        )


def is_ours(content: bytes) -> bool:
    """Return whether content is metadata of this format, of any version."""
    try:
        meta = parsed(content, "")
    except InputError:
        return False
    return isinstance(meta, dict) and meta.get("format") == FORMAT


def _check_version(meta: Any, source: str) -> None:
    """Raise InputError unless metadata have this version of the format."""
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise InputError(f"{source} was not saved by latentlink: its format is not named {FORMAT!r}.")
    version = meta.get("version")
    if type(version) is not int or version < 1:
        raise InputError(f"{source} has no valid version of its format; expected {VERSION}.")
    if version > VERSION:
        raise InputError(
            f"{source} has version {shortened(version)} of the format, but this latentlink reads version "
            f"{VERSION}. Install a newer one."
        )
    if version < VERSION:
        raise InputError(
            f"{source} has version {version} of the format, but this latentlink reads version "
            f"{VERSION}. Fit the model again, or load it with the latentlink that saved it."
        )


def _digest(rest: bytes, arrays: Arrays) -> str:
    """Return the SHA-256 of metadata and of the arrays: their names, types, shapes, orders and bytes."""
    digest = sha256(rest)
    for name, array in sorted(arrays.items()):
        transposed = array.flags.f_contiguous and not array.flags.c_contiguous
        plain = np.ascontiguousarray(array.T if transposed else array)
        digest.update(f"\n{name} {array.dtype.str} {array.shape} {transposed} ".encode())
        digest.update(plain.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def _raise_for_constant(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number in JSON")


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise ValueError("a name occurs twice in one object")
    return unique
