"""Reader of files; the suffix of the path determines the format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.entries import checked_background
from latentlink.network.names import one_set
from latentlink.network.readers.all_nodes import AllNodes
from latentlink.network.readers.dense import dense_listing
from latentlink.network.readers.listing import DUPLICATES, Duplicates, Listing
from latentlink.network.readers.matrices.anndata_file import anndata_matrix
from latentlink.network.readers.matrices.array_file import npy_matrix
from latentlink.network.readers.matrices.matrix_market import matrix_market
from latentlink.network.readers.matrices.named_matrix import NamedMatrix
from latentlink.network.readers.matrices.sparse_archive import sparse_archive_matrix
from latentlink.network.readers.reading_errors import errors_naming
from latentlink.network.readers.sparse import IN_FILE, Unstored, background_of, sparse_listing
from latentlink.network.readers.tables.edge_list_frames import warn_if_array_of_pairs
from latentlink.network.readers.tables.parquet import parquet_header, parquet_listing
from latentlink.network.readers.text.delimited import delimited_listing
from latentlink.network.readers.text.layout import Columns
from latentlink.network.readers.text.opening import Opening, opening
from latentlink.network.readers.text.records import MOST_COLUMNS
from latentlink.network.readers.text.source import TextSource
from latentlink.network.readers.text.text_matrix import text_matrix
from latentlink.network.readers.unpack_limit import UnpackLimit, unpack_limit
from latentlink.validation.choices import checked_choice, checked_switch
from latentlink.validation.wording import shown_path

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = [
    "FileOptions",
    "first_records",
    "is_parquet",
    "is_text",
    "parquet_labels",
    "read_file",
    "read_listing",
]

_MATRICES: dict[str, Callable[[UnpackLimit], Any]] = {
    ".npy": npy_matrix,
    ".npz": sparse_archive_matrix,
    ".mtx": matrix_market,
    ".h5ad": anndata_matrix,
}
_PACKED = {".bz2", ".xz", ".lzma", ".zst", ".zip", ".7z", ".rar", ".tar", ".tgz", ".lz4", ".z", ".br"}


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """Parameters of `Network.from_file` but the path.

    Attributes
    ----------
    columns, header, delimiter, relation, background, symmetric, square, duplicates, unstored, max_bytes, \
matrix
        As for `Network.from_file`.
    nodes : AllNodes
        Names of all nodes, as far as they are given.
    """

    columns: Columns | None = None
    header: bool | None = None
    delimiter: str | None = None
    relation: str | None = None
    background: float = 0.0
    symmetric: bool = False
    square: bool = False
    duplicates: Duplicates = "raise"
    unstored: Unstored | None = None
    max_bytes: int | None = None
    matrix: bool = False
    nodes: AllNodes = field(default_factory=AllNodes)


def read_file(path: str | Path, options: FileOptions) -> Network:
    """Read a network from a file."""
    checked_choice(options.duplicates, DUPLICATES, "duplicates")
    checked_background(options.background)
    checked_switch(options.matrix, "matrix")
    listing, background = read_listing(path, options)
    with errors_naming(Path(listing.source)):
        options.nodes.rename(listing)
        return listing.network(
            "from_file",
            options.duplicates,
            background=background,
            symmetric=options.symmetric,
            square=options.square,
        )


def read_listing(path: str | Path, options: FileOptions) -> tuple[Listing, float]:
    """Return the entries of a file in its order, not yet checked, and the weight of those not listed."""
    path = _checked_path(path)
    with errors_naming(path):
        limit = unpack_limit(path, options.max_bytes)
        listing, background = _listing(limit, options)
        listing.source = str(path)
        for names in (listing.row_names, listing.col_names):
            _check_names(limit, names)
        return listing, background


def is_text(path: str | Path) -> bool:
    """Return whether a file of this name is read as text: it has no suffix of another format."""
    return _kind(Path(path)) not in _MATRICES and not is_parquet(path)


def parquet_labels(path: str | Path) -> tuple[str, ...]:
    """Return the names of the columns of a Parquet file."""
    return tuple(parquet_header(_checked_path(path))[0])


def is_parquet(path: str | Path) -> bool:
    """Return whether a file of this name is read as Parquet."""
    return _kind(Path(path)) == ".parquet"


def first_records(path: str | Path, delimiter: str | None = None) -> Opening:
    """Return the first records of a text file, from which its layout can be told."""
    path = _checked_path(path)
    with errors_naming(path), TextSource(unpack_limit(path, None)) as source:
        return opening(source, delimiter, MOST_COLUMNS)


def _listing(limit: UnpackLimit, options: FileOptions) -> tuple[Listing, float]:
    """Return the entries of a file, and the weight of those that are not listed."""
    path = limit.path
    kind = _kind(path)
    if kind in _MATRICES:
        return _matrix_listing(limit, kind, options)
    _raise_if_given(path, "unstored", options.unstored)
    square = options.symmetric or options.square
    if kind == ".parquet":
        for name in ("header", "delimiter"):
            _raise_if_given(path, name, getattr(options, name))
        _raise_if_given(path, "matrix", options.matrix or None)
        _check_relation(options.relation)
        return parquet_listing(limit, options.columns, square, options.relation), options.background
    _check_relation(options.relation)
    if options.matrix:
        for name in ("columns", "relation"):
            _raise_if_given(path, name, getattr(options, name))
        _raise_if_given(path, "background", options.background or None)
        return _named_listing(limit, text_matrix(limit, options.header, options.delimiter), options)
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
        raise InputError(f"{shown_path(checked)} cannot be opened: {reason}.") from None


def _kind(path: Path) -> str:
    packed = path.suffix.lower() == ".gz"
    kind = Path(path.stem).suffix.lower() if packed else path.suffix.lower()
    if path.suffix.lower() in _PACKED:
        raise InputError(
            f"{path} is compressed in a way that is not read; expected a file as it is, or text or .mtx by "
            "gzip (.gz). Unpack it first."
        )
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
    matrix = _MATRICES[kind](limit)
    if kind == ".npy":
        warn_if_array_of_pairs(matrix, str(path))
    if isinstance(matrix, NamedMatrix):
        return _named_listing(limit, matrix, options)
    return _listed_matrix(limit, matrix, options)


def _named_listing(limit: UnpackLimit, matrix: NamedMatrix, options: FileOptions) -> tuple[Listing, float]:
    """Return the entries of a matrix with its names."""
    rows, cols, notes, positions = matrix.row_names, matrix.col_names, matrix.notes, None
    if options.symmetric or options.square:
        rows, cols, positions = one_set(rows, cols)
    if positions is not None:
        notes = [*notes, "Columns were put in the order of the rows, by their names"]
    listing, background = _listed_matrix(limit, matrix.values, options, positions)
    listing.row_names, listing.col_names, listing.notes = rows, cols, notes
    return listing, background


def _listed_matrix(
    limit: UnpackLimit, matrix: Any, options: FileOptions, positions: NDArray[np.int64] | None = None
) -> tuple[Listing, float]:
    """Return the entries of a dense or sparse matrix, and the weight of those that are not stored."""
    path = limit.path
    if isinstance(matrix, np.ndarray):
        _raise_if_given(path, "unstored", options.unstored)
        return dense_listing(matrix, None, options.symmetric, positions), options.background
    background = background_of(options.unstored)
    listing = sparse_listing(
        matrix, options.symmetric, options.unstored, options.duplicates, IN_FILE, positions
    )
    return listing, background
