"""Folders in which files of data sets are looked for, and the verification of their hashes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from latentlink.datasets.fetched.published_dataset import PublishedDataset, PublishedFile
from latentlink.errors import InputError

__all__ = ["CACHE_VARIABLE", "DATA_VARIABLE", "cache_folder", "check_hash", "data_folders", "find_file"]

DATA_VARIABLE = "LATENTLINK_DATA"
CACHE_VARIABLE = "LATENTLINK_CACHE"


def data_folders(folder: str | Path | None = None) -> list[Path]:
    """Return the folders in which files are looked for: the given one, LATENTLINK_DATA, the cache."""
    given = {"folder": folder, DATA_VARIABLE: os.environ.get(DATA_VARIABLE) or None}
    folders = {what: Path(path).expanduser() for what, path in given.items() if path is not None}
    for what, path in folders.items():
        if not path.is_dir():
            raise InputError(f"{what} is {str(path)!r}, which is not a folder; expected an existing one.")
    cache = cache_folder()
    return [*folders.values(), *([] if cache is None else [cache])]


def cache_folder() -> Path | None:
    """Return the folder of downloads: LATENTLINK_CACHE, else that of pooch; None without both."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named).expanduser()
    try:
        import pooch
    except ImportError:
        return None
    return Path(pooch.os_cache("latentlink"))


def find_file(published: PublishedDataset, folders: list[Path]) -> Path | None:
    """Return the first file of a data set that is in one of the folders, after its hash was verified."""
    for folder in folders:
        for file in published.files:
            path = folder / file.name
            if path.is_file():
                check_hash(path, file)
                return path
    return None


def check_hash(path: Path, file: PublishedFile) -> None:
    """Raise InputError if the hash of a file is known and differs."""
    if file.hash is None:
        return
    algorithm, _, expected = file.hash.partition(":")
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, algorithm).hexdigest()
    if found != expected:
        origin = "" if file.url is None else f" from {file.url}"
        raise InputError(
            f"{path} has the {algorithm.upper()} hash {found}; expected {expected}, so that it is damaged or "
            f"another version. Remove it, or replace it with the original{origin}."
        )
