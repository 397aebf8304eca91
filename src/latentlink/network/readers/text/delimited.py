"""Reader of delimited text (CSV, TSV and others), piece by piece."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.node_labels import NameTable, sorted_table
from latentlink.network.readers.text.header import has_decimal_comma, names_values
from latentlink.network.readers.text.layout import Columns, Layout, detect_layout
from latentlink.network.readers.text.line_numbers import LineNumbers
from latentlink.network.readers.text.missed_header import warn_if_header_was_missed
from latentlink.network.readers.text.opening import opening
from latentlink.network.readers.text.records import Block, blocks
from latentlink.network.readers.text.relations.triples import (
    RelationFilter,
    seems_a_name,
    warn_if_numbered_triples,
)
from latentlink.network.readers.text.source import TextSource
from latentlink.network.readers.text.wide_tables import warn_if_table
from latentlink.network.readers.unpack_limit import UnpackLimit
from latentlink.validation.columns import raise_if_rounded, raise_if_unusable, to_float
from latentlink.validation.wording import counted, shortened

__all__ = ["delimited_listing"]

_LOOKED_AT = 20  # tails of triples are names throughout


def delimited_listing(
    limit: UnpackLimit,
    columns: Columns | None,
    header: bool | None,
    delimiter: str | None,
    square: bool,
    relation: str | None = None,
) -> Listing:
    """Return the listing of a text file, with nodes named as in the file.

    Parameters
    ----------
    limit : UnpackLimit
        Names the file, and limits what a gzipped one unpacks to.
    columns, header, delimiter, relation
        As for `Network.from_file`.
    square : bool
        Rows and columns are the same nodes.
    """
    path = limit.path
    with TextSource(limit) as source:
        piece, line, separator, records = opening(source, delimiter)
        where = f"{path}, line {line}"
        layout = detect_layout(records, columns, header, separator, where, relation)
        reader = _Reader(path, layout, square, relation)
        for block in blocks(source, piece, line, (separator, layout.width)):
            reader.add(block)
            source.check_held(*reader.held())
    listing = reader.listing(layout.notes(line), comments=line - 1)
    if layout.header_detected and not layout.header and listing.values is None:
        warn_if_header_was_missed(listing, where, square)
    named = layout.header and names_values(records[0][-1])
    if columns is None and relation is None and layout.columns == (0, 1, 2):
        warn_if_table(listing, records[0] if layout.header else None, str(path), separator)
        if not named:
            warn_if_numbered_triples(
                listing,
                str(path),
                "If these are triples, read one relation by relation=, or all of them as links of one "
                "network: columns=(0, 2); if they are not, say so: columns=(0, 1, 2).",
            )
    return listing


class _Reader:
    """Collects the records of a file as arrays of node numbers, values and weights."""

    def __init__(self, path: Path, layout: Layout, square: bool, relation: str | None) -> None:
        self.path = path
        self.layout = layout
        self.row_table = NameTable()
        self.col_table = self.row_table if square else NameTable()
        self.lines = LineNumbers()
        self.parts: list[list[NDArray[Any]]] = [[] for _ in layout.columns]
        self.blank = 0
        self.header_pending = layout.header
        self.filter = None if layout.relation is None else RelationFilter(layout.relation, str(relation))

    def add(self, block: Block) -> None:
        """Add the next records."""
        self.blank += block.blank
        if self.header_pending and block.fields:
            block = block.without_first()
            self.header_pending = False
        if self.filter is not None:
            block = block.only(self.filter.selected(block))
        if not block.fields:
            return
        tables = (self.row_table, self.col_table)
        for part, position in enumerate(self.layout.columns):
            if position is None:  # no values before the weights
                continue
            fields = block.column(position)
            array = (
                self._names(tables[part], fields, block) if part < 2 else self._numbers(fields, part, block)
            )
            self.parts[part].append(array)
        self.lines.add(block.lines)

    def held(self) -> tuple[int, int, int]:
        """Return the numbers of entries and names so far, and the bytes of their line numbers."""
        tables = {id(table): len(table) for table in (self.row_table, self.col_table)}
        return self.lines.count, sum(tables.values()), self.lines.n_bytes

    def _locate(self, block: Block, record: int, part: int) -> str:
        """Describe for a message file, line and column of a record's part."""
        column = self.layout.names[self._position(part)]
        return f"{self.path}, line {block.lines[record]}, {'column ' if self.layout.header else ''}{column}"

    def _position(self, part: int) -> int:
        """Return the position of a part that is read."""
        position = self.layout.columns[part]
        assert position is not None
        return position

    def _header_hint(self, record: int, block: Block) -> str:
        """Return what to do if the first record is a header that was not detected; else nothing."""
        first = record == 0 and not self.parts[-1]
        undetected = self.layout.header_detected and not self.layout.header
        if not first or not undetected:
            return ""
        header = " If this line names the columns, give header=True."
        if self.layout.width == 3 and all(map(seems_a_name, block.column(2)[:_LOOKED_AT])):
            return " If these are triples of head, relation and tail, give relation=." + header
        return header

    def _names(self, table: NameTable, fields: list[str], block: Block) -> NDArray[np.int32]:
        numbers = table.numbers(fields).astype(np.int32)
        if "" in table:
            part = int("" not in block.column(self._position(0)))
            record = block.column(self._position(part)).index("")
            raise InputError(
                f"{self._locate(block, record, part)}: found nothing; expected the name of a node."
            )
        return numbers

    def _numbers(self, fields: list[str], part: int, block: Block) -> NDArray[np.float64]:
        what = "value" if part == 2 else "weight"
        try:
            numbers = np.fromiter(map(float, fields), np.float64, len(fields))
            text = "".join(fields)
            suspicious = "_" in text or not text.isascii()
        except ValueError:
            suspicious = True
        unreadable = (record for record, field in enumerate(fields) if not _readable(field))
        record = next(unreadable, None) if suspicious else None
        if record is not None:
            digits = "" if fields[record].isascii() else " in digits 0 to 9"
            digits = " with a decimal point" if has_decimal_comma(fields[record]) else digits
            raise InputError(
                f"{self._locate(block, record, part)}: found {shortened(fields[record])}; expected a finite "
                f"number{digits}, the {what}.{self._header_hint(record, block)}"
            )
        locate = partial(self._locate, block, part=part)
        raise_if_unusable(numbers, what, locate, fields)
        raise_if_rounded(fields, numbers, what, locate)
        return numbers

    def listing(self, notes: list[str], comments: int) -> Listing:
        """Return all records, with sorted names; ``comments`` is the number of lines above them."""
        if not self.parts[0] and self.filter is not None:
            raise InputError(f"{self.path}: {self.filter.message(self.layout.names, self.layout.header)}")
        if not self.parts[0]:
            raise InputError(
                f"{self.path}: found a header and no data; expected lines of row, column and value."
            )
        self._check_null_characters()
        row_names, row_indices = sorted_table(self.row_table)
        same = self.col_table is self.row_table
        col_names, col_indices = (row_names, row_indices) if same else sorted_table(self.col_table)
        top = "comment or blank line at the top", "comment or blank lines at the top"
        skipped = (comments, *top), (self.blank, "blank line", None)
        notes += [f"Skipped {counted(count, *what)}" for count, *what in skipped if count]
        notes += [f"Only the relation {shortened(self.filter.relation)}"] if self.filter else []
        numbers = (np.concatenate(part) if part else None for part in self.parts[2:])
        values, weights = [*numbers, None, None][:2]
        return Listing(
            row_indices[np.concatenate(self.parts[0])],
            col_indices[np.concatenate(self.parts[1])],
            values,
            weights,
            shape=(len(row_names), len(col_names)),
            row_names=row_names,
            col_names=col_names,
            locate=self.lines,
            source=str(self.path),
            notes=notes,
        )

    def _check_null_characters(self) -> None:
        """Raise InputError for a name that ends in a null character, which arrays of NumPy do not keep."""
        for part, table in enumerate((self.row_table, self.col_table)):
            for name in [name for name in table if name.endswith("\0")]:
                positions = np.flatnonzero(np.concatenate(self.parts[part]) == table[name])
                if len(positions):  # in a square network, the name may be in the other column
                    raise InputError(
                        f"{self.path}, {self.lines(int(positions[0]))}: the {('row', 'column')[part]} is "
                        f"{shortened(name)}; expected a name that does not end in a null character. "
                        "Remove it."
                    )


def _readable(field: str) -> bool:
    try:
        to_float(field)
    except ValueError:
        return False
    return True
