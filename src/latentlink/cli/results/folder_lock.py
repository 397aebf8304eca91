"""Lock of a run's folder: one process at a time writes to it."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from latentlink.errors import InputError
from latentlink.saving import storage_errors

__all__ = ["LOCK", "locked"]

LOCK = ".lock"
_LONGEST_NOTE = 200
_TRIES = 100
_FAR = 2**30  # Windows locks bytes, which nobody else can read: none of the note


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which is created; raise InputError at once if another process holds it.

    The operating system releases the lock when the process ends, however it ends. At the end the file of the
    lock is removed, and the folders that were created if nothing is in them.
    """
    with storage_errors(folder, ""):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file; expected a folder, or the name of one to create.")
        created = [each for each in (folder, *folder.parents) if not each.exists()]
        handle = _acquired(folder)
    try:
        with storage_errors(folder, ""):
            note = f"process {os.getpid()} on {platform.node()}, since {time.strftime('%Y-%m-%d %H:%M:%S')}"
            os.truncate(handle, 0)
            os.write(handle, note.encode()[:_LONGEST_NOTE])
        yield
    finally:
        _release(folder / LOCK, handle)
        with contextlib.suppress(OSError):  # not empty
            for each in created:
                each.rmdir()


def _acquired(folder: Path) -> int:
    """Return the open and locked file of the lock."""
    path = folder / LOCK
    for _ in range(_TRIES):
        with contextlib.suppress(FileNotFoundError):  # another process has just removed the empty folder
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
            if not _lock(handle):
                note = os.read(handle, _LONGEST_NOTE).decode("utf-8", "replace")
                os.close(handle)
                holder = "".join(filter(str.isprintable, note)) or "a process that has just begun"
                raise InputError(
                    f"Another run is being written to {folder} ({holder}). Wait until it has ended, or name "
                    "another folder."
                )
            # Whoever held the lock may have removed the file between its opening and its locking here.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), path.stat()):
                    return handle
            os.close(handle)
    if not folder.is_dir():  # some file systems, such as /proc, have no new folders
        raise InputError(f"The folder {folder} cannot be created in that place. Name another folder.")
    raise InputError(
        f"The lock of {folder} cannot be had: other processes create and remove it all the time."
    )


if sys.platform == "win32":

    def _lock(handle: int) -> bool:
        import msvcrt

        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True

    def _release(path: Path, handle: int) -> None:
        os.close(handle)  # an open file cannot be removed
        with contextlib.suppress(OSError):
            path.unlink()

else:

    def _lock(handle: int) -> bool:
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _release(path: Path, handle: int) -> None:
        with contextlib.suppress(OSError):  # while the lock is held: nobody else's file is removed
            path.unlink()
        os.close(handle)
