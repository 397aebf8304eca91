"""What the files of a run hold, in short: the first links, which are the best, and the ranks visited."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.cli.results.link_file import COMPONENTS
from latentlink.cli.results.run_folder import RunFolder

__all__ = ["best_links", "first_links", "stored_links", "visited_ranks"]

_KINDS: dict[str, Any] = {"source": str, "target": str, "decision": str, "rank": int}
_NAMES, _TEXTS, _COUNT = ("source", "target"), ("decision",), "rank"


def first_links(path: Path, count: int) -> dict[str, list[Any]]:
    """Return the first lines of ``links.csv`` as columns of text or numbers; empty ones are left out."""
    with path.open(newline="", encoding="utf-8") as file:
        head, *lines = islice(csv.reader(file), count + 1)
    columns = {name: [line[index] for line in lines] for index, name in enumerate(head)}
    return {
        name: [_KINDS.get(name, float)(cell or "nan") for cell in column]
        for name, column in columns.items()
        if any(column)
    }


def visited_ranks(path: Path) -> tuple[dict[str, list[float]], int | None]:
    """Return rank, stability and held-out error of ``ranks.csv``, and the index of the chosen rank.

    Of a model of several factorizations there are none: those that it joins do not search their ranks as a
    rule, and a sentence and the report have those of the components beside it.
    """
    with path.open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    lines = [] if any(line["model"].startswith(COMPONENTS) for line in lines) else lines
    lines = lines if [line["chosen"] for line in lines].count("true") == 1 else []
    names = {"rank": "rank", "stability": "stability", "held-out error": "held_out_error"}
    columns = {shown: [float(line[name] or "nan") for line in lines] for shown, name in names.items()}
    chosen = [index for index, line in enumerate(lines) if line["chosen"] == "true"]
    return columns, chosen[0] if chosen else None


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
