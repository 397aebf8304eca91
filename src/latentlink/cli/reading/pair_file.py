"""Reading of a file of pairs to be predicted, in its order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.cli.reading.table_layout import ColumnOptions, TableLayout, table_layout
from latentlink.network.readers.files import FileOptions, read_listing
from latentlink.network.readers.text.named_columns import columns_by_name, names_all

__all__ = ["read_pairs"]

_NAMED = 3  # columns, of which names may tell another order


def read_pairs(path: str, options: ColumnOptions) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the names of both nodes of each pair of a file, in its order; values are not read.

    Parameters
    ----------
    path : str
    options : ColumnOptions
    """
    layout = table_layout(path, options)
    columns = layout.columns
    if columns is None and layout.first:
        columns = _first_columns(layout)
    read = FileOptions(
        columns=None if columns is None else columns[:2],
        header=options.header,
        delimiter=options.delimiter,
        relation=options.relation,
        duplicates="keep",
    )
    listing, _ = read_listing(path, read)
    sides = ((listing.row_names, listing.rows), (listing.col_names, listing.cols))
    rows, cols = (indices if names is None else np.array(names)[indices] for names, indices in sides)
    return rows, cols


def _first_columns(layout: TableLayout) -> tuple[str, ...] | tuple[int, ...]:
    """Return the columns of both nodes: by their names, or else the first two."""
    first = layout.first
    by_name = columns_by_name(first, "The file has") if names_all(first) and len(first) == _NAMED else None
    ends = (0, 1) if by_name is None else by_name[:2]
    return tuple(first[at] for at in ends) if layout.named else ends
