"""Delimited text in: CSV, TSV and their kin, read piece by piece."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.node_labels import NameTable, ranks_of
from latentlink.network.readers.text.layout import Columns, Layout, detected_delimiter, layout_of
from latentlink.network.readers.text.records import (
    Block,
    LineNumbers,
    blocks,
    is_comment,
    open_quote,
    split_line,
)
from latentlink.network.readers.text.source import TextSource
from latentlink.validation.columns import raise_if_unusable, to_float
from latentlink.validation.wording import counted

__all__ = ["delimited_listing"]

_SAMPLE = 100
_JUDGED = 20


def delimited_listing(
    path: Path, columns: Columns | None, header: bool | None, delimiter: str | None, square: bool
) -> Listing:
    """List the pairs of a text file; every node has the name that the file gives it."""
    with TextSource(path) as source:
        piece, line = _after_comments(source)
        found = _checked_delimiter(delimiter) or detected_delimiter(piece[:_SAMPLE])
        layout = layout_of(
            _first_records(source, piece, line, found), columns, header, found, f"{path}, line {line}"
        )
        reader = _Reader(path, layout, square)
        for block in blocks(source, piece, line, (found, layout.width)):
            reader.add(block)
    return reader.listing(layout.notes(line), comments=line - 1)


def _checked_delimiter(delimiter: str | None) -> str | None:
    usable = isinstance(delimiter, str) and delimiter and not set(delimiter) & set('"\r\n')
    if delimiter is not None and not usable:
        raise InputError(
            f'delimiter is {delimiter!r}; expected text without quotes and line ends, such as "," or "\\t", '
            "or None (find out)."
        )
    return delimiter


def _after_comments(source: TextSource) -> tuple[list[str], int]:
    """Lines from the first that is neither blank nor a comment, and its number."""
    while piece := source.piece():
        for place, line in enumerate(piece):
            if line.strip() and not is_comment(line):
                return piece[place:], source.line - len(piece) + place
    found = "only blank lines and comments" if source.line > 1 else "nothing: the file is empty"
    raise InputError(f"{source.path}: found {found}; expected lines of row, column and value.")


def _first_records(source: TextSource, piece: list[str], line: int, delimiter: str) -> list[list[str]]:
    """Take some records, to judge the layout by; quotes may run over lines."""
    records: list[list[str]] = []
    text = ""
    for each in piece[:_SAMPLE]:
        text += each
        try:
            fields = split_line(text, delimiter) if text.strip() else None
        except ValueError:
            # A wrong quote: it is refused with its line when the records are read.
            fields = text.split(delimiter)
        if fields is not None:
            records.append(fields)
            text = ""
        if len(records) == _JUDGED:
            break
    if not records:
        raise InputError(open_quote(source, text, line))
    return records


class _Reader:
    """Collects the records of a file as arrays."""

    def __init__(self, path: Path, layout: Layout, square: bool) -> None:
        self.path = path
        self.layout = layout
        self.row_table = NameTable()
        self.col_table = self.row_table if square else NameTable()
        self.lines = LineNumbers()
        self.parts: list[list[NDArray[Any]]] = [[] for _ in layout.columns]
        self.blank = 0
        self.awaits_header = layout.header

    def add(self, block: Block) -> None:
        """Take in the next records."""
        self.blank += block.blank
        if self.awaits_header and block.fields:
            block = block.without_first()
            self.awaits_header = False
        if not block.fields:
            return
        tables = (self.row_table, self.col_table)
        for part, place in enumerate(self.layout.columns):
            fields = block.column(place)
            found = (
                self._names(tables[part], fields, block) if part < 2 else self._numbers(fields, part, block)
            )
            self.parts[part].append(found)
        self.lines.add(block.lines)

    def _where(self, block: Block, place: int, part: int) -> str:
        column = self.layout.names[self.layout.columns[part]]
        return f"{self.path}, line {block.lines[place]}, {'column ' if self.layout.header else ''}{column}"

    def _header_hint(self, block: Block, place: int) -> str:
        """Tell how to say that the first record is a header."""
        begins = place == 0 and not self.parts[2] and self.layout.guessed and not self.layout.header
        return " If this line names the columns, give header=True." if begins else ""

    def _names(self, table: NameTable, fields: list[str], block: Block) -> NDArray[np.int32]:
        numbers = table.numbers(fields).astype(np.int32)
        if "" in table:
            part = int("" not in block.column(self.layout.columns[0]))
            place = block.column(self.layout.columns[part]).index("")
            raise InputError(
                f"{self._where(block, place, part)}: found nothing; expected the name of a node."
            )
        return numbers

    def _numbers(self, fields: list[str], part: int, block: Block) -> NDArray[np.float64]:
        what = "value" if part == 2 else "weight"
        try:
            found = np.fromiter(map(float, fields), np.float64, len(fields))
            odd = "_" in "".join(fields)
        except ValueError:
            odd = True
        if odd:
            place = next(place for place, field in enumerate(fields) if not _readable(field))
            raise InputError(
                f"{self._where(block, place, part)}: found {fields[place]!r}; expected a finite number, the "
                f"{what}.{self._header_hint(block, place)}"
            )
        raise_if_unusable(found, what, lambda place: self._where(block, place, part))
        return found

    def listing(self, notes: list[str], comments: int) -> Listing:
        """Put the names in order and the pieces together."""
        if not self.parts[0]:
            raise InputError(
                f"{self.path}: found a header and no data; expected lines of row, column and value."
            )
        row_names, row_ranks = ranks_of(self.row_table)
        same = self.col_table is self.row_table
        col_names, col_ranks = (row_names, row_ranks) if same else ranks_of(self.col_table)
        top = "comment or blank line at the top", "comment or blank lines at the top"
        skipped = (comments, *top), (self.blank, "blank line", None)
        notes += [f"Passed over {counted(count, *what)}" for count, *what in skipped if count]
        values, weights = [*(np.concatenate(part) for part in self.parts[2:]), None, None][:2]
        return Listing(
            row_ranks[np.concatenate(self.parts[0])],
            col_ranks[np.concatenate(self.parts[1])],
            values,
            weights,
            shape=(len(row_names), len(col_names)),
            row_names=row_names,
            col_names=col_names,
            place=self.lines,
            source=str(self.path),
            notes=notes,
        )


def _readable(field: str) -> bool:
    try:
        to_float(field)
    except ValueError:
        return False
    return True
