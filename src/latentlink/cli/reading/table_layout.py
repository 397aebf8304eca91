"""The layout of a user's file: list or matrix, and which columns are source, target and value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from latentlink.errors import InputError
from latentlink.network.readers.files import first_records, is_parquet, is_text, parquet_labels
from latentlink.network.readers.text.named_columns import (
    columns_among_many,
    columns_by_name,
    suggested_columns,
)
from latentlink.network.readers.text.relations.triple_columns import columns_beside_relation
from latentlink.network.readers.text.text_matrix import seems_a_matrix
from latentlink.validation.wording import few, shortened

__all__ = ["ColumnOptions", "TableLayout", "table_layout"]

Chosen = tuple[str | None, ...] | tuple[int | None, ...]

_LIST_COLUMNS = 3
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
        The fields of the first line, or the names of the columns of a Parquet file; of a matrix in another
        format nothing.
    named : bool
        These are names in any case, as of a Parquet file; else the reader tells.
    """

    matrix: bool = False
    columns: Chosen | None = None
    first: tuple[str, ...] = ()
    named: bool = False

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
    """Return how a file is read, by what the user says and by its first lines or the names of its columns."""
    given = (options.source, options.target, options.value, options.weight)
    if options.matrix and any(given):
        raise InputError("--matrix is given with names of columns; expected one of both.")
    if is_parquet(path):
        return _parquet_layout(path, given, options)
    if not is_text(path):
        return TableLayout(columns=_named(given) if any(given) else None)
    begin = first_records(path, options.delimiter)
    first = tuple(begin.records[0])
    if options.matrix:
        return TableLayout(True, None, first)
    columns = _chosen(given, first, options)
    few_columns = len(first) <= _LIST_COLUMNS or begin.delimiter == _RATINGS
    if columns is not None or options.relation is not None or few_columns:
        return TableLayout(False, columns, first)
    if options.matrix is None and seems_a_matrix(begin.records):
        return TableLayout(True, None, first)
    among = columns_among_many(first)
    names = None if among is None else tuple(first[at] for at in among)
    return TableLayout(False, names or _columns_before_times(begin.records), first)


def _parquet_layout(path: str, given: Sequence[str | None], options: ColumnOptions) -> TableLayout:
    """Return how a Parquet file is read, by the same rules as text."""
    if options.matrix:
        raise InputError(
            f"--matrix is given, but {path} is Parquet, which is read as a list of pairs. Leave it out, or "
            "write the matrix as text or .npy."
        )
    labels = parquet_labels(path)
    # A number is a name first, since all columns have one.
    by_name = tuple(str(labels.index(each)) if each in labels else each for each in given)
    columns = _chosen(by_name, labels, options)
    if columns is None and len(labels) > _LIST_COLUMNS:
        columns = columns_among_many(labels)
    names = None if columns is None else tuple(at if at is None else _name(at, labels) for at in columns)
    return TableLayout(False, names, labels, named=True)


def _chosen(given: Sequence[str | None], first: Sequence[str], options: ColumnOptions) -> Chosen | None:
    """Return the columns that the user says, or the ends of the triples of a relation; else None."""
    if any(given):
        return _given_columns(given, first, options)
    if options.relation is not None and len(first) == _LIST_COLUMNS:
        return _ends(first, options)  # neither is a value; other widths are refused by the reader
    return None


def _ends(first: Sequence[str], options: ColumnOptions) -> tuple[int, int]:
    """Return the columns of head and tail of triples."""
    named = [""] * len(first) if options.header is False else first
    return columns_beside_relation(named, str(options.relation), "The file")


def _name(column: str | int, labels: Sequence[str]) -> str:
    return column if isinstance(column, str) else labels[column]


def _columns_before_times(records: Sequence[Sequence[str]]) -> tuple[int, ...] | None:
    """Return user, item and rating of records whose fourth and last field is a time, as in MovieLens."""
    times = [record[_LIST_COLUMNS] for record in records if len(record) == _LIST_COLUMNS + 1]
    numbers = [int(time) if time.isascii() and time.isdecimal() else 0 for time in times]
    if len(times) < max(len(records), 2) or not all(_TIMES[0] <= number <= _TIMES[1] for number in numbers):
        return None
    return tuple(range(_LIST_COLUMNS))


def _named(given: Sequence[str | None]) -> Chosen:
    """Return the columns of a file that has none, which its reader refuses."""
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
    if triples and len(first) == _LIST_COLUMNS:
        ends = [each for each in _ends(first, options) if each not in taken]
        others = ends + [each for each in others if each not in ends]
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
    names = tuple(None if each is None else first[each] for each in order)
    unique = all(name is None or list(first).count(name) == 1 for name in names)
    return names if named and unique else order


def _position(column: str, first: Sequence[str], numbered: bool) -> int:
    """Return the position of a column that is given by name or by position.

    A number is a position, unless the user says that there is a header, which may have it as a name.
    """
    if numbered and int(column) < len(first):
        return int(column)
    found = [] if numbered else [at for at, field in enumerate(first) if field == column]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(
            f"{len(found)} columns are named {shortened(column)}; expected one. Give a position instead: "
            f"{few([*map(str, found)])}, counted from 0."
        )
    listed = few([shortened(field, 24) for field in first], 20)
    raise InputError(
        f"There is no column {shortened(column)}; expected one of {listed}, or a position from 0 to "
        f"{len(first) - 1}."
    )
