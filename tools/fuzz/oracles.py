"""Slow and plain readings of data files, to compare networks with.

Texts and Matrix Market files are parsed here character by character; for binary formats NumPy and pyarrow
decode the arrays, and the entries are taken from them one by one.
"""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tools.fuzz.hdf5_oracle import anndata_entries

__all__ = ["expected_entries", "network_entries"]

Entry = tuple[Any, ...]
"""Row, column, value, and the weight if it is not 1."""
_DELIMITERS = {"'::'": "::", "tab": "\t", "semicolon": ";", "'|'": "|", "comma": ",", "blanks": " "}


def network_entries(network: Any) -> list[Entry]:
    """Return the entries of a network by names, or by indices if there are none, sorted."""
    rows, cols = network.rows.tolist(), network.cols.tolist()
    if network.row_names is not None:
        rows = [str(network.row_names[row]) for row in rows]
    if network.col_names is not None:
        cols = [str(network.col_names[col]) for col in cols]
    weights = [() if weight == 1 else (weight,) for weight in network.weights.tolist()]
    listed = zip(rows, cols, network.values.tolist(), weights, strict=True)
    return _sorted(((*entry, *weight) for *entry, weight in listed), network.symmetric)


def expected_entries(path: Path, network: Any, options: dict[str, Any]) -> list[Entry]:
    """Return the entries that a file has, sorted; raise ValueError if it is not valid with these options."""
    _check_nodes(network, options.get("nodes"))
    once = network.symmetric and options.get("duplicates", "raise") == "raise"
    listed = _each_pair_once if once else list
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    readings: dict[str, Callable[[Path], list[Entry]]] = {
        "npy": _npy,
        "npz": _npz,
        "mtx": _matrix_market,
        "h5ad": anndata_entries,
    }
    if kind == "parquet":
        return _sorted(listed(_parquet(path, options.get("columns"))), network.symmetric)
    if kind in readings:
        entries = readings[kind](path)
    elif "It is a matrix" in network.history[0].sentence:
        entries = _matrix_text(path, network, bool(options.keys() & {"symmetric", "square"}))
    else:
        return _sorted(listed(_text(path, network, options.get("columns"))), network.symmetric)
    return _sorted(_one_of_both_sides(entries) if network.symmetric else entries, network.symmetric)


def _check_nodes(network: Any, nodes: list[str] | None) -> None:
    """Raise ValueError unless the nodes of a network are those that were given."""
    found = [] if network.row_names is None else network.row_names.tolist()
    if nodes is not None and found != nodes:
        raise ValueError(f"the nodes are {found}")


def _one_of_both_sides(entries: list[Entry]) -> list[Entry]:
    """Return the entries of a symmetric matrix on and above its diagonal."""
    values = {(row, col): value for row, col, value in entries}
    if any(values.get((col, row)) != value for (row, col), value in values.items()):
        raise ValueError("the matrix is not symmetric")
    return [(row, col, value) for (row, col), value in values.items() if row <= col]


def _each_pair_once(entries: list[Entry]) -> list[Entry]:
    """Return the entries without second directions of pairs; raise ValueError for any other repetition."""
    found: dict[tuple[Any, ...], Entry] = {}
    for row, col, *numbers in entries:
        turned = found.get((col, row))
        if (row, col) in found or (turned is not None and turned[2:] != tuple(numbers)):
            raise ValueError("a pair twice")
        found[row, col] = (row, col, *numbers)
    return [entry for (row, col), entry in found.items() if row <= col or (col, row) not in found]


def _selected(record: list[Any], columns: list[int | None]) -> list[Any]:
    """Return row, column, value and weight of a record; a column that is None has ones."""
    return [1.0 if column is None else record[column] for column in columns]


def _positions(columns: Any, header: list[str] | None, width: int) -> list[int | None]:
    """Return the positions of chosen columns, by default of all."""
    if columns is None:
        return list(range(width))
    return [header.index(name) if isinstance(name, str) and header else name for name in columns]


def _sorted(entries: Any, symmetric: bool) -> list[Entry]:
    listed = [(*sorted(entry[:2]), entry[2]) if symmetric else tuple(entry) for entry in entries]
    return sorted(listed)


def _decoded(path: Path, encoding: str) -> str:
    content = path.read_bytes()
    content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    return content.decode(encoding)


def _number(word: str) -> float:
    number = float(word) if "_" not in word else math.nan
    if not math.isfinite(number):
        raise ValueError(word)
    return number


# ---------------------------------------------------------------- text


