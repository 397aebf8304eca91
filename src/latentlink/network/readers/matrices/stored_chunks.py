"""Whether the stored chunks of an HDF5 dataset have all of its bytes.

HDF5 unpacks a chunk into memory of the size that the dataset declares and does not ask whether the chunk
filled it: where one changed byte declares larger values, the rest is whatever was in that memory before.
"""

from __future__ import annotations

import math
import zlib
from typing import Any

from latentlink.errors import InputError
from latentlink.validation.wording import shortened

__all__ = ["check_stored_bytes", "lzf_length"]

_CHECKSUM_BYTES = 4
_NAMES = {1: "gzip", 2: "shuffle", 3: "fletcher32", 32000: "lzf"}


def check_stored_bytes(dataset: Any, name: str) -> None:
    """Raise InputError unless every stored chunk unpacks to as many bytes as the dataset declares for it."""
    item = item_bytes(dataset)
    if dataset.chunks is None:
        stored, expected = dataset.id.get_storage_size(), dataset.size * item
        if stored not in {0, expected}:  # none where only the value of a fill is stored
            raise InputError(_sentence(name, stored, expected))
        return
    expected = math.prod(dataset.chunks) * item
    filters = _filters(dataset, name)
    for number in range(dataset.id.get_num_chunks()):
        skipped, raw = dataset.id.read_direct_chunk(dataset.id.get_chunk_info(number).chunk_offset)
        applied = [kind for position, kind in enumerate(filters) if not skipped >> position & 1]
        stored = _unpacked_length(raw, applied, expected)
        if stored != expected:
            raise InputError(_sentence(name, stored, expected))


def item_bytes(dataset: Any) -> int:
    """Return the bytes of an item in the file: of text of any length, its length and where it is stored."""
    if dataset.dtype.kind == "O":
        return 8 + int(dataset.file.id.get_create_plist().get_sizes()[0])
    return int(dataset.id.get_type().get_size())


def _sentence(name: str, stored: int, expected: int) -> str:
    return f"{name} stores {stored:,} bytes where its type and shape need {expected:,}; the file is damaged"


def _filters(dataset: Any, name: str) -> list[str]:
    """Return the names of the filters of all chunks, in the order in which they were applied."""
    settings = dataset.id.get_create_plist()
    found = [settings.get_filter(number) for number in range(settings.get_nfilters())]
    for code, *_, text in found:
        if code not in _NAMES:
            raise InputError(
                f"{name} is packed by {shortened(text.decode('utf-8', 'replace') or str(code))}, of which "
                "damaged chunks cannot be told from whole ones; expected gzip, lzf or none"
            )
    return [_NAMES[code] for code, *_ in found]


def _unpacked_length(raw: bytes, filters: list[str], expected: int) -> int:
    """Return the number of bytes that a chunk unpacks to, or more than expected as soon as that is clear.

    Writers pack at most once, after bytes are shuffled, which does not change their number.
    """
    for kind in reversed(filters):
        if kind == "fletcher32":
            raw = raw[:-_CHECKSUM_BYTES]
        elif kind == "gzip":
            return _gzip_length(raw, expected)
        elif kind == "lzf":
            return lzf_length(raw)
    return len(raw)


def _gzip_length(raw: bytes, expected: int) -> int:
    try:
        return len(zlib.decompressobj().decompress(raw, expected + 1))
    except zlib.error:
        return 0


def lzf_length(raw: bytes) -> int:
    """Return the number of bytes that a text packed by LibLZF unpacks to.

    A byte below 32 is followed by so many bytes and one more, as they are; any other one is the beginning of
    a reference to earlier bytes, whose upper three bits are their number less 2, with 7 followed by a byte
    to be added.

    Examples
    --------
    >>> lzf_length(bytes([1, 97, 98, 0b01000000, 1]))  # "ab", and four bytes from two places before
    6
    """
    length = position = 0
    while position < len(raw):
        control = raw[position]
        if control < 32:
            length += control + 1
            position += control + 2
            continue
        count = control >> 5
        if count == 7 and position + 1 < len(raw):
            count += raw[position + 1]
            position += 1
        length += count + 2
        position += 2
    return length if position == len(raw) else 0
