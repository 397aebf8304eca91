"""Rows and columns of which nothing is known."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latentlink.errors import warn_user
from latentlink.network import Ensemble

__all__ = ["empty_lines", "empty_to_each", "warn_of_empty"]

Array = NDArray[Any]


def empty_lines(ensemble: Ensemble, member: int | None) -> tuple[Array, Array]:
    """Tell of which rows and of which columns nothing is known, to a member or to any."""
    network = ensemble.network
    known = np.zeros(network.n_listed, bool)
    everybody = range(1 if ensemble.is_uniform else ensemble.n_members)
    for each in everybody if member is None else (member,):
        known |= ensemble.member_entries(each)[1] > 0
    n, m = network.shape
    rows = np.bincount(network.rows, known, n)
    cols = np.bincount(network.cols, known, m)
    if network.symmetric:
        rows = cols = rows + cols
    if network.background:
        # Unlisted entries are known zeros, unless every entry of the line is listed and hidden.
        rows = rows + (np.diff(network.csr.indptr) < m)
        cols = cols + (np.diff(network.csc.indptr) < n)
    return rows <= 0, cols <= 0


def empty_to_each(ensemble: Ensemble) -> tuple[Array, Array]:
    """Tell of which rows and of which columns each member knows nothing; members are in columns."""
    network = ensemble.network
    weights = ensemble.weights if ensemble.weights.ndim == 2 else ensemble.weights[:, None]
    seen = (~np.isnan(ensemble.values) & (weights > 0)).astype(np.float32)
    here = np.arange(network.n_listed)
    rows, cols = (
        sparse.csr_array((np.ones(len(here), np.float32), (line, here)), shape=(size, len(here))) @ seen
        for line, size in zip((network.rows, network.cols), network.shape, strict=True)
    )
    if network.symmetric:
        rows = cols = rows + cols
    if network.background:
        rows = rows + (np.diff(network.csr.indptr) < network.shape[1])[:, None]
        cols = cols + (np.diff(network.csc.indptr) < network.shape[0])[:, None]
    return rows <= 0, cols <= 0


def warn_of_empty(ensemble: Ensemble) -> None:
    """Warn of rows and columns of which nothing is known, by name."""
    network = ensemble.network
    names = (network.row_names, network.col_names)
    kinds = ("node",) if network.symmetric else ("row", "column")
    for what, lines, called in zip(kinds, empty_lines(ensemble, None), names, strict=False):
        empty = np.flatnonzero(lines)
        if len(empty):
            shown = [str(called[i]) if called is not None else str(i) for i in empty[:5]]
            more = ", ..." if len(empty) > 5 else ""
            plural = "s" if len(empty) > 1 else ""
            warn_user(
                f"Nothing is known of {len(empty):,} {what}{plural} ({', '.join(shown)}{more}): each gets "
                f"the average of the other {what}s, and scores that say no more than that.",
            )
