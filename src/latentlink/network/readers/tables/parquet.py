"""Reader of Parquet files, batch by batch, with a limit on what they decode to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.edges import column_listing, warn_if_triples
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.node_labels import Locator
from latentlink.network.readers.tables.frames import (
    frame_columns,
    frame_notes,
    frame_of,
    raise_if_labels_repeat,
    selected_columns,
)
from latentlink.network.readers.text.relations.triple_columns import (
    columns_beside_relation,
    relation_position,
)
from latentlink.network.readers.text.relations.triples import missing_relation, relation_elsewhere
from latentlink.network.readers.unpack_limit import UnpackLimit, raise_if_field_too_long
from latentlink.validation.wording import shortened, shown_label

__all__ = ["parquet_header", "parquet_listing"]

_BATCH_ROWS = 2**16
_LABEL_BYTES = 48  # of the two nodes of a row, as texts in a list and as positions
_UNREADABLE = (ValueError, OSError, EOFError, LookupError, TypeError, OverflowError, NotImplementedError)


def parquet_listing(
    limit: UnpackLimit, columns: Sequence[Any] | None, square: bool, relation: str | None = None
) -> Listing:
    """Return the listing of a Parquet file; whole numbers are names of nodes, as text is.

    Parameters
    ----------
    limit : UnpackLimit
        Names the file, and limits what it decodes to.
    columns, relation
        As for `Network.from_file`.
    square : bool
        Rows and columns are the same nodes.
    """
    path = limit.path
    parquet = _module(path)
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            labels = file.schema_arrow.names
            raise_if_labels_repeat(labels, str(path))
            selected, beside = _selected(labels, columns, relation, str(path))
            if not file.metadata.num_rows:  # columns without rows may have no type
                raise InputError(f"{path}: found no rows; expected one for each pair: row, column and value.")
            read = [label for label in (*selected, beside) if label is not None]
            texts = _text_columns(file.schema_arrow, read, str(path))
        # Texts stay encoded by their dictionary: a file of few bytes may repeat a long one many times.
        with parquet.ParquetFile(path, page_checksum_verification=True, read_dictionary=texts) as file:
            table, rows = _of_relation(relation, _table(file, read, limit), labels, f"{path}: ")
        frame = frame_of(table)
    except InputError:
        raise
    except _UNREADABLE as error:
        raise _unreadable(path, error) from None

    def locate(position: int) -> str:
        return f"{path}, row {rows[position]} (counted from 0)"

    parts = frame_columns(frame, selected, locate)
    for side, what in enumerate(("row", "column")):
        parts[side] = _as_names(parts[side], what, locate)
    listing = column_listing(parts, None, square, locate)
    if columns is None and relation is None:
        warn_if_triples(listing, selected, str(path))
    listing.notes = frame_notes(labels, selected, beside)
    listing.notes += [] if relation is None else [f"Only the relation {shortened(relation)}"]
    return listing


def _selected(
    labels: list[str], columns: Sequence[Any] | None, relation: str | None, where: str
) -> tuple[list[Any], str | None]:
    """Return the labels of row, column, value and weight, and that of the relation of triples."""
    if relation is None:
        return selected_columns(labels, columns, where), None
    if columns is None:
        columns = [labels[at] for at in columns_beside_relation(labels, relation, where)]
    selected = selected_columns(labels, columns, where)
    read = [labels.index(label) for label in selected if label is not None]
    return selected, labels[relation_position(labels, read, where)]


def _of_relation(
    relation: str | None, table: Any, labels: Sequence[str], where: str
) -> tuple[Any, NDArray[np.int64] | range]:
    """Return the part of a table with one relation, and its rows; raise InputError if there is none.

    Parameters
    ----------
    relation : str or None
        Looked for in the last column; None returns the whole table.
    table : pyarrow.Table
    labels : list of str
        Labels of all columns of the file.
    where : str
        Names the file in messages.
    """
    if relation is None:
        return table, range(table.num_rows)
    from pyarrow import compute

    def rows_in(label: str) -> NDArray[np.int64]:
        return np.flatnonzero(compute.equal(table[label].cast("string"), relation).fill_null(False))

    *others, last = table.column_names
    rows = rows_in(last)
    if len(rows):
        return table.take(rows), rows
    elsewhere = next((label for label in others if len(rows_in(label))), None)
    if elsewhere is None:
        found = compute.unique(table[last].cast("string")).drop_null().to_pylist()
        raise InputError(where + missing_relation(relation, found))
    at = labels.index(last), labels.index(elsewhere)
    raise InputError(where + relation_elsewhere(relation, [*map(shown_label, labels)], at, by_name=True))


def parquet_header(path: Path) -> tuple[list[str], int]:
    """Return the labels of a Parquet file and the number of its rows, of which none is read."""
    parquet = _module(path)
    try:
        with parquet.ParquetFile(path) as file:
            return list(file.schema_arrow.names), int(file.metadata.num_rows)
    except _UNREADABLE as error:
        raise _unreadable(path, error) from None


def _module(path: Path) -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise InputError(f'Reading {path} needs pyarrow: pip install "latentlink[parquet]".') from None
    return parquet


def _unreadable(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} cannot be read: {shortened(str(error), 160)}. Expected a Parquet file.")


def _text_columns(schema: Any, selected: Sequence[str], where: str) -> list[str]:
    """Return the columns of text; raise InputError for types that hold neither text nor numbers.

    Truth values are the numbers 0 and 1, but no names of nodes.
    """
    from pyarrow import types

    texts = []
    for position, label in enumerate(selected):
        kind = schema.field(label).type
        inner = kind.value_type if types.is_dictionary(kind) else kind
        is_text = types.is_string(inner) or types.is_large_string(inner) or types.is_string_view(inner)
        numeric = types.is_integer(inner) or types.is_floating(inner) or types.is_decimal(inner)
        numeric = numeric or (position > 1 and types.is_boolean(inner))
        if not is_text and not numeric:
            raise InputError(
                f"{where}: column {shortened(label)} is of type {shortened(str(kind))}; expected text "
                f"or numbers."
            )
        if is_text:
            texts.append(label)
    return texts


def _table(file: Any, selected: list[str], limit: UnpackLimit) -> Any:
    """Return the selected columns as a table, or raise InputError once they exceed the limit."""
    import pyarrow

    # Known before anything is read; a value has at least 4 bytes: a number, or a position in a dictionary.
    limit.check(file.metadata.num_rows * 4 * len(selected), "its decoded rows")
    limit.check_held(file.metadata.num_rows, others=_LABEL_BYTES * file.metadata.num_rows)
    batches = []
    decoded = 0
    for batch in _batches(file, selected, str(limit.path)):
        batch.validate(full=True)
        for label, column in zip(selected, batch.select(selected).columns, strict=True):
            raise_if_field_too_long(_longest(column), f"{limit.path}, column {shortened(label)}")
        decoded += sum(_decoded_bytes(column) for column in batch.columns)
        limit.check(decoded, "its decoded columns")
        batches.append(batch)
    schema = batches[0].schema if batches else pyarrow.schema([file.schema_arrow.field(x) for x in selected])
    return pyarrow.Table.from_batches(batches, schema).select(selected)


def _batches(file: Any, selected: list[str], where: str) -> Iterator[Any]:
    """Yield the rows in batches; raise InputError for a row group whose columns are of different lengths.

    Read across row groups, a column that is short in one of them would be filled with values of the next.
    """
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        chunks = [group.column(each) for each in range(group.num_columns)]
        counts = {chunk.path_in_schema: chunk.num_values for chunk in chunks}
        rows = 0
        for batch in file.iter_batches(batch_size=_BATCH_ROWS, row_groups=[number], columns=selected):
            rows += batch.num_rows
            yield batch
        found = {label: counts.get(label) for label in selected} | {"the rows that are read": rows}
        wrong = next((label for label, count in found.items() if count != group.num_rows), None)
        if wrong is not None:
            raise InputError(
                f"{where}: row group {number} has {group.num_rows:,} rows, but {found[wrong]} values of "
                f"{shortened(wrong)}; expected as many. The file is damaged."
            )


def _longest(column: Any) -> int:
    """Return the bytes of the longest text of a column, 0 of numbers."""
    from pyarrow import compute, types

    if not types.is_dictionary(column.type) or types.is_primitive(column.type.value_type):
        return 0
    return int(compute.max(compute.binary_length(column.dictionary)).as_py() or 0)


def _decoded_bytes(column: Any) -> int:
    """Return the bytes of a column, of a dictionary as often as its values occur."""
    from pyarrow import compute, types

    value_type = getattr(column.type, "value_type", None)
    if value_type is None or not types.is_dictionary(column.type) or types.is_primitive(value_type):
        return int(column.nbytes)
    lengths = np.asarray(compute.binary_length(column.dictionary))
    used = np.asarray(column.indices.drop_null())
    return int(column.nbytes) + int(np.bincount(used, minlength=len(lengths)) @ lengths)


def _as_names(labels: Any, what: str, locate: Locator) -> Any:
    """Turn whole numbers into names, so that numbers saved as numbers and as text are the same nodes."""
    if isinstance(labels, np.ndarray) and labels.dtype.kind == "f":
        # From 2^53 on, different whole numbers are the same float.
        inexact = ~((labels == np.floor(labels)) & (np.abs(labels) < 2**53))
        if inexact.any():
            position = int(np.argmax(inexact))
            raise InputError(
                f"The {what} of {locate(position)} is {labels[position]}; expected a name, or a whole "
                "number below 2^53. Save the labels as text."
            )
        labels = labels.astype(np.int64)
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu":
        numbers, positions = np.unique(labels, return_inverse=True)
        # A text for each number, not for each row, where it takes 50 bytes.
        return np.array(list(map(str, numbers.tolist())), object)[positions].tolist()
    listed = labels.tolist() if isinstance(labels, np.ndarray) else labels
    return list(map(str, listed)) if all(type(label) is int for label in listed) else listed