def _text(path: Path, network: Any, columns: Any) -> list[Entry]:
    sentence = network.history[0].sentence.removeprefix("Read ")
    found = re.search(
        r"Fields are separated by (.*?)\. (There is no header|Line \d+ is the header)", sentence
    )
    if found is None:
        raise ValueError("the history does not tell the layout")
    records = _all_records(path, _DELIMITERS[found[1]])
    header = records.pop(0) if "is the header" in found[2] else None
    records = [_selected(record, _positions(columns, header, len(record))) for record in records]
    if any(not name for record in records for name in record[:2]):
        raise ValueError("an empty name")
    return [_with_numbers(*record) for record in records]


def _with_numbers(row: str, col: str, value: Any = 1.0, weight: Any = 1.0) -> Entry:
    """Return an entry with its numbers parsed."""
    value, weight = (each if isinstance(each, float) else _number(each) for each in (value, weight))
    return (row, col, value) if weight == 1 else (row, col, value, weight)


def _matrix_text(path: Path, network: Any, one_set: bool) -> list[Entry]:
    sentence = network.history[0].sentence
    records = _all_records(path, "\t" if path.suffix == ".tsv" else ",")
    names = "The first column names the rows" in sentence
    above: Any = records.pop(0)[names:] if "names the columns" in sentence else None
    front: Any = [record[0] for record in records] if names else None
    if one_set:  # the names of one side are those of the other
        above, front = above or front, front or above
    above, front = above or range(len(records[0]) - names), front or range(len(records))
    return [
        (front[row], above[col], _number(field))
        for row, record in enumerate(records)
        for col, field in enumerate(record[names:])
        if field.strip().lower() not in {"", "na", "n/a", "nan", "null", "none", "-", "?", "."}
    ]


def _all_records(path: Path, delimiter: str) -> list[list[str]]:
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", _decoded(path, "utf-8-sig"))
    while lines and (not lines[0].strip() or lines[0].lstrip()[0] in "#%"):
        lines.pop(0)
    records = _records("".join(lines), delimiter)
    if len({len(record) for record in records}) > 1:
        raise ValueError("records of different width")
    return records


def _records(text: str, delimiter: str) -> list[list[str]]:
    records: list[list[str]] = []
    position = 0
    while position < len(text):
        stop = _line_stop(text, position)
        if not text[position:stop].strip():
            position = _line_end(text, stop)
            continue
        if text[position:stop].lstrip()[0] in "#%":
            raise ValueError("a late comment")
        record, position = _record(text, position, delimiter)
        records.append(record)
    return records


def _line_stop(text: str, position: int) -> int:
    while position < len(text) and text[position] not in "\r\n":
        position += 1
    return position


def _line_end(text: str, stop: int) -> int:
    return stop + 2 if text[stop : stop + 2] == "\r\n" else stop + 1


def _record(text: str, position: int, delimiter: str) -> tuple[list[str], int]:
    fields: list[str] = []
    while True:
        if delimiter == " ":
            position = _behind_blanks(text, position, str.isspace)
        opening = _behind_blanks(text, position, " ".__eq__)
        if text[opening : opening + 1] == '"':
            field, position = _quoted(text, opening + 1)
        else:
            field, position = _unquoted(text, position, delimiter)
        fields.append(field)
        stop = _line_stop(text, position)
        rest = text[position:stop]
        if not (rest.strip() if delimiter == " " else rest.strip(" ")):
            return fields, _line_end(text, stop)
        if delimiter == " " and rest[0].isspace():
            continue
        if delimiter == " " or not rest.lstrip(" ").startswith(delimiter):
            raise ValueError("text behind a quote")
        position = stop - len(rest.lstrip(" ")) + len(delimiter)


def _behind_blanks(text: str, position: int, is_blank: Callable[[str], bool]) -> int:
    while position < len(text) and text[position] not in "\r\n" and is_blank(text[position]):
        position += 1
    return position


def _unquoted(text: str, position: int, delimiter: str) -> tuple[str, int]:
    line = text[position : _line_stop(text, position)]
    field = line.split()[0] if delimiter == " " else line.partition(delimiter)[0]
    return field.strip(), position + len(field)


def _quoted(text: str, position: int) -> tuple[str, int]:
    field = ""
    while position < len(text):
        if text[position] != '"':
            field += text[position]
            position += 1
        elif text[position : position + 2] == '""':
            field += '"'
            position += 2
        else:
            return field, position + 1
    raise ValueError("an open quote")


# ---------------------------------------------------------------- matrices


def _npy(path: Path) -> list[Entry]:
    array = np.load(path, allow_pickle=False)
    return [
        (row, col, float(array[row, col]))
        for row in range(array.shape[0])
        for col in range(array.shape[1])
        if not math.isnan(float(array[row, col]))
    ]


