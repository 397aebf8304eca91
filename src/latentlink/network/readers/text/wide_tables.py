"""A table with a line for each row and a column for each variable, which is no list of pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latentlink.errors import warn_user
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.text.header import is_number, names_values, node_labels
from latentlink.network.readers.text.records import WHITESPACE
from latentlink.validation.wording import shortened

__all__ = ["table_advice", "warn_if_table"]

_LEAST_LINES = 5  # with fractions; twice as many with whole numbers, which may be nodes


def table_advice(path: str, delimiter: str) -> str:
    """Return how to read a table with a line for each row and its name in front.

    Examples
    --------
    >>> table_advice("'marks.csv'", ";")
    "Network.from_dense(pandas.read_csv('marks.csv', index_col=0, sep=';'))"
    """
    separator = {",": "", WHITESPACE: r", sep=r'\s+'"}.get(delimiter, f", sep={delimiter!r}")
    return f"Network.from_dense(pandas.read_csv({path}, index_col=0{separator}))"


def warn_if_table(listing: Listing, labels: Sequence[str] | None, path: str, delimiter: str) -> None:
    """Warn if three columns may be names and two variables: rows that never repeat, beside numbers.

    Numbers with fractions are no nodes. Whole numbers may be; they warn below a header that names neither
    nodes nor values, beside rows that are no numbers.

    Parameters
    ----------
    listing : Listing
        The entries, read as row, column and value.
    labels : sequence of str or None
        Names of the three columns, None without a header.
    path : str
        The file, for the message.
    delimiter : str
        Its delimiter.
    """
    count = len(listing.rows)
    rows, cols = listing.row_names, listing.col_names
    if count < _LEAST_LINES or rows is None or cols is None or len(np.unique(listing.rows)) < count:
        return
    if labels is not None and any(node_labels(labels)[:2]):
        return
    second = [str(cols[column]) for column in np.unique(listing.cols)]
    if not all(map(is_number, second)):
        return
    fraction = next((each for each in second if not float(each).is_integer()), None)
    if fraction is None and not _may_be_variables(listing, labels):
        return
    numbers = f"numbers with fractions ({shortened(fraction, 24)})" if fraction else "numbers"
    called = "" if labels is None else f", {shortened(labels[1], 24)},"
    warn_user(
        f"{path} may be a table with a line for each row: no row occurs twice, and the second column{called} "
        f"has {numbers}, which are read as names of nodes. If it is a table: "
        f"{table_advice(shortened(path, 200), delimiter)}; if it lists pairs, say so: columns=(0, 1, 2)."
    )


def _may_be_variables(listing: Listing, labels: Sequence[str] | None) -> bool:
    """Whether whole numbers below a header may be a variable: of many rows with names, without a value."""
    if labels is None or len(listing.rows) < 2 * _LEAST_LINES or names_values(labels[2]):
        return False
    assert listing.row_names is not None
    return not any(is_number(str(listing.row_names[row])) for row in listing.rows)
