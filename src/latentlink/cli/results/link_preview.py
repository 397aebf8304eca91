"""What the files of a run hold, in short: the first links, and the ranks visited."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path
from typing import Any

from latentlink.cli.results.link_table import COMPONENTS

__all__ = ["first_links", "visited_ranks"]

_KINDS: dict[str, Any] = {"source": str, "target": str, "decision": str, "rank": int}


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
