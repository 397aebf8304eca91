"""Reader of sparse matrices in ``.npz`` files, with every index checked before a matrix is built."""

from __future__ import annotations

import struct
import zlib
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.matrices.array_file import read_array
from latentlink.network.readers.matrices.structure import EXPANSIONS, PARTS
from latentlink.network.readers.unpack_limit import UnpackLimit
from latentlink.validation.columns import exact_floats
from latentlink.validation.wording import few, names, shortened

__all__ = ["sparse_archive_matrix", "sparse_matrix"]

_EXPECTED = "expected a sparse matrix, as scipy.sparse.save_npz writes it"
_UNREADABLE = (
    BadZipFile,
    EOFError,
    OSError,
    ValueError,
    LookupError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    struct.error,
    zlib.error,
)


def sparse_archive_matrix(limit: UnpackLimit) -> Any:
    """Return the matrix of a ``.npz`` file as a SciPy array in coordinate form, or raise InputError."""
    arrays = _arrays(limit)
    return sparse_matrix(_format(arrays, str(limit.path)), arrays, limit)


def sparse_matrix(kind: str, arrays: dict[str, NDArray[Any]], limit: UnpackLimit) -> Any:
    """Return the matrix of a format's arrays as a SciPy array in coordinate form, or raise InputError.

    Parameters
    ----------
    kind : str
        A key of `PARTS`.
    arrays : dict of arrays
        Shape, values and the other arrays of the format; nothing about them is trusted.
    limit : UnpackLimit
    """
    from scipy.sparse import coo_array

    where = str(limit.path)
    shape = _shape(arrays["shape"], limit)
    missing = [name for name in (*PARTS[kind], "data") if name not in arrays]
    if missing:
        raise InputError(f"{where}: the parts {names(missing)} of a {kind} matrix are missing; {_EXPECTED}.")
    data = arrays["data"]
    if data.dtype.kind not in "biuf":
        raise InputError(
            f"{where}: The sparse matrix holds values of type {data.dtype}; expected real numbers."
        )
    limit.check_held(data.size)
    rows, cols, values = EXPANSIONS[kind](data, *(arrays[name] for name in PARTS[kind]), shape, where)
    with np.errstate(all="ignore"):  # values that are not finite raise later, with their place
        floats = exact_floats(values, lambda index: f"row {rows[index]}, column {cols[index]}")
    return coo_array((floats, (rows, cols)), shape=shape)


def _arrays(limit: UnpackLimit) -> dict[str, NDArray[Any]]:
    """Return the arrays of an archive that a sparse matrix may have; others are not read."""
    path = limit.path
    try:
        with ZipFile(path) as archive:
            members = _members(archive, path)
            _raise_if_dense(archive, members, path)
            total = sum(member.file_size for member in members.values())
            limit.check(total, "its unpacked arrays")
            arrays = {}
            for name, member in members.items():
                with archive.open(member) as file:
                    arrays[name] = read_array(file, member.file_size, f"{path}, part {name!r}")
            return arrays
    except InputError:
        raise
    except _UNREADABLE as error:
        raise InputError(f"{path} cannot be read: {shortened(str(error), 120)}; {_EXPECTED}.") from None


def _members(archive: ZipFile, path: Any) -> dict[str, ZipInfo]:
    wanted = {"format", "shape", "data"}.union(*PARTS.values())
    members: dict[str, ZipInfo] = {}
    for member in archive.infolist():
        name = member.filename.removesuffix(".npy")
        if name not in wanted or not member.filename.endswith(".npy"):
            continue
        if name in members:
            raise InputError(f"{path} has two parts {name!r}; {_EXPECTED}.")
        if member.compress_type not in {ZIP_STORED, ZIP_DEFLATED} or member.flag_bits & 1:
            raise InputError(
                f"{path} has the part {name!r} encrypted, or compressed by method {member.compress_type}; "
                "expected it uncompressed or deflated."
            )
        members[name] = member
    return members


def _raise_if_dense(archive: ZipFile, members: dict[str, ZipInfo], path: Any) -> None:
    """Raise InputError for an archive of other arrays, as numpy.savez writes it."""
    others = [each.removesuffix(".npy") for each in archive.namelist() if each.endswith(".npy")]
    if others and not {"format", "shape"} & members.keys():
        listed = few([shortened(name, 24) for name in others], 4)
        raise InputError(
            f"{path} has the arrays {listed}, but no sparse matrix; {_EXPECTED}. Give an array of "
            "numpy.load(path) to Network.from_dense, or a list of pairs to Network.from_edges, or save it as "
            ".npy."
        )


def _format(arrays: dict[str, NDArray[Any]], where: str) -> str:
    missing = [name for name in ("format", "shape") if name not in arrays]
    if missing:
        raise InputError(f"{where} has no part {names(missing)}; {_EXPECTED}.")
    stored = arrays["format"]
    kind = stored.tobytes().replace(b"\0", b"").decode("latin-1") if stored.dtype.kind in "SU" else ""
    if kind == "coo" and "coords" in arrays:
        kind = "coo with coords"
    if kind not in PARTS:
        raise InputError(
            f"{where}: the format of the matrix is {shortened(kind)}; expected csr, csc, coo, bsr or dia. "
            "Convert the matrix with tocsr() before it is saved."
        )
    return kind


def _shape(stored: NDArray[Any], limit: UnpackLimit) -> tuple[int, int]:
    if stored.dtype.kind not in "iu" or stored.shape != (2,) or min(stored.tolist()) < 1:
        shown = shortened(str(stored.ravel()[:4].tolist()))
        raise InputError(
            f"{limit.path}: the shape of the matrix is {shown}; expected two whole numbers, 1 or more."
        )
    shape = int(stored[0]), int(stored[1])
    limit.check_shape(shape)
    return shape
