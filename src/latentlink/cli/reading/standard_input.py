"""Data from standard input: spooled to a file whose suffix tells the format."""

from __future__ import annotations

import shutil
import sys
import tempfile
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
    (b"\x1f\x8b", ".txt.gz"),
)
_LONGEST = max(len(first) for first, _ in _FORMATS)


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
    return next((suffix for begin, suffix in _FORMATS if first.startswith(begin)), ".txt")
