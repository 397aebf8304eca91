"""Files and folders that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from latentlink.errors import InputError

__all__ = ["Content", "previous", "replace_folder", "resolved", "write_atomically"]

Content = bytes | Callable[[IO[bytes]], object]


def write_atomically(path: str | os.PathLike[str], content: Content) -> None:
    """Write a file whole or not at all: after a crash there is the old one or the new one.

    It is written under another name in the same folder, brought to the disk, and renamed.

    Parameters
    ----------
    path : path
        Where; a file that is there is replaced, its folder must exist.
    content : bytes, or callable that writes to the open file
        What.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "notes.txt"
    ...     write_atomically(path, b"all or nothing")
    ...     path.read_bytes()
    b'all or nothing'
    """
    target = resolved(path)
    if target.is_dir():
        raise InputError(f"{str(target)!r} is a folder; expected the name of a file to write.")
    beside = _beside(target)
    try:
        _write(beside, content)
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def replace_folder(target: Path, contents: Mapping[str, Content]) -> None:
    """Write files into a new folder, which takes the name ``target`` when all of them are complete.

    A folder of that name is moved aside first and deleted in the end. Between both renames it stands under
    the name `previous` gives it, where loading and the next saving find it.
    """
    beside = _beside(target)
    try:
        beside.mkdir()
        for name, content in contents.items():
            _write(beside / name, content)
        _sync_folder(beside)
        with _moved_aside(target):
            os.replace(beside, target)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    _sync_folder(target.parent)


def previous(target: Path) -> Path:
    """Where a folder stands while another one takes its name."""
    return target.with_name(f".{target.name}.previous")


def resolved(path: str | os.PathLike[str]) -> Path:
    """Follow links, so that what they point to is replaced; refuse a path in a folder that is not there."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise InputError(
            f"There is no folder {str(target.parent)!r} to write {target.name!r} in. Make it first."
        )
    return target


@contextmanager
def _moved_aside(target: Path) -> Iterator[None]:
    """Give the name free for a while; on failure the folder returns."""
    if not target.exists():
        yield
        return
    aside = previous(target)
    os.replace(target, aside)
    try:
        yield
    except BaseException:
        os.replace(aside, target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _beside(target: Path) -> Path:
    """Return a new name in the same folder."""
    return target.with_name(f".{target.name}.{secrets.token_hex(8)}.part")


def _write(path: Path, content: Content) -> None:
    """Write a new file and bring it to the disk."""
    with path.open("xb") as file:
        if callable(content):
            content(file)
        else:
            file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, on hosts that can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
