"""Text files as numbered lines, with a sentence for what cannot be read."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

from latentlink.errors import InputError

__all__ = ["GZIP", "TextSource"]

GZIP = b"\x1f\x8b"
# A piece of this many characters at a time, so that a large file is never in memory as Python objects.
_PIECE = 2**20


class TextSource:
    """A text file, plain or gzipped, in pieces of whole lines.

    ``line`` is the number of the next line, counted from 1.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1
        self._handle = _opened(path, "utf-8-sig")

    def __enter__(self) -> TextSource:
        return self

    def __exit__(self, *_: object) -> None:
        self._handle.close()

    def piece(self) -> list[str]:
        """Next lines, with their ends; none when the file is at its end."""
        return self._read(_PIECE)

    def one_more(self) -> str:
        """Next line, with its end; empty when the file is at its end."""
        return "".join(self._read(1))

    def _read(self, size: int) -> list[str]:
        try:
            lines = self._handle.readlines(size)
        except (EOFError, OSError, zlib.error) as error:
            raise InputError(
                f"{self.path} is damaged: its compressed data end or break after line "
                f"{_readable_lines(self.path)} ({error}). Fetch or write the file again."
            ) from None
        except UnicodeDecodeError:
            raise InputError(_undecodable(self.path)) from None
        self.line += len(lines)
        return lines


def _opened(path: Path, encoding: str) -> io.TextIOWrapper:
    import gzip

    with path.open("rb") as handle:
        compressed = handle.read(2) == GZIP
    if path.suffix.lower() == ".gz" and not compressed and path.stat().st_size:
        raise InputError(f"{path} ends in .gz but is not gzipped. Rename it, or compress it.")
    raw = gzip.open(path, "rb") if compressed else path.open("rb")  # noqa: SIM115
    # Line ends stay as they are, so that a line end within quotes stays what it was.
    return io.TextIOWrapper(raw, encoding=encoding, newline="")


def _readable_lines(path: Path) -> int:
    count = 0
    with _opened(path, "latin-1") as handle:
        try:
            for line in handle:
                count += line.endswith(("\n", "\r"))
        except (EOFError, OSError, zlib.error):
            pass
    return count


def _undecodable(path: Path) -> str:
    """Find the line that is no UTF-8; in Latin-1 every byte is a character."""
    odd, number = b"", 0
    with _opened(path, "latin-1") as handle:
        for line in handle:
            number += 1
            odd = _odd_bytes(line.encode("latin-1"))
            if odd:
                break
    return f"{path}, line {number}: the bytes {odd!r} are not UTF-8 text. Save the file as UTF-8."


def _odd_bytes(raw: bytes) -> bytes:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return raw[error.start : error.start + 4]
    return b""
