"""What the first lines of a text file say of the rest: delimiter, header, columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from latentlink.errors import InputError
from latentlink.network.numbers import to_float
from latentlink.network.records import WHITESPACE, split_line

__all__ = ["Columns", "Layout", "detected_delimiter", "layout_of"]

Columns = Sequence[str] | Sequence[int]

_WORDS = {"::": "'::'", "\t": "tab", ";": "semicolon", "|": "'|'", ",": "comma", WHITESPACE: "blanks"}
_PARTS = ("row", "column", "value", "weight")
_MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "?", "."}
# Letters and digits only: "Node_1" and "node 1" are node1.
_HEADERS = re.compile(
    r"(source|target|user|item|movie|from|to|row|col)(id|node|nodeid)?|column|src|dst|dest|destination|head|tail"
    r"|start|end|(node|entity|protein|uniprot|gene)(1|2|a|b)"
)


@dataclass(frozen=True, slots=True)
class Layout:
    """How to read the records of a file.

    ``columns`` are the places of row, column, value and weight; ``names`` are what to call every column in
    a message; ``width`` is the number of fields of each record.
    """

    delimiter: str
    header: bool
    columns: tuple[int, ...]
    names: tuple[str, ...]

    @property
    def width(self) -> int:
        """Number of fields of each record."""
        return len(self.names)

    def notes(self, line: int) -> list[str]:
        """Say for a reader what was decided; the first record stands on ``line``."""
        parts = zip(_PARTS, self.columns, strict=False)
        said = [
            f"Fields are separated by {_WORDS.get(self.delimiter, repr(self.delimiter))}",
            f"Line {line} is the header" if self.header else "There is no header",
            ", ".join(f"{part}: {self.names[place]}" for part, place in parts),
        ]
        unread = [name for place, name in enumerate(self.names) if place not in self.columns]
        return said + ([f"Not read: {', '.join(unread)}"] if unread else [])


def detected_delimiter(lines: Sequence[str]) -> str:
    """Find what separates the fields, by what splits the lines most evenly.

    Two colons and tabs hardly occur within names, so they come first. Blanks come last, because names
    hold them.

    Examples
    --------
    >>> detected_delimiter(["New York;Boston;0,5", "New York;Paris;0,7"])
    ';'
    """
    scores = {delimiter: _evenness(lines, delimiter) for delimiter in _WORDS}
    for clear in ("::", "\t"):
        if scores[clear][2] > 0.5:
            return clear
    best = max((";", "|", ","), key=scores.__getitem__)
    return best if scores[best][2] > 0.5 else max(scores, key=scores.__getitem__)


def _evenness(lines: Sequence[str], delimiter: str) -> tuple[float, int, float]:
    """Share of the lines with the commonest number of fields, that number, share with two or more."""
    counts: dict[int, int] = {}
    for line in lines:
        try:
            fields = split_line(line, delimiter)
        except ValueError:
            continue
        if fields is not None and len(fields) > 1:
            counts[len(fields)] = counts.get(len(fields), 0) + 1
    width = max(counts, key=lambda each: (counts[each], each), default=0)
    return counts.get(width, 0) / len(lines), width, sum(counts.values()) / len(lines)


def layout_of(
    records: Sequence[list[str]], columns: Columns | None, header: bool | None, delimiter: str, where: str
) -> Layout:
    """Decide from the first one or two records what the columns are."""
    first = records[0]
    if len(first) < 2:
        raise InputError(
            f"{where}: found one column, {first[0]!r}; expected at least two, row and column. "
            "Give delimiter= if the fields are separated by something unusual."
        )
    named = _checked_columns(columns, header)
    if header is None:
        header = named or _looks_like_header(records, columns)
    names = tuple(
        repr(field) if header else f"column {place} (counted from 0)" for place, field in enumerate(first)
    )
    return Layout(delimiter, header, _places(first, columns, delimiter, header, where), names)


def _checked_columns(columns: Columns | None, header: bool | None) -> bool:
    """Whether columns are given by name."""
    if columns is None:
        return False
    named = all(isinstance(column, str) for column in columns)
    placed = all(isinstance(column, int) and not isinstance(column, bool) for column in columns)
    if isinstance(columns, str) or not 2 <= len(columns) <= 4 or not (named or placed):
        raise InputError(
            f"columns is {columns!r}; expected two to four names or two to four places counted from 0: row, "
            "column, value, weight."
        )
    if len(set(columns)) < len(columns):
        raise InputError(f"columns is {columns!r}; expected a different column for each part.")
    if named and header is False:
        raise InputError(f"columns is {columns!r}, but header=False. Give places, counted from 0.")
    return named


def _looks_like_header(records: Sequence[list[str]], columns: Columns | None) -> bool:
    first = records[0]
    place = columns[2] if columns is not None and len(columns) > 2 else 2
    worded = all(_HEADERS.fullmatch(_bare(field)) for field in first[:2])
    if not isinstance(place, int) or place >= len(first):
        return worded
    if _is_number(first[place]) or first[place].strip().lower() in _MISSING:
        return False
    below = records[1][place] if len(records) > 1 and place < len(records[1]) else None
    return worded or below is None or _is_number(below)


def _bare(field: str) -> str:
    return "".join(filter(str.isalnum, field.lower()))


def _is_number(field: str) -> bool:
    try:
        to_float(field)
    except ValueError:
        return False
    return True


def _places(
    first: list[str], columns: Columns | None, delimiter: str, header: bool, where: str
) -> tuple[int, ...]:
    listed = ", ".join(repr(field) if header else f"{place} ({field!r})" for place, field in enumerate(first))
    if columns is None:
        if len(first) <= 3 or delimiter == "::":
            return tuple(range(min(len(first), 3)))
        example = ", ".join(repr(field) if header else str(place) for place, field in enumerate(first[:3]))
        raise InputError(
            f"{where}: found {len(first)} columns: {listed}. Say which are row, column and value, for "
            f"example columns=({example})."
        )
    for column in columns:
        count = first.count(column) if isinstance(column, str) else int(0 <= column < len(first))
        if count != 1:
            found = "no column" if count == 0 else f"{count} columns"
            raise InputError(f"{where}: found {found} {column!r}; expected one of {listed}.")
    return tuple(first.index(column) if isinstance(column, str) else column for column in columns)
