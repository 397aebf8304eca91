"""The first lines of a file of links, as text."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path

__all__ = ["first_links"]


def first_links(path: Path, count: int) -> dict[str, list[str]]:
    """Return the first lines of ``links.csv`` as columns; empty ones are left out."""
    with path.open(newline="", encoding="utf-8") as file:
        head, *lines = islice(csv.reader(file), count + 1)
    columns = {name: [line[index] for line in lines] for index, name in enumerate(head)}
    return {name: [_short(cell) for cell in column] for name, column in columns.items() if any(column)}


def _short(cell: str) -> str:
    """Return a number with four digits, any other text as it is."""
    try:
        return f"{float(cell):.4g}" if "." in cell or "e-" in cell else cell
    except ValueError:
        return cell
