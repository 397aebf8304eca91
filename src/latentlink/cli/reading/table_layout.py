"""The layout of a user's text file: list or matrix, and which columns are source, target and value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from latentlink.errors import InputError
from latentlink.network.readers.files import first_records, is_text
from latentlink.network.readers.text.header import node_labels
from latentlink.network.readers.text.named_columns import columns_by_name, suggested_columns
from latentlink.network.readers.text.text_matrix import seems_a_matrix
from latentlink.validation.wording import shortened

__all__ = ["ColumnOptions", "TableLayout", "table_layout"]

Chosen = tuple[str | None, ...] | tuple[int | None, ...]

_LIST_COLUMNS = 3
_BESIDE_RELATION = (0, 2)  # of head, relation and tail
_TIMES = (500_000_000, 5_000_000_000)  # seconds since 1970: from 1985 to 2128
_RATINGS = "::"  # of user::item::rating::time, of which the reader takes the first three


@dataclass(frozen=True, kw_only=True)
class ColumnOptions:
    """What the user says about the columns of a file; None is detected.

    Attributes
    ----------
    source, target, value, weight : str or None
        Names or positions, counted from 0. With a weight and no value all pairs are links.
    relation : str or None
        The relation of a file of triples.
    delimiter : str or None
    header : bool or None
    matrix : bool or None
        Whether the text is a matrix.
    """

    source: str | None = None
    target: str | None = None
    value: str | None = None
    weight: str | None = None
    relation: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    matrix: bool | None = None


@dataclass(frozen=True)
class TableLayout:
    """How a file is read.

    Attributes
    ----------
    matrix : bool
    columns : tuple of str or int, or None
        Row, column, value and weight, where the reader shall not choose them itself; None for no value.
    first : tuple of str
        The fields of the first line; of other files than text nothing.
    """

    matrix: bool = False
    columns: Chosen | None = None
    first: tuple[str, ...] = ()

    def labels(self) -> tuple[str, str] | None:
        """Return the fields of the first line above row and column."""
        if len(self.first) < 2:
            return None
        ends = [0, 1] if self.columns is None else self.columns[:2]
        row, col = (self._label(each) for each in ends)
        return row, col

    def value_label(self) -> str:
        """Return the field of the first line above the values; of files without values nothing."""
        if self.columns is not None:
            value = self.columns[2] if len(self.columns) > 2 else None
            return "" if value is None else self._label(value)
        if len(self.first) != _LIST_COLUMNS:
            return ""
        by_name = columns_by_name(self.first, "The file has")
        return self.first[2 if by_name is None else by_name[2]]

    def _label(self, column: Any) -> str:
        return column if isinstance(column, str) else self.first[column]


def table_layout(path: str, options: ColumnOptions) -> TableLayout:
    """Return how a file is read, by what the user says and by its first lines."""
    given = (options.source, options.target, options.value, options.weight)
    if not is_text(path):
        if options.matrix is not None and any(given):
            raise InputError("--matrix is given with names of columns; expected one of both.")
        return TableLayout(columns=_named(given) if any(given) else None)
    begin = first_records(path, options.delimiter)
    records, first = begin.records, tuple(begin.records[0])
    if options.matrix:
        return TableLayout(True, None, first)
    if any(given):
        return TableLayout(False, _given_columns(given, first, options), first)
    if options.relation is not None:
        # Head and tail, so that neither is taken for a value; other widths are refused by the reader.
        return TableLayout(False, _BESIDE_RELATION if len(first) == _LIST_COLUMNS else None, first)
    if len(first) <= _LIST_COLUMNS or begin.delimiter == _RATINGS:
        return TableLayout(False, None, first)
    if options.matrix is None and seems_a_matrix(records):
        return TableLayout(True, None, first)
    return TableLayout(False, _columns_by_name(first) or _columns_before_times(records), first)


def _columns_by_name(first: Sequence[str]) -> tuple[str, ...] | None:
    """Return source, target and value among many columns, if two of them are named as nodes."""
    distinct = len(set(first)) == len(first)
    if not distinct or sum(node_labels(first)) < 2:
        return None
    return tuple(first[position] for position in suggested_columns(first))


def _columns_before_times(records: Sequence[Sequence[str]]) -> tuple[int, ...] | None:
    """Return user, item and rating of records whose fourth and last field is a time, as in MovieLens."""
    times = [record[_LIST_COLUMNS] for record in records if len(record) == _LIST_COLUMNS + 1]
    numbers = [int(time) if time.isascii() and time.isdecimal() else 0 for time in times]
    if len(times) < max(len(records), 2) or not all(_TIMES[0] <= number <= _TIMES[1] for number in numbers):
        return None
    return tuple(range(_LIST_COLUMNS))


def _named(given: Sequence[str | None]) -> Chosen:
    """Return the columns of a file whose names are not known beforehand."""
    if given[0] is None or given[1] is None:
        raise InputError(
            "Of --source, --target, --value and --weight some are given; expected --source and --target."
        )
    return tuple(given[: max(index for index, column in enumerate(given) if column is not None) + 1])


def _given_columns(given: Sequence[str | None], first: Sequence[str], options: ColumnOptions) -> Chosen:
    """Return the columns that the user gives, the missing ends filled by their names or order."""
    numbered = [column is not None and column.isdecimal() and not options.header for column in given]
    positions = {
        index: _position(column, first, numbered[index])
        for index, column in enumerate(given)
        if column is not None
    }
    taken = set(positions.values())
    suggested = [each for each in suggested_columns(first) if each not in taken]
    others = suggested + [each for each in range(len(first)) if each not in taken and each not in suggested]
    triples = options.relation is not None
    if triples:
        others.sort(key=lambda each: each not in _BESIDE_RELATION)
    for index in (0, 1):
        if index not in positions:
            if not others:
                raise InputError(f"The file has {len(first)} columns; expected at least source and target.")
            positions[index] = others.pop(0)
    if not triples and 2 not in positions and 3 not in positions and len(first) == _LIST_COLUMNS:
        left = [each for each in range(_LIST_COLUMNS) if each not in positions.values()]
        positions[2] = left[0]
    order = tuple(positions.get(index) for index in range(max(positions) + 1))
    named = any(column is not None and not number for column, number in zip(given, numbered, strict=True))
    return tuple(None if each is None else first[each] for each in order) if named else order


def _position(column: str, first: Sequence[str], numbered: bool) -> int:
    """Return the position of a column that is given by name or by position.

    A number is a position, unless the user says that there is a header, which may have it as a name.
    """
    if numbered and int(column) < len(first):
        return int(column)
    if list(first).count(column) == 1 and not numbered:
        return list(first).index(column)
    listed = ", ".join(shortened(field, 24) for field in first[:20])
    raise InputError(
        f"There is no column {shortened(column)} (or more than one); expected one of {listed}, or a position "
        f"from 0 to {len(first) - 1}."
    )
