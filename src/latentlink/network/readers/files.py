"""Reader of files; the suffix of the path determines the format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from latentlink.errors import InputError
from latentlink.network.entries import checked_background
from latentlink.network.readers.all_nodes import AllNodes
from latentlink.network.readers.dense import dense_listing
from latentlink.network.readers.listing import DUPLICATES, Duplicates, Listing
from latentlink.network.readers.matrices.array_file import npy_matrix
from latentlink.network.readers.matrices.matrix_market import matrix_market
from latentlink.network.readers.matrices.sparse_archive import sparse_archive_matrix
from latentlink.network.readers.parquet import parquet_listing
from latentlink.network.readers.sparse import IN_FILE, Unstored, background_of, sparse_listing
from latentlink.network.readers.text.delimited import delimited_listing
from latentlink.network.readers.text.layout import Columns
from latentlink.network.readers.unpack_limit import UnpackLimit, unpack_limit
from latentlink.validation.choices import checked_choice

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = ["FileOptions", "read_file"]

_MATRICES: dict[str, Callable[[UnpackLimit], Any]] = {
    ".npy": npy_matrix,
    ".npz": sparse_archive_matrix,
    ".mtx": matrix_market,
}
_LONGEST_MESSAGE = 600


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """Parameters of `Network.from_file` but the path.

    Attributes
    ----------
    columns, header, delimiter, relation, background, symmetric, square, duplicates, unstored, max_bytes
        As for `Network.from_file`.
    nodes : AllNodes
        Names of all nodes, as far as they are given.
    """

    columns: Columns | None
    header: bool | None
    delimiter: str | None
    relation: str | None
    background: float
    symmetric: bool
    square: bool
    duplicates: Duplicates
    unstored: Unstored | None
    max_bytes: int | None
    nodes: AllNodes


def read_file(path: str | Path, options: FileOptions) -> Network:
    """Read a network from a file."""
    checked_choice(options.duplicates, DUPLICATES, "duplicates")
    checked_background(options.background)
    path = _checked_path(path)
    limit = unpack_limit(path, options.max_bytes)
    with _errors_naming(path):
        listing, background = _listing(limit, options)
        listing.source = str(path)
        for names in (listing.row_names, listing.col_names):
            _check_names(limit, names)
        options.nodes.rename(listing)
        return listing.network(
            "from_file",
            options.duplicates,
            background=background,
            symmetric=options.symmetric,
            square=options.square,
        )


def _listing(limit: UnpackLimit, options: FileOptions) -> tuple[Listing, float]:
    """Return the entries of a file, and the weight of those that are not listed."""
    path = limit.path
    kind = _kind(path)
    if kind in _MATRICES:
        return _matrix_listing(limit, kind, options)
    _raise_if_given(path, "unstored", options.unstored)
    square = options.symmetric or options.square
    if kind == ".parquet":
        for name in ("header", "delimiter", "relation"):
            _raise_if_given(path, name, getattr(options, name))
        return parquet_listing(limit, options.columns, square), options.background
    _check_relation(options.relation)
    listing = delimited_listing(
        limit, options.columns, options.header, options.delimiter, square, options.relation
    )
    return listing, options.background


def _check_relation(relation: str | None) -> None:
    if relation is not None and (not isinstance(relation, str) or not relation):
        raise InputError(f"relation is {relation!r}; expected the name of a relation, as in the file.")


def _check_names(limit: UnpackLimit, names: Any) -> None:
    """Raise InputError if names take too much memory: NumPy gives each of them the length of the longest."""
    if names is not None:
        longest = max(map(len, names))
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
    except InputError:  # a ValueError too
        raise
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


def _matrix_listing(limit: UnpackLimit, kind: str, options: FileOptions) -> tuple[Listing, float]:
    path = limit.path
    for name in ("columns", "header", "delimiter", "relation"):
        _raise_if_given(path, name, getattr(options, name))
    _raise_if_given(path, "background", options.background or None)
    if kind == ".npz":
        background_of(options.unstored)
    matrix = _MATRICES[kind](limit)
    if isinstance(matrix, np.ndarray):
        _raise_if_given(path, "unstored", options.unstored)
        return dense_listing(matrix, None, options.symmetric), options.background
    background = background_of(options.unstored)
    duplicates = options.duplicates
    return sparse_listing(matrix, options.symmetric, options.unstored, duplicates, IN_FILE), background
