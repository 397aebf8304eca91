"""Bytes and buffers as one file or block of bytes, from which they are read without copies."""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import numpy as np

from latentlink.errors import InputError

__all__ = ["joined", "mapped", "split_parts", "write_parts"]

Part = bytes | memoryview

_ALIGNED = 64  # bytes: vector instructions load from such addresses at full speed


def write_parts(file: IO[bytes], parts: Sequence[Part]) -> None:
    """Write parts to a file, each at an aligned position, after their number and lengths."""
    for piece in _pieces(parts):
        file.write(piece)


def joined(parts: Sequence[Part]) -> bytes:
    """Return what `write_parts` writes.

    Examples
    --------
    >>> [bytes(part) for part in split_parts(memoryview(joined([b"one", b"", b"three"])))]
    [b'one', b'', b'three']
    """
    return b"".join(_pieces(parts))


def mapped(path: Path) -> memoryview:
    """Return the content of a file, mapped into memory: processes of one machine share it."""
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def split_parts(content: memoryview) -> list[memoryview]:
    """Return the parts that were written, as views."""
    number = int(np.frombuffer(content, np.int64, 1)[0])
    lengths = np.frombuffer(content, np.int64, number, offset=8)
    ends = _aligned(8 * (number + 1)) + np.cumsum([_aligned(int(length)) for length in lengths])
    if len(content) != (int(ends[-1]) if number else _aligned(8)):
        raise InputError(
            f"A file that tasks share has {len(content):,} bytes; expected {int(ends[-1]):,}. It was cut "
            "short: start the run again."
        )
    starts = [int(end) - _aligned(int(length)) for end, length in zip(ends, lengths, strict=True)]
    return [content[start : start + int(length)] for start, length in zip(starts, lengths, strict=True)]


def _pieces(parts: Sequence[Part]) -> Iterator[Part]:
    lengths = [len(part) for part in parts]
    header = np.array([len(parts), *lengths], np.int64).tobytes()
    for part in (header, *parts):
        yield part
        yield bytes(_aligned(len(part)) - len(part))


def _aligned(length: int) -> int:
    return -(-length // _ALIGNED) * _ALIGNED
