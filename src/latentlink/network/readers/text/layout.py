"""Detection of a text file's layout from its first lines: delimiter, header, columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from latentlink.errors import InputError
from latentlink.network.readers.listing import checked_columns, column_notes
from latentlink.network.readers.text.header import detect_header, is_missing, is_number
from latentlink.network.readers.text.named_columns import (
    columns_by_name,
    names_all,
    names_any,
    suggested_columns,
)
from latentlink.network.readers.text.records import MOST_FIELDS, WHITESPACE, split_line
from latentlink.network.readers.text.relations.triple_columns import (
    columns_beside_relation,
    relation_position,
    triple_columns,
)
from latentlink.network.readers.text.relations.triples import raise_if_triples
from latentlink.network.readers.text.wide_tables import table_advice
from latentlink.validation.wording import few, shortened

__all__ = ["Columns", "Layout", "detect_delimiter", "detect_layout"]

Columns = Sequence[str | None] | Sequence[int | None]

_WORDS = {"::": "'::'", "\t": "tab", ";": "semicolon", "|": "'|'", ",": "comma", WHITESPACE: "blanks"}


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of the records of a file.

    Attributes
    ----------
    delimiter : str
    header : bool
        Whether the first record names the columns.
    header_detected : bool
        Whether ``header`` was detected instead of given.
    columns : tuple of int or None
        Positions of row, column, value and weight, as far as they are read; None for no value before a
        weight.
    names : tuple of str
        Names of all columns in messages.
    relation : int or None
        Position of the relation of triples, if one relation is read.
    """

    delimiter: str
    header: bool
    header_detected: bool
    columns: tuple[int | None, ...]
    names: tuple[str, ...]
    relation: int | None = None

    @property
    def width(self) -> int:
        """Number of fields of each record."""
        return len(self.names)

    def notes(self, line: int) -> list[str]:
        """Return sentences about the layout for the history; the first record is in line ``line``."""
        return [
            f"Fields are separated by {_WORDS.get(self.delimiter, repr(self.delimiter))}",
            f"Line {line} is the header" if self.header else "There is no header",
            *column_notes(self.names, self.columns, self.relation),
        ]


