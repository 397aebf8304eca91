"""Small valid data files of every format, the material of mutations."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse

__all__ = ["VALID_FILES", "Options", "ValidFile"]

Options = dict[str, Any]
ValidFile = tuple[str, bytes, Options]
"""Suffix of the name, contents, and options of ``Network.from_file``."""
Rng = np.random.Generator

_NAMES = ["ann", "bob", "007", "7", "New York", "é", "O'Brien", "a-b", "x_1", "Q9Y2X3", "10", "11"]
_QUOTED = ['"a, b"', '"say ""hi"""', '"two\nlines"', '" kept "', '"#tag"']


def _text(rng: Rng, delimiter: str, suffix: str) -> ValidFile:
    names = _NAMES + (_QUOTED if rng.random() < 0.5 else [])
    pairs = {(str(rng.choice(names)), str(rng.choice(names))) for _ in range(int(rng.integers(1, 40)))}
    values = [f"{rng.normal():.{rng.integers(0, 17)}g}" if rng.random() < 0.5 else "1" for _ in pairs]
    width = int(rng.integers(2, 4))
    header = bool(rng.random() < 0.3)
    lines = [delimiter.join(("source", "target", "value")[:width])] if header else []
    lines += [
        delimiter.join((*pair, value)[:width]) for pair, value in zip(sorted(pairs), values, strict=True)
    ]
    end = str(rng.choice(["\n", "\r\n"]))
    text = "# a comment\n" * bool(rng.random() < 0.1) + end.join(lines) + end * int(rng.integers(0, 2))
    options: Options = {"duplicates": str(rng.choice(["raise", "keep"]))}
    if rng.random() < 0.7:
        options |= {"delimiter": delimiter, "header": header}
    if rng.random() < 0.3:
        options[str(rng.choice(["symmetric", "square"]))] = True
    if rng.random() < 0.1:
        options |= {"square": True, "nodes": ["alone", *sorted({_plain(name) for name in names})]}
    return suffix, text.encode(), options


def _plain(name: str) -> str:
    """Return a name without its quotes."""
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _chosen_columns(rng: Rng) -> ValidFile:
    """Return a text with its columns in any order and one too many, and which of them are read."""
    order = rng.permutation(5)
    names = ["one", "other", "value", "weight", "note"]
    cells = []
    for one, other in {tuple(rng.choice(_NAMES, 2).tolist()) for _ in range(int(rng.integers(2, 40)))}:
        numbers = f"{rng.normal():.{rng.integers(1, 17)}g}", f"{rng.integers(1, 9) / 4:g}"
        cells.append([one, other, *numbers, "any text"])
    lines = [",".join(np.array(line)[order]) for line in (names, *sorted(cells))]
    options: Options = {"header": True, "duplicates": "keep"}
    by_name = rng.random() < 0.5
    chosen: list[Any] = [
        names[each] if by_name else int(np.flatnonzero(order == each)[0]) for each in range(4)
    ]
    if rng.random() < 0.3:
        chosen[2] = None
    options["columns"] = tuple(chosen[: int(rng.integers(2 if chosen[2] is not None else 4, 5))])
    return ".csv", "\n".join(lines).encode(), options


def _csv(rng: Rng) -> ValidFile:
    return _text(rng, ",", ".csv")


def _tsv(rng: Rng) -> ValidFile:
    return _text(rng, "\t", ".tsv")


def _dat(rng: Rng) -> ValidFile:
    return _text(rng, "::", ".dat")


def _csv_gz(rng: Rng) -> ValidFile:
    _, content, options = _csv(rng)
    return ".csv.gz", gzip.compress(content, mtime=0), options


def _dense(rng: Rng) -> Any:
    kind = rng.choice(["<f8", "<f4", "<f2", ">f8", "<i8", "<i4", "|u1", "|b1", "<u8"])
    array = rng.integers(0, 2 if kind == "|b1" else 9, size=rng.integers(1, 9, 2)).astype(kind)
    if array.dtype.kind == "f":
        array[rng.random(array.shape) < 0.2] = np.nan
    return np.asfortranarray(array) if rng.random() < 0.5 else array


def _one_set(rng: Rng, matrix: Any, options: Options) -> tuple[Any, Options]:
    """Return a matrix and options, in some cases of rows and columns that are the same nodes."""
    if rng.random() < 0.6:
        return matrix, options
    size = min(matrix.shape)
    square = (matrix if isinstance(matrix, np.ndarray) else matrix.tocsr())[:size, :size]
    if rng.random() < 0.5:
        return square, {**options, "square": True}
    return square.astype(np.float32) + square.T.astype(np.float32), {**options, "symmetric": True}


def _npy(rng: Rng) -> ValidFile:
    file = io.BytesIO()
    array, options = _one_set(rng, _dense(rng), {})
    np.save(file, array)
    return ".npy", file.getvalue(), options


def _sparse(rng: Rng) -> Any:
    shape = tuple(2 * rng.integers(1, 8, 2))
    matrix = scipy.sparse.random_array(shape, density=0.3, rng=rng, format="coo")
    matrix.data = np.round(matrix.data * 10)
    return matrix.astype(str(rng.choice(["f8", "f4", "i8", "i4", "u1", "?"])))


