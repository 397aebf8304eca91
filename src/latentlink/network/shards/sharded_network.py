"""A network whose entries are on a disk, in blocks of rows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.entries import checked_background
from latentlink.network.network import Network
from latentlink.network.readers.tables.parquet import parquet_header
from latentlink.network.readers.unpack_limit import unpack_limit
from latentlink.network.shards.row_blocks import (
    block_of,
    join_block,
    load_names,
    read_block,
    split_file,
    union_of_columns,
)
from latentlink.parallel import TaskPool, Workers
from latentlink.saving import fingerprint, load_file, save_file, storage_errors
from latentlink.validation.numbers import checked_count
from latentlink.validation.wording import shown_path

__all__ = ["ShardedNetwork"]

_FILE, _KIND = "network.npz", "sharded network"
_FIELDS = {"blocks": int, "background": float, "columns": int, "sizes": np.ndarray, "hash": str}


class ShardedNetwork:
    """A partly known matrix in blocks of rows, of which no process has to hold all.

    Rows and columns have names and are different nodes: the two directions of an undirected network are not
    one pair here. Every row is in one block, whichever files list it.

    Parameters
    ----------
    folder : path
        A folder that `from_parquet` has written. All processes that work on it have to see it.

    Attributes
    ----------
    shape : (int, int)
        Numbers of rows and columns.
    n_listed : int
        Number of listed entries.
    background : float
        Weight of every pair that is not listed, as for `Network`.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).absolute()
        path = self.folder / _FILE
        stored = load_file(path, _KIND, {})
        if not isinstance(stored, dict) or {name: type(part) for name, part in stored.items()} != _FIELDS:
            raise InputError(f"{shown_path(path)} does not describe a network. Divide its files again.")
        self.background, self._blocks = checked_background(stored["background"]), int(stored["blocks"])
        sizes = stored["sizes"]
        self._numbers = np.flatnonzero(sizes[:, 0])
        self._begins = np.concatenate([[0], np.cumsum(sizes[self._numbers, 0])])
        self.shape = int(self._begins[-1]), int(stored["columns"])
        self.n_listed, self.identity = int(sizes[:, 1].sum()), str(stored["hash"])

    @classmethod
    def from_parquet(
        cls,
        source: str | Path,
        folder: str | Path,
        *,
        n_blocks: int = 16,
        columns: Sequence[Any] | None = None,
        background: float = 0.0,
        executor: Workers | None = None,
        max_bytes: int | None = None,
    ) -> Self:
        """Divide a folder of Parquet files into blocks of rows.

        One file is read at a time, in each process, and one block is put together at a time. Both must fit
        into memory: a file or a block of a million pairs takes some hundred megabytes.

        Parameters
        ----------
        source : path
            A folder; all its files ``*.parquet`` have the same columns. Whole numbers are names, as text is.
        folder : path
            A new or empty folder, to which the blocks are written: about 16 bytes for each pair.
        n_blocks : int
            Number of blocks, each of which is fitted by one process. Results depend on it in the last digits.
        columns : sequence of labels or None
            The columns of row, column, value and weight, as for `Network.from_file`. A weight of 0 hides an
            entry.
        background : float
            Weight of every pair that is not listed: 0 for unknown, 1 for known zeros.
        executor : Executor or dask.distributed.Client, optional
            Reads the files in other processes, which see both folders.
        max_bytes : int or None
            Most bytes that a file may take once it is read, as for `Network.from_file`.

        Examples
        --------
        >>> import tempfile
        >>> import pyarrow
        >>> from pyarrow import parquet
        >>> with tempfile.TemporaryDirectory() as source, tempfile.TemporaryDirectory() as folder:
        ...     table = pyarrow.table({"user": ["ann", "bob"], "item": ["tea", "tea"], "rating": [4.0, 5.0]})
        ...     parquet.write_table(table, f"{source}/ratings.parquet")
        ...     ShardedNetwork.from_parquet(source, folder, n_blocks=2)
        ShardedNetwork: 2 x 1, 2 listed entries in 2 blocks of rows
        """
        count, weight = checked_count(n_blocks, "The number of blocks"), checked_background(background)
        files, target = _files(Path(source)), Path(folder).absolute()
        parts = target / "parts"
        with storage_errors(target):
            target.mkdir(parents=True, exist_ok=True)
            if any(target.iterdir()):
                raise InputError(f"{shown_path(target)} has files in it; expected a new or an empty folder.")
            parts.mkdir()
            try:
                with TaskPool(executor=executor) as pool:
                    for number, path in enumerate(files):
                        limit = unpack_limit(path, max_bytes)
                        pool.add(split_file, limit, columns, parts, number, count, name=f"read {path.name}")
                    list(pool.completed())
                    width = union_of_columns(parts, target)
                    sizes = np.zeros((count, 2), np.int64)
                    for number in range(count):
                        pool.add(join_block, parts, target, number, name=f"block {number} of rows")
                    for _, (*_, number), size in pool.completed():
                        sizes[number] = size
                shutil.rmtree(parts)
                stored = {"blocks": count, "background": weight, "columns": width, "sizes": sizes}
                given = [[path.name, path.stat().st_size, path.stat().st_mtime_ns] for path in files]
                save_file(target / _FILE, _KIND, stored | {"hash": fingerprint(stored, given)})
            except BaseException:
                _remove_contents(target)  # all of which were written here
                raise
        return cls(target)

    @property
    def n_blocks(self) -> int:
        """Number of blocks that have rows."""
        return len(self._numbers)

    @cached_property
    def col_names(self) -> NDArray[np.str_]:
        """The names of all columns."""
        return load_names(self.folder)

    def empty(self) -> Network:
        """Return the network of the same shape and background, without entries and names."""
        return Network([], [], shape=self.shape, background=self.background)

    def block(self, position: int) -> tuple[Network, int]:
        """Return the rows of a block, with their names and all columns, and the number of the first one."""
        number = int(self._numbers[position])
        network = read_block(self.folder, number, self.shape[1], self.background)
        return network, int(self._begins[position])

    def blocks_of(self, names: Sequence[str]) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Yield the position of each block, -1 if it is empty, and which of the names belong to it."""
        numbers = np.array([block_of(name, self._blocks) for name in names], np.int64)
        for number in np.unique(numbers):
            position = int(np.searchsorted(self._numbers, number))
            known = position < self.n_blocks and self._numbers[position] == number
            yield position if known else -1, np.flatnonzero(numbers == number)

    def __repr__(self) -> str:
        n, m = self.shape
        listed = f"{self.n_listed:,} listed entries in {self.n_blocks} blocks of rows"
        return f"ShardedNetwork: {n:,} x {m:,}, {listed}"


def _remove_contents(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _files(source: Path) -> list[Path]:
    """Return the Parquet files of a folder that have rows, all of the same columns."""
    if not source.is_dir():
        raise InputError(f"{shown_path(source)} is no folder; expected one with Parquet files.")
    found = sorted(path.absolute() for path in source.glob("*.parquet"))
    headers = {path: parquet_header(path) for path in found}
    files = [path for path, (_, rows) in headers.items() if rows]
    if not files:
        raise InputError(f"{shown_path(source)} has no files *.parquet with rows; expected one at least.")
    for path in files[1:]:
        if headers[path][0] != headers[files[0]][0]:
            raise InputError(
                f"{shown_path(path)} has the columns {headers[path][0]}, but {files[0].name} has "
                f"{headers[files[0]][0]}; expected the same in the same order in all files."
            )
    return files
