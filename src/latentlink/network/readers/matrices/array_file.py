"""Reader of NumPy's array format, ``.npy``, that trusts nothing of the file."""

from __future__ import annotations

import math
import re
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.unpack_limit import UnpackLimit
from latentlink.validation.wording import shortened

__all__ = ["npy_matrix", "read_array"]

_MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 10_000
_MOST_DIMENSIONS = 32
_PIECE_BYTES = 2**20
# One entry of the header, which NumPy writes as a Python dict; it is matched, and never evaluated.
_ITEM = re.compile(
    r""" *+['"](?:(descr)['"] *+: *+['"]([<>|=]?)([A-Za-z?])(\d{0,9})['"]|"""
    r"""(fortran_order)['"] *+: *+(True|False)|"""
    r"""(shape)['"] *+: *+\(((?: *+\d{1,18}+L? *+,)*+(?: *+\d{1,18}+L?)?+ *+)\)) *+(,|(?=\}))"""
)


def npy_matrix(limit: UnpackLimit) -> NDArray[Any]:
    """Return the array of a ``.npy`` file, or raise InputError with what is wrong with it."""
    path = limit.path
    with path.open("rb") as file:
        return read_array(file, path.stat().st_size, str(path))


def read_array(file: IO[bytes], size: int, where: str) -> NDArray[Any]:
    """Return the array that a stream of ``size`` bytes holds, or raise InputError.

    The header has to declare exactly the bytes that follow it. Types are numbers, truth values and text;
    Python objects and structures raise.

    Parameters
    ----------
    file : binary file
    size : int
        Number of all bytes of the stream.
    where : str
        Begins the messages.
    """
    header, start = _header(file, where)
    dtype, fortran_order, shape = _layout(header, where)
    declared, available = math.prod(shape) * dtype.itemsize, size - start
    if declared != available:
        raise InputError(
            f"{where}: the header declares an array of {shortened(declared)} bytes, but {available:,} "
            f"follow; "
            "expected as many. The file is damaged, or was not written by numpy.save."
        )
    data = _read_exactly(file, declared, where)
    flat = np.frombuffer(data, dtype)
    if dtype.kind == "b" and flat.size and flat.view(np.uint8).max() > 1:
        position = int(np.argmax(flat.view(np.uint8) > 1))
        raise InputError(
            f"{where}: the truth value at position {position:,} is {flat.view(np.uint8)[position]}; expected "
            "0 or 1."
        )
    return flat.reshape(shape, order="F" if fortran_order else "C")


def _header(file: IO[bytes], where: str) -> tuple[str, int]:
    """Return the text of the header, and the number of bytes that were read."""
    start = file.read(len(_MAGIC) + 2)
    version = start[len(_MAGIC) :]
    if not start.startswith(_MAGIC) or version not in {b"\x01\x00", b"\x02\x00", b"\x03\x00"}:
        raise InputError(
            f"{where}: found {shortened(start.decode('latin-1'))} at the beginning; expected a NumPy "
            f"array, as "
            "numpy.save writes it."
        )
    width = 2 if version == b"\x01\x00" else 4
    length = int.from_bytes(file.read(width), "little")
    raw = file.read(length) if length <= _LONGEST_HEADER else b""
    if not raw or len(raw) < length:
        raise InputError(
            f"{where}: the header of the array has {length:,} bytes, of which {len(raw):,} can be read; "
            "expected a NumPy array, as numpy.save writes it."
        )
    return raw.decode("latin-1"), len(start) + width + length


def _layout(header: str, where: str) -> tuple[np.dtype[Any], bool, tuple[int, ...]]:
    """Return type, order and shape from the text of a header."""
    found: dict[str, tuple[str, ...]] = {}
    body = header.strip(" \n")
    position = 1 if body.startswith("{") else len(body)
    while item := _ITEM.match(body, position):
        kind = item[1] or item[5] or item[7]
        found[kind] = {"descr": item.group(2, 3, 4), "fortran_order": (item[6],), "shape": (item[8],)}[kind]
        position = item.end()
    if body[position:].strip(" ") != "}" or len(found) < 3:
        raise InputError(
            f"{where}: the header of the array is {shortened(body)}; expected one NumPy array without Python "
            "objects and structures, as numpy.save writes it."
        )
    sizes = tuple(int(part.strip().rstrip("L")) for part in found["shape"][0].split(",") if part.strip())
    if len(sizes) > _MOST_DIMENSIONS:
        raise InputError(f"{where}: the array has {len(sizes)} dimensions; expected two.")
    return _dtype(found["descr"], where), found["fortran_order"][0] == "True", sizes


def _dtype(description: tuple[str, ...], where: str) -> np.dtype[Any]:
    order, kind, width = description
    known = kind in "?biufc" or (kind in "SU" and 0 < int(width or 0) < 2**28)
    try:
        if known:
            return np.dtype(order.replace("|", "") + kind + width)
    except TypeError:  # such as integers of 3 bytes, or floats of 12, which only some machines have
        pass
    raise InputError(
        f"{where}: the array is of type {order + kind + width!r}; expected real numbers, without "
        f"Python objects."
    )


def _read_exactly(file: IO[bytes], count: int, where: str) -> bytearray:
    """Read ``count`` bytes in pieces, so that memory grows with what is there, and the end of the stream."""
    data = bytearray()
    # One byte more makes a zip archive compare its checksum.
    while piece := file.read(min(_PIECE_BYTES, count - len(data) + 1)):
        data += piece
        if len(data) > count:
            break
    if len(data) != count:
        raise InputError(
            f"{where}: found {'more than' if len(data) > count else 'only'} {min(len(data), count):,} "
            f"bytes of "
            f"an array of {count:,}; expected all of them. The file is damaged."
        )
    return data
