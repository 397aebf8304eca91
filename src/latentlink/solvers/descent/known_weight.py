"""The weight of the known entries of each row or column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed

__all__ = ["known_weight"]

Array = NDArray[np.float64]


def known_weight(listed: Listed, others: int, background: float | NDArray[Any]) -> Array:
    """Return the total weight of the known entries of each line for each member, shape (lines, members).

    Parameters
    ----------
    listed : Listed
        The entries by row, or by column.
    others : int
        The number of columns, or of rows: the length of a line.
    background : float, or array of shape (members,)
        The weight of unlisted entries.
    """
    degree = np.diff(listed.indptr)
    lines = np.repeat(np.arange(len(degree)), degree)
    weights = listed.weights if listed.per_member else listed.weights[:, None]
    known = np.where(np.isnan(listed.values), 0, weights)
    sums = [np.bincount(lines, known[:, lane], len(degree)) for lane in range(known.shape[1])]
    unlisted: Array = np.multiply.outer(others - degree, np.broadcast_to(background, known.shape[1]))
    return np.stack(sums, axis=1) + unlisted
