"""Reading and writing of arrays in an uncompressed ``.npz`` file, with validation of untrusted files."""

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
from latentlink.validation.wording import shown_path

__all__ = ["read_arrays", "write_arrays"]

_MAGIC = b"\x93NUMPY\x01\x00"
_MAX_HEADER = 10_000
_MAX_DIMENSIONS = 64
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
    """Write named arrays; the bytes depend on nothing else."""
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for name, array in arrays.items():
            with archive.open(ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read all arrays of a file, or raise InputError if they claim to be larger than the file itself."""
    if not path.is_file():
        raise InputError(
            f"There is no file {shown_path(path)}. What was saved is incomplete, or in another folder."
        )
    try:
        with ZipFile(path) as archive:
            members = archive.infolist()
            _check_members(path, members)
            return {_name(path, member): _array(path, archive, member) for member in members}
    except InputError:
        raise
    except PermissionError as error:
        raise InputError(
            f"{shown_path(path)} cannot be read ({error.strerror}). Change its permissions."
        ) from error
    except _UNREADABLE as error:
        raise _damaged(path, f"cannot be read as a file of arrays ({str(error)[:200]})") from error


def _damaged(path: Path, what: str) -> InputError:
    return InputError(f"{shown_path(path)} {what}. It is damaged, or was made by something else.")


def _check_members(path: Path, members: list[ZipInfo]) -> None:
    """Raise InputError for compressed parts, whose size in memory is unknown, and for repeated names."""
    for member in members:
        packed = member.compress_type != ZIP_STORED or member.compress_size != member.file_size
        if packed or member.flag_bits & 1:
            raise _damaged(
                path, f"has the part {member.filename!r} compressed or encrypted; expected it uncompressed"
            )
    declared, size = sum(member.file_size for member in members), os.path.getsize(path)
    if declared > size:
        raise _damaged(path, f"declares {declared:,} bytes of arrays, but has {size:,} bytes in all")
    if len({member.filename for member in members}) < len(members):
        raise _damaged(path, "has two parts of the same name")


def _name(path: Path, member: ZipInfo) -> str:
    if not member.filename.endswith(".npy"):
        raise _damaged(path, f"has the part {member.filename!r}; expected arrays only")
    return member.filename.removesuffix(".npy")


def _array(path: Path, archive: ZipFile, member: ZipInfo) -> NDArray[Any]:
    """Read one array, or raise InputError unless its header declares as many bytes as there are."""
    with archive.open(member) as file:
        _check_header(path, member, file)
    with archive.open(member) as file:
        array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    if array.dtype.kind == "U" and array.size:
        codes = np.ascontiguousarray(array).view(array.dtype.str[0] + "u4")
        if codes.max() > _LAST_CHARACTER:
            raise _damaged(path, f"has text in {member.filename!r} that is not Unicode")
    if array.dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
        raise _damaged(path, f"has truth values in {member.filename!r} that are neither 0 nor 1")
    return array


def _check_header(path: Path, member: ZipInfo, file: IO[bytes]) -> None:
    """Parse the header without evaluating it, and raise InputError for unknown types and wrong sizes."""
    start = file.read(len(_MAGIC) + 2)
    length = int.from_bytes(start[len(_MAGIC) :], "little")
    header = file.read(length) if start.startswith(_MAGIC) and length <= _MAX_HEADER else b""
    match = _HEADER.fullmatch(header)
    if match is None:
        raise _damaged(path, f"has no array of numbers or text in {member.filename!r}")
    _, kind, width, shape = (part.decode() for part in match.groups())
    if kind != "U" and int(width) not in DTYPES[kind]:
        raise _damaged(path, f"has an array of the unknown type {kind}{width} in {member.filename!r}")
    sizes = [int(size) for size in shape.split(",") if size.strip()]
    declared = math.prod(sizes) * int(width) * (4 if kind == "U" else 1)
    available = member.file_size - len(start) - length
    if declared != available or len(sizes) > _MAX_DIMENSIONS:
        raise _damaged(
            path,
            f"declares {declared:,} bytes for the array {member.filename!r}, but has {available:,} of them",
        )