def _npz(path: Path) -> list[Entry]:
    with np.load(path, allow_pickle=False) as loaded:
        arrays = {name: loaded[name].tolist() for name in loaded.files if name != "_is_array"}
    kind = arrays["format"] if isinstance(arrays["format"], str) else arrays["format"].decode()
    rows, cols = arrays["shape"]
    data = arrays["data"]
    entries: dict[tuple[int, int], float] = {}
    for row, col, value in _stored(kind, data, arrays, rows, cols):
        if not (0 <= row < rows and 0 <= col < cols):
            raise ValueError("an index out of range")
        if (row, col) in entries:
            raise ValueError("an entry twice")
        entries[row, col] = float(value)
    return [(row, col, value) for (row, col), value in entries.items()]


def _stored(kind: str, data: Any, arrays: dict[str, Any], rows: int, cols: int) -> list[Entry]:
    if kind == "coo":
        return list(zip(arrays["row"], arrays["col"], data, strict=True))
    if kind == "dia":
        return [
            (col - offset, col, value)
            for offset, diagonal in zip(arrays["offsets"], data, strict=True)
            for col, value in enumerate(diagonal[:cols])
            if value and 0 <= col - offset < rows
        ]
    indptr, indices = arrays["indptr"], arrays["indices"]
    if indptr[0] != 0 or indptr[-1] != len(data) or indptr != sorted(indptr):
        raise ValueError("indptr")
    lines = [line for line in range(len(indptr) - 1) for _ in range(indptr[line], indptr[line + 1])]
    listed = list(zip(lines, indices, data, strict=True))
    if kind == "csr":
        return listed
    if kind == "csc":
        return [(row, col, value) for col, row, value in listed]
    return [
        (line * len(block) + row, index * len(values) + col, value)
        for line, index, block in listed
        for row, values in enumerate(block)
        for col, value in enumerate(values)
    ]


_INTEGER = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(
    r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE
)


def _matrix_market(path: Path) -> list[Entry]:
    lines = [line.strip(" \t") for line in re.split(r"\r\n|\r|\n", _decoded(path, "latin-1"))]
    _, _, layout, field, symmetry = re.split(r"[ \t]+", lines.pop(0).lower())
    while lines[0].startswith("%") or not lines[0].strip():
        lines.pop(0)
    rows, cols, *entries = (int(word) for word in re.split(r"[ \t]+", lines.pop(0)))
    words = [re.split(r"[ \t]+", line) for line in lines if line]
    pattern = _INTEGER if "integer" in field else _REAL
    stored: list[Entry] = []
    if layout == "coordinate":
        if len(words) != entries[0]:
            raise ValueError("the number of entries")
        for one, other, *value in words:
            if len(value) != (field != "pattern") or not all(map(pattern.fullmatch, value)):
                raise ValueError("a value")
            stored.append((int(one) - 1, int(other) - 1, float(value[0]) if value else 1.0))
    else:
        places = [
            (row, col)
            for col in range(cols)
            for row in range(0 if symmetry == "general" else col + (symmetry != "symmetric"), rows)
        ]
        if len(places) != len(words) or not all(
            len(word) == 1 and pattern.fullmatch(word[0]) for word in words
        ):
            raise ValueError("the values")
        stored = [(*place, float(word[0])) for place, word in zip(places, words, strict=True)]
        if symmetry == "skew-symmetric":
            stored += [(row, row, 0.0) for row in range(rows)]
    return _whole(stored, symmetry, layout, rows, cols)


def _whole(stored: list[Entry], symmetry: str, layout: str, rows: int, cols: int) -> list[Entry]:
    sign = {"general": 0, "symmetric": 1, "skew-symmetric": -1}[symmetry]
    entries: dict[tuple[int, int], float] = {}
    for row, col, value in stored:
        if not (0 <= row < rows and 0 <= col < cols):
            raise ValueError("an index out of range")
        if (row, col) in entries:
            raise ValueError("an entry twice")
        entries[row, col] = value
        if sign and row != col:
            entries[col, row] = sign * value
    return [
        (row, col, value)
        for (row, col), value in entries.items()
        if layout == "coordinate" or not math.isnan(value)
    ]


# ---------------------------------------------------------------- Parquet


def _parquet(path: Path, chosen: Any) -> list[Entry]:
    from pyarrow import parquet

    table = parquet.read_table(path)
    table = table if chosen is None else table.select(list(chosen))
    columns = [column.to_pylist() for column in table.columns]
    named = [[str(int(x)) if isinstance(x, float) else str(x) for x in column] for column in columns[:2]]
    values = [float(value) for value in columns[2]] if len(columns) > 2 else [1.0] * len(named[0])
    return list(zip(*named, values, strict=True))
