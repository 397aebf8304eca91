"""Recognition of common formats that are not read, so that a message can say what to do instead."""

from __future__ import annotations

from pathlib import Path

from latentlink.errors import InputError

__all__ = ["raise_if_foreign"]

_MATRIX = "and give the matrix to Network.from_sparse or Network.from_dense"
_FRAME = "and give the frame to Network.from_edges"
_GRAPH = "Read it with networkx, and give the graph to Network.from_networkx."
_PICKLE = (
    "a pickle, which may execute anything when it is loaded",
    (
        "If you trust its source, load it yourself and give the object to Network.from_edges, from_dense or "
        "from_sparse."
    ),
)
_JSON = "JSON", f"Read it with pandas.read_json, {_FRAME}, or save it as CSV."
_EXCEL = "a workbook", f"Save the sheet as CSV, or read it with pandas.read_excel, {_FRAME}."
_MATLAB = "a MATLAB file", f"Read it with scipy.io.loadmat (version 7.3: h5py), {_MATRIX}."
# What files begin with: some formats have that of a more general one, and come before it.
_BEGINNINGS = {
    b"MATLAB ": _MATLAB,
    b"\x89HDF": (
        "an HDF5 file, of which only .h5ad of AnnData is read",
        f"Read the arrays with h5py, {_MATRIX}.",
    ),
    b"PK\x03\x04": ("a ZIP archive", "Unpack it first."),
    b"\xd0\xcf\x11\xe0": _EXCEL,
    b"\x93NUMPY": ("an array of NumPy", "Name it with the suffix .npy."),
    b"PAR1": ("Parquet", "Name it with the suffix .parquet."),
    b"ARROW1": ("an Arrow file", f"Read it with pandas.read_feather, {_FRAME}."),
    b"SQLite format 3": ("a database of SQLite", f"Read a table with pandas.read_sql, {_FRAME}."),
    b"\xff\xfe\0\0": ("text in UTF-32", "Save the file as UTF-8."),
    b"\0\0\xfe\xff": ("text in UTF-32", "Save the file as UTF-8."),
    b"\xff\xfe": ("text in UTF-16", "Save the file as UTF-8."),
    b"\xfe\xff": ("text in UTF-16", "Save the file as UTF-8."),
    b"%PDF": ("a PDF document", "Take the table out of it first, as CSV."),
    b"<!DOCTYPE": ("a web page", "Download the data themselves: this may be the page of an error."),
    b"<!doctype": ("a web page", "Download the data themselves: this may be the page of an error."),
    b"<html": ("a web page", "Download the data themselves: this may be the page of an error."),
}
_SUFFIXES = {
    ".mat": _MATLAB,
    ".xlsx": _EXCEL,
    ".xls": _EXCEL,
    ".ods": _EXCEL,
    ".pkl": _PICKLE,
    ".pickle": _PICKLE,
    ".json": _JSON,
    ".jsonl": _JSON,
    ".graphml": ("GraphML", _GRAPH),
    ".gml": ("GML", _GRAPH),
    ".gexf": ("GEXF", _GRAPH),
    ".rds": ("a file of R", "Save the table as CSV: write.csv(table, path, row.names = FALSE)."),
    ".rdata": ("a file of R", "Save the table as CSV: write.csv(table, path, row.names = FALSE)."),
}
_LONGEST = max(map(len, _BEGINNINGS))


def raise_if_foreign(path: Path) -> None:
    """Raise InputError for a file that is not text but of another common format, by its suffix or beginning.

    Where both tell a format the suffix is believed: a workbook is an archive too.
    """
    known = _SUFFIXES.get(path.suffix.lower())
    if known is None:
        with path.open("rb") as file:
            first = file.read(_LONGEST)
        known = next((format for begin, format in _BEGINNINGS.items() if first.startswith(begin)), None)
    if known is not None:
        kind, way = known
        raise InputError(
            f"{path} is {kind}; expected delimited text, .npy, .npz, .mtx, .parquet or .h5ad. {way}"
        )
