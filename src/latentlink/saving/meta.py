"""Metadata of a saved tree: format, version, kind and structure, as JSON."""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import Any

from latentlink.errors import InputError
from latentlink.validation.wording import names, shortened

__all__ = ["FORMAT", "VERSION", "checked", "parsed", "written"]

FORMAT = "latentlink"
VERSION = 1
_KEYS = {"format", "version", "kind", "library", "tree"}
_PLAIN_VERSION = re.compile(r"[\w.+-]{1,40}")


def written(kind: str, node: Any) -> bytes:
    """Return the metadata of an encoded tree as JSON."""
    library = import_module("latentlink").__version__
    meta = {"format": FORMAT, "version": VERSION, "kind": kind, "library": library, "tree": node}
    return json.dumps(meta, allow_nan=False, indent=1).encode("ascii")


def parsed(content: bytes, source: str) -> Any:
    """Parse strict JSON, or raise InputError for NaN, a repeated name or too deep nesting."""
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


def checked(meta: Any, kind: str, source: str) -> str:
    """Return the library version that wrote the metadata, or raise InputError if format or kind differ."""
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise InputError(f"{source} was not saved by latentlink: its format is not named {FORMAT!r}.")
    version = meta.get("version")
    if type(version) is not int or version < 1:
        raise InputError(
            f"{source} has no valid version of its format; expected a number from 1 to {VERSION}."
        )
    if version > VERSION:
        raise InputError(
            f"{source} has version {shortened(version)} of the format, but this latentlink reads versions up "
            f"to {VERSION}. Install a newer one."
        )
    if meta.get("kind") != kind:
        raise InputError(f"{source} holds {shortened(meta.get('kind'))}; expected {kind!r}.")
    if meta.keys() != _KEYS:
        raise InputError(f"{source} has the entries {names(meta)}; expected {names(_KEYS)}.")
    library = meta["library"]
    return library if isinstance(library, str) and _PLAIN_VERSION.fullmatch(library) else "of unknown version"


def _raise_for_constant(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number in JSON")


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise ValueError("a name occurs twice in one object")
    return unique
