"""Reader of files; the suffix of the path determines the format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from latentlink.errors import InputError
from latentlink.network.entries import checked_background
from latentlink.network.readers.dense import dense_listing
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.matrices.array_file import npy_matrix
from latentlink.network.readers.matrices.matrix_market import matrix_market
from latentlink.network.readers.matrices.sparse_archive import sparse_archive_matrix
from latentlink.network.readers.parquet import parquet_listing
from latentlink.network.readers.sparse import background_of, sparse_listing
from latentlink.network.readers.text.delimited import delimited_listing
from latentlink.network.readers.unpack_limit import UnpackLimit, unpack_limit
from latentlink.validation.choices import checked_choice

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["read_file"]

_MATRICES: dict[str, Callable[[UnpackLimit], Any]] = {
    ".npy": npy_matrix,
    ".npz": sparse_archive_matrix,
    ".mtx": matrix_market,
}
_LONGEST_MESSAGE = 600


def read_file(path: str | Path, duplicates: Any, **options: Any) -> Network:
    """Read a network from a file; ``options`` are those of ``Network.from_file``."""
    checked_choice(duplicates, ("refuse", "keep"), "duplicates")
    checked_background(options["background"])
    path = _checked_path(path)
    limit = unpack_limit(path, options.pop("max_bytes"))
    settings = {name: options.pop(name) for name in ("background", "symmetric", "square")}
    with _errors_naming(path):
        listing = _listing(limit, settings, options)
        listing.source = str(path)
        for names in (listing.row_names, listing.col_names):
            _check_names(limit, names)
        return listing.network("from_file", duplicates, **settings)


def _listing(limit: UnpackLimit, settings: dict[str, Any], options: dict[str, Any]) -> Listing:
    path = limit.path
    kind = _kind(path)
    if kind in _MATRICES:
        return _matrix_listing(limit, kind, settings, options)
    _raise_if_given(path, "unstored", options.pop("unstored"))
    square = settings["symmetric"] or settings["square"]
    if kind == ".parquet":
        _raise_if_given(path, "header", options["header"])
        _raise_if_given(path, "delimiter", options["delimiter"])
        return parquet_listing(limit, options["columns"], square)
    return delimited_listing(limit, square=square, **options)


def _check_names(limit: UnpackLimit, names: Any) -> None:
    """Raise InputError if names take too much memory: NumPy gives each of them the length of the longest."""
    if names is not None:
        longest = max(map(len, names), default=0)
        shown = f"the names of {len(names):,} nodes, the longest of {longest:,} characters,"
        limit.check(4 * longest * len(names), shown)


@contextmanager
def _errors_naming(path: Path) -> Iterator[None]:
    """Put the path in front of messages of InputError that do not name it, and shorten long ones."""
    try:
        yield
    except InputError as error:
        message = str(error)
        if len(message) > _LONGEST_MESSAGE + len(str(path)):
            half = _LONGEST_MESSAGE // 2
            message = f"{message[: half + len(str(path))]} ... {message[-half + 5 :]}"
        if message == str(error) and str(path) in message:
            raise
        raise InputError(message if str(path) in message else f"{path}: {message}") from None
    except MemoryError:
        raise InputError(
            f"{path}: the contents take more memory than there is. Read a part of the file, or give a lower "
            "max_bytes= to be told so before."
        ) from None


def _checked_path(path: str | Path) -> Path:
    try:
        checked = Path(path)
    except TypeError:
        raise InputError(f"The path is {path!r}; expected the path of a file, as text.") from None
    try:
        if checked.is_dir():
            raise InputError(f"{checked} is a folder; expected a file.")
        if checked.exists() and not checked.is_file():  # opening a pipe would wait for its writer
            raise InputError(f"{checked} is a pipe or device; expected a file. Write the data to one first.")
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


def _matrix_listing(
    limit: UnpackLimit, kind: str, settings: dict[str, Any], options: dict[str, Any]
) -> Listing:
    path = limit.path
    for name in ("columns", "header", "delimiter"):
        _raise_if_given(path, name, options[name])
    _raise_if_given(path, "background", settings["background"] or None)
    if kind == ".npz":
        background_of(options["unstored"])
    matrix = _MATRICES[kind](limit)
    if isinstance(matrix, np.ndarray):
        _raise_if_given(path, "unstored", options["unstored"])
        return dense_listing(matrix, None, settings["symmetric"])
    settings["background"] = background_of(options["unstored"])
    return sparse_listing(matrix, settings["symmetric"], options["unstored"])
