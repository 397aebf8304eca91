"""Reading and writing of result lines as CSV files with a header."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studies.findings import Lines

__all__ = ["append_lines", "read_lines", "write_lines"]


def read_lines(path: Path) -> Lines:
    """Return the lines of a file, none if there is no file."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


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
