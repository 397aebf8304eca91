"""Mutations of files: of their bytes, of their words, and of what is packed in them."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import numpy as np

__all__ = ["mutated"]

Rng = np.random.Generator
_WORDS = [
    *(
        b"0,5",
        b"1d5",
        b"1_000",
        b"5abc",
        b"0x10",
        b"3.7",
        b"nan",
        b"inf",
        b"-1",
        b"-0",
        b"0",
        b"1e400",
        b"1e-400",
    ),
    *(b"99999999999999999999", b"9223372036854775807", b"4294967296", b"1 2", b"1" * 400, b"+3", b".", b"e"),
    *(b'"', b'""', b'"x', b"'", b"::", b",", b";", b"#", b"%", b" " * 200, b"\t", b"\r", b"\n", b"\n\n"),
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\xd9\xa1", b"\0\0\0\x80", b"\xff\xff\xff\xff\xff\xff\xff\x7f"),
    *(b"symmetric", b"skew-symmetric", b"integer", b"complex", b"array", b"True", b"(2, 3)", b"<i8", b"|O"),
]


def mutated(content: bytes, rng: Rng) -> bytes:
    """Return contents with up to four mutations, often of what is packed in them."""
    if rng.random() < 0.6:
        if content.startswith(b"\x1f\x8b"):
            return gzip.compress(_mutated_bytes(gzip.decompress(content), rng), mtime=0)
        if content.startswith(b"PK"):
            return _mutated_members(content, rng)
        if content.startswith(b"\x89HDF"):  # its parts are found by their positions
            return _mutated_in_place(content, rng)
    return _mutated_bytes(content, rng)


def _mutated_members(content: bytes, rng: Rng) -> bytes:
    """Return a zip archive in which a part is changed, left out or stored twice."""
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except (BadZipFile, zlib.error):
        return _mutated_bytes(content, rng)
    chosen = str(rng.choice(list(members)))
    action = rng.random()
    if action < 0.05:
        del members[chosen]
    elif action < 0.1:
        members[chosen] = members[str(rng.choice(list(members)))]
    elif action < 0.55:
        members[chosen] = _changed_numbers(members[chosen], rng)
    else:
        members[chosen] = _mutated_bytes(members[chosen], rng)
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED if rng.random() < 0.5 else ZIP_STORED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def _mutated_in_place(content: bytes, rng: Rng) -> bytes:
    """Return contents in which a few bytes, mostly of what is no padding, are others."""
    changed = bytearray(content)
    used = np.flatnonzero(np.frombuffer(content, np.uint8))
    for _ in range(int(rng.integers(1, 8))):
        position = int(rng.choice(used)) if rng.random() < 0.8 else int(rng.integers(len(content)))
        changed[position] = int(rng.choice([0, 1, 128, 255, int(rng.integers(256))]))
    return bytes(changed)


def _changed_numbers(content: bytes, rng: Rng) -> bytes:
    """Return an array file in which one number, behind the header, is another one."""
    start = content.find(b"\n") + 1
    if len(content) <= start:
        return content
    position = int(rng.integers(start, len(content)))
    number = int(rng.choice([0, 1, 2, 3, 7, 100, -1, -2, 2**31 - 1, -(2**31), 2**40]))
    width = int(rng.choice([1, 4, 8]))
    position -= (position - start) % width
    changed = number.to_bytes(8, "little", signed=True)[:width]
    return (content[:position] + changed + content[position + width :])[: len(content)]


def _mutated_bytes(content: bytes, rng: Rng) -> bytes:
    for _ in range(int(rng.choice([0, 1, 1, 1, 1, 2, 2, 3, 4]))):
        content = _MUTATIONS[int(rng.integers(len(_MUTATIONS)))](content or b" ", rng)
    return content


def _range(content: bytes, rng: Rng) -> tuple[int, int]:
    start = int(rng.integers(len(content)))
    return start, min(len(content), start + 1 + int(rng.geometric(0.1)))


def _flip(content: bytes, rng: Rng) -> bytes:
    position = int(rng.integers(len(content)))
    return (
        content[:position]
        + bytes([content[position] ^ (1 << int(rng.integers(8)))])
        + content[position + 1 :]
    )


def _replace(content: bytes, rng: Rng) -> bytes:
    position = int(rng.integers(len(content)))
    return content[:position] + rng.bytes(1) + content[position + 1 :]


def _delete(content: bytes, rng: Rng) -> bytes:
    start, stop = _range(content, rng)
    return content[:start] + content[stop:]


def _repeat(content: bytes, rng: Rng) -> bytes:
    start, stop = _range(content, rng)
    return content[:stop] + content[start:stop] * int(rng.integers(1, 20)) + content[stop:]


def _truncate(content: bytes, rng: Rng) -> bytes:
    return content[: int(rng.integers(len(content)))]


def _insert_word(content: bytes, rng: Rng) -> bytes:
    position = int(rng.integers(len(content) + 1))
    return content[:position] + _WORDS[int(rng.integers(len(_WORDS)))] + content[position:]


def _replace_word(content: bytes, rng: Rng) -> bytes:
    """Replace what is between two separators, which keeps the structure of a text."""
    separators = b" ,;:\t\r\n()'|"
    position = int(rng.integers(len(content)))
    start = stop = position
    while start > 0 and content[start - 1] not in separators:
        start -= 1
    while stop < len(content) and content[stop] not in separators:
        stop += 1
    return content[:start] + _WORDS[int(rng.integers(len(_WORDS)))] + content[stop:]


def _swap_lines(content: bytes, rng: Rng) -> bytes:
    lines = content.splitlines(keepends=True)
    one, other = rng.integers(len(lines), size=2)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


_MUTATIONS: list[Callable[[bytes, Rng], bytes]] = [
    _flip,
    _replace,
    _delete,
    _repeat,
    _truncate,
    _insert_word,
    _insert_word,
    _replace_word,
    _replace_word,
    _replace_word,
    _swap_lines,
]
