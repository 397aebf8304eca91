"""Whether a finished run still has all that it wrote."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from latentlink.errors import InputError

__all__ = ["raise_if_incomplete"]

_WRITTEN = ("links.csv", "ranks.csv", "report.html", "calibration.npz", "model", "report_data")
_REMEDY = "Make the run again with --force, or name another folder with --out."


def raise_if_incomplete(folder: Path, record: Mapping[str, Any]) -> None:
    """Raise InputError if an output of a finished run is missing, or a table is not as it was written.

    Parameters
    ----------
    folder : Path
    record : mapping
        The contents of ``run.json``.
    """
    names = (*_WRITTEN, "components") if record.get("components") else _WRITTEN
    missing = [name for name in names if not (folder / name).exists()]
    if missing:
        raise InputError(f"{folder} has a finished run without {', '.join(missing)}. {_REMEDY}")
    links = record.get("links")
    listed = links.get("listed") if isinstance(links, dict) else None
    for name, expected in (("links.csv", listed), ("ranks.csv", None)):
        found = _lines(folder / name)
        if found is None or expected not in {None, found}:
            raise InputError(f"{folder / name} is damaged: lines or fields are missing. {_REMEDY}")


def _lines(path: Path) -> int | None:
    """Return the number of lines below the header of a CSV file; None if it is no table."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            widths = [len(line) for line in csv.reader(file)]
    except (OSError, ValueError, csv.Error):
        return None
    return len(widths) - 1 if len(set(widths)) == 1 else None
