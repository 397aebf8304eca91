"""Files of a large network, divided into blocks of rows: each step reads one file, or one block, at a time.

A row belongs to the block that a checksum of its name tells. So files are divided independently of each
other, and the block of a name is known without a table of all names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.names import checked_names
from latentlink.network.network import Network
from latentlink.network.readers.node_labels import NameTable, indexed_names, sorted_table
from latentlink.network.readers.tables.parquet import parquet_listing
from latentlink.network.readers.unpack_limit import UnpackLimit
from latentlink.saving import load_file, save_file
from latentlink.validation.wording import shown_path

__all__ = [
    "block_of",
    "block_path",
    "join_block",
    "load_names",
    "read_block",
    "split_file",
    "union_of_columns",
]

_KIND, _COLUMNS = "part of a block of rows", "columns.npz"

Names = NDArray[np.str_]
Columns = Sequence[Any] | None


def block_of(name: str, blocks: int) -> int:
    """Return the block of the row of a name.

    Examples
    --------
    >>> block_of("ann", 8), block_of("bob", 8)
    (3, 0)
    """
    return crc32(name.encode("utf-8", "surrogatepass")) % blocks


def block_path(folder: Path, number: int) -> Path:
    """Return the file of a block."""
    return folder / f"rows-{number:05d}.npz"


def split_file(limit: UnpackLimit, columns: Columns, folder: Path, number: int, blocks: int) -> None:
    """Read a Parquet file and write its entries to a file for each block, and the names of its columns."""
    listing = parquet_listing(limit, columns, False)
    assert isinstance(listing.row_names, list)
    assert isinstance(listing.col_names, list)
    names, _ = checked_names(listing.row_names, listing.col_names, listing.shape, False)
    assert names is not None
    block = np.array([block_of(name, blocks) for name in listing.row_names])
    of_entries = block[listing.rows]
    order = np.argsort(of_entries, kind="stable")
    ends = np.searchsorted(of_entries[order], np.arange(blocks + 1))
    for each in range(blocks):
        own = order[ends[each] : ends[each + 1]]
        if not len(own):
            continue
        rows, row_codes = np.unique(listing.rows[own], return_inverse=True)
        cols, col_codes = np.unique(listing.cols[own], return_inverse=True)
        part = {
            "row_names": names[rows],
            "col_names": np.array(listing.col_names)[cols],
            "rows": row_codes.astype(np.int32),
            "cols": col_codes.astype(np.int32),
            "values": None if listing.values is None else listing.values[own],
            "weights": None if listing.weights is None else listing.weights[own],
        }
        target = folder / f"{each:05d}"
        target.mkdir(exist_ok=True)
        save_file(target / f"{number:05d}.npz", _KIND, part)
    save_file(folder / f"columns-{number:05d}.npz", _KIND, np.array(listing.col_names))


def union_of_columns(parts: Path, folder: Path) -> int:
    """Write the names of all columns in their order; return how many there are."""
    table = NameTable()
    for path in sorted(parts.glob("columns-*.npz")):
        table.numbers(load_file(path, _KIND, {}).tolist())
    names, _ = checked_names(sorted_table(table)[0], None, (len(table), 1), False)
    save_file(folder / _COLUMNS, _KIND, names)
    return len(table)


def join_block(parts: Path, folder: Path, number: int) -> tuple[int, int]:
    """Write a block from its parts; return its numbers of rows and of listed entries, 0 if it is empty."""
    paths = sorted((parts / f"{number:05d}").glob("*.npz"))
    if not paths:
        return 0, 0
    columns = {name: index for index, name in enumerate(load_names(folder).tolist())}
    loaded = [load_file(path, _KIND, {}) for path in paths]
    names, indices = indexed_names(*(part["row_names"].tolist() for part in loaded))
    rows = np.concatenate([index[part["rows"]] for index, part in zip(indices, loaded, strict=True)])
    of_parts = (np.array([columns[name] for name in part["col_names"].tolist()]) for part in loaded)
    cols = np.concatenate([index[part["cols"]] for index, part in zip(of_parts, loaded, strict=True)])
    numbers = [
        None if loaded[0][name] is None else np.concatenate([part[name] for part in loaded])
        for name in ("values", "weights")
    ]
    block = Network(rows, cols, *numbers, shape=(len(names), len(columns)), row_names=names)
    if not block.is_clean:
        raise InputError(_repeated(block, load_names(folder)))
    save_file(block_path(folder, number), _KIND, _fields(block))
    return block.shape[0], block.n_listed


def read_block(folder: Path, number: int, columns: int, background: float) -> Network:
    """Return the entries of a block as a network of its rows and all columns, with the names of its rows."""
    path = block_path(folder, number)
    stored = load_file(path, _KIND, {})
    try:
        return Network(
            stored["rows"],
            stored["cols"],
            stored["values"],
            stored["weights"],
            shape=(len(stored["row_names"]), columns),
            background=background,
            row_names=stored["row_names"],
        )
    except (KeyError, TypeError):
        raise InputError(f"{shown_path(path)} is no block of rows. Divide the files again.") from None


def load_names(folder: Path) -> Names:
    """Return the names of all columns."""
    names: Names = load_file(folder / _COLUMNS, _KIND, {})
    return names


def _fields(block: Network) -> dict[str, Any]:
    """Return what is stored of a block; values and weights that are all 1 take no room."""
    fields: dict[str, Any] = {"row_names": block.row_names, "rows": block.rows, "cols": block.cols}
    for name in ("values", "weights"):
        numbers = getattr(block, name)
        fields[name] = None if np.all(numbers == 1) else np.ascontiguousarray(numbers)
    return fields


def _repeated(block: Network, columns: Names) -> str:
    position = int(np.argmax(block.repeated))
    assert block.row_names is not None
    pair = str(block.row_names[block.rows[position]]), str(columns[block.cols[position]])
    return f"The pair {pair} is listed more than once in the files; expected it once. Remove all but one."
