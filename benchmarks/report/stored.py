"""The kept results of the studies, and which of them are older than others."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["ORDER", "Stored", "age_of", "description_of", "read_all"]

ORDER = (
    "whole_fits",
    "ratings",
    "ensemble",
    "search",
    "peers",
    "sweep",
    "roofline",
    "growth",
    "memory",
    "stack",
    "guarantees",
    "cold",
    "device",
)
NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Stored:
    """One file of results; ``date`` and ``code`` are "not recorded" in files of earlier versions."""

    name: str
    study: str
    rows: Sequence[dict[str, Any]]
    machine: dict[str, Any] = field(default_factory=dict)
    date: str = NOT_RECORDED
    code: str = NOT_RECORDED
    took_s: float | None = None


def read_all(folder: Path) -> list[Stored]:
    """Return what is kept in a folder, in the order of the page; each study may have several files."""
    found = []
    for path in sorted(folder.glob("*.json")):
        fields = json.loads(path.read_text())
        known = {name: fields[name] for name in Stored.__dataclass_fields__ if name in fields}
        found.append(Stored(**{**known, "name": path.stem}))
    return sorted(found, key=lambda each: (ORDER.index(each.study), each.name))


def age_of(stored: Stored, everything: Sequence[Stored]) -> str:
    """Return a sentence on whether a table is older than the newest one, or ""."""
    dated = [each for each in everything if each.date != NOT_RECORDED]
    if not dated:
        return ""
    newest = max(dated, key=lambda each: each.date)
    if stored.date == NOT_RECORDED:
        return "Older than the other tables: its date was not recorded."
    if stored.code != newest.code:
        return f"Of other code of the library than the newest table ({newest.name}, {newest.date})."
    if stored.date[:10] != newest.date[:10]:
        return f"Older than the newest table ({newest.name}, {newest.date}), of the same code."
    return ""


def description_of(study: str) -> str:
    """Return the docstring of a study as Markdown, without importing it."""
    source = (Path(__file__).parents[1] / f"{study}.py").read_text()
    return (ast.get_docstring(ast.parse(source)) or "").replace("``", "`")