def detect_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that splits most records into the same number of fields.

    Two colons and tabs hardly occur within names, so they are preferred. Blanks, which are common within
    names, are considered last.

    Examples
    --------
    >>> detect_delimiter(["New York;Boston;0,5", "New York;Paris;0,7"])
    ';'
    """
    scores = {delimiter: _evenness(lines, delimiter) for delimiter in _WORDS}
    for preferred in ("::", "\t"):
        if scores[preferred][2] > 0.5:
            return preferred
    best = max((";", "|", ","), key=scores.__getitem__)
    return best if scores[best][2] > 0.5 else max(scores, key=scores.__getitem__)


def _evenness(lines: Sequence[str], delimiter: str) -> tuple[float, int, float]:
    """Return share and width of the records of the most frequent width, and the share of width 2 or more."""
    counts: dict[int, int] = {}
    position = records = 0
    while position < len(lines):
        width, used = _first_width(lines[position:], delimiter)
        position, records = position + used, records + 1
        if width > 1:
            counts[width] = counts.get(width, 0) + 1
    width = max(counts, key=lambda number: (counts[number], number), default=0)
    return counts.get(width, 0) / records, width, sum(counts.values()) / records


def _first_width(lines: Sequence[str], delimiter: str) -> tuple[int, int]:
    """Return the number of fields of the first record, 0 if it is malformed, and its number of lines."""
    following = iter(lines[1:])
    try:
        fields = split_line(lines[0], delimiter, lambda: next(following, ""))
    except ValueError:
        fields = None
    return (0, 1) if fields is None else (len(fields), len(lines) - sum(1 for _ in following))


def detect_layout(
    records: Sequence[list[str]],
    columns: Columns | None,
    header: bool | None,
    delimiter: str,
    where: str,
    relation: str | None,
) -> Layout:
    """Return the layout given by the user's options, detected from the first records where they are None.

    Parameters
    ----------
    records : sequence of lists of str
        The first records of a file, at least one.
    columns, header, delimiter
        As for `Network.from_file`; the delimiter is known already.
    where : str
        File and line of the first record, for messages.
    relation : str or None
        Of a file of triples, the relation that is read.
    """
    first = records[0]
    if len(first) < 2:
        raise InputError(
            f"{where}: found one column, {shortened(first[0])}; expected at least two, row and column. "
            "Give delimiter= if the delimiter was not detected."
        )
    _check_header(header)
    columns = _checked_columns(columns, header)
    triples = relation is not None and header is not False and triple_columns(first, relation) is not None
    if columns is None and relation is not None:
        columns = columns_beside_relation(first if triples else [""] * len(first), relation, where)
    elif columns is None and (header is False or not names_all(first)):
        raise_if_triples(records, where)
    detected = header is None and not _are_names(columns)
    if header is None:
        header = _are_names(columns) or triples or _has_header(records, columns, delimiter, where)
    if columns is None and header and 2 <= len(first) <= 3:
        columns = columns_by_name(first, f"{where}: found")
    names = tuple(
        shortened(field) if header else f"column {position} (counted from 0)"
        for position, field in enumerate(first)
    )
    positions = _column_positions(records, columns, delimiter, bool(header), where)
    selected = relation_position(first, positions, where) if relation is not None else None
    return Layout(delimiter, bool(header), detected, positions, names, selected)


def _check_header(header: bool | None) -> None:
    if header is not None and not isinstance(header, bool | np.bool_):
        raise InputError(
            f"header is {header!r}; expected True (the first line names the columns), False (it is data) or "
            "None (detect it)."
        )


def _checked_columns(columns: Columns | None, header: bool | None) -> Columns | None:
    if columns is None:
        return None
    expected = "two to four names or two to four positions counted from 0"
    checked = checked_columns(columns, expected)
    positions = [
        isinstance(column, int | np.integer) and not isinstance(column, bool)
        for column in checked
        if column is not None
    ]
    if not all(positions) and not _are_names(checked):
        raise InputError(f"columns is {columns!r}; expected {expected}: row, column, value, weight.")
    if _are_names(checked) and header is False:
        raise InputError(
            f"columns is {columns!r}, but header=False, so that the file has no names. Give positions, "
            "counted from 0."
        )
    return checked


def _are_names(columns: Columns | None) -> bool:
    return columns is not None and all(isinstance(column, str | None) for column in columns)


def _has_header(records: Sequence[list[str]], columns: Columns | None, delimiter: str, where: str) -> bool:
    """Return whether the first record is a header; raise InputError if it is ambiguous."""
    read = None if columns is None else [column for column in columns if column is not None]
    header = detect_header(records, cast("Sequence[int] | None", read))
    if columns is None and names_all(records[0]):
        return True
    if header is not None or _too_many(records[0], columns, delimiter):
        return bool(header)
    one, two = (_shown_fields(record, 5) for record in records[:2])
    raise InputError(
        f"{where}: found {one}, and then {two}; the first of them may name the columns or be data. Give "
        "header=True if it names the columns, header=False if it is data."
    )


def _shown_fields(fields: list[str], most: int, numbered: bool = False) -> str:
    """Return the first fields, each of a few characters, and the number of the others."""
    shown = [shortened(field, 24) for field in fields[:most]]
    shown = [f"{position} ({field})" for position, field in enumerate(shown)] if numbered else shown
    return few(shown + fields[most:], most) if len(fields) <= MOST_FIELDS else f"{', '.join(shown)}, ..."


def _count(first: list[str]) -> str:
    return f"{len(first)}" if len(first) <= MOST_FIELDS else f"more than {MOST_FIELDS:,}"


def _too_many(first: list[str], columns: Columns | None, delimiter: str) -> bool:
    """Whether there are more columns than have a default meaning."""
    return columns is None and len(first) > 3 and delimiter != "::"


def _matrix_advice(records: Sequence[list[str]], delimiter: str, where: str) -> str:
    """Return how to read a table with a line for each row and its names in the first column; else nothing."""
    first, *others = records
    below = [field for record in others for field in record[1:]]
    if names_any(first[1:]) or any(map(is_number, first[1:])) or not below:
        return ""
    if not all(is_number(field) or is_missing(field) for field in below):
        return ""
    path = shortened(where.rpartition(", line ")[0], 200)
    return (
        "If it is a matrix with a line for each row, whose name is in front: "
        f"{table_advice(path, delimiter)}. If it lists pairs, "
    )


def _column_positions(
    records: Sequence[list[str]], columns: Columns | None, delimiter: str, header: bool, where: str
) -> tuple[int | None, ...]:
    """Return the positions of the row, column, value and weight columns."""
    first = records[0]
    listed = _shown_fields(first, 10, not header)
    if columns is None:
        if not _too_many(first, columns, delimiter):
            return tuple(range(min(len(first), 3)))
        example = ", ".join(
            shortened(first[position]) if header else str(position)
            for position in (suggested_columns(first) if header else range(3))
        )
        matrix = _matrix_advice(records, delimiter, where)
        raise InputError(
            f"{where}: found {_count(first)} columns: {listed}; expected two or three. "
            f"{matrix}{'give' if matrix else 'Give'} row, column and value, for example columns=({example})."
        )
    for column in columns:
        if column is None:
            continue
        count = first.count(column) if isinstance(column, str) else int(0 <= column < len(first))
        if count != 1:
            number = "no column" if count == 0 else f"{count} columns"
            raise InputError(
                f"{where}: found {number} {shortened(column)}; expected exactly one. The columns are "
                f"{listed}."
            )
    return tuple(first.index(column) if isinstance(column, str) else column for column in columns)
