"""Rows and columns without known entries."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from latentlink.errors import warn_user
from latentlink.network import Ensemble, Network

__all__ = ["empty_lines", "empty_lines_by_member", "warn_of_empty_lines"]

Array = NDArray[Any]


def empty_lines(ensemble: Ensemble, member: int | None) -> tuple[Array, Array]:
    """Mark rows and columns without an entry that is known to a member, or to any member if it is None."""
    return ensemble.derived(("empty lines", member), lambda: _empty_lines(ensemble, member))


def _empty_lines(ensemble: Ensemble, member: int | None) -> tuple[Array, Array]:
    network = ensemble.network
    known = np.zeros(network.n_listed, bool)
    distinct = range(1 if ensemble.is_uniform else ensemble.n_members)
    for each_member in distinct if member is None else (member,):
        known |= ensemble.member_entries(each_member)[1] > 0
    n, m = network.shape
    rows = np.bincount(network.rows, known, n)
    cols = np.bincount(network.cols, known, m)
    if network.symmetric:
        rows = cols = rows + cols
    if network.background:
        # Unlisted entries are known zeros: a line is empty only if all its entries are listed and hidden.
        rows = rows + (np.diff(network.csr.indptr) < m)
        cols = cols + (np.diff(network.csc.indptr) < n)
    return rows <= 0, cols <= 0


def empty_lines_by_member(ensemble: Ensemble) -> tuple[Array, Array]:
    """Mark rows and columns without known entries for each member; shapes (rows or columns, members)."""
    return ensemble.derived("empty lines by member", lambda: _empty_lines_by_member(ensemble))


def _empty_lines_by_member(ensemble: Ensemble) -> tuple[Array, Array]:
    network = ensemble.network
    weights = ensemble.weights if ensemble.weights.ndim == 2 else ensemble.weights[:, None]
    known = (~np.isnan(ensemble.values) & (weights > 0)).astype(np.float32)
    n, listed = network.n_listed, np.arange(network.n_listed)
    rows, cols = (
        sparse.csr_array((np.ones(n, np.float32), (line, listed)), shape=(size, n)) @ known
        for line, size in zip((network.rows, network.cols), network.shape, strict=True)
    )
    if network.symmetric:
        rows = cols = rows + cols
    if network.background:
        rows = rows + (np.diff(network.csr.indptr) < network.shape[1])[:, None]
        cols = cols + (np.diff(network.csc.indptr) < network.shape[0])[:, None]
    return rows <= 0, cols <= 0


def warn_of_empty_lines(ensemble: Ensemble) -> None:
    """Warn of rows and columns without known entries, by name; their entries may be held out of a fit."""
    network = ensemble.network
    names = (network.row_names, network.col_names)
    kinds = ("node",) if network.symmetric else ("row", "column")
    sides = zip(kinds, empty_lines(ensemble, None), _counts(network), names, strict=False)
    for kind, lines, counts, line_names in sides:
        empty = np.flatnonzero(lines)
        if len(empty):
            shown = [str(line_names[i]) if line_names is not None else str(i) for i in empty[:5]]
            plural = "s" if len(empty) > 1 else ""
            named = f"{', '.join(shown)}{', ...' if len(empty) > 5 else ''}"
            fit = " in this fit" if counts[empty].any() else ""
            warn_user(
                f"Nothing is known of {len(empty):,} {kind}{plural} ({named}){fit}: each gets "
                f"the average of the other {kind}s, and its scores carry no further information.",
            )


def _counts(network: Network) -> tuple[Array, Array]:
    """Return the numbers of listed entries of rows and columns, those held out among them."""
    rows = np.bincount(network.rows, None, network.shape[0])
    cols = np.bincount(network.cols, None, network.shape[1])
    return (rows + cols, cols) if network.symmetric else (rows, cols)
