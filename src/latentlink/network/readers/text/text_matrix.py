"""Reader of delimited text that is a matrix: a line for each row, empty where the value is unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.matrices.named_matrix import NamedMatrix
from latentlink.network.readers.text.header import is_missing
from latentlink.network.readers.text.line_numbers import LineNumbers
from latentlink.network.readers.text.matrix_margins import Margins, detect_margins, is_cell
from latentlink.network.readers.text.named_columns import names_any
from latentlink.network.readers.text.opening import opening
from latentlink.network.readers.text.records import MOST_COLUMNS, Block, blocks
from latentlink.network.readers.text.source import TextSource
from latentlink.network.readers.unpack_limit import UnpackLimit
from latentlink.validation.choices import checked_switch
from latentlink.validation.columns import parsed_texts
from latentlink.validation.wording import few, shortened

__all__ = ["seems_a_matrix", "text_matrix"]

_LEAST_COLUMNS = 4  # fewer are row, column and value of a list
_LEAST_UNNAMED = 6  # fewer numbers without any name may be user, item, rating, time and another


def seems_a_matrix(records: Sequence[list[str]]) -> bool:
    """Return whether the first records of a text file are those of a matrix, rather than of a list of pairs.

    They are if there are more columns than a list has, all numbers or missing but for names above and in
    front, and no name of a column is one of nodes, values or times.

    Examples
    --------
    >>> seems_a_matrix([["", "a", "b", "c"], ["x", "1", "0", ""]])
    True
    >>> seems_a_matrix([["user", "item", "rating", "time"], ["1", "2", "5", "99"]])
    False
    """
    first = records[0]
    margins = detect_margins(records)
    header = margins.header is not False  # if it cannot be told, the reader asks
    cornered = header and is_missing(first[0])
    least = _LEAST_COLUMNS + (margins.names and not cornered)
    least = least if header or margins.names else _LEAST_UNNAMED
    if len(first) < least or (header and names_any(first)):
        return False
    below = records[int(header) :]
    return bool(below) and all(map(is_cell, (field for each in below for field in each[margins.names :])))


def text_matrix(limit: UnpackLimit, header: bool | None, delimiter: str | None) -> NamedMatrix:
    """Return the matrix of a text file; empty fields and NA are unknown.

    Parameters
    ----------
    limit : UnpackLimit
        Names the file, and limits what a gzipped one unpacks to.
    header, delimiter
        As for `Network.from_file`.
    """
    with TextSource(limit) as source:
        piece, line, separator, records = opening(source, delimiter, MOST_COLUMNS)
        where = f"{source.path}, line {line}"
        width = len(records[0])
        if width > MOST_COLUMNS:
            raise InputError(
                f"{where}: found more than {MOST_COLUMNS:,} columns; expected at most so many in a matrix of "
                "text. Check the delimiter, or write the matrix as .npy or .npz."
            )
        margins = _checked_margins(records, header, where)
        if width <= margins.names:
            raise InputError(f"{where}: found one column of names; expected values beside.")
        names: list[str] = []
        lines = LineNumbers()
        parts = []
        cells = known = 0
        pending = bool(margins.header)
        for block in blocks(source, piece, line, (separator, width)):
            data = block.without_first() if pending and block.fields else block
            pending = pending and not block.fields
            names += data.column(0) if margins.names else []
            lines.add(data.lines)
            parts.append(_numbers(source.path, data, margins.names))
            cells += parts[-1].size
            known += int(np.count_nonzero(~np.isnan(parts[-1])))
            # Cells are copied once; entries are those that are known.
            source.check_held(known, len(names), 16 * cells + lines.n_bytes)
    values = np.concatenate(parts)
    if not len(values):
        raise InputError(f"{limit.path}: found a header and no data; expected lines of values.")
    notes = [
        "It is a matrix, a line for each row",
        f"Line {line} names the columns" if margins.header else "Columns have no names",
        "The first column names the rows" if margins.names else "Rows have no names",
    ]
    above = [field.strip() for field in records[0][margins.names :]] if margins.header else None
    _check_names(names, "row", lambda position: f"{limit.path}, {lines(position)}")
    _check_names(above or [], "column", lambda position: where)
    return NamedMatrix(values, names or None, above, notes)


def _check_names(names: list[str], what: str, locate: Callable[[int], str]) -> None:
    """Raise InputError for a name that is empty or ends in a null character, which NumPy does not keep."""
    for position, name in enumerate(names):
        if not name or name.endswith("\0"):
            raise InputError(
                f"{locate(position)}: the name of {what} {position} (counted from 0) is {shortened(name)}; "
                "expected a name that is not empty and does not end in a null character."
            )


def _checked_margins(records: Sequence[list[str]], header: bool | None, where: str) -> Margins:
    """Return what is above and in front of the values, or raise InputError if it cannot be told."""
    if header is not None:
        checked_switch(header, "header")
    margins = detect_margins(records, header)
    if margins.header is None:
        one, two = (few([shortened(field, 24) for field in record], 5) for record in records[:2])
        raise InputError(
            f"{where}: found {one}, and then {two}; the first line may name the columns or be values. Give "
            "header=True if it names the columns, header=False if it has values."
        )
    return margins


def _numbers(path: Path, block: Block, names: bool) -> NDArray[np.float64]:
    """Return the values of consecutive lines, NaN where there is none."""
    fields = block.fields
    if names:
        fields = [field for position, field in enumerate(fields) if position % block.width]
    width = block.width - names
    unknown = np.fromiter(map(is_missing, fields), bool, len(fields))
    for position in np.flatnonzero(unknown).tolist():
        fields[position] = "0"
    values = parsed_texts(fields, "value", partial(_located, path, block, width))
    values[unknown] = np.nan
    return values.reshape(-1, width)


def _located(path: Path, block: Block, width: int, position: int) -> str:
    record, column = divmod(position, width)
    return f"{path}, line {block.lines[record]}, column {column + block.width - width} (counted from 0)"
