"""Arrays in an uncompressed zip file, as NumPy writes them, read with suspicion."""

from __future__ import annotations

import math
import os
import re
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.saving.encode import DTYPES

__all__ = ["read_arrays", "write_arrays"]

_MAGIC = b"\x93NUMPY\x01\x00"
_LONGEST_HEADER = 10_000
_MOST_DIMENSIONS = 64
_LAST_CHARACTER = 0x10FFFF
_HEADER = re.compile(
    rb"\{'descr': '([<>|])([biufcU])([1-9]\d{0,9})', 'fortran_order': (?:True|False), "
    rb"'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\), \} *\n"
)
_UNREADABLE = (
    BadZipFile,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    struct.error,
)


def write_arrays(file: IO[bytes], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write named arrays; the same arrays always make the same bytes."""
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for name, array in arrays.items():
            with archive.open(ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read all arrays of a file, after checking that they can be no larger than the file itself."""
    if not path.is_file():
        raise InputError(f"There is no file {str(path)!r}. What was saved is incomplete, or elsewhere.")
    try:
        with ZipFile(path) as archive:
            members = archive.infolist()
            _check_members(path, members)
            return {_name(path, one): _array(path, archive, one) for one in members}
    except InputError:
        raise
    except _UNREADABLE as error:
        raise _broken(path, f"cannot be read as a file of arrays ({error})") from error


def _broken(path: Path, what: str) -> InputError:
    return InputError(f"{str(path)!r} {what}. It is damaged, or was made by something else.")


def _check_members(path: Path, members: list[ZipInfo]) -> None:
    """Refuse whatever is not stored plainly: unpacked it could be of any size."""
    for one in members:
        packed = one.compress_type != ZIP_STORED or one.compress_size != one.file_size
        if packed or one.flag_bits & 1:
            raise _broken(path, f"has the part {one.filename!r} compressed or encrypted; expected it plain")
    declared, size = sum(one.file_size for one in members), os.path.getsize(path)
    if declared > size:
        raise _broken(path, f"declares {declared:,} bytes of arrays, but has {size:,} bytes in all")
    if len({one.filename for one in members}) < len(members):
        raise _broken(path, "has two parts of the same name")


def _name(path: Path, member: ZipInfo) -> str:
    if not member.filename.endswith(".npy"):
        raise _broken(path, f"has the part {member.filename!r}; expected arrays only")
    return member.filename.removesuffix(".npy")


def _array(path: Path, archive: ZipFile, member: ZipInfo) -> NDArray[Any]:
    """Read one array, if its header declares as many bytes as there are."""
    with archive.open(member) as file:
        _check_header(path, member, file)
    with archive.open(member) as file:
        array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    if array.dtype.kind == "U" and array.size:
        codes = np.ascontiguousarray(array).view(array.dtype.str[0] + "u4")
        if codes.max() > _LAST_CHARACTER:
            raise _broken(path, f"has text in {member.filename!r} that is none")
    if array.dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
        raise _broken(path, f"has truth values in {member.filename!r} that are neither 0 nor 1")
    return array


def _check_header(path: Path, member: ZipInfo, file: IO[bytes]) -> None:
    """Parse the header without evaluating it; refuse unknown types and sizes that are not there."""
    start = file.read(len(_MAGIC) + 2)
    length = int.from_bytes(start[len(_MAGIC) :], "little")
    header = file.read(length) if start.startswith(_MAGIC) and length <= _LONGEST_HEADER else b""
    found = _HEADER.fullmatch(header)
    if found is None:
        raise _broken(path, f"has no array of numbers or text in {member.filename!r}")
    _, kind, width, shape = (part.decode() for part in found.groups())
    if kind != "U" and int(width) not in DTYPES[kind]:
        raise _broken(path, f"has an array of the unknown type {kind}{width} in {member.filename!r}")
    sizes = [int(size) for size in shape.split(",") if size.strip()]
    declared = math.prod(sizes) * int(width) * (4 if kind == "U" else 1)
    there = member.file_size - len(start) - length
    if declared != there or len(sizes) > _MOST_DIMENSIONS:
        raise _broken(
            path, f"declares {declared:,} bytes for the array {member.filename!r}, but has {there:,} of them"
        )
