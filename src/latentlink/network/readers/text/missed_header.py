"""Suspicion that the first line of a list of links names the columns: its words are in no other line."""

from __future__ import annotations

import numpy as np

from latentlink.errors import warn_user
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.text.header import is_number
from latentlink.validation.wording import shortened

__all__ = ["warn_if_header_was_missed"]

_LEAST = 10  # fewer links often have a pair apart from all others
_MOST_APART = 0.05  # share of other links that are apart as well: then the first is nothing special


def warn_if_header_was_missed(listing: Listing, where: str, square: bool) -> None:
    """Warn if neither node of the first link is in any other one, as hardly any of the others is apart.

    Words above words cannot be told from names by themselves.

    Parameters
    ----------
    listing : Listing
        Links without values, in the order of the file.
    where : str
        File and line of the first link, for the message.
    square : bool
        Rows and columns are the same nodes.
    """
    rows, cols, shape = listing.rows, listing.cols, listing.shape
    if len(rows) < _LEAST or listing.row_names is None or listing.col_names is None:
        return
    in_rows, in_cols = (np.bincount(side, minlength=shape[axis]) for axis, side in enumerate((rows, cols)))
    if square:
        in_rows = in_cols = in_rows + in_cols
    if in_rows[rows[0]] != 1 or in_cols[cols[0]] != 1:
        return
    one, other = str(listing.row_names[rows[0]]), str(listing.col_names[cols[0]])
    if is_number(one) or is_number(other):
        return
    if not square and (one in listing.col_names or other in listing.row_names):
        return
    others_apart = np.mean((in_rows[rows[1:]] == 1) & (in_cols[cols[1:]] == 1))
    if others_apart <= _MOST_APART:
        warn_user(
            f"{where}: {shortened(one, 24)} and {shortened(other, 24)} are read as a link, but no other line "
            "has either of them: they may name the columns. Say header=True if they do, header=False if they "
            "are nodes."
        )
