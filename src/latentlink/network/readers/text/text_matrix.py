"""Reader of delimited text that is a matrix: a line for each row, empty where the value is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.matrices.named_matrix import NamedMatrix
from latentlink.network.readers.text.header import is_missing, is_number
from latentlink.network.readers.text.named_columns import names_any
from latentlink.network.readers.text.opening import opening
from latentlink.network.readers.text.records import Block, blocks
from latentlink.network.readers.text.source import TextSource
from latentlink.network.readers.unpack_limit import UnpackLimit
from latentlink.validation.columns import parsed_numbers

__all__ = ["seems_a_matrix", "text_matrix"]

_LEAST_COLUMNS = 4  # fewer are row, column and value of a list
_LEAST_UNNAMED = 6  # fewer numbers without any name may be user, item, rating, time and another


@dataclass(frozen=True)
class _Margins:
    """Whether names of columns are above a matrix, and names of rows in front of it."""

    header: bool
    names: bool


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
    margins = _margins(records, None)
    cornered = margins.header and is_missing(first[0])
    least = _LEAST_COLUMNS + (margins.names and not cornered)
    least = least if margins.header or margins.names else _LEAST_UNNAMED
    if len(first) < least or (margins.header and names_any(first)):
        return False
    below = records[margins.header :]
    return bool(below) and all(map(_is_cell, (field for each in below for field in each[margins.names :])))


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
        piece, line, separator, records = opening(source, delimiter)
        width, margins = len(records[0]), _margins(records, header)
        if width <= margins.names:
            raise InputError(
                f"{source.path}, line {line}: found one column of names; expected values beside."
            )
        names: list[str] = []
        parts = []
        pending = margins.header
        for block in blocks(source, piece, line, (separator, width)):
            data = block.without_first() if pending and block.fields else block
            pending = pending and not block.fields
            names += data.column(0) if margins.names else []
            parts.append(_numbers(source.path, data, margins))
    values = np.concatenate(parts)
    if not len(values):
        raise InputError(f"{limit.path}: found a header and no data; expected lines of values.")
    notes = [
        "It is a matrix, a line for each row",
        f"Line {line} names the columns" if margins.header else "Columns have no names",
        "The first column names the rows" if margins.names else "Rows have no names",
    ]
    above = [field.strip() for field in records[0][margins.names :]] if margins.header else None
    return NamedMatrix(values, names or None, above, notes)


def _margins(records: Sequence[list[str]], header: bool | None) -> _Margins:
    """Return what is above and in front of the values."""
    first, *others = records
    corner = is_missing(first[0]) and len(first) > 1
    words = any(not _is_cell(field) for field in first[1:])
    # Libraries write the numbers of unnamed columns above them; as values they would be a strange row.
    counted = first == [str(position) for position in range(len(first))] and len(first) >= _LEAST_COLUMNS
    counted |= (
        corner and first[1:] == [str(position) for position in range(len(first) - 1)] and len(first) > 2
    )
    above = words or counted if header is None else header
    below = others if above else records
    in_front = any(each and not _is_cell(each[0]) for each in below)
    return _Margins(bool(above), in_front or bool(above and corner and len(first) > 1))


def _is_cell(field: str) -> bool:
    return is_number(field) or is_missing(field)


def _numbers(path: Path, block: Block, margins: _Margins) -> NDArray[np.float64]:
    """Return the values of consecutive lines, NaN where there is none."""
    values = np.empty((len(block.lines), block.width - margins.names))
    for column in range(values.shape[1]):
        position = column + margins.names
        fields = block.column(position)
        unknown = np.array([is_missing(field) for field in fields], bool)
        known = ["0" if missing else field for field, missing in zip(fields, unknown, strict=True)]
        locate = partial(_located, path, block, position)
        values[:, column] = parsed_numbers(known, len(fields), "value", locate)
        values[unknown, column] = np.nan
    return values


def _located(path: Path, block: Block, position: int, record: int) -> str:
    return f"{path}, line {block.lines[record]}, column {position} (counted from 0)"
