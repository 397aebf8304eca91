"""What the first lines of a text file say of the rest: delimiter, header, columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from latentlink.errors import InputError
from latentlink.network.readers.listing import checked_columns
from latentlink.network.readers.text.header import judged_header
from latentlink.network.readers.text.records import WHITESPACE, split_line
from latentlink.validation.wording import few

__all__ = ["Columns", "Layout", "detected_delimiter", "layout_of"]

Columns = Sequence[str] | Sequence[int]

_WORDS = {"::": "'::'", "\t": "tab", ";": "semicolon", "|": "'|'", ",": "comma", WHITESPACE: "blanks"}
_PARTS = ("row", "column", "value", "weight")


@dataclass(frozen=True, slots=True)
class Layout:
    """How to read the records of a file.

    ``columns`` are the places of row, column, value and weight; ``names`` are what to call every column in
    a message; ``guessed`` says whether nobody but the file told that there is a header or none.
    """

    delimiter: str
    header: bool
    guessed: bool
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
        return said + ([f"Not read: {few(unread)}"] if unread else [])


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
    """Decide from the first records what the columns are."""
    first = records[0]
    if len(first) < 2:
        raise InputError(
            f"{where}: found one column, {first[0]!r}; expected at least two, row and column. "
            "Give delimiter= if the fields are separated by something unusual."
        )
    _check_header(header)
    columns = _checked_columns(columns, header)
    guessed = header is None and not _are_names(columns)
    if header is None:
        header = _are_names(columns) or _found_header(records, columns, delimiter, where)
    names = tuple(
        repr(field) if header else f"column {place} (counted from 0)" for place, field in enumerate(first)
    )
    return Layout(
        delimiter, bool(header), guessed, _places(first, columns, delimiter, bool(header), where), names
    )


def _check_header(header: bool | None) -> None:
    if header is not None and not isinstance(header, bool | np.bool_):
        raise InputError(
            f"header is {header!r}; expected True (the first line names the columns), False (it is data) or "
            "None (find out)."
        )


def _checked_columns(columns: Columns | None, header: bool | None) -> Columns | None:
    if columns is None:
        return None
    expected = "two to four names or two to four places counted from 0"
    found = checked_columns(columns, expected)
    placed = [isinstance(column, int | np.integer) and not isinstance(column, bool) for column in found]
    if not all(placed) and not _are_names(found):
        raise InputError(f"columns is {columns!r}; expected {expected}: row, column, value, weight.")
    if _are_names(found) and header is False:
        raise InputError(f"columns is {columns!r}, but header=False. Give places, counted from 0.")
    return found


def _are_names(columns: Columns | None) -> bool:
    return columns is not None and all(isinstance(column, str) for column in columns)


def _found_header(records: Sequence[list[str]], columns: Columns | None, delimiter: str, where: str) -> bool:
    """Judge whether there is a header; a doubt is the user's to settle."""
    found = judged_header(records, cast("Sequence[int] | None", columns))
    if found is not None or _too_many(records[0], columns, delimiter):
        return bool(found)
    one, two = (few(list(map(repr, record))) for record in records[:2])
    raise InputError(
        f"{where}: found {one}, and then {two}; the first of them may name the columns or be data. Give "
        "header=True if it names the columns, header=False if it is data."
    )


def _too_many(first: list[str], columns: Columns | None, delimiter: str) -> bool:
    """Whether there are more columns than explain themselves."""
    return columns is None and len(first) > 3 and delimiter != "::"


def _places(
    first: list[str], columns: Columns | None, delimiter: str, header: bool, where: str
) -> tuple[int, ...]:
    listed = few([repr(field) if header else f"{place} ({field!r})" for place, field in enumerate(first)])
    if columns is None:
        if not _too_many(first, columns, delimiter):
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
