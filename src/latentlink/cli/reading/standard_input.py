"""Data from standard input: spooled to a file whose suffix tells the format."""

from __future__ import annotations

import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from latentlink.errors import InputError

__all__ = ["data_file", "suffix_of"]

_FORMATS = (
    (b"PAR1", ".parquet"),
    (b"\x93NUMPY", ".npy"),
    (b"PK\x03\x04", ".npz"),
    (b"%%MatrixMarket", ".mtx"),
    (b"\x89HDF", ".h5ad"),
)
_GZIP = b"\x1f\x8b"
_LONGEST = 4096  # bytes from which the format is told, also that inside of gzip


@contextmanager
def data_file(name: str, stream: BinaryIO | None = None) -> Iterator[str]:
    """Yield the path of a file: the one that is named, or a copy of standard input for ``-``.

    Parameters
    ----------
    name : str
    stream : binary file, optional
        Read in place of standard input.
    """
    if name != "-":
        yield name
        return
    source = sys.stdin.buffer if stream is None else stream
    if stream is None and sys.stdin.isatty():
        raise InputError("The file is -, standard input, but nothing is piped into it; expected data.")
    with tempfile.TemporaryDirectory(prefix="latentlink-") as folder:
        first = source.read(_LONGEST)
        path = Path(folder, "standard-input" + suffix_of(first))
        with path.open("wb") as file:
            file.write(first)
            shutil.copyfileobj(source, file)
        yield str(path)


def suffix_of(first: bytes) -> str:
    """Return the suffix of the format that data of these first bytes have.

    Examples
    --------
    >>> suffix_of(b"PAR1..."), suffix_of(b"source,target")
    ('.parquet', '.txt')
    """
    if first.startswith(_GZIP):
        return f"{suffix_of(_unpacked(first))}.gz"
    return next((suffix for begin, suffix in _FORMATS if first.startswith(begin)), ".txt")


def _unpacked(first: bytes) -> bytes:
    """Return the first bytes of what is gzipped; nothing of damaged data, which raise when they are read."""
    try:
        return zlib.decompressobj(wbits=31).decompress(first, 64)
    except zlib.error:
        return b""
