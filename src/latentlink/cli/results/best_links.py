"""The best unknown pairs of a finished run: from its stored ranking where that is long enough."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.cli.results.run_folder import RunFolder

__all__ = ["best_links", "stored_links"]

_NAMES, _TEXTS, _COUNT = ("source", "target"), ("decision",), "rank"


def best_links(path: str, count: int, node: str | None) -> dict[str, NDArray[Any]]:
    """Return the best unknown pairs of a run as columns of ``links.csv``, of all pairs or of one node.

    The model is loaded only where the file does not have the answer: it is ranked already.
    """
    folder = RunFolder(path)
    record = folder.record if node is None and folder.path.is_dir() else None
    columns = None if record is None else stored_links(folder / "links.csv", record, count)
    if columns is not None:
        return columns
    from latentlink.cli.results.finished_run import FinishedRun

    return FinishedRun.load(path).best(count, node)


def stored_links(path: Path, record: Mapping[str, Any], count: int) -> dict[str, NDArray[Any]] | None:
    """Return the first lines of ``links.csv`` as columns; None if it has too few, or is damaged.

    Parameters
    ----------
    path : Path
    record : mapping
        The contents of ``run.json``.
    count : int
        Number of pairs.
    """
    try:
        listed, asked = record["links"]["listed"], record["settings"]["top"]
        if count > listed >= asked:  # there may be more
            return None
        with path.open(newline="", encoding="utf-8") as file:
            head = next(csv.reader(file))
            # Texts are in quotes, and numbers are not.
            lines = list(islice(csv.reader(file, quoting=csv.QUOTE_NONNUMERIC), count))
        if len(lines) < min(count, listed):
            return None
        columns = [[line[index] for line in lines] for index in range(len(head))]
        return {name: _column(name, column) for name, column in zip(head, columns, strict=True)}
    except (OSError, ValueError, LookupError, TypeError, StopIteration, csv.Error):
        return None


def _column(name: str, cells: list[Any]) -> NDArray[Any]:
    if name in _NAMES:  # nodes without names are numbers
        return np.array([cell if isinstance(cell, str) else int(cell) for cell in cells])
    if name in _TEXTS:
        return np.array(cells, dtype=np.str_)
    if name == _COUNT:
        return np.array(cells, dtype=np.int64)
    return np.array([np.nan if cell == "" else cell for cell in cells], dtype=np.float64)
