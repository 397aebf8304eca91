"""The data that scripts of the page read: columns of numbers, and names listed once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from latentlink.report.report_data import ReportData
from latentlink.tables import Table

__all__ = ["characters_of_names", "embedded_json", "page_payload"]

_NAMED = {"links": ("source", "target"), "members": ("node",), "loadings": ("node",)}
_DIGITS = 6
# In a script element these could end it, or a line of it; inside JSON strings they mean the same escaped.
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class _Names:
    """Names in the order in which they were first met, each shortened to the longest that is allowed."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.places: dict[str, int] = {}

    def place(self, name: str) -> int:
        return self.places.setdefault(name, len(self.places))

    def listed(self) -> list[str]:
        return [self._short(name) for name in self.places]

    def _short(self, name: str) -> str:
        if len(name) <= self.longest:
            return name
        return f"{name[: self.longest]}… ({len(name):,} characters)"


def page_payload(data: ReportData, longest: int, most_links: int) -> dict[str, Any]:
    """Return everything that the scripts show; tables are dicts of lists, names are numbers in ``names``.

    Parameters
    ----------
    data : ReportData
    longest : int
        Characters of a name that are embedded.
    most_links : int
        Links that are embedded.
    """
    names = _Names(longest)
    tables = {
        name: _columns(table, _NAMED.get(name, ()), names, most_links if name == "links" else None)
        for name, table in data.tables.items()
    }
    parts: dict[str, int] = {}
    if "explanation_parts" in tables:  # some 40 names for each of 100 links
        coded = tables["explanation_parts"]
        coded["part"] = [parts.setdefault(part, len(parts)) for part in coded["part"]]
    graphs = [
        {"nodes": [[names.place(name), role] for name, role in graph["nodes"]], "edges": graph["edges"]}
        for graph in data.facts.get("neighbourhoods", ())[:most_links]
    ]
    facts = {name: data.facts[name] for name in ("data", "risk", "prediction", "links") if name in data.facts}
    components = data.facts.get("components", {})
    return {
        "facts": facts,
        "components": components,
        "ranks": {each["model"]: each["rank"] for each in data.facts.get("rank", {}).get("models", ())},
        "tables": tables,
        "neighbourhoods": graphs,
        "parts": list(parts),
        "names": names.listed(),
    }


def characters_of_names(data: ReportData, longest: int, most_links: int) -> int:
    """Return how many characters of names a page would have at least, without making it."""
    names = {
        name
        for table, columns in _NAMED.items()
        if table in data.tables
        for column in columns
        for name in data.tables[table][column][: most_links if table == "links" else None].tolist()
    }
    return sum(min(len(name), longest) for name in names)


def _columns(table: Table, named: tuple[str, ...], names: _Names, most: int | None) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    for name, column in table.columns.items():
        cells = column[:most].tolist()
        columns[name] = [names.place(cell) for cell in cells] if name in named else list(map(_plain, cells))
    return columns


def _plain(cell: Any) -> Any:
    """Return a number with six significant digits; None for what is not finite, which JSON does not have."""
    if not isinstance(cell, float):
        return cell
    if not np.isfinite(cell):
        return None
    return float(f"{cell:.{_DIGITS}g}")


def embedded_json(value: Mapping[str, Any]) -> str:
    r"""Return JSON that is safe inside of a script element, whatever the text in it.

    Examples
    --------
    >>> embedded_json({"name": "</script><b>"})
    '{"name":"\\u003c/script\\u003e\\u003cb\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text
