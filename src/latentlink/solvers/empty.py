"""Rows and columns of which nothing is known."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import DataWarning
from latentlink.kernels import Listed
from latentlink.solvers.blocks import Block

__all__ = ["fill_empty", "warn_of_empty"]

Array = NDArray[Any]


def fill_empty(block: Block, rows: Array, cols: Array) -> None:
    """Give rows and columns of which a member knows nothing the average of its others.

    No loss tells where such a row belongs, so it would stay where it began, at random. The average says
    what is known of it: that it is a row.
    """
    for listed, factors, others in ((block.rows, rows, len(cols)), (block.cols, cols, len(rows))):
        empty = _total_weight(listed, others, block.background) <= 0
        for lane in range(factors.shape[2]):
            here = empty[:, lane] if empty.shape[1] > 1 else empty[:, 0]
            if here.any() and not here.all():
                factors[here, :, lane] = factors[~here, :, lane].mean(axis=0)


def _total_weight(listed: Listed, others: int, background: float) -> Array:
    """Return the weight of all that is known of each line, shape (lines, 1 or members)."""
    degree = np.diff(listed.indptr)
    lines = np.repeat(np.arange(len(degree)), degree)
    weights = listed.weights if listed.per_member else listed.weights[:, None]
    known = [np.bincount(lines, weights[:, lane], len(degree)) for lane in range(weights.shape[1])]
    return np.stack(known, axis=1) + background * (others - degree)[:, None]


def warn_of_empty(block: Block) -> None:
    """Warn of rows and columns of which nothing is known, by name."""
    network = block.ensemble.network
    sides = [("row", block.rows, network.row_names, network.shape[1])]
    if not network.symmetric:
        sides.append(("column", block.cols, network.col_names, network.shape[0]))
    for what, listed, names, others in sides:
        empty = np.flatnonzero((_total_weight(listed, others, block.background) <= 0).all(axis=1))
        if len(empty):
            shown = [str(names[i]) if names is not None else str(i) for i in empty[:5]]
            more = ", ..." if len(empty) > 5 else ""
            what = "node" if network.symmetric else what
            plural = "s" if len(empty) > 1 else ""
            warnings.warn(
                f"Nothing is known of {len(empty):,} {what}{plural} ({', '.join(shown)}{more}): each gets "
                f"the average of the other {what}s, and scores that say no more than that.",
                DataWarning,
                stacklevel=4,
            )
