"""Atomic writing of files and folders."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import IO

from latentlink.errors import InputError, StorageError
from latentlink.validation.wording import shown_path

__all__ = [
    "Content",
    "create_atomically",
    "previous",
    "remove_remains",
    "replace_folder",
    "resolved",
    "storage_errors",
    "write_atomically",
]

Content = bytes | Callable[[IO[bytes]], object]

_TOKEN = 8  # bytes that tell temporary names of one file apart
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NOT_PERMITTED = (errno.EACCES, errno.EPERM, errno.EROFS)


def write_atomically(path: str | os.PathLike[str], content: Content) -> None:
    """Write a file atomically: after a crash there is the old one or the new one, complete.

    The file is written under a temporary name in the same folder, synced to the disk, and renamed.

    Parameters
    ----------
    path : path
        An existing file is replaced; its folder must exist.
    content : bytes, or callable that writes to the open file

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "notes.txt"
    ...     write_atomically(path, b"complete")
    ...     path.read_bytes()
    b'complete'
    """
    target = resolved(path)
    if target.is_dir():
        raise InputError(f"{shown_path(target)} is a folder; expected the name of a file to write.")
    with storage_errors(target.parent), _temporary_file(target, content) as temporary:
        os.replace(temporary, target)
    _sync_folder(target.parent)


def create_atomically(path: str | os.PathLike[str], content: Content) -> bool:
    """Write a file atomically unless one of that name exists; return whether it was written.

    Of several processes that do this at once exactly one writes. The file gets its name as a hard link, which
    fails if there is one. Where there are no hard links it is created exclusively and written in place.

    Parameters
    ----------
    path, content
        As for `write_atomically`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "claim.txt"
    ...     create_atomically(path, b"mine"), create_atomically(path, b"yours"), path.read_bytes()
    (True, False, b'mine')
    """
    target = resolved(path)
    with storage_errors(target.parent), _temporary_file(target, content) as temporary:
        try:
            _link_or_create(temporary, target)
        except FileExistsError:
            return False
    _sync_folder(target.parent)
    return True


@contextmanager
def storage_errors(folder: Path, advice: str = "What was saved there before is unchanged.") -> Iterator[None]:
    """Turn an OSError inside into a StorageError with the folder, the cause and the advice."""
    try:
        yield
    except OSError as error:
        cause = error.__cause__ if isinstance(error, StorageError) else error
        raise StorageError(
            f"Files in the folder {shown_path(folder)} cannot be written or read: "
            f"{getattr(cause, 'strerror', None) or cause}. {_remedy(getattr(cause, 'errno', None))} {advice}"
        ) from cause


def _remedy(number: int | None) -> str:
    """Return what to do about an error of the operating system.

    Examples
    --------
    >>> _remedy(errno.ENOSPC), _remedy(errno.EACCES), _remedy(errno.ENOENT)
    ('Free some space, or name another folder.', 'Change the permissions, or name another folder.', \
'Name another folder.')
    """
    if number in _NO_SPACE:
        return "Free some space, or name another folder."
    if number in _NOT_PERMITTED:
        return "Change the permissions, or name another folder."
    return "Name another folder."


def replace_folder(target: Path, contents: Mapping[str, Content]) -> None:
    """Write files into a temporary folder and rename it to ``target`` when all of them are complete.

    An existing folder of that name is renamed to `previous` first and deleted in the end. If the process
    dies between both renames, loading and the next saving find it there.
    """
    temporary = _temporary_name(target)
    with storage_errors(target.parent):
        try:
            temporary.mkdir()
            for name, content in contents.items():
                _write(temporary / name, content)
            _sync_folder(temporary)
            with _renamed_to_previous(target):
                os.replace(temporary, target)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    _sync_folder(target.parent)


def previous(target: Path) -> Path:
    """Return the name that a folder has while another one replaces it."""
    return target.with_name(f".{target.name}.previous")


def remove_remains(target: Path) -> None:
    """Remove what processes that were killed while they wrote a file or folder left beside it.

    These are unfinished files of temporary names, and a folder that had been replaced. Call it only
    where no other process can be writing, such as under a lock. A `previous` folder is kept while it is the
    only one.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     left = Path(folder) / f".links.csv.{'0' * 16}.part"
    ...     left.touch()
    ...     remove_remains(Path(folder) / "links.csv")
    ...     left.exists()
    False
    """
    found = [each for each in target.parent.glob(f".{escape(target.name)}.*.part") if _is_temporary(each)]
    if target.exists():
        found.append(previous(target))
    for each in found:
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each, ignore_errors=True)
        else:
            with suppress(OSError):
                each.unlink(missing_ok=True)


def resolved(path: str | os.PathLike[str]) -> Path:
    """Return a path with symbolic links resolved, or raise InputError if its folder does not exist."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise InputError(
            f"There is no folder {shown_path(target.parent)} to write {shown_path(target.name)} in. "
            "Create it first."
        )
    return target


@contextmanager
def _renamed_to_previous(target: Path) -> Iterator[None]:
    """Rename a folder to `previous`, and back on failure; delete it on success."""
    if not target.exists():
        yield
        return
    old = previous(target)
    os.replace(target, old)
    try:
        yield
    except BaseException:
        os.replace(old, target)
        raise
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _temporary_file(target: Path, content: Content) -> Iterator[Path]:
    """Write a file under a temporary name in the same folder; remove it in the end, if it is still there."""
    temporary = _temporary_name(target)
    try:
        _write(temporary, content)
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _link_or_create(source: Path, target: Path) -> None:
    """Give a file a second name, or copy it where there are no hard links; raise FileExistsError if taken."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        content = source.read_bytes()
        try:
            _write(target, content)
        except FileExistsError:
            raise
        except BaseException:
            target.unlink(missing_ok=True)
            raise


def _temporary_name(target: Path) -> Path:
    """Return a new temporary name in the same folder."""
    return target.with_name(f".{target.name}.{secrets.token_hex(_TOKEN)}.part")


def _is_temporary(path: Path) -> bool:
    """Return whether a name that begins and ends like that of a temporary file is one."""
    token = path.name.split(".")[-2]
    return len(token) == 2 * _TOKEN and set(token) <= set("0123456789abcdef")


def _write(path: Path, content: Content) -> None:
    """Write a new file and sync it to the disk."""
    with path.open("xb") as file:
        if callable(content):
            content(file)
        else:
            file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Sync the names in a folder to the disk, where the host supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
