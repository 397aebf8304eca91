"""Reader of AnnData files, ``.h5ad``: the matrix X and the names of its rows and columns."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import IO, Any

import numpy as np

from latentlink.errors import InputError
from latentlink.network.readers.matrices.anndata_child import cpu_seconds
from latentlink.network.readers.matrices.array_file import read_array
from latentlink.network.readers.matrices.named_matrix import NamedMatrix
from latentlink.network.readers.matrices.sparse_archive import sparse_matrix
from latentlink.network.readers.unpack_limit import UnpackLimit

__all__ = ["CHILD", "WALL_TIMES", "anndata_matrix"]

CHILD = "latentlink.network.readers.matrices.anndata_child"
_EXPECTED = "expected an AnnData file, as write_h5ad of AnnData writes it"
_LONGEST_DESCRIPTION = 10_000
_LONGEST_SENTENCE = 300
# A process may wait for others; only where the system limits no CPU time is this the only limit.
WALL_TIMES = 12
_PARTS = {"dense": ["data"], "csr": ["data", "indices", "indptr"], "csc": ["data", "indices", "indptr"]}


def anndata_matrix(limit: UnpackLimit) -> NamedMatrix:
    """Return the matrix X of an ``.h5ad`` file, or raise InputError with what is wrong with it.

    HDF5 runs in a process of its own, with limits on memory and time: a damaged file may make it crash. Only
    arrays and names that are in the file itself are read, and no more bytes than the limit allows.
    """
    if importlib.util.find_spec("h5py") is None:
        raise InputError(
            f"{limit.path} is an AnnData file, for which h5py is needed: pip install latentlink[anndata]."
        )
    try:
        with _child_output(limit) as stream:
            values, names = _contents(stream, limit)
    except InputError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise InputError(f"{limit.path}: the answer of the process that reads it is damaged.") from None
    for side, found, count in zip(("obs", "var"), names, values.shape, strict=True):
        if len(found) != count:
            raise InputError(
                f"{limit.path}: X has the shape {values.shape}, but {side} has {len(found):,} names; "
                f"expected {count:,}."
            )
    return NamedMatrix(values, names[0], names[1], ["The matrix X"])


def _contents(stream: IO[bytes], limit: UnpackLimit) -> tuple[Any, list[list[str]]]:
    """Return the matrix and the names that the child process writes."""
    description, sizes = _description(stream, limit)
    kind = description["format"]
    arrays = {}
    for name in _PARTS[kind]:
        part: Any = _Part(stream, sizes[name])
        arrays[name] = read_array(part, sizes[name], f"{limit.path}, part {name!r}")
    names = [_names(stream, sizes[name]) for name in ("obs", "var")]
    limit.check_held(arrays["data"].size, sum(map(len, names)))
    if kind == "dense":
        return arrays["data"], names
    return sparse_matrix(kind, arrays | {"shape": np.asarray(description["shape"])}, limit), names


class _Part:
    """The next bytes of a stream, as a file of their own."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self._stream, self._left = stream, size

    def read(self, count: int) -> bytes:
        data = self._stream.read(min(count, self._left))
        self._left -= len(data)
        return data


@contextmanager
def _child_output(limit: UnpackLimit) -> Iterator[IO[bytes]]:
    """Run the child process, and yield what it writes; raise InputError if it crashes or is late."""
    folders = [os.path.abspath(folder) for folder in sys.path]  # "" is the working folder
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(folders), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-P", "-m", CHILD, str(Path(limit.path).absolute()), str(limit.n_bytes)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, env=environment
    ) as process:
        timer = Timer(WALL_TIMES * cpu_seconds(limit.n_bytes), process.kill)
        timer.daemon = True
        timer.start()
        assert process.stdout is not None
        try:
            yield process.stdout
        except _Ended:
            raise InputError(_end_message(limit, process.wait())) from None
        finally:
            timer.cancel()
            process.kill()


class _Ended(Exception):  # noqa: N818  (it never leaves this module)
    """The child process ended before its answer did."""


def _end_message(limit: UnpackLimit, code: int) -> str:
    late = {-getattr(signal, name, 0) for name in ("SIGXCPU", "SIGKILL")}
    if code in late:
        return (
            f"{limit.path}: HDF5 did not read it within {cpu_seconds(limit.n_bytes)} s; {_EXPECTED}. If it "
            "is a large one, a higher max_bytes= gives more time."
        )
    if code == 1:
        return f"{limit.path}: the process that reads it failed; expected that `import h5py` works in Python."
    return f"{limit.path}: HDF5 crashed on it (code {code}), so it is damaged; {_EXPECTED}."


def _description(stream: IO[bytes], limit: UnpackLimit) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the first line of the child process, and the sizes of what follows."""
    line = stream.readline(_LONGEST_DESCRIPTION)
    if not line.endswith(b"\n"):
        raise _Ended
    description = json.loads(line)
    if "needed" in description:
        limit.check(int(description["needed"]), "the arrays of X, obs and var")
    if "memory" in description:
        raise InputError(
            f"{limit.path}: reading it takes more than twice {limit.n_bytes:,} bytes, out of proportion to "
            "the size of the file. If the file is what you expect, raise the limit with max_bytes=."
        )
    if "error" in description:
        sentence = str(description["error"])[:_LONGEST_SENTENCE]
        raise InputError(f"{limit.path} is no readable AnnData file: {sentence}; {_EXPECTED}.")
    sizes = {name: int(size) for name, size in description["parts"].items()}
    limit.check(sum(sizes.values()), "the arrays of X, obs and var")
    return description, sizes


def _names(stream: IO[bytes], size: int) -> list[str]:
    text = stream.read(size)
    if len(text) < size:
        raise _Ended
    return [str(name) for name in json.loads(text)]