def _npz(rng: Rng) -> ValidFile:
    matrix, options = _one_set(rng, _sparse(rng), {"unstored": "zero"})
    matrix = matrix.asformat(str(rng.choice(["csr", "csc", "coo", "bsr", "dia"])))
    file = io.BytesIO()
    scipy.sparse.save_npz(file, matrix, compressed=bool(rng.random() < 0.5))
    return ".npz", file.getvalue(), options


def _mtx(rng: Rng) -> ValidFile:
    matrix = _sparse(rng)
    matrix = matrix.astype(float) if matrix.dtype == bool else matrix  # of which SciPy writes no square one
    dense = bool(rng.random() < 0.3)
    options: Options = {} if dense else {"unstored": str(rng.choice(["zero", "unknown"]))}
    if rng.random() < 0.4:
        size = min(matrix.shape)
        square = matrix.tocsr()[:size, :size].astype(float)
        matrix = (square - square.T if rng.random() < 0.5 else square + square.T).tocoo()
    file = io.BytesIO()
    field = None if dense else str(rng.choice(["", "real", "pattern"])) or None
    scipy.io.mmwrite(file, matrix.toarray() * 1.0 if dense else matrix, field=field)
    content = file.getvalue()
    if rng.random() < 0.2:
        return ".mtx.gz", gzip.compress(content, mtime=0), options
    return ".mtx", content, options


def _parquet(rng: Rng) -> ValidFile:
    import pyarrow
    from pyarrow import parquet

    count = int(rng.integers(1, 200))
    rows = rng.permutation(1000)[:count]
    names = [_NAMES[row % len(_NAMES)] + str(row) for row in rows]
    columns = {
        "u": rows.tolist() if rng.random() < 0.5 else names,
        "v": rng.integers(0, 5, count).astype(float).tolist(),
        "r": rng.normal(size=count).tolist(),
    }
    width = int(rng.integers(2, 4))
    file = io.BytesIO()
    parquet.write_table(
        pyarrow.table(dict(list(columns.items())[:width])),
        file,
        compression=str(rng.choice(["none", "snappy", "zstd", "gzip"])),
        use_dictionary=bool(rng.random() < 0.5),
        row_group_size=int(rng.choice([10, 1000])),
        write_page_checksum=bool(rng.random() < 0.2),
    )
    chosen = ("v", "u", "r")[:width]
    return ".parquet", file.getvalue(), {"columns": chosen} if rng.random() < 0.3 else {}


def _matrix_text(rng: Rng) -> ValidFile:
    shape = rng.integers((1, 4), (9, 12))
    cells = [[f"{rng.normal():.{rng.integers(1, 17)}g}" for _ in range(shape[1])] for _ in range(shape[0])]
    missing = str(rng.choice(["", "NA", "?"]))
    cells = [[missing if rng.random() < 0.2 else cell for cell in line] for line in cells]
    header, names = bool(rng.random() < 0.6), bool(rng.random() < 0.6)
    one_set = bool(rng.random() < 0.3)
    options: Options = {"matrix": True}
    if one_set:
        options["symmetric" if rng.random() < 0.7 else "square"] = True
        size = min(shape)
        shape = (size, size)
        cells = [[cells[min(i, j)][max(i, j)] for j in range(size)] for i in range(size)]
    if names:
        cells = [[_NAMES[row] + "x" * (not one_set), *line] for row, line in enumerate(cells)]
    if header:
        years = rng.random() < 0.3 and names and not one_set
        columns = [str(2001 + col) if years else _NAMES[col] for col in range(shape[1])]
        cells.insert(0, [str(rng.choice(["", "name"]))] * names + columns)
    delimiter, suffix = (",", ".csv") if rng.random() < 0.5 else ("\t", ".tsv")
    text = "".join(delimiter.join(line) + "\n" for line in cells)
    options["delimiter"] = delimiter
    return suffix, text.encode(), options | ({"header": header} if rng.random() < 0.7 else {})


def _h5ad(rng: Rng) -> ValidFile:
    import h5py

    dense = bool(rng.random() < 0.3)
    options: Options = {} if dense else {"unstored": "zero"}
    matrix, options = _one_set(rng, _dense(rng) if dense else _sparse(rng), options)
    matrix = matrix if dense else matrix.asformat(str(rng.choice(["csr", "csc"])))
    one_set = not options.keys() <= {"unstored"}
    packed: Any = "gzip" if rng.random() < 0.5 else None
    content = io.BytesIO()
    with h5py.File(content, "w") as file:
        if dense:
            file.create_dataset("X", data=matrix, compression=packed)
        else:
            group = file.create_group("X")
            group.attrs.update({"encoding-type": f"{matrix.format}_matrix", "shape": np.array(matrix.shape)})
            for name in ("data", "indices", "indptr"):
                group.create_dataset(name, data=getattr(matrix, name), chunks=True, compression=packed)
        for side, size in zip(("obs", "var"), matrix.shape, strict=True):
            frame = file.create_group(side)
            frame.attrs["_index"] = "_index"
            frame["_index"] = [f"{'node' if one_set else side}{number}" for number in range(size)]
    return ".h5ad", content.getvalue(), options


VALID_FILES: dict[str, Callable[[Rng], ValidFile]] = {
    "csv": _csv,
    "tsv": _tsv,
    "::": _dat,
    "csv.gz": _csv_gz,
    "columns": _chosen_columns,
    "npy": _npy,
    "npz": _npz,
    "mtx": _mtx,
    "parquet": _parquet,
    "matrix": _matrix_text,
    "h5ad": _h5ad,
}
"""Functions that make a file from a generator of random numbers."""
