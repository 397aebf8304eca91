"""Reading of a file of pairs to be predicted, in its order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.cli.reading.table_layout import ColumnOptions, table_layout
from latentlink.network.readers.files import FileOptions, is_text, read_listing

__all__ = ["read_pairs"]


def read_pairs(path: str, options: ColumnOptions) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the names of both nodes of each pair of a file, in its order; values are not read.

    Parameters
    ----------
    path : str
    options : ColumnOptions
    """
    layout = table_layout(path, options)
    columns = layout.columns
    if columns is None and layout.first and is_text(path):
        columns = (0, 1)
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
