"""Result lines of cases: CSV files with a header, and helpers that group and sum up lines."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
            writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerows(lines)


def write_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Replace a file by these lines; without any there is no file."""
    path.unlink(missing_ok=True)
    append_lines(path, lines)


def grouped(lines: Lines, *names: str) -> Iterator[tuple[tuple[str, ...], Lines]]:
    """Yield the lines with equal entries in these columns, groups in the order of their first lines."""
    groups: dict[tuple[str, ...], Lines] = {}
    for line in lines:
        groups.setdefault(tuple(line[name] for name in names), []).append(line)
    yield from groups.items()


def columns(lines: Sequence[Mapping[str, str]], *names: str) -> dict[str, NDArray[np.float64]]:
    """Return columns of the lines as arrays of numbers."""
    return {name: np.array([float(line[name]) for line in lines]) for name in names}
