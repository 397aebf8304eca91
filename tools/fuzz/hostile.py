"""Data files that were made to take much time or memory, or to read foreign memory."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

__all__ = ["HOSTILE_FILES"]

Hostile = tuple[str, bytes, dict[str, Any]]
_LINES = b"".join(b"row%d,col%d,1\n" % (number, number) for number in range(400_000))
_NOISE = np.random.default_rng(0).integers(0, 256, 800_000, dtype=np.uint8)
_BANNER = b"%%MatrixMarket matrix coordinate real general\n"


def _archive(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, format=b"csr", **arrays)
    return file.getvalue()


def _bomb() -> Hostile:
    return ".csv.gz", gzip.compress(b"a,b,1\n" * (300 * 10**6 // 6), 6), {"duplicates": "keep"}


def _bomb_of_one_line() -> Hostile:
    return ".csv.gz", gzip.compress(b"a" * (400 * 10**6), 1), {}


def _parquet_bomb() -> Hostile:
    import pyarrow
    from pyarrow import parquet

    file = io.BytesIO()
    column = np.zeros(2_000_000, np.int64)
    table = pyarrow.table({"u": column, "v": column, "r": column})
    with parquet.ParquetWriter(file, table.schema) as writer:
        for _ in range(60):
            writer.write_table(table)
    return ".parquet", file.getvalue(), {}


def _parquet_of_one_long_text() -> Hostile:
    import pyarrow
    from pyarrow import parquet

    file = io.BytesIO()
    names = pyarrow.DictionaryArray.from_arrays(np.zeros(100_000, np.int32), ["x" * 100_000])
    parquet.write_table(pyarrow.table({"u": names, "v": names}), file)
    return ".parquet", file.getvalue(), {}


def _packed(begin: bytes, line: bytes, count: int, suffix: str = ".csv.gz", **options: Any) -> Hostile:
    """Return lines within the limit of unpacked bytes, beside 800 kB that do not shrink."""
    mark = b"%" if suffix == ".mtx.gz" else b"#"
    noise = b"".join(mark + b" " + each.tobytes().hex().encode() + b"\n" for each in np.split(_NOISE, 1000))
    first, _, rest = begin.partition(b"\n") if suffix == ".mtx.gz" else (b"#", b"", begin)
    return suffix, gzip.compress(first + b"\n" + noise + rest + line * count, 6), options


def _short_lines() -> Hostile:
    return _packed(b"source,target,value\n", b"u,p,1\n", 24_000_000, duplicates="keep")


def _short_lines_that_raise() -> Hostile:
    return _packed(b"source,target,value\n", b"u,p,1\n", 24_000_000)


def _lines_and_blank_lines() -> Hostile:
    return _packed(b"source,target,value\n", b"u,p,1\n\n", 20_000_000, duplicates="keep")


def _short_values() -> Hostile:
    begin = b"%%MatrixMarket matrix array integer general\n8000 8000\n"
    return _packed(begin, b"1\n", 64_000_000, ".mtx.gz")


def _short_cells() -> Hostile:
    return _packed(b"", b"1," * 7999 + b"1\n", 8000, matrix=True, header=False)


def _empty_cells() -> Hostile:
    return _packed(b"1" + b",1" * 7999 + b"\n", b"," * 7999 + b"\n", 16_000, matrix=True, header=False)


def _one_wide_character() -> Hostile:
    return _packed(b"source,target,value\na,b,1\n\xf0\x9f\x98\x80", b"a", 100_000_000)


def _small_integers() -> Hostile:
    import pyarrow
    from pyarrow import parquet

    file = io.BytesIO()
    column = np.zeros(6_000_000, np.int8)
    parquet.write_table(pyarrow.table({"u": column, "v": column, "r": column}), file, compression="zstd")
    return ".parquet", file.getvalue(), {"duplicates": "keep"}


def _archive_bomb() -> Hostile:
    file = io.BytesIO()
    arrays = io.BytesIO()
    np.save(arrays, np.zeros(10**6, np.uint8))
    header = arrays.getvalue()[:128].replace(b"(1000000,)", b"(500000000,)"[:12])
    with ZipFile(file, "w", ZIP_DEFLATED) as archive, archive.open("data.npy", "w") as member:
        member.write(header)
        for _ in range(500):
            member.write(bytes(10**6))
    return ".npz", file.getvalue(), {"unstored": "zero"}


def _falling_indptr() -> Hostile:
    parts = {"data": np.ones(3), "indices": np.array([0, 1, 2]), "shape": np.array([3, 3])}
    return ".npz", _archive(indptr=np.array([0, 2**30, 1, 3]), **parts), {"unstored": "zero"}


def _far_index() -> Hostile:
    parts = {"data": np.ones(2), "indptr": np.array([0, 1, 2]), "shape": np.array([2, 2])}
    return ".npz", _archive(indices=np.array([0, 2**31]), **parts), {"unstored": "zero"}


def _huge_shape() -> Hostile:
    parts = {"data": np.ones(0), "indices": np.zeros(0, int), "shape": np.array([2**40, 2**40])}
    return ".npz", _archive(indptr=np.zeros(3, int), **parts), {"unstored": "zero"}


def _huge_array() -> Hostile:
    file = io.BytesIO()
    np.save(file, np.zeros((10, 10)))
    return ".npy", file.getvalue().replace(b"(10, 10), }    ", b"(1000000, 100)}"), {}


def _text(content: bytes, suffix: str = ".csv", **options: Any) -> Callable[[], Hostile]:
    return lambda: (suffix, content, options)


def _mtx(content: bytes) -> Callable[[], Hostile]:
    return _text(_BANNER + content, ".mtx", unstored="zero")


HOSTILE_FILES: dict[str, Callable[[], Hostile]] = {
    "gzip bomb": _bomb,
    "gzip bomb of one line": _bomb_of_one_line,
    "Parquet bomb": _parquet_bomb,
    "Parquet of one long text": _parquet_of_one_long_text,
    "short lines": _short_lines,
    "short lines that raise": _short_lines_that_raise,
    "lines and blank lines": _lines_and_blank_lines,
    "short values": _short_values,
    "short cells": _short_cells,
    "empty cells": _empty_cells,
    "one wide character": _one_wide_character,
    "Parquet of small integers": _small_integers,
    "archive bomb": _archive_bomb,
    "falling indptr": _falling_indptr,
    "index far outside": _far_index,
    "huge shape": _huge_shape,
    "huge array": _huge_array,
    "stray quote": _text(b'a,b,1\n"' + _LINES),
    "stray quote among quotes": _text(
        b'a,b,1\n"' + _LINES.replace(b",c", b',"c').replace(b",1\n", b'"",1\n')
    ),
    "quotes on every line": _text(_LINES.replace(b",c", b',"c').replace(b",1\n", b'\n""",1\n')),
    "run of blanks": _text(b"a" + b" " * 10**7 + b"b,c,1\n" + b"d,e,1\n"),
    "runs of blanks behind quotes": _text((b'"a"' + b" " * 10**6) * 10 + b"\nb,c,1\n"),
    "many quoted fields": _text(b'"a",' * 10**6 + b'"a"\n'),
    "many fields": _text(b"a," * 10**6 + b"a\n" + b"b," * 10**6 + b"b\n"),
    "long word": _text(b"a," + b"A" * 5 * 10**6 + b"a\nb,c\n"),
    "long number": _text(b"1" * 5 * 10**6 + b"x,a\n1,c\n"),
    "long value": _text(b"a,b," + b"1" * 5 * 10**6 + b"\nb,c," + b"1" * 5 * 10**6 + b"x\n"),
    "long name among many": _text(b"x" * 10**6 + b",b,1\n" + _LINES),
    "many blank lines": _text(gzip.compress(b"a,b,1\n" + b"\n" * 30_000_000, 6), ".csv.gz"),
    "carriage returns": _text(b"a,b,1" + b"\r" * 10**7),
    "null byte in Matrix Market": _mtx(b"2 2 2\n1 1 1\0\n2 2 1\n"),
    "huge Matrix Market": _mtx(b"999999999999 999999999999 1\n1 1 1\n"),
    "many declared entries": _mtx(b"9 9 999999999999\n1 1 1\n"),
    "blanks in Matrix Market": _mtx(b"2 2 1\n" + b" " * 10**7 + b"\n1 1 x"),
    "comments in Matrix Market": _mtx(b"%\n" * 10**6 + b"2 2 1\n1 1 5\n"),
}
"""Functions that make suffix, contents and options of a file."""
