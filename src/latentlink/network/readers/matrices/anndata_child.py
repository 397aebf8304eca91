"""Program that reads an AnnData file in a process of its own: ``python -m ... path max_bytes``.

The HDF5 library trusts its input: a changed byte may end the process or keep it busy for ever. So the process
limits its memory and time, and what it writes to standard output is checked by the reader of
`latentlink.network.readers.matrices.anndata_file`: a line of JSON, and then the parts that it lists.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

from latentlink.errors import InputError
from latentlink.network.readers.matrices.stored_chunks import check_stored_bytes
from latentlink.validation.wording import shortened

__all__ = ["cpu_seconds", "limit_process", "main"]

_SPARE_BYTES = 256 * 2**20
_UNKNOWN_BASE_BYTES = 2 * 2**30  # address space of an interpreter where the system does not tell it
_START_SECONDS = 3
_BYTES_A_SECOND = 50_000_000  # HDF5 unpacks 100 MB a second or more
_FORMATS = {"csr_matrix": "csr", "csc_matrix": "csc", "csr": "csr", "csc": "csc"}
_NULLABLE = {"values": "OSiuf", "mask": "b"}


def cpu_seconds(n_bytes: int) -> int:
    """Return the CPU seconds in which contents of so many bytes have to be read."""
    return _START_SECONDS + math.ceil(n_bytes / _BYTES_A_SECOND)


def main() -> None:
    """Write the matrix X and the names of an AnnData file to standard output, or what is wrong with it."""
    path, n_bytes = sys.argv[1], int(sys.argv[2])
    import h5py

    limit_process(n_bytes)
    try:
        with h5py.File(path, "r") as file:
            description, parts = _read(file, n_bytes)
    except InputError as error:
        description, parts = {"error": str(error)}, {}
    except MemoryError:
        description, parts = {"memory": True}, {}
    except Exception as error:  # noqa: BLE001  (whatever a damaged file makes HDF5 raise)
        description, parts = {"error": f"HDF5 cannot read it ({shortened(str(error), 120)})"}, {}
    description["parts"] = {name: sum(map(len, pieces)) for name, pieces in parts.items()}
    output = sys.stdout.buffer
    output.write(json.dumps(description).encode() + b"\n")
    for pieces in parts.values():
        for piece in pieces:
            output.write(piece)
    output.flush()


def limit_process(n_bytes: int) -> None:
    """Limit memory and time of this process, where the system can."""
    with contextlib.suppress(ImportError):  # Windows
        import resource

        statistics = Path("/proc/self/statm")
        base = _UNKNOWN_BASE_BYTES
        if statistics.exists():
            base = int(statistics.read_text().split()[0]) * resource.getpagesize()
        for kind, most in (
            (resource.RLIMIT_AS, base + 2 * n_bytes + _SPARE_BYTES),
            (resource.RLIMIT_CPU, cpu_seconds(n_bytes)),
            (resource.RLIMIT_CORE, 0),
        ):
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(kind, (most, most))


def _read(file: Any, n_bytes: int) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Return a description of the matrix, and the bytes of its arrays and names."""
    matrix, obs, var = (_member(file, name) for name in ("X", "obs", "var"))
    description, arrays = _matrix(matrix)
    indices = [_index(frame, name) for frame, name in ((obs, "obs"), (var, "var"))]
    everything = [*arrays.values(), *(dataset for index in indices for dataset in index)]
    total = sum(dataset.size * dataset.dtype.itemsize for dataset in everything)
    if total > n_bytes:
        description = {"needed": total}
        return description, {}
    for dataset in everything:
        check_stored_bytes(dataset, dataset.name.lstrip("/"))
    parts: dict[str, list[Any]] = {name: _array_file(dataset) for name, dataset in arrays.items()}
    for name, index in zip(("obs", "var"), indices, strict=True):
        parts[name] = [json.dumps(_names(index)).encode()]
    return description, parts


