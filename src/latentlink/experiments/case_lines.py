"""Result lines of cases: CSV files with a header, and helpers that group and sum up lines."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from latentlink.saving.atomic import write_atomically

__all__ = ["Lines", "append_lines", "columns", "grouped", "read_lines", "write_lines"]

Lines = list[dict[str, str]]


def read_lines(path: Path) -> Lines:
    """Return the lines of a file, none if there is no file.

    A last line without an end, left by a run that was killed while it wrote, is left out.
    """
    if not path.exists():
        return []
    with path.open(newline="") as file:
        text = file.read()
    return list(csv.DictReader(text[: text.rfind("\n") + 1].splitlines(keepends=True)))


def append_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Add lines to a file; a new file begins with their names as a header."""
    is_new = not path.exists()
    if lines:
        with path.open("a", newline="") as file:
            _write(file, lines, header=is_new)


def _write(file: TextIO, lines: Sequence[Mapping[str, Any]], *, header: bool) -> None:
    writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(lines)


def write_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Replace a file by these lines, atomically; without any there is no file."""
    if not lines:
        path.unlink(missing_ok=True)
        return
    text = StringIO(newline="")
    _write(text, lines, header=True)
    write_atomically(path, text.getvalue().encode())


def grouped(lines: Lines, *names: str) -> Iterator[tuple[tuple[str, ...], Lines]]:
    """Yield the lines with equal entries in these columns, groups in the order of their first lines."""
    groups: dict[tuple[str, ...], Lines] = {}
    for line in lines:
        groups.setdefault(tuple(line[name] for name in names), []).append(line)
    yield from groups.items()


def columns(lines: Sequence[Mapping[str, str]], *names: str) -> dict[str, NDArray[np.float64]]:
    """Return columns of the lines as arrays of numbers."""
    return {name: np.array([float(line[name]) for line in lines]) for name in names}
