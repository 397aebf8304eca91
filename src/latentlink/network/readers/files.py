"""Reader of files; the suffix of the path determines the format."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from latentlink.errors import InputError
from latentlink.network.entries import checked_background
from latentlink.network.readers.dense import dense_listing
from latentlink.network.readers.edges import column_listing
from latentlink.network.readers.frames import (
    frame_columns,
    frame_of,
    raise_if_labels_repeat,
    selected_columns,
)
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.node_labels import Locator
from latentlink.network.readers.sparse import background_of, sparse_listing
from latentlink.network.readers.text.delimited import delimited_listing
from latentlink.validation.choices import checked_choice

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["read_file"]

_UNREADABLE = (ValueError, OSError, EOFError, KeyError, TypeError, zlib.error, OverflowError)


def read_file(path: str | Path, duplicates: Any, **options: Any) -> Network:
    """Read a network from a file; ``options`` are those of ``Network.from_file``."""
    checked_choice(duplicates, ("refuse", "keep"), "duplicates")
    checked_background(options["background"])
    path = _checked_path(path)
    settings = {name: options.pop(name) for name in ("background", "symmetric", "square")}
    kind = _kind(path)
    if kind in {".npz", ".mtx", ".npy"}:
        listing = _matrix_listing(path, kind, settings, options)
    else:
        _raise_if_given(path, "unstored", options.pop("unstored"))
        square = settings["symmetric"] or settings["square"]
        if kind == ".parquet":
            _raise_if_given(path, "header", options["header"])
            _raise_if_given(path, "delimiter", options["delimiter"])
            listing = _parquet_listing(path, options["columns"], square)
        else:
            listing = delimited_listing(path, square=square, **options)
    listing.source = str(path)
    with _errors_naming(path):
        return listing.network("from_file", duplicates, **settings)


@contextmanager
def _errors_naming(path: Path) -> Iterator[None]:
    """Put the path in front of messages of InputError that do not name it."""
    try:
        yield
    except InputError as error:
        if str(path) in str(error):
            raise
        raise InputError(f"{path}: {error}") from None


def _checked_path(path: str | Path) -> Path:
    try:
        checked = Path(path)
    except TypeError:
        raise InputError(f"The path is {path!r}; expected the path of a file, as text.") from None
    try:
        if checked.is_dir():
            raise InputError(f"{checked} is a folder; expected a file.")
        with checked.open("rb"):
            return checked
    except FileNotFoundError:
        raise InputError(
            f"There is no file {checked}; expected an existing file (the working folder is {Path.cwd()})."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{str(checked)!r} cannot be opened: {reason}.") from None


def _kind(path: Path) -> str:
    packed = path.suffix.lower() == ".gz"
    kind = Path(path.stem).suffix.lower() if packed else path.suffix.lower()
    if packed and kind in {".npz", ".npy", ".parquet"}:
        raise InputError(f"{path} is a gzipped {kind} file; only text is read gzipped. Unpack it first.")
    return kind


def _raise_if_given(path: Path, name: str, value: object) -> None:
    if value is not None:
        raise InputError(f"{name}={value!r} is given, but has no meaning for {path}. Leave it out.")


def _matrix_listing(path: Path, kind: str, settings: dict[str, Any], options: dict[str, Any]) -> Listing:
    for name in ("columns", "header", "delimiter"):
        _raise_if_given(path, name, options[name])
    _raise_if_given(path, "background", settings["background"] or None)
    if kind == ".npz":
        background_of(options["unstored"])
    matrix = _loaded(path, kind)
    if isinstance(matrix, np.ndarray):
        _raise_if_given(path, "unstored", options["unstored"])
        with _errors_naming(path):
            return dense_listing(matrix, None, settings["symmetric"])
    settings["background"] = background_of(options["unstored"])
    with _errors_naming(path):
        return sparse_listing(matrix, settings["symmetric"], options["unstored"])


def _loaded(path: Path, kind: str) -> Any:
    expected = {
        ".npy": "one NumPy array without Python objects, as numpy.save writes it",
        ".npz": "a sparse matrix, as scipy.sparse.save_npz writes it",
        ".mtx": "a matrix in the Matrix Market format",
    }[kind]
    try:
        if kind == ".npy":
            return np.load(path, allow_pickle=False)
        if kind == ".npz":
            from scipy.sparse import load_npz

            return load_npz(path)
        return _matrix_market(path)
    except _UNREADABLE as error:
        raise InputError(f"{path} cannot be read: {error}. Expected {expected}.") from None


def _matrix_market(path: Path) -> Any:
    """Read a Matrix Market file; newer SciPy returns sparse arrays only with ``spmatrix=False``."""
    from inspect import signature

    from scipy.io import mmread

    return mmread(path, **({"spmatrix": False} if "spmatrix" in signature(mmread).parameters else {}))


def _parquet_listing(path: Path, columns: Sequence[Any] | None, square: bool) -> Listing:
    try:
        from pyarrow import parquet
    except ImportError:
        raise InputError(f'Reading {path} needs pyarrow: pip install "latentlink[parquet]".') from None
    try:
        labels = parquet.read_schema(path).names
        raise_if_labels_repeat(labels, str(path))
        selected = selected_columns(labels, columns, str(path))
        frame = frame_of(parquet.read_table(path, columns=selected))
    except InputError:
        raise
    except _UNREADABLE as error:
        raise InputError(f"{path} cannot be read: {error}. Expected a Parquet file.") from None

    def locate(position: int) -> str:
        return f"{path}, row {position} (counted from 0)"

    parts = frame_columns(frame, selected, locate)
    if not len(parts[0]):
        raise InputError(f"{path}: found no rows; expected one for each pair: row, column and value.")
    for side, what in enumerate(("row", "column")):
        parts[side] = _as_names(parts[side], what, locate)
    with _errors_naming(path):
        return column_listing(parts, None, square, locate)


def _as_names(labels: Any, what: str, locate: Locator) -> Any:
    """Turn whole numbers into names, so that numbers saved as numbers and as text are the same nodes."""
    if isinstance(labels, np.ndarray) and labels.dtype.kind == "f":
        # From 2^53 on, different whole numbers are the same float.
        inexact = ~((labels == np.floor(labels)) & (np.abs(labels) < 2**53))
        if inexact.any():
            position = int(np.argmax(inexact))
            raise InputError(
                f"The {what} of {locate(position)} is {labels[position]}; expected a name, or a whole "
                "number below 2^53. Save the labels as text."
            )
        labels = labels.astype(np.int64)
    listed = labels.tolist() if isinstance(labels, np.ndarray) else labels
    return list(map(str, listed)) if all(type(label) is int for label in listed) else listed