def _member(group: Any, path: str) -> Any:
    """Return the group or dataset of a path within a group; links to elsewhere raise InputError."""
    import h5py

    item = group
    for name in path.split("/"):
        link = item.get(name, getlink=True) if isinstance(item, h5py.Group) and name else None
        if link is None:
            raise InputError(f"found no {shortened(path)}; expected X, obs and var of AnnData")
        if not isinstance(link, h5py.HardLink):
            raise InputError(f"{shortened(path)} is a link to another place; expected it in the file itself")
        item = item[name]
    return item


def _dataset(item: Any, kinds: str, name: str) -> Any:
    """Return a dataset whose values are in the file itself, of one of some kinds of types."""
    import h5py

    if not isinstance(item, h5py.Dataset) or item.shape is None:
        raise InputError(f"{name} is no array; expected one")
    if item.external or item.is_virtual:
        raise InputError(f"the values of {name} are in other files; expected them in the file itself")
    if item.dtype.kind not in kinds or (item.dtype.kind in "biuf" and item.dtype.itemsize > 8):
        raise InputError(f"{name} has values of type {shortened(str(item.dtype))}; expected another type")
    return item


def _matrix(matrix: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return format and shape of X, and its arrays."""
    import h5py

    if isinstance(matrix, h5py.Dataset):
        dense = _dataset(matrix, "biuf", "X")
        if dense.ndim != 2:
            raise InputError(f"X has {dense.ndim} dimensions; expected two")
        return {"format": "dense"}, {"data": dense}
    attributes = matrix.attrs
    old = "h5sparse_format" in attributes
    kind = attributes.get("h5sparse_format" if old else "encoding-type")
    if kind not in _FORMATS:
        raise InputError(f"X is stored as {shortened(kind)}; expected an array, csr_matrix or csc_matrix")
    shape = np.asarray(attributes["h5sparse_shape" if old else "shape"])
    if shape.shape != (2,) or shape.dtype.kind not in "iu":
        raise InputError(f"the shape of X has shape {shape.shape}; expected two whole numbers")
    arrays = {
        name: _dataset(_member(matrix, name), kinds, f"X/{name}")
        for name, kinds in (("data", "biuf"), ("indices", "iu"), ("indptr", "iu"))
    }
    return {"format": _FORMATS[kind], "shape": shape.tolist()}, arrays


def _index(frame: Any, name: str) -> list[Any]:
    """Return the datasets of the index of a frame: its values, or codes and categories."""
    import h5py

    index = frame.attrs.get("_index")
    if not isinstance(index, str):
        raise InputError(f"{name} has no index; expected the attribute _index with the name of a column")
    item = _member(frame, index)
    where = f"the index of {name}"
    if isinstance(item, h5py.Dataset):
        datasets = [_dataset(item, "OSiuf", where)]
    elif "codes" in item:
        codes, categories = _member(item, "codes"), _member(item, "categories")
        datasets = [_dataset(categories, "OSiuf", where), _dataset(codes, "iu", where)]
    else:
        datasets = [_dataset(_member(item, name), kinds, where) for name, kinds in _NULLABLE.items()]
    if any(dataset.ndim != 1 for dataset in datasets):
        raise InputError(f"{where} is no list; expected a name for each row or column")
    return datasets


def _names(index: list[Any]) -> list[str]:
    import h5py

    values, *others = index
    text = h5py.check_string_dtype(values.dtype) is not None
    names = [str(each) for each in (values.asstr() if text else values)[()].tolist()]
    if not others:
        return names
    second = others[0][()]
    is_mask = second.dtype.kind == "b"
    if second.any() if is_mask else ((second < 0) | (second >= len(names))).any():
        raise InputError("a name in an index is missing; expected one for each row and column")
    return names if is_mask else [names[code] for code in second.tolist()]


def _array_file(dataset: Any) -> list[Any]:
    """Return the contents of an ``.npy`` file in two pieces."""
    array = np.ascontiguousarray(dataset[()])
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(array))
    return [header.getvalue(), array.reshape(-1).view(np.uint8).data]


if __name__ == "__main__":
    main()
