"""Lines of plain or gzipped text files, read in pieces."""

from __future__ import annotations

import contextlib
import io
import zlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from latentlink.errors import InputError
from latentlink.network.readers.foreign_formats import raise_if_foreign
from latentlink.network.readers.reading_errors import is_of_system, unreadable
from latentlink.network.readers.unpack_limit import UnpackLimit

__all__ = ["PIECE_CHARACTERS", "TextSource"]

_GZIP = b"\x1f\x8b"
# Lines of about this many characters are read at a time, so that a large file is never held in memory as
# Python objects.
PIECE_CHARACTERS = 2**20
_BUFFER_BYTES = 2**20
_CHARACTER_BYTES = 9  # of a line that is copied once, if it has a character beyond the first 65,536
_DAMAGED = (EOFError, OSError, zlib.error)


class TextSource:
    """A plain or gzipped text file, read in pieces of whole lines.

    Parameters
    ----------
    limit : UnpackLimit
        Names the file, and limits what a gzipped one unpacks to.
    encoding : str
        UTF-8 by default, with or without a byte order mark.

    Attributes
    ----------
    path : Path
    line : int
        Number of the next line, counted from 1.
    is_packed : bool
        The file is gzipped, so that its end is checked.
    """

    def __init__(self, limit: UnpackLimit, encoding: str = "utf-8-sig") -> None:
        self.path = limit.path
        self.line = 1
        self._limit = limit
        raise_if_foreign(limit.path)
        self.is_packed = _is_gzipped(limit.path)
        if self.is_packed:
            _check_unpacked(limit)
        self._handle = _opened(limit.path, encoding)

    def __enter__(self) -> TextSource:
        return self

    def __exit__(self, *_: object) -> None:
        self._handle.close()

    def read_piece(self) -> list[str]:
        """Return the next lines with their line ends, an empty list at the end of the file."""
        return self._read(lambda: self._handle.readlines(PIECE_CHARACTERS))

    def read_line(self) -> str:
        """Return the next line with its line end, an empty string at the end of the file."""
        return "".join(self._read(lambda: list(islice(self._handle, 1))))

    def check_held(self, entries: int, names: int = 0, others: int = 0) -> None:
        """Raise InputError if what is read of a gzipped file takes too much memory; others have no limit.

        Parameters
        ----------
        entries, names : int
            Numbers of them.
        others : int
            Bytes of anything else.
        """
        if self.is_packed:
            self._limit.check_held(entries, names, others)

    def _read(self, read: Callable[[], list[str]]) -> list[str]:
        try:
            lines = read()
        except _DAMAGED as error:
            if is_of_system(error):
                raise unreadable(self.path, error, f"line {self.line}") from None
            raise InputError(
                f"{self.path} is damaged: its compressed data end or break after line "
                f"{_readable_lines(self.path)} ({error}). Fetch or write the file again."
            ) from None
        except UnicodeDecodeError:
            raise InputError(_encoding_message(self.path)) from None
        self.line += len(lines)
        return lines


def _check_unpacked(limit: UnpackLimit) -> None:
    """Raise InputError if a gzipped file unpacks to more than the limit, before a line of it is read."""
    import gzip

    size = longest = 0
    with gzip.open(limit.path, "rb") as file, contextlib.suppress(*_DAMAGED):
        while piece := file.read(_BUFFER_BYTES):
            size += len(piece)
            limit.check(size, "the unpacked lines")
            end = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
            longest = len(piece) + (longest if end < 0 else -1 - end)  # up to here, of the line that goes on
            limit.check(_CHARACTER_BYTES * longest, f"the characters of a line of {longest:,} bytes")


def _is_gzipped(path: Path) -> bool:
    with path.open("rb") as handle:
        compressed = handle.read(2) == _GZIP
    if path.suffix.lower() == ".gz" and not compressed and path.stat().st_size:
        raise InputError(
            f"{path} ends in .gz but is not gzipped; expected gzipped data. Rename it, or compress it."
        )
    return compressed


def _opened(path: Path, encoding: str) -> io.TextIOWrapper:
    import gzip

    raw = gzip.open(path, "rb") if _is_gzipped(path) else path.open("rb")  # noqa: SIM115
    # Line ends are not translated, because those within quotes belong to a name.
    return io.TextIOWrapper(raw, encoding=encoding, newline="")


def _readable_lines(path: Path) -> int:
    count = 0
    with _opened(path, "latin-1") as handle:
        try:
            for line in handle:
                count += line.endswith(("\n", "\r"))
        except _DAMAGED:
            pass
    return count


def _encoding_message(path: Path) -> str:
    """Return the message about the first bytes that are not UTF-8, read as Latin-1, which has every byte."""
    invalid, number = b"", 0
    with _opened(path, "latin-1") as handle:
        try:
            for line in handle:
                number += 1
                invalid = _invalid_bytes(line.encode("latin-1"))
                if invalid:
                    break
        except _DAMAGED:
            return f"{path} is damaged after line {number}, and not UTF-8 text there. Fetch it again."
    return f"{path}, line {number}: the bytes {invalid!r} are not UTF-8 text. Save the file as UTF-8."


def _invalid_bytes(raw: bytes) -> bytes:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return raw[error.start : error.start + 4]
    return b""
